import DAWModel
import DAWTime

/// A note as JSON; its times are from its region's start.
@dynamicMemberLookup
public struct NoteDocument {
  /// Without its times, when it was read.
  public var row: MIDINote
  /// Seconds.
  public var startTime = 0.0
  public var startTicks: TickCount?
  /// Seconds.
  public var duration = 0.25
  public var durationTicks: TickCount?

  public subscript<Value>(dynamicMember path: KeyPath<MIDINote, Value>) -> Value { row[keyPath: path] }
}

extension NoteDocument: JSONRecord {
  package static var blank: NoteDocument { NoteDocument(row: MIDINote(blank: NoteID(rawValue: 0))) }

  package static let members: JSONMembers<NoteDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("pitch", \.row.pitch),
    JSONMember("velocity", \.row.velocity),
    JSONMember("startTime", \.startTime),
    JSONMember(ifPresent: "startTicks", \.startTicks),
    JSONMember("duration", \.duration),
    JSONMember(ifPresent: "durationTicks", \.durationTicks),
    JSONMember("channel", \.row.channel),
    JSONMember("releaseVelocity", \.row.releaseVelocity),
  ]
}

extension NoteDocument {
  /// - Parameter regionStart: where the note's region begins.
  public init(_ note: MIDINote, regionStart: TickPosition, in map: TempoMap) {
    let start = map.flicks(at: regionStart + note.start)
    row = note
    startTime = (start - map.flicks(at: regionStart)).seconds
    startTicks = note.start
    duration = (map.flicks(at: regionStart + note.end) - start).seconds
    durationTicks = note.duration
  }

  /// The note that was read.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  func note(in region: RegionID, regionStart: TickPosition, _ map: TempoMap) throws -> MIDINote {
    var note = row
    note.region = region
    note.start =
      try startTicks ?? map.ticks(at: map.flicks(at: regionStart) + FlickCount(written: startTime)) - regionStart
    let start = regionStart + note.start
    note.duration = try durationTicks ?? map.ticks(at: map.flicks(at: start) + FlickCount(written: duration)) - start
    return note
  }
}
