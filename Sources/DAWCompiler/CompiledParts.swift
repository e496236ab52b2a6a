import DAWEngine
import DAWModel
import DAWTime

/// The compiled regions, tracks and lanes, kept so that the next compilation only redoes what an edit has changed. Each
/// part stores all of its inputs and is reused only if they are equal, so reuse never changes the plan.
public struct CompiledParts: Sendable {
  /// An input of every part; if it has changed, none is reused.
  let clock: FrameClock
  var regions: [RegionID: RegionPart] = [:]
  var tracks: [TrackID: TrackEventsPart] = [:]
  /// The regions as their MIDI ports play them: not quantised to the grid of the instruments.
  var portRegions: [RegionID: RegionPart] = [:]
  var portTracks: [TrackID: TrackEventsPart] = [:]
  var lanes: [LaneID: LanePart] = [:]
  var pans: [LaneID: PanPart] = [:]

  init(clock: FrameClock) { self.clock = clock }
}

/// A region's notes and events in frames.
final class RegionPart: Sendable {
  let region: RegionID
  let start: TickPosition
  let notes: [MIDINote]
  let events: [RegionEvent]
  /// The spans in which the track's port is muted; none for an instrument, whose mutes are gains.
  let mutes: MutedSpans
  /// Note-ons and note-offs, sorted.
  let noteEvents: [NoteEvent]
  /// Whether all notes are on channel 10.
  let isPercussion: Bool
  let settings: RegionSettings

  init(
    region: RegionID, start: TickPosition, notes: [MIDINote], events: [RegionEvent], mutes: MutedSpans,
    noteEvents: [NoteEvent], settings: RegionSettings
  ) {
    self.region = region
    self.start = start
    self.notes = notes
    self.events = events
    self.mutes = mutes
    self.noteEvents = noteEvents
    isPercussion = notes.isPercussion
    self.settings = settings
  }
}

/// All notes and events of a track, with overlaps resolved.
struct TrackEventsPart: Sendable {
  let regions: [RegionPart]
  let sequence: MIDISequence
  /// Whether there is a note.
  let hasNotes: Bool

  init(_ regions: [RegionPart], _ sequence: MIDISequence) {
    self.regions = regions
    self.sequence = sequence
    hasNotes = regions.contains { !$0.noteEvents.isEmpty }
  }

  func isMade(of others: [RegionPart]) -> Bool {
    regions.count == others.count && zip(regions, others).allSatisfy { $0 === $1 }
  }
}

extension [MIDINote] {
  /// MIDI's channel 10.
  private static let percussionChannel = 9

  /// Whether all are on channel 10; those of velocity 0 are not played.
  var isPercussion: Bool { allSatisfy { $0.channel == Self.percussionChannel || $0.velocity == 0 } }
}
