import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

extension NoteEditReport {
  /// - Parameter what: the start of the summary: "Quantized to 1/16".
  func outcome(_ what: String, in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let map = try view.tempoMap()
    let examples = try view.entries(of: examples)
    var parts = ["\(changedCount) of \(counted(chosenCount, "note")) in \(counted(regionCount, "region"))"]
    if removedCount > 0 { parts.append("\(removedCount) removed") }
    if !added.isEmpty { parts.append("\(added.count) new") }
    if !lengthenedRegions.isEmpty { parts.append("\(counted(lengthenedRegions.count, "region")) made longer") }
    var preview = examples.map { $0.line(in: map) }
    let more = changedCount + removedCount + added.count - examples.count
    if more > 0 { preview.append("and \(more) more") }
    return EditOutcome(
      summary: "\(what): \(parts.joined(separator: ", ")).", made: added.map(\.id.uuidString), preview: preview,
      json: JSONObject([
        "chosenCount": chosenCount, "changedCount": changedCount, "removedCount": removedCount,
        "addedCount": added.count, "regionCount": regionCount, "notes": added.map(\.id.uuidString),
        "lengthenedRegions": lengthenedRegions.map(\.id.uuidString), "examples": examples,
      ]))
  }
}

extension NoteExampleEntry {
  /// "Keys/Verse: C4 at 1.1.13, 0.25b long, velocity 80, channel 1 -> at 1.1.0".
  fileprivate func line(in map: TempoMap) -> String {
    switch (before, after) {
    case (let before?, let after?):
      let changed = zip(words(before, map), words(after, map)).filter { $0 != $1 }.map(\.1)
      return "\(text(before, map)) -> \(changed.joined(separator: ", "))"
    case (let before?, nil): return "\(text(before, map)) -> removed"
    case (nil, let after?): return "new: \(text(after, map))"
    case (nil, nil): return ""
    }
  }

  private func text(_ entry: NoteEntry, _ map: TempoMap) -> String {
    let words = words(entry, map)
    return "\(words[0]): \(words[1]) \(words[2...].joined(separator: ", "))"
  }

  private func words(_ entry: NoteEntry, _ map: TempoMap) -> [String] {
    [
      "\(entry.track)/\(entry.region)", Pitch.name(of: entry.note.pitch), "at \(map.barBeatTick(at: entry.position))",
      "\(entry.note.durationTicks ?? .zero) long", "velocity \(entry.note.velocity)",
      "channel \(entry.note.channel + 1)",
    ]
  }
}
