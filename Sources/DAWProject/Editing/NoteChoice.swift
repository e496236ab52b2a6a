import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Selects the notes of an edit. Criteria that are not set select all notes.
public struct NoteChoice: Sendable {
  /// Names or ids; notes of any of these regions.
  public var regions: [String] = []
  /// Names or ids; notes of any of these tracks.
  public var tracks: [String] = []
  /// Notes that start at or after this position on the timeline.
  public var from: TickPosition?
  /// Notes that start before this position on the timeline.
  public var to: TickPosition?
  public var pitches: ClosedRange<Int>?
  public var velocities: ClosedRange<Int>?
  /// Each 0 … 15.
  public var channels: ClosedRange<Int>?

  public init() {}
}

extension ProjectView {
  /// The selected notes, region by region in order of start; regions without any are left out.
  /// - Throws: `Failure` if a name is unknown, or no note is selected.
  func notes(chosenBy choice: NoteChoice) throws -> [ChosenNotes] {
    let chosen = try regions(chosenBy: choice).compactMap { region -> ChosenNotes? in
      guard case .midi(let length) = region.content, case .musical(let start) = region.start else { return nil }
      let notes = try notes(
        NoteFilter(
          region: region.id, from: choice.from, to: choice.to, isStarting: true, pitches: choice.pitches,
          velocities: choice.velocities, channels: choice.channels))
      return notes.isEmpty ? nil : ChosenNotes(region: region.id, start: start, length: length, notes: notes)
    }
    guard !chosen.isEmpty else {
      throw Failure(
        .noInput, code: "noMatchingNotes", "There are no such notes. Nothing was changed.",
        hint: "'daw list-notes --starts' takes the same options and shows what they choose.")
    }
    return chosen
  }

  private func regions(chosenBy choice: NoteChoice) throws -> [Region] {
    let named = try choice.regions.map { try region(calledBy: $0) }
    if let audio = named.first(where: { $0.regionType == .audio }) {
      throw RuleViolation(.regionFitsTrack, value: "a selection of notes in an audio region", subject: audio.subject)
    }
    let tracks = try choice.tracks.map { try track(calledBy: $0).id }.uniqued
    if choice.regions.isEmpty {
      guard !tracks.isEmpty else { return try regions(RegionFilter(type: .midi)) }
      return try inOrder(tracks.flatMap { try regions(RegionFilter(track: $0, type: .midi)) })
    }
    return try inOrder(named.uniqued.filter { tracks.isEmpty || tracks.contains($0.track) })
  }
}
