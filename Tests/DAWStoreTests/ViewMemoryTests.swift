import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWStore

@Suite("What a view remembers")
struct ViewMemoryTests {
  private struct Answers: Equatable {
    var header: ProjectView.Header
    var map: TempoMap
    var end: FlickPosition
    var tracks: [Track?]
    var regions: [Region?]
    var files: [AudioFile?]
    var endings: [Int]
    var pointCounts: [Int]

    init(_ view: ProjectView, _ ids: Set<Int64>) throws {
      let ids = ids.sorted()
      header = try view.header()
      map = try view.tempoMap()
      end = try view.end()
      tracks = try ids.map { try view.row(TrackID(rawValue: $0)) }
      regions = try ids.map { try view.row(RegionID(rawValue: $0)) }
      files = try ids.map { try view.row(AudioFileID(rawValue: $0)) }
      endings = try ids.flatMap { id in
        let ending = String(TrackID(rawValue: id).uuidString.suffix(6))
        return [
          try view.trackCount(withIDEnding: ending), try view.regionCount(withIDEnding: ending),
          try view.takeCount(withIDEnding: ending),
        ]
      }
      pointCounts = try view.all(Lane.self).map { try view.pointCount($0.id) }
    }
  }

  @Test("An edit sees what the edits before it in its transaction did")
  func isNeverStale() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    var project = try store.read { try $0.project() }
    _ = try store.edit(EditOrigin(author: "test", commandLine: "test")) { transaction in
      var ids: Set<Int64> = []
      for step in 0..<400 {
        let edit = edits.next(for: project)
        guard let next = try? project.applying(edit) else { continue }
        ids.formUnion(project.tracks.keys.map(\.rawValue) + project.regions.keys.map(\.rawValue))
        ids.formUnion(project.audioFiles.keys.map(\.rawValue) + project.takes.keys.map(\.rawValue))
        // Fills the memory.
        _ = try Answers(transaction.view, ids)
        try transaction.apply(edit)
        project = next
        let fresh = try Answers(ProjectView(database: transaction.database), ids)
        #expect(try Answers(transaction.view, ids) == fresh, "seed \(seed), step \(step): \(edit)")
      }
      #expect(ids.count > 20, "seed \(seed)")
    }
  }

  @Test("A reference finds the region that it means now")
  func references() throws {
    let store = try ProjectStore.inMemory()
    _ = try store.edit(EditOrigin(author: "test", commandLine: "test")) { transaction in
      let track = Track(id: TrackID(rawValue: 10), orderKey: OrderKey.between(nil, nil), trackType: .midi)
      let region = Region(
        id: RegionID(rawValue: 11), track: track.id, start: .musical(.zero), content: .midi(TickCount(ticks: 9)))
      try transaction.apply(.add(track))
      try transaction.apply(.add(region))
      var (asked, changed) = (0, region)
      func find() -> Region {
        transaction.view.remembering("Region") {
          asked += 1
          return changed
        }
      }
      #expect((find(), find()) == (region, region) && asked == 1)
      changed.isMuted = true
      try transaction.apply(.set(changed))
      #expect(find() == changed && asked == 2)
    }
  }
}
