import Foundation

/// The objects of an array in a project's JSON, as text on its way out: what `JSONEncoder` would make of them, at the depth
/// at which a region's notes and events lie. They come by the million, so nothing is made of one but its bytes.
struct JSONItems {
  /// Takes the text in order.
  private let output: (String) throws -> Void
  private var bytes: [UInt8] = []
  private var haveBegun = false
  private var haveMembers = false

  init(output: @escaping (String) throws -> Void) { self.output = output }

  private static let pieceByteCount = 1 << 16

  mutating func begin() {
    append(haveBegun ? ",\n            {" : "\n            {")
    haveBegun = true
    haveMembers = false
  }

  /// - Parameter key: after those that have been added, in order of their characters; so for the others.
  mutating func add(_ key: StaticString, _ value: Int) {
    append(key: key)
    append(value)
  }

  mutating func add(_ key: StaticString, _ value: Double) {
    append(key: key)
    let text = value.description.utf8
    // The encoder writes no needless ".0".
    bytes.append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
  }

  /// - Parameter text: in which nothing needs to be escaped.
  mutating func add(_ key: StaticString, text: String) {
    append(key: key)
    append("\"")
    bytes.append(contentsOf: text.utf8)
    append("\"")
  }

  /// - Parameter text: whatever it holds.
  mutating func add(_ key: StaticString, escaping text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    append(key: key)
    bytes.append(contentsOf: try encoder.encode(text))
  }

  mutating func endItem() throws {
    append("\n            }")
    if bytes.count > Self.pieceByteCount { try flush() }
  }

  /// Goes on to where the array is closed: as the encoder does it, also for one that is empty.
  mutating func end() throws {
    append(haveBegun ? "\n          " : "\n\n          ")
    try flush()
  }

  private mutating func append(key: StaticString) {
    append(haveMembers ? ",\n              \"" : "\n              \"")
    haveMembers = true
    append(key)
    append("\" : ")
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ value: Int) {
    if value < 0 { append("-") }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var rest = value.magnitude
    var first = 20
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    for place in first..<20 { bytes.append(digits[place]) }
  }

  private mutating func flush() throws {
    try output(String(decoding: bytes, as: UTF8.self))
    bytes.removeAll(keepingCapacity: true)
  }
}
