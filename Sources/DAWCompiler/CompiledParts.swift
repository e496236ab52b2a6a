import DAWEngine
import DAWModel
import DAWTime

/// What regions and tracks compiled to, kept so that the next compilation does only what an edit has changed. Each part
/// stands with everything it depends on and is taken only where all of that is equal; so parts change the time a
/// compilation takes, and never the plan.
public struct CompiledParts: Sendable {
  /// What every part depends on; where it has changed, none is taken.
  let clock: FrameClock
  var notes: [RegionID: NotesPart] = [:]
  var tracks: [TrackID: TrackEventsPart] = [:]

  init(clock: FrameClock) { self.clock = clock }
}

/// A region's notes as events on frames.
final class NotesPart: Sendable {
  let start: TickPosition
  let source: [MIDINote]
  /// Sorted.
  let events: [NoteEvent]

  init(start: TickPosition, source: [MIDINote], events: [NoteEvent]) {
    self.start = start
    self.source = source
    self.events = events
  }
}

/// All notes of a track, overlaps resolved.
struct TrackEventsPart: Sendable {
  let regions: [NotesPart]
  let events: [MIDIEvent]

  func isMade(of others: [NotesPart]) -> Bool {
    regions.count == others.count && zip(regions, others).allSatisfy { $0 === $1 }
  }
}
