import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Queries")
struct QueryPlanTests {
  @Test("None scans regions or notes, with any filter")
  func noScans() throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    let statements = Statements()
    store.queue.inDatabase { $0.trace { event in statements.append(event.expandedDescription) } }
    try store.read(runEveryQuery)
    store.queue.inDatabase { $0.trace(options: []) }
    let selects = statements.all.filter { $0.hasPrefix("SELECT") && !$0.contains("sqlite_master") }
    #expect(selects.count > 15)
    try store.read { view in
      for sql in selects {
        let plan = try String.fetchAll(
          view.database, sql: "EXPLAIN QUERY PLAN \(sql)", adapter: SuffixRowAdapter(fromIndex: 3))
        for step in plan {
          let isScan = step.hasPrefix("SCAN region") || step.hasPrefix("SCAN midi")
          #expect(!isScan, "\(sql): \(step)")
        }
      }
    }
  }

  private func runEveryQuery(_ view: ProjectView) throws {
    let (track, region) = (TrackID(rawValue: 11), RegionID(rawValue: 21))
    #expect(try view.tracks().map(\.name.text) == ["Drums", "Keys", "Bus", "Voice", "Echo", "Master"])
    #expect(try view.track(named: "KEYS")?.id == track)
    #expect(try view.regions(named: "riff").map(\.id) == [region])
    #expect(try view.regions(RegionFilter(type: .midi)).map(\.id) == [region])
    #expect(try view.regions(RegionFilter(track: track)).map(\.id) == [region])
    let (from, to) = (FlickPosition(flicks: 1), FlickPosition(flicks: 2))
    #expect(try view.regions(RegionFilter(from: from, to: to)).count == 4)
    #expect(try view.regions(RegionFilter(from: from, to: to, limit: 1)).count == 1)
    #expect(try view.regions(RegionFilter(from: from, isStarting: true)) == [])
    let (first, last) = (TickPosition(ticks: 100), TickPosition(ticks: 200))
    #expect(try view.notes(NoteFilter(from: first, to: last)).map(\.id.rawValue) == [30])
    #expect(try view.notes(NoteFilter(region: region, from: TickPosition(ticks: 960))).map(\.id.rawValue) == [31])
    #expect(try view.notes(NoteFilter(track: track, pitches: 64...64, limit: 5)).map(\.id.rawValue) == [31])
    #expect(try view.noteCount(region) == 2)
    #expect(try view.notes(in: region).count == 2)
    #expect(try view.events(EventFilter(from: first, to: TickPosition(ticks: 961))).map(\.id.rawValue) == [41])
    #expect(try view.events(EventFilter(region: region, from: TickPosition(ticks: 61_440))).map(\.id.rawValue) == [44])
    #expect(
      try view.events(EventFilter(track: track, kind: .controller, number: 64, channel: 15)).map(\.id.rawValue) == [40])
    #expect(try view.events(EventFilter(track: track, limit: 3)).map(\.id.rawValue) == [40, 42, 43])
    #expect(try view.eventCount(region) == 8)
    #expect(try view.events(in: region).count == 8)
    #expect(try view.markers(named: "VERSE").map(\.id.rawValue) == [53])
  }
}

final class Statements: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  var all: [String] { lock.withLock { texts } }
  func append(_ text: String) { lock.withLock { texts.append(text) } }
}
