import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

extension RegionEditReport {
  /// - Parameters:
  ///   - what: the start of the summary: "Moved".
  ///   - madeNew: whether the regions are new ones.
  ///   - key: of their ids in the JSON.
  func outcome(_ what: String, madeNew: Bool = false, key: String = "regions", in context: EditContext) throws
    -> EditOutcome
  {
    let view = context.editor.view
    let map = try view.tempoMap()
    var preview = try examples.map { before, after in
      let track = try (after ?? before).flatMap { try view.track($0.track)?.name.text }
      return line(before, after, on: track ?? "", map)
    }
    if changed.count > examples.count { preview.append("and \(changed.count - examples.count) more") }
    let ids = changed.map(\.id.uuidString)
    return EditOutcome(
      summary: "\(what).", made: madeNew ? ids : [], preview: preview,
      json: JSONObject(["chosenCount": chosenCount, "changedCount": changed.count, key: ids]))
  }

  /// "3 regions", or "2 of 3 regions" where some of them stay as they are.
  var countedRegions: String {
    changed.count == chosenCount
      ? counted(chosenCount, "region") : "\(changed.count) of \(counted(chosenCount, "region"))"
  }

  /// "Drums/Loop: at 3.1.0 -> at 5.1.0, -3 dB".
  private func line(_ before: Region?, _ after: Region?, on track: String, _ map: TempoMap) -> String {
    guard let region = after ?? before else { return "" }
    let name = "\(track)/\((before ?? region).name)"
    switch (before.map { words($0, map) }, after.map { words($0, map) }) {
    case (let before?, let after?):
      let changes = zip(before, after).filter { $0 != $1 }
      return "\(name): \(changes.map(\.0).joined(separator: ", ")) -> \(changes.map(\.1).joined(separator: ", "))"
    case (let before?, nil): return "\(name): \(before[0]) -> removed"
    case (nil, let after?): return "new: \(name), \(after[0])"
    case (nil, nil): return ""
    }
  }

  private func words(_ region: Region, _ map: TempoMap) -> [String] {
    [
      "at \(map.barBeatTick(at: map.ticks(at: region.start)))", "\(Wording.time(region.startFlicks(in: map).seconds))",
      region.gain.description, region.isMuted ? "muted" : "heard", region.color?.name ?? "the track's colour",
      region.audio?.isReversed == true ? "reversed" : "forwards", fade(region.fadeIn, "in"),
      fade(region.fadeOut, "out"),
    ]
  }

  private func fade(_ fade: Fade, _ end: String) -> String {
    fade == .none
      ? "no fade \(end)" : "fade \(end) \(Wording.number(fade.visibleLength.seconds)) s (\(fade.shape.rawValue))"
  }
}
