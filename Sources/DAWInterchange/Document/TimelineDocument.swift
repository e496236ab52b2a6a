import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A row of the timeline as JSON: with the times that follow from it.
@dynamicMemberLookup
public struct TimelineDocument<Row: Entity> {
  public var row: Row
  /// Seconds on the timeline.
  public var startTime = 0.0
  public var startTicks = TickPosition.zero

  public subscript<Value>(dynamicMember path: KeyPath<Row, Value>) -> Value { row[keyPath: path] }

  /// `nil` for the first tempo and the first meter, which are stored with the project's settings.
  public var id: Identifier<Row>? { row.id.rawValue == 0 ? nil : row.id }
}

extension TimelineDocument {
  fileprivate init(_ row: Row, at position: TickPosition, in map: TempoMap) {
    self.init(row: row, startTime: map.flicks(at: position).seconds, startTicks: position)
  }
}

// MARK: Key signatures

public typealias KeySignatureDocument = TimelineDocument<KeySignature>

extension KeySignature: TimelineRow {
  package static let timelineMembers: JSONMembers<KeySignatureDocument> = [
    JSONMember(id: \.row.id),
    JSONMember(derived: "startTime", \.startTime),
    JSONMember("startTicks", \.row.position, isRequired: true),
    JSONMember("fifths", \.row.fifths, isRequired: true),
    JSONMember("isMinor", \.row.isMinor),
  ]
}

extension KeySignatureDocument {
  public init(_ mark: KeySignature, in map: TempoMap) { self.init(mark, at: mark.position, in: map) }
}

// MARK: Tempo and meter

extension TempoChange: TimelineRow {
  package static let timelineMembers: JSONMembers<TempoMapDocument.Tempo> = [
    JSONMember(id: \.row.id),
    JSONMember(derived: "startTime", \.startTime),
    JSONMember("startTicks", \.row.position, isRequired: true),
    JSONMember("bpm", \.row.tempo, isRequired: true),
    JSONMember("isRamp", \.row.isRamp),
  ]
}

extension MeterChange: TimelineRow {
  package static let timelineMembers: JSONMembers<TempoMapDocument.Meter> = [
    JSONMember(id: \.row.id),
    JSONMember(derived: "startTime", \.startTime),
    JSONMember("startTicks", \.startTicks),
    JSONMember("bar", \.row.bar),
    JSONMember("timeSignature", \.row.timeSignature, isRequired: true),
  ]

  /// The bar decides the place, not the ticks; only a meter at the start may lack it.
  package static func complete(_ document: inout TempoMapDocument.Meter) throws {
    guard document.bar == 0 else { return }
    guard document.startTicks == .zero else { throw JSONError.Problem.missingKey("bar") }
    document.row.bar = 1
  }
}

/// Where tempo and meter change, as JSON. The first of each is the project's own, at the start.
public struct TempoMapDocument {
  public typealias Tempo = TimelineDocument<TempoChange>
  public typealias Meter = TimelineDocument<MeterChange>

  public var tempos: [Tempo] = []
  public var meters: [Meter] = []
}

extension TempoMapDocument: JSONRecord {
  package static var blank: TempoMapDocument { TempoMapDocument() }
  package static let members: JSONMembers<TempoMapDocument> = [
    JSONMember("tempos", \.tempos), JSONMember("meters", \.meters),
  ]
}

extension TempoMapDocument {
  public init(_ view: ProjectView) throws {
    let map = try view.tempoMap()
    let settings = try view.header().settings
    let noID = (tempo: TempoChangeID(rawValue: 0), meter: MeterChangeID(rawValue: 0))
    let tempo = TempoChange(id: noID.tempo, position: .zero, tempo: settings.tempo, isRamp: settings.isTempoRamp)
    let meter = MeterChange(id: noID.meter, bar: 1, timeSignature: settings.timeSignature)
    tempos = try ([tempo] + view.tempoChanges()).map { Tempo($0, in: map) }
    meters = try ([meter] + view.meterChanges()).map { Meter($0, in: map) }
  }
}

extension TempoMapDocument.Tempo {
  public init(_ mark: TempoChange, in map: TempoMap) { self.init(mark, at: mark.position, in: map) }
}

extension TempoMapDocument.Meter {
  public init(_ mark: MeterChange, in map: TempoMap) {
    // Its meter is the one that begins there, so that every bar before it has a first beat.
    self.init(mark, at: (try? map.ticks(at: BarBeatTick(bar: mark.bar))) ?? .zero, in: map)
  }
}

/// An entity that is written as a `TimelineDocument`.
package protocol TimelineRow: Entity {
  static var timelineMembers: JSONMembers<TimelineDocument<Self>> { get }
  /// Checks and completes what was read.
  static func complete(_ document: inout TimelineDocument<Self>) throws
}

extension TimelineRow {
  package static func complete(_ document: inout TimelineDocument<Self>) throws {}
}

extension TimelineDocument: JSONWritable, JSONReadable, JSONWritableRecord, JSONRecord where Row: TimelineRow {
  package static var members: JSONMembers<Self> { Row.timelineMembers }
  package static var blank: Self { Self(row: Row(blank: Identifier(rawValue: 0))) }
  package mutating func complete() throws { try Row.complete(&self) }
}
