import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// The outcome of a musical edit of notes.
public struct NoteEditReport: Sendable {
  public var chosenCount: Int
  /// The number of regions that contain them.
  public var regionCount: Int
  public var changedCount: Int
  public var removedCount: Int
  /// The new notes, in order of their regions.
  public var added: [MIDINote]
  /// Regions that were lengthened to contain the notes.
  public var lengthenedRegions: [Region]
  /// The first few changes.
  public var examples: [NoteExample]
}

/// A changed note, before and after; one of the two is `nil` for added and removed notes.
public struct NoteExample: Sendable {
  public var before: MIDINote?
  public var after: MIDINote?
}

extension Editor {
  /// Selects notes, computes their changes and applies them.
  /// - Parameters:
  ///   - summary: for the journal: "Quantized notes to 1/16".
  ///   - lengthensRegions: lengthens regions in which a note would end after the region; otherwise that is refused.
  ///   - plan: computes the changes of one region's notes, which are in order of start.
  /// - Throws: `Failure` if a rule would be broken.
  public func changeNotes(
    _ choice: NoteChoice, _ summary: String, lengthensRegions: Bool = false,
    _ plan: ([ChosenNotes]) throws -> NoteChanges
  ) throws -> NoteEditReport {
    let chosen = try view.notes(chosenBy: choice)
    var changes = try plan(chosen)
    var examples = try examplesBefore(changes)
    // In order of id, so that neighbouring rows are written together.
    changes.changed.sort { $0.id < $1.id }
    try requirePitches(of: changes)
    let lengthened = try makeRoom(for: changes, lengthensRegions: lengthensRegions)
    if !changes.removed.isEmpty { try apply(.remove(changes.removed)) }
    if !changes.changed.isEmpty { try apply(.set(changes.changed)) }
    if !changes.added.isEmpty {
      let first = try newID(of: MIDINote.self)
      for index in changes.added.indices { changes.added[index].id = first.advanced(by: index) }
      try apply(.add(changes.added))
    }
    try completeExamples(&examples, changes)
    note(summary)
    return NoteEditReport(
      chosenCount: chosen.reduce(0) { $0 + $1.notes.count }, regionCount: chosen.count,
      changedCount: changes.changed.count, removedCount: changes.removed.count, added: changes.added,
      lengthenedRegions: lengthened, examples: examples)
  }

  private static let exampleCount = 5

  /// The first of the notes that are changed or removed, before the edit.
  private func examplesBefore(_ changes: NoteChanges) throws -> [NoteExample] {
    let first = (changes.changed.prefix(Self.exampleCount).map(\.id) + changes.removed).prefix(Self.exampleCount)
    return try first.compactMap { try view.note($0) }.map { NoteExample(before: $0) }
  }

  private func completeExamples(_ examples: inout [NoteExample], _ changes: NoteChanges) throws {
    for index in examples.indices {
      guard let id = examples[index].before?.id else { continue }
      examples[index].after = try view.note(id)
    }
    let more = changes.added.prefix(max(0, Self.exampleCount - examples.count))
    examples += more.map { NoteExample(after: $0) }
  }

  private func requirePitches(of changes: NoteChanges) throws {
    let outside = changes.changed.filter { !(0...127).contains($0.pitch) }
    guard let first = outside.first else { return }
    throw Failure(
      .invalid, code: Rule.pitch.rawValue,
      "\(counted(outside.count, "note")) would leave the pitches 0 … 127, the first of them for \(first.pitch). "
        + "Nothing was changed.",
      hint: "Choose fewer notes with --pitch, or move them less far.")
  }

  /// Checks that the notes lie within their regions, or lengthens these.
  /// - Returns: the lengthened regions.
  private func makeRoom(for changes: NoteChanges, lengthensRegions: Bool) throws -> [Region] {
    var ends: [RegionID: (end: TickCount, early: Int)] = [:]
    for note in [changes.changed, changes.added].joined() {
      var reach = ends[note.region] ?? (.zero, 0)
      reach.end = max(reach.end, note.end)
      if note.start < .zero { reach.early += 1 }
      ends[note.region] = reach
    }
    var lengthened: [Region] = []
    for (id, reach) in ends.sorted(by: { $0.key < $1.key }) {
      guard var region = try view.region(id), case .midi(let length) = region.content else { continue }
      if reach.early > 0 {
        throw outside(
          region, "\(counted(reach.early, "note")) would begin before it",
          hint: "Move its left edge first with 'daw trim-region --from', or choose fewer notes.")
      }
      guard reach.end > length else { continue }
      guard lengthensRegions else {
        let late = [changes.changed, changes.added].joined().count { $0.region == id && $0.end > length }
        throw outside(
          region, "\(counted(late, "note")) would end after it, the last \(reach.end - length) behind its end",
          hint: "--lengthen makes the region as long as its notes need it; or choose fewer notes.")
      }
      region.content = .midi(reach.end)
      try apply(.set(region))
      lengthened.append(region)
    }
    return lengthened
  }

  private func outside(_ region: Region, _ what: String, hint: String) -> Failure {
    let track = (try? view.track(region.track)?.name.text).map { "\($0)/" } ?? ""
    return Failure(
      .invalid, code: Rule.noteWithinRegion.rawValue,
      "Region '\(track)\(region.name)': \(what). Nothing was changed.", hint: hint)
  }
}
