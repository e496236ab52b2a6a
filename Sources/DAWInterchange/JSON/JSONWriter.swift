import Foundation

/// A value that can be written as JSON.
package protocol JSONWritable: SendableMetatype {
  /// - Throws: what the writer's output throws; an error of reading for values that are fetched when they are written.
  func write(to writer: inout JSONWriter) throws
}

/// Writes JSON piece by piece, formatted as by `JSONEncoder` with sorted keys and unescaped slashes. The caller adds
/// the members of an object in order of their keys.
package struct JSONWriter: ~Copyable {
  package enum Layout: Sendable {
    /// Indented by two spaces.
    case indented
    case oneLine
  }

  private let layout: Layout
  private let output: (String) throws -> Void
  private var bytes: [UInt8] = []
  private var depth = 0
  /// Whether the current array or object is empty so far.
  private var isEmpty = true

  private static let pieceByteCount = 1 << 16

  private init(_ layout: Layout, output: @escaping (String) throws -> Void) {
    self.layout = layout
    self.output = output
    bytes.reserveCapacity(Self.pieceByteCount + 4096)
  }

  /// Writes one value and the end of its line.
  /// - Parameter output: receives the text in pieces, in order.
  package static func write(
    _ value: some JSONWritable, _ layout: Layout = .indented, to output: @escaping (String) throws -> Void
  ) throws {
    var writer = JSONWriter(layout, output: output)
    try value.write(to: &writer)
    writer.append(UInt8(ascii: "\n"))
    try writer.flush()
  }

  /// One value and the end of its line.
  package static func text(_ value: some JSONWritable, _ layout: Layout = .indented) throws -> String {
    var text = ""
    try write(value, layout) { text += $0 }
    return text
  }

  // MARK: Arrays and objects

  package mutating func array<Element: JSONWritable>(_ elements: some Sequence<Element>) throws {
    begin(UInt8(ascii: "["))
    for element in elements {
      try separate()
      try element.write(to: &self)
    }
    end(UInt8(ascii: "]"))
  }

  /// - Parameter members: adds each member, in order of their keys.
  package mutating func object(_ members: (inout JSONWriter) throws -> Void) throws {
    begin(UInt8(ascii: "{"))
    try members(&self)
    end(UInt8(ascii: "}"))
  }

  /// Begins a member, whose value follows.
  mutating func key(_ key: JSONKey) throws {
    try separate()
    bytes.append(contentsOf: key.quoted)
    appendColon()
  }

  /// - Parameter name: whatever it holds.
  package mutating func member(_ name: String, _ value: any JSONWritable) throws {
    try separate()
    string(name)
    appendColon()
    try value.write(to: &self)
  }

  private mutating func appendColon() {
    if layout == .indented { append(" : ") } else { append(UInt8(ascii: ":")) }
  }

  private mutating func begin(_ bracket: UInt8) {
    append(bracket)
    depth += 1
    isEmpty = true
  }

  private mutating func separate() throws {
    if bytes.count > Self.pieceByteCount { try flush() }
    if !isEmpty { append(UInt8(ascii: ",")) }
    isEmpty = false
    startLine()
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    // An empty one has an empty line in it.
    if isEmpty, layout == .indented { append(UInt8(ascii: "\n")) }
    isEmpty = false
    startLine()
    append(bracket)
  }

  private mutating func startLine() {
    guard layout == .indented else { return }
    append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  // MARK: Values

  mutating func null() { append("null") }
  mutating func bool(_ value: Bool) { if value { append("true") } else { append("false") } }

  mutating func integer(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
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

  /// - Parameter value: finite.
  mutating func real(_ value: Double) {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, whole != 0 { return integer(whole) }
    var text = value.description
    text.withUTF8 { text in
      // "0.0" is "0".
      let isWhole = text.count > 2 && text[text.count - 2] == UInt8(ascii: ".") && text.last == UInt8(ascii: "0")
      bytes.append(contentsOf: isWhole ? text.dropLast(2) : text[...])
    }
  }

  mutating func string(_ text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if isPlain { bytes.append(contentsOf: text) } else { for byte in text { appendEscaped(byte) } }
    }
    append(UInt8(ascii: "\""))
  }

  /// A value of another kind, which `JSONEncoder` writes. Its lines are indented: text within a value has no line ends
  /// that are not escaped.
  mutating func encoded(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      layout == .indented
      ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
    for (index, line) in try encoder.encode(value).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() {
      if index > 0 { append(UInt8(ascii: "\n")) }
      if index > 0, !line.isEmpty { bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth)) }
      bytes.append(contentsOf: line)
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0x08: append("\\b")
    case 0x0c: append("\\f")
    case 0..<0x20:
      append("\\u00")
      for digit in [byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    default: append(byte)
    }
  }

  private mutating func append(_ byte: UInt8) { bytes.append(byte) }
  private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  private mutating func flush() throws {
    try output(String(decoding: bytes, as: UTF8.self))
    bytes.removeAll(keepingCapacity: true)
  }
}

/// A member's key, escaped and quoted once.
struct JSONKey: Sendable {
  let name: String
  let quoted: [UInt8]

  /// - Parameter name: without characters that need an escape.
  init(_ name: String) {
    self.name = name
    quoted = Array("\"\(name)\"".utf8)
  }
}
