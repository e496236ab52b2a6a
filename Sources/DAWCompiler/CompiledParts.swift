import DAWEngine
import DAWModel
import DAWTime

/// What regions and tracks compiled to, kept so that the next compilation does only what an edit has changed. Each part
/// stands with everything it depends on and is taken only where all of that is equal; so parts change the time a
/// compilation takes, and never the plan.
public struct CompiledParts: Sendable {
  /// What every part depends on; where it has changed, none is taken.
  let clock: FrameClock
  var regions: [RegionID: RegionPart] = [:]
  var tracks: [TrackID: TrackEventsPart] = [:]
  /// The same on exact frames, for ports.
  var portRegions: [RegionID: RegionPart] = [:]
  var portTracks: [TrackID: TrackEventsPart] = [:]

  init(clock: FrameClock) { self.clock = clock }
}

/// A region's notes and events on frames.
final class RegionPart: Sendable {
  let region: RegionID
  let start: TickPosition
  let notes: [MIDINote]
  let events: [RegionEvent]
  /// Beginnings and ends of notes, sorted.
  let noteEvents: [NoteEvent]
  let settings: RegionSettings

  /// MIDI's channel 10.
  static let percussionChannel: UInt8 = 9

  init(
    region: RegionID, start: TickPosition, notes: [MIDINote], events: [RegionEvent], noteEvents: [NoteEvent],
    settings: RegionSettings
  ) {
    self.region = region
    self.start = start
    self.notes = notes
    self.events = events
    self.noteEvents = noteEvents
    self.settings = settings
  }
}

/// All notes and events of a track, overlaps resolved.
struct TrackEventsPart: Sendable {
  let regions: [RegionPart]
  let events: [MIDIEvent]
  let systemExclusive: [[UInt8]]

  /// Whether there is anything to be heard.
  var hasNotes: Bool { regions.contains { !$0.noteEvents.isEmpty } }

  /// Whether all notes are on channel 10.
  var isPercussion: Bool {
    regions.allSatisfy { $0.noteEvents.allSatisfy { $0.channel == RegionPart.percussionChannel } }
  }

  func isMade(of others: [RegionPart]) -> Bool {
    regions.count == others.count && zip(regions, others).allSatisfy { $0 === $1 }
  }
}
