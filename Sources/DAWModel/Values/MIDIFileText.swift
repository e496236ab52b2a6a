import Glibc

/// The text of a meta event of a MIDI file, whose encoding is not specified.
public enum MIDIFileText {
  /// UTF-8 if the bytes are valid; else Shift-JIS if they look like it; else Windows-1252, and with bytes that it does
  /// not have Latin-1.
  public static func decode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self) ?? shiftJIS(bytes) ?? text(of: bytes, in: "CP1252")
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// `nil` unless the bytes are valid Shift-JIS with a lead byte 0x81 … 0x9F, which in Latin-1 is a control character
  /// and in Windows-1252 most often punctuation.
  private static func shiftJIS(_ bytes: [UInt8]) -> String? {
    let places = bytes.indices.filter { (0x81...0x9f).contains(bytes[$0]) }
    guard !places.isEmpty, !places.allSatisfy({ isClosing(at: $0, in: bytes) }) else { return nil }
    return text(of: bytes, in: "CP932")
  }

  /// Whether a byte is punctuation of Windows-1252 that closes a word or joins two, as in "don’t": behind an ASCII
  /// letter, and not before a byte of Shift-JIS beyond ASCII.
  private static func isClosing(at place: Int, in bytes: [UInt8]) -> Bool {
    // … ’ ” – —
    guard [0x85, 0x92, 0x94, 0x96, 0x97].contains(bytes[place]), place > 0 else { return false }
    let isBehindLetter = (0x61...0x7a).contains(bytes[place - 1] | 0x20)
    return isBehindLetter && (place + 1 == bytes.count || bytes[place + 1] < 0x80)
  }

  /// `nil` where the bytes are not valid in an encoding.
  private static func text(of bytes: [UInt8], in encoding: String) -> String? {
    let converter = iconv_open("UTF-8", encoding)
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    // UTF-8 is at most three times as long.
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
