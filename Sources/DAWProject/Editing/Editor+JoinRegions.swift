import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Joins regions of one track into the earliest of them, which keeps its name and settings. Notes and events keep
  /// their position on the timeline; audio regions must go on in their file where the one before ends, as a split
  /// leaves them.
  /// - Returns: the region, and how many it was.
  /// - Throws: `Failure`, naming the first two that do not join, and why.
  public func joinRegions(_ choice: RegionChoice) throws -> (joined: Region, count: Int) {
    let chosen = try view.regions(chosenBy: choice)
    guard let first = chosen.first, chosen.count > 1 else {
      throw cannotJoin("only '\(chosen.first?.name.text ?? "")' is chosen", hint: "Name two regions or more.")
    }
    guard chosen.allSatisfy({ $0.track == first.track }) else {
      throw cannotJoin("they lie on \(Set(chosen.map(\.track)).count) tracks", hint: "Choose those of one --track.")
    }
    let map = try tempoMap()
    let others = Array(chosen.dropFirst())
    let joined: Region
    switch first.content {
    case .audio:
      do throws(JoinError) {
        joined = try first.joined(with: others, in: map)
      } catch {
        throw cannotJoin(
          "'\(error.first)' and '\(error.second)': \(error.reason)",
          hint:
            "Audio regions join where one goes on playing the same file, with the same settings, where another ends.")
      }
      try apply(.set(joined))
    case .midi: joined = try joinNotes(first, others, in: map)
    }
    try moveComments(from: others, to: joined)
    try apply(.remove(others.map(\.id)))
    note("Joined \(counted(chosen.count, "region")) into '\(first.name)'")
    return (joined, chosen.count)
  }

  private func joinNotes(_ first: Region, _ others: [Region], in map: TempoMap) throws -> Region {
    if let other = others.first(where: { $0.isMuted != first.isMuted }) {
      throw cannotJoin(
        "'\(first.name)' and '\(other.name)': one of them is muted",
        hint: "Mute both, or neither, with 'daw set-regions'.")
    }
    if let other = others.first(where: { ($0.take, $0.isInUse) != (first.take, first.isInUse) }) {
      let reason = other.take != first.take ? "they are parts of different takes" : "one of them is not in use"
      throw cannotJoin(
        "'\(first.name)' and '\(other.name)': \(reason)", hint: "'daw use-take' joins what goes on in one take.")
    }
    let start = map.ticks(at: first.start)
    let end = ([first] + others).map { map.ticks(at: $0.end(in: map)) }.max() ?? start
    var joined = first
    joined.content = .midi(end - start)
    try apply(.set(joined))
    var (notes, events): ([MIDINote], [RegionEvent]) = ([], [])
    func flush(_ least: Int) throws {
      if notes.count >= least { try apply(.set(notes)) }
      if events.count >= least { try apply(.set(events)) }
      if notes.count >= least { notes = [] }
      if events.count >= least { events = [] }
    }
    for region in others {
      let shift = map.ticks(at: region.start) - start
      notes += try view.notes(in: region.id).map { note in
        var note = note
        (note.region, note.start) = (first.id, note.start + shift)
        return note
      }
      events += try view.events(in: region.id).map { event in
        var event = event
        (event.region, event.start) = (first.id, event.start + shift)
        return event
      }
      // Together, since beginning an edit takes as long as changing a few notes; but not millions of rows at once.
      try flush(10_000)
    }
    try flush(1)
    return joined
  }

  /// Comments about regions that are to be removed stay.
  private func moveComments(from regions: [Region], to joined: Region) throws {
    let gone = Set(regions.map(\.id))
    let comments = try view.all(Comment.self).filter { $0.region.map(gone.contains) ?? false }.map { comment in
      var comment = comment
      comment.region = joined.id
      return comment
    }
    if !comments.isEmpty { try apply(.set(comments)) }
  }

  private func cannotJoin(_ reason: String, hint: String) -> Failure {
    Failure(.invalid, code: "cannotJoin", "The regions do not join: \(reason). Nothing was changed.", hint: hint)
  }
}
