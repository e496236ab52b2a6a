import Foundation

extension JSONReader {
  mutating func bool() throws -> Bool {
    switch try peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw try unexpected("true or false")
    }
  }

  mutating func literal(_ word: StaticString) throws {
    let begin = offset
    for index in 0..<word.utf8CodeUnitCount {
      guard try next() == word.utf8Start[index] else {
        throw JSONError(.syntax("'\(word)' is misspelt, or in capital letters."), at: begin)
      }
      position += 1
    }
  }

  /// A whole number, which may be written with a fraction of zeros or an exponent.
  mutating func integer() throws -> Int64 {
    let number = try number("a whole number")
    if let integer = number.integer { return integer }
    guard !number.isWhole, let integer = Int64(exactly: try real(number)) else {
      throw JSONError(.value("A whole number of 64 bits is expected here."), at: offset - Int64(number.length))
    }
    return integer
  }

  mutating func real() throws -> Double { try real(number("a number")) }

  /// A number as it stands in the buffer.
  private struct Number {
    /// Its length in bytes, which end at `position`.
    var length: Int
    /// Its digits without point and exponent; `nil` if they are too many.
    var digits: UInt64?
    /// The power of ten by which they are multiplied; `nil` if it is too large.
    var exponent: Int?
    var isNegative: Bool
    /// Whether it is written without point and exponent.
    var isWhole: Bool

    var integer: Int64? {
      guard isWhole, let digits else { return nil }
      if isNegative { return digits <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- digits) : nil }
      return Int64(exactly: digits)
    }
  }

  private mutating func number(_ expected: String) throws -> Number {
    var byte = try peek()
    guard byte == UInt8(ascii: "-") || Self.isDigit(byte) else { throw try unexpected(expected) }
    kept = position
    defer { kept = nil }
    var number = Number(length: 0, digits: 0, exponent: 0, isNegative: byte == UInt8(ascii: "-"), isWhole: true)
    if number.isNegative { byte = try advance() }
    if byte == UInt8(ascii: "0") {
      byte = try advance()
      if Self.isDigit(byte) { throw JSONError(.syntax("A number begins with a needless 0."), at: offset) }
    } else {
      byte = try digits(byte, of: &number, step: 0)
    }
    if byte == UInt8(ascii: ".") {
      number.isWhole = false
      byte = try digits(advance(), of: &number, step: -1)
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      number.isWhole = false
      byte = try advance()
      let isNegative = byte == UInt8(ascii: "-")
      if isNegative || byte == UInt8(ascii: "+") { byte = try advance() }
      var power = Number(length: 0, digits: 0, exponent: 0, isNegative: isNegative, isWhole: true)
      byte = try digits(byte, of: &power, step: 0)
      let shift = power.digits.flatMap { $0 < 1000 ? Int($0) : nil }.map { isNegative ? -$0 : $0 }
      number.exponent = shift.flatMap { shift in number.exponent.map { $0 + shift } }
    }
    number.length = position - (kept ?? position)
    return number
  }

  /// At least one digit.
  /// - Returns: the byte that follows; 0 at the end.
  @inline(__always)
  private mutating func digits(_ first: UInt8, of number: inout Number, step: Int) throws -> UInt8 {
    var byte = first
    guard Self.isDigit(byte) else { throw try broken("a digit") }
    repeat {
      if let digits = number.digits {
        let (product, overflows) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carries) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        number.digits = overflows || carries ? nil : sum
      }
      number.exponent = number.exponent.map { $0 + step }
      byte = try advance()
    } while Self.isDigit(byte)
    return byte
  }

  /// - Returns: the byte after the next one; 0 at the end.
  @inline(__always)
  private mutating func advance() throws -> UInt8 {
    position += 1
    return try next() ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private func real(_ number: Number) throws -> Double {
    // Both factors and hence the one rounding are exact (Clinger's fast path).
    if let digits = number.digits, digits <= 1 << 53, let exponent = number.exponent, (-22...22).contains(exponent) {
      let value = number.isNegative ? -Double(digits) : Double(digits)
      return exponent < 0 ? value / Self.powersOfTen[-exponent] : value * Self.powersOfTen[exponent]
    }
    let text = String(decoding: bytes[position - number.length..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONError(.value("The number \(text.prefix(30)) is too large."), at: offset - Int64(number.length))
    }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  // MARK: Strings

  /// - Returns: whether there was an empty string.
  mutating func skipEmptyString() throws -> Bool {
    guard try peek() == UInt8(ascii: "\"") else { return false }
    while limit - position < 2, try fill() {}
    guard limit - position >= 2, bytes[position + 1] == UInt8(ascii: "\"") else { return false }
    position += 2
    return true
  }

  mutating func string() throws -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw try unexpected("a string") }
    let begin = offset
    position += 1
    kept = position
    defer { kept = nil }
    var hasEscape = false
    while let byte = try next(), byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else {
        throw JSONError(.syntax("A control character stands in a string without an escape."), at: offset)
      }
      position += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      hasEscape = true
      if try next() != nil { position += 1 }
    }
    guard position < limit, let first = kept else {
      throw JSONError(.syntax("A string is not closed."), at: begin)
    }
    let raw = UnsafeMutableBufferPointer(rebasing: bytes[first..<position])
    position += 1
    let text =
      hasEscape
      ? String(validating: try unescaped(raw, at: begin), as: UTF8.self) : String(validating: raw, as: UTF8.self)
    guard let text else { throw JSONError(.syntax("A string is not text in UTF-8."), at: begin) }
    return text
  }

  /// - Parameter offset: of the string, for errors.
  private func unescaped(_ raw: UnsafeMutableBufferPointer<UInt8>, at offset: Int64) throws -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    func unit(_ index: Int) throws -> UInt16 {
      let digits = raw[min(index, raw.count)..<min(index + 4, raw.count)]
      guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw JSONError(.syntax("'\\u' is not followed by four hexadecimal digits."), at: offset + Int64(index)) }
      return unit
    }
    while index < raw.count {
      let byte = raw[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      let escape = raw[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var units = [try unit(index)]
        index += 4
        if UTF16.isLeadSurrogate(units[0]), index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"),
          raw[index + 1] == UInt8(ascii: "u")
        {
          units.append(try unit(index + 2))
          index += 6
        }
        guard let scalar = String(validating: units, as: UTF16.self) else {
          throw JSONError(
            .syntax("'\\u' stands for half a character: a surrogate without its partner."), at: offset + Int64(index))
        }
        text.append(contentsOf: scalar.utf8)
      default: throw JSONError(.syntax("'\\' is not followed by one of \"\\/bfnrtu."), at: offset + Int64(index))
      }
    }
    return text
  }
}
