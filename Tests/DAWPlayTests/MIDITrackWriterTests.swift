import DAWEngine
import DAWMedia
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What becomes of a track's MIDI where the disk fails.
@Suite struct MIDITrackWriterTests {
  private let stage: TrackStage<MIDITrackWriter>

  init() throws { stage = try TrackStage<MIDITrackWriter>() }

  @Test func gapsOfOneCauseThatFollowOneAnotherAreOne() throws {
    stage.take()
    stage.lose(512, .xrun)
    // What is in the ledger already is replaced there.
    var records = stage.writer.takeRecords()
    stage.lose(23_552, .xrun)
    stage.lose(100, .overrun)
    stage.lose(100, .overrun)
    stage.take()
    stage.lose(64, .overrun)
    stage.endPass()
    records += stage.writer.takeRecords()
    #expect(
      stage.description(of: records).passes.first?.gaps == [
        RecordedGapSpan(start: 2_400, frames: 24_064, cause: .xrun),
        RecordedGapSpan(start: 26_464, frames: 200, cause: .overrun),
        RecordedGapSpan(start: 29_064, frames: 64, cause: .overrun),
      ])
    #expect(records.count { if case .gap = $0 { true } else { false } } == 4)
    #expect(stage.said.isEmpty)
  }

  @Test func aFileThatCannotBeMadeIsTriedAgainEachSecond() throws {
    #expect(mkdir(stage.path, 0o700) == 0)
    for _ in 0..<30 { stage.take(messageCount: 1) }
    #expect(stage.failures == [true] && stage.writer.openPass != nil)
    #expect(rmdir(stage.path) == 0)
    for _ in 0..<30 { stage.take(messageCount: 1) }
    #expect(stage.failures == [true, false])
    stage.endPass()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map(\.header.number) == [1] && passes.first?.frames == 144_000, "\(passes)")
    // At 0 and 48,000 it was in the way.
    #expect(passes.first?.gaps == [RecordedGapSpan(start: 0, frames: 96_000, cause: .ioError)], "\(passes)")
    var found: [RecordedEvent] = []
    _ = try EventsFile("Keys.events", in: stage.recording) { found.append($0) }
    #expect(found.count == 20 && found.first?.passFrame == 96_000)
  }

  @Test func aPassThatHasNoFileIsAGap() throws {
    #expect(mkdir(stage.path, 0o700) == 0)
    stage.take(messageCount: 1)
    stage.lose(100, .xrun)
    stage.endPass()
    #expect(rmdir(stage.path) == 0)
    // Within the second nothing is tried.
    stage.take(messageCount: 1)
    stage.endPass()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(
      passes.map(\.gaps) == [2_500, 2_400].map { [RecordedGapSpan(start: 0, frames: $0, cause: .ioError)] },
      "\(passes)")
    #expect(stage.failures == [true])
  }

  @Test func messagesThatAreLostAreNotedInThePassThatIsOpen() throws {
    #expect(!stage.writer.lose(1, at: 10, before: 20))
    stage.take()
    let next = HostFrame(2_400)
    #expect(stage.writer.lose(3, at: next - 100, before: next))
    stage.endPass()
    #expect(!stage.writer.lose(1, at: next, before: next))
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map { $0.lostEvents.map(\.count) } == [[3]] && passes[0].lostEvents[0].atFrame == 2_300)
  }

  @Test func messagesThatTheDiskDoesNotTakeAreLostWithTheirPass() throws {
    stage.take(messageCount: 1)
    let number = try #require(stage.writer.takeFilesToSync().first?.number)
    let own = dup(number)
    let full = open("/dev/full", O_WRONLY)
    defer { for descriptor in [own, full] { close(descriptor) } }
    #expect(dup2(full, number) == number)
    for _ in 0..<2 { stage.take(messageCount: 1) }
    #expect(stage.failures == [true])
    stage.endPass()
    let lost = stage.writer.takeRecords().compactMap { record -> Int? in
      if case .lostEvents(_, let count, _) = record { count } else { nil }
    }
    #expect(lost == [2])
    #expect(dup2(own, number) == number)
    stage.take(messageCount: 1)
    stage.endPass()
    #expect(stage.failures == [true, false])
    var found: [RecordedEvent] = []
    let file = try EventsFile("Keys.events", in: stage.recording) { found.append($0) }
    #expect(file.passes.map(\.number) == [1, 2] && found.count == 2 && file.damagedFrom == nil)
  }
}
