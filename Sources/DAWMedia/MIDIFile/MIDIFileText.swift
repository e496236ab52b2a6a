import Glibc

/// The text of a meta event. Files do not say in which encoding it is.
public enum MIDIFileText {
  /// UTF-8 where the bytes are that; else Shift-JIS where they look like it, and Latin-1, which any bytes are.
  public static func decode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self) ?? shiftJIS(bytes)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// `nil` where the bytes are not, or hardly, Shift-JIS: its first bytes of two, 0x81 … 0x9F, are control characters in
  /// Latin-1, which no text has.
  private static func shiftJIS(_ bytes: [UInt8]) -> String? {
    guard bytes.contains(where: { (0x81...0x9f).contains($0) }) else { return nil }
    let converter = iconv_open("UTF-8", "CP932")
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    // No character becomes more than twice as long.
    var text = [UInt8](repeating: 0, count: 4 * bytes.count)
    var (input, inputCount, outputCount) = (bytes, bytes.count, text.count)
    let isWhole = input.withUnsafeMutableBytes { source in
      text.withUnsafeMutableBytes { target in
        var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
        return iconv(converter, &from, &inputCount, &to, &outputCount) == 0
      }
    }
    guard isWhole, inputCount == 0 else { return nil }
    return String(validating: text.prefix(text.count - outputCount), as: UTF8.self)
  }
}
