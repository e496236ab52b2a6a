import Glibc

/// The text of a meta event of a MIDI file, whose encoding is not specified.
public enum MIDIFileText {
  /// UTF-8 if the bytes are valid; else Shift-JIS if they look like it; else Latin-1.
  public static func decode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self) ?? shiftJIS(bytes)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// `nil` unless the bytes are valid Shift-JIS with a lead byte 0x81 … 0x9F, which in Latin-1 is a control character.
  private static func shiftJIS(_ bytes: [UInt8]) -> String? {
    guard bytes.contains(where: { (0x81...0x9f).contains($0) }) else { return nil }
    let converter = iconv_open("UTF-8", "CP932")
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    // UTF-8 is at most twice as long.
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
