import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Testing

@Suite("Pages of segments and gaps")
struct RecordingPageTests {
  private let song: RecordedProject
  private let loop: RecordingID

  init() throws {
    song = try RecordedProject()
    loop = try song.record(7, title: "Loop", passes: 3)
    let later = try song.record(8, title: "Verse", at: 1_795_364_580_000)
    for (id, cause) in [(loop, GapCause.xrun), (later, .overrun)] {
      var facts = try #require(try song.facts(id))
      facts.gaps = facts.passes.flatMap { pass in
        ([10, 20, 30] as [Int64]).map { frame in
          RecordedGap(
            pass: pass.id, start: FrameCount(frames: frame), frames: FrameCount(frames: frame / 10), cause: cause)
        }
      }
      try song.session.save(facts)
    }
  }

  @Test("Pages of segments are together what there is, in order, with the passes that have them")
  func segments() throws {
    try song.session.read { view in
      let all = try view.recordings.segments(of: loop)
      #expect(all.count == 9)
      for limit in 1...10 {
        for offset in 0...10 {
          let page = try view.segmentPage(of: loop, limit: limit, offset: offset)
          #expect(page.segments == Array(all.dropFirst(offset).prefix(limit)) && page.hasMore == (offset + limit < 9))
          #expect(Set(page.passes.map(\.pass.id)) == Set(page.segments.map(\.pass)))
        }
      }
    }
  }

  @Test("Pages of gaps are together what there is, in order, of all recordings or one, and of a cause")
  func gaps() throws {
    try song.session.read { view in
      for (recording, cause, count) in [(nil, nil, 12), (loop, nil, 9), (nil, GapCause.overrun, 3)]
        as [(RecordingID?, GapCause?, Int)]
      {
        let all = try view.gapEntries(of: recording, cause: cause).map(\.gap)
        #expect(all.count == count)
        for limit in 1...5 {
          for offset in 0...13 {
            let page = try view.gapEntries(of: recording, cause: cause, limit: limit, offset: offset)
            #expect(page.entries.map(\.gap) == Array(all.dropFirst(offset).prefix(limit)))
            #expect(page.hasMore == (offset + limit < count))
          }
        }
      }
    }
  }
}
