import DAWModel
import DAWProject
import DAWTime

/// A value that is one simpler value in JSON.
package typealias JSONValue = JSONWritable & JSONReadable

extension Bool: JSONValue {
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
  package init(from reader: inout JSONReader) throws { self = try reader.bool() }
}

extension Int64: JSONValue {
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
  package init(from reader: inout JSONReader) throws { self = try reader.integer() }
}

extension Int: JSONValue {
  package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
  package init(from reader: inout JSONReader) throws { self = Int(try reader.integer()) }
}

extension Double: JSONValue {
  package func write(to writer: inout JSONWriter) { writer.real(self) }
  package init(from reader: inout JSONReader) throws { self = try reader.real() }
}

extension String: JSONValue {
  package func write(to writer: inout JSONWriter) { writer.string(self) }
  package init(from reader: inout JSONReader) throws { self = try reader.string() }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  package func write(to writer: inout JSONWriter) throws {
    if let self { try self.write(to: &writer) } else { writer.null() }
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// A record takes `null` for a member that is missing.
  package init(from reader: inout JSONReader) throws { self = try Wrapped(from: &reader) }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to writer: inout JSONWriter) throws { try writer.array(self) }
}

extension Array: JSONReadable where Element: JSONReadable {
  package init(from reader: inout JSONReader) throws {
    var elements: [Element] = []
    try reader.array { elements.append(try Element(from: &$0)) }
    self = elements
  }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  package func write(to writer: inout JSONWriter) throws {
    try writer.object { writer in
      for (name, value) in sorted(by: { $0.key < $1.key }) { try writer.member(name, value) }
    }
  }
}

/// A value that is no part of a project, written by `JSONEncoder`.
package protocol JSONEncoded: JSONWritable, Encodable {}

extension JSONEncoded {
  package func write(to writer: inout JSONWriter) throws { try writer.encoded(self) }
}

// MARK: Values of the model

/// A value of the model that is one simpler value in JSON.
protocol JSONWrapped: JSONValue {
  associatedtype JSONForm: JSONValue
  var json: JSONForm { get }
  /// - Returns: `nil` for a value that is not accepted.
  /// - Throws: `RuleViolation`.
  init?(json: JSONForm) throws
  /// Says of a value why it is not accepted.
  static func refusal(of value: JSONForm) -> String
}

extension JSONWrapped {
  package func write(to writer: inout JSONWriter) throws { try json.write(to: &writer) }

  package init(from reader: inout JSONReader) throws {
    let offset = try (reader.peek(), reader.offset).1
    let simple = try JSONForm(from: &reader)
    guard let value = try Self(json: simple) else { throw JSONError(.value(Self.refusal(of: simple)), at: offset) }
    self = value
  }

  static func refusal(of value: JSONForm) -> String { "\(value) is not accepted." }
}

extension JSONWrapped where Self: RawRepresentable & CaseIterable, RawValue == String {
  var json: String { rawValue }
  init?(json: String) { self.init(rawValue: json) }
  static func refusal(of text: String) -> String {
    "'\(text.prefix(100))' is none of \(allCases.map(\.rawValue).joined(separator: ", "))."
  }
}

extension TrackType: JSONWrapped {}
extension RegionType: JSONWrapped {}
extension TimeBase: JSONWrapped {}
extension PanLaw: JSONWrapped {}
extension Marker.Kind: JSONWrapped {}
extension EventKind: JSONWrapped {}
extension Instrument.GainReference: JSONWrapped {}
extension Fade.Shape: JSONWrapped {}
extension Overlap: JSONWrapped {}
extension InvertedSides: JSONWrapped {}
extension Monitor: JSONWrapped {}
extension LaneShape: JSONWrapped {}
extension EffectKind: JSONWrapped {}
extension Retention.Quality: JSONWrapped {}
extension Retention.Scope: JSONWrapped {}

extension Days: JSONWrapped {
  var json: Int { count }
  init?(json: Int) { self.init(json) }
}

extension Identifier: JSONWrapped {
  var json: String { uuidString }
  init?(json: String) { self.init(uuidString: json) }
  static func refusal(of text: String) -> String { "'\(text.prefix(100))' is not the id of a \(Kind.noun)." }
}

extension ProjectID: JSONWrapped {
  var json: String { uuidString }
  init?(json: String) { self.init(uuidString: json) }
  static func refusal(of text: String) -> String { "'\(text.prefix(100))' is not the id of a project." }
}

extension Name: JSONWrapped {
  var json: String { text }
  init?(json: String) throws { try self.init(json) }
}

extension Color: JSONWrapped {
  var json: String { name }
  init?(json: String) { self.init(json) }
  static func refusal(of text: String) -> String { "'\(text.prefix(100))' is no colour." }
}

extension ChannelSelection: JSONWrapped {
  var json: String { description }
  init?(json: String) { self.init(json) }
  static func refusal(of text: String) -> String { "'\(text.prefix(100))' names no channels." }
}

extension Timestamp: JSONWrapped {
  var json: String { iso8601 }
  init?(json: String) { self.init(iso8601: json) }
  static func refusal(of text: String) -> String { "'\(text.prefix(100))' is no date of ISO 8601." }
}

extension Pan: JSONWrapped {
  var json: Double { position }
  init?(json: Double) { self.init(position: json) }
}

extension SampleRate: JSONWrapped {
  var json: Int { hertz }
  init?(json: Int) { self.init(hertz: json) }
}

extension FrameCount: JSONWrapped {
  var json: Int64 { frames }
  init?(json: Int64) { self.init(frames: json) }
}

extension TickPosition: JSONWrapped {
  var json: Int64 { ticks }
  init?(json: Int64) { self.init(ticks: json) }
}

extension TickCount: JSONWrapped {
  var json: Int64 { ticks }
  init?(json: Int64) { self.init(ticks: json) }
}

extension FlickCount: JSONWrapped {
  var json: Int64 { flicks }
  init?(json: Int64) { self.init(flicks: json) }
}

/// In quarter notes per minute.
extension Tempo: JSONWrapped {
  var json: Double { bpm }

  /// - Throws: `RuleViolation` of a tempo that is far beyond the range.
  init?(json bpm: Double) throws {
    guard let tempo = Tempo(nearestTo: bpm) else { throw RuleViolation(.tempo, value: "a tempo of \(bpm) BPM") }
    self = tempo
  }
}

/// As a fraction: "7/8".
extension TimeSignature: JSONWrapped {
  var json: String { description }

  /// - Throws: `RuleViolation` if it is not a fraction.
  init?(json fraction: String) throws {
    guard let signature = TimeSignature(fraction: fraction) else {
      throw RuleViolation(.timeSignature, value: "a time signature of '\(fraction)'", subject: "the project")
    }
    self = signature
  }
}

/// A number, or "-inf".
extension Level: JSONValue {
  package func write(to writer: inout JSONWriter) {
    if self == .silence { writer.string("-inf") } else { writer.real(decibels) }
  }

  package init(from reader: inout JSONReader) throws {
    let isText = try reader.peek() == UInt8(ascii: "\"")
    let offset = reader.offset
    if isText, try reader.string() != "-inf" {
      throw JSONError(.value("A level is a number, or \"-inf\"."), at: offset)
    }
    self = isText ? .silence : Level(decibels: try reader.real())
  }
}
