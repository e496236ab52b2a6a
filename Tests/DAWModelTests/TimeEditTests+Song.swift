import DAWModel
import DAWTestSupport
import DAWTime

extension TimeEditTests {
  /// A project in memory that edits of time are made to.
  struct Song {
    var tables: MemoryTables
    var counts = TimeEdit.Counts()
    var cuts = TimeEdit.Cuts()

    var project: Project { tables.project }
    var map: TempoMap { project.tempoMap }

    init(_ project: Project) { tables = MemoryTables(project) }

    mutating func make(_ layout: TimelineLayout, tracks: Set<TrackID>? = nil) throws {
      let project = project
      var edit = TimeEdit(
        layout,
        of: TimeEdit.Source(
          project: project, notes: { project.notes[$0] ?? [] }, events: { project.events[$0] ?? [] },
          lanePoints: { project.lanePoints[$0] ?? [] },
          firstID: { _ in Song.highestID(of: project) + 1 },
          freeNames: { names, _ in names }),
        map: map, tracks: tracks)
      for step in try edit.edits() { try tables.apply(step) }
      (counts, cuts) = (edit.counts, edit.cuts)
    }

    private static func highestID(of project: Project) -> Int64 {
      let rows =
        project.regions.keys.map(\.rawValue) + project.tempoChanges.keys.map(\.rawValue)
        + project.meterChanges.keys.map(\.rawValue) + project.keySignatures.keys.map(\.rawValue)
        + project.markers.keys.map(\.rawValue) + project.notes.values.joined().map(\.id.rawValue)
        + project.events.values.joined().map(\.id.rawValue)
        + project.lanePoints.values.joined().map(\.id.rawValue)
      return rows.max() ?? 0
    }

    /// The project without ids of what edits of time make anew, and with its regions cut at these ticks.
    /// - Parameter hasTempoMap: without, only what lies on it, and no events at the beginnings of these parts, or
    ///   a tick behind.
    func state(cutAt cuts: [TickPosition], hasTempoMap: Bool = true) -> [String] {
      let map = map
      var project = project
      if !hasTempoMap { (project.tempoChanges, project.meterChanges, project.keySignatures) = ([:], [:], [:]) }
      var lines = ["\(project.settings)"]
      lines += project.tempoChanges.values.map { "tempo \($0.position) \($0.tempo) \($0.isRamp)" }
      lines += project.meterChanges.values.map { "meter \($0.bar) \($0.timeSignature)" }
      lines += project.keySignatures.values.map { "key \($0.position) \($0.key)" }
      lines += project.markers.values.map { "marker \($0.id) \($0.start) \(String(describing: $0.length))" }
      lines += project.comments.values.map { "comment \($0.id) \(String(describing: $0.position))" }
      for region in project.regions.values {
        let about = "\(region.track) \(region.gain) \(region.isMuted)"
        switch region.content {
        case .midi(let length):
          let start = map.ticks(at: region.start)
          let edges = [start] + cuts.filter { $0 > start && $0 < start + length }.sorted() + [start + length]
          for (first, last) in zip(edges, edges.dropFirst()) {
            let range = first - start..<last - start
            let notes = (project.notes[region.id] ?? []).compactMap { $0.part(range) }
              .map { "\($0.pitch) \($0.velocity) \($0.channel) \($0.start) \($0.duration)" }
            let events = (project.events[region.id] ?? [])
              .compactMap { $0.part(range, isLast: range.upperBound == length) }
              .filter { hasTempoMap || $0.start > TickCount(ticks: 1) }.map { "\($0.message) \($0.start)" }
            lines.append("midi \(about) \(first) \(last) \(notes.sorted()) \(events.sorted())")
          }
        case .audio(let span):
          let start = region.startFlicks(in: map)
          let flicks = cuts.map { map.flicks(at: $0) }.filter { $0 > start && $0 < start + span.duration }
          let edges = [start] + flicks.sorted() + [start + span.duration]
          for (first, last) in zip(edges, edges.dropFirst()) {
            lines.append("audio \(about) \(first) \(last) \(span.file) \(span.offset + (first - start))")
          }
        }
      }
      return lines.sorted()
    }
  }
}
