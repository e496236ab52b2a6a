/// A JSON object whose values are whole numbers, texts and lists of texts, on one line and without spaces: a record of
/// a text file. Read by its own code, because a recording of a day has a hundred thousand of them.
struct FlatJSON {
  enum Value: Equatable {
    case number(Int64)
    case text(String)
    case texts([String])
  }

  private var fields: [(key: String, value: Value)] = []

  init() { fields.reserveCapacity(10) }

  subscript(key: String) -> Value? { fields.first { $0.key == key }?.value }

  /// `nil` if there is no such number in the range.
  func number(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
    guard case .number(let value) = self[key], range.contains(value) else { return nil }
    return value
  }

  func text(_ key: String) -> String? { if case .text(let text) = self[key] { text } else { nil } }

  func texts(_ key: String) -> [String]? { if case .texts(let texts) = self[key] { texts } else { nil } }

  mutating func add(_ key: String, _ value: some BinaryInteger) { fields.append((key, .number(Int64(value)))) }
  mutating func add(_ key: String, _ value: String) { fields.append((key, .text(value))) }
  mutating func add(_ key: String, _ value: [String]) { fields.append((key, .texts(value))) }

  // MARK: Writing

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    for (key, value) in fields {
      bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      Self.append(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      switch value {
      case .number(let number): bytes.append(text: String(number))
      case .text(let text): Self.append(text, to: &bytes)
      case .texts(let texts):
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
          if index > 0 { bytes.append(UInt8(ascii: ",")) }
          Self.append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
      }
    }
    if bytes.isEmpty { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20: bytes.append(text: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  // MARK: Reading

  /// - Returns: `nil` unless the bytes are one such object.
  init?(parsing bytes: UnsafeRawBufferPointer) {
    self.init()
    var input = Input(bytes: bytes)
    guard input.take("{") else { return nil }
    repeat {
      guard let key = input.text(), input.take(":"), let value = input.value() else { return nil }
      fields.append((key, value))
    } while input.take(",")
    guard input.take("}"), input.isAtEnd else { return nil }
  }

  private struct Input {
    let bytes: UnsafeRawBufferPointer
    var place = 0

    var isAtEnd: Bool { place == bytes.count }

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    mutating func value() -> Value? {
      guard place < bytes.count else { return nil }
      switch bytes[place] {
      case UInt8(ascii: "\""): return text().map(Value.text)
      case UInt8(ascii: "["):
        place += 1
        var texts: [String] = []
        if take("]") { return .texts([]) }
        repeat {
          guard let text = text() else { return nil }
          texts.append(text)
        } while take(",")
        return take("]") ? .texts(texts) : nil
      default: return number().map(Value.number)
      }
    }

    private mutating func number() -> Int64? {
      let isNegative = take("-")
      let start = place
      var value: Int64 = 0
      while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
        let digit = Int64(bytes[place] - UInt8(ascii: "0"))
        let (tenfold, isTooBig) = value.multipliedReportingOverflow(by: 10)
        let (next, isTooBigNow) =
          isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
        if isTooBig || isTooBigNow { return nil }
        value = next
        place += 1
      }
      return place > start ? value : nil
    }

    mutating func text() -> String? {
      guard take("\"") else { return nil }
      let start = place
      while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
      guard place < bytes.count else { return nil }
      if bytes[place] == UInt8(ascii: "\"") {
        place += 1
        return String(validating: bytes[start..<place - 1], as: UTF8.self)
      }
      // Up to the first backslash as it is, from there on byte by byte.
      var unescaped = Array(bytes[start..<place])
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "\"") { return String(validating: unescaped, as: UTF8.self) }
        guard byte == UInt8(ascii: "\\") else {
          unescaped.append(byte)
          continue
        }
        guard place < bytes.count else { return nil }
        let escaped = bytes[place]
        place += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): unescaped.append(escaped)
        case UInt8(ascii: "u"):
          // Only control characters are written like this.
          guard place + 4 <= bytes.count,
            let code = UInt8(
              String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16), code < 0x20
          else { return nil }
          unescaped.append(code)
          place += 4
        default: return nil
        }
      }
      return nil
    }
  }
}
