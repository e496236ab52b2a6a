import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A note in a listing.
public typealias NoteEntry = PlacedEntry<NoteDocument>

extension NoteEntry {
  public var note: NoteDocument { document }
}

extension ProjectView {
  /// Notes in order of their place on the timeline.
  /// - Parameters:
  ///   - region: its name or id.
  ///   - track: its name or id.
  ///   - from: only what ends after this place.
  ///   - to: only what begins before this place.
  ///   - isStarting: only what begins in the range.
  ///   - channels: each 0 … 15.
  ///   - limit: at most so many, the earliest first.
  public func noteEntries(
    region: String? = nil, track: String? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    isStarting: Bool = false, pitches: ClosedRange<Int>? = nil, velocities: ClosedRange<Int>? = nil,
    channels: ClosedRange<Int>? = nil, limit: Int? = nil
  ) throws -> [NoteEntry] {
    try entries(
      of: notes(
        NoteFilter(
          region: try region.map { try self.region(calledBy: $0).id },
          track: try track.map { try self.track(calledBy: $0).id }, from: from, to: to, isStarting: isStarting,
          pitches: pitches, velocities: velocities, channels: channels, limit: limit)))
  }

  public func entries(of notes: [MIDINote]) throws -> [NoteEntry] {
    try placed(notes, region: \.region, start: \.start) { NoteDocument($0, regionStart: $1, in: $2) }
  }
}

/// One change of a note, as JSON: both forms, or only the one that there is.
public struct NoteExampleEntry {
  public var before: NoteEntry?
  public var after: NoteEntry?
}

extension NoteExampleEntry: JSONWritableRecord {
  package static let members: JSONMembers<NoteExampleEntry> = [
    JSONMember(written: "before", \.before), JSONMember(written: "after", \.after),
  ]
}

extension ProjectView {
  public func entries(of examples: [NoteExample]) throws -> [NoteExampleEntry] {
    try examples.map { example in
      NoteExampleEntry(
        before: try example.before.flatMap { try entries(of: [$0]).first },
        after: try example.after.flatMap { try entries(of: [$0]).first })
    }
  }
}
