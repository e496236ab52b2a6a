import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWPlay

/// The ALSA sequencer goes on while there is no server.
@Suite struct LostServerMIDITests {
  @Test func whatIsPlayedWithoutAServerIsInNoTakeOfTheNextOne() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hasKeys: true)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.receive([0x90, 60, 1], at: stage.driver.hostFrame + 2_000)
    stage.play(30_000)
    #expect(stage.wait { stage.written.values.max() ?? 0 > 20_000 })
    stage.writer.loseServer(waits: true)
    #expect(stage.waitForLoss())
    // By the count of the server that is gone. The next one, which counts from 0, comes to this frame as well.
    stage.receive([0x90, 61, 1], at: 150_000)
    stage.changeServer()
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.receive([0x90, 62, 1], at: stage.driver.hostFrame + 1_000)
    stage.play(2_000)
    #expect(stage.wait { stage.gaps.contains { $0.cause == .serverLost && $0.frames > 0 } })
    while stage.driver.hostFrame < 170_000 {
      stage.play(20_000)
      #expect(stage.catchUp())
    }
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    let recording = try #require(stage.finished.first)
    #expect(recording.description.passes.count { $0.header.kind == .midi } == 2)
    var notes: [UInt8] = []
    _ = try EventsFile("Keys.events", in: recording.folder) { notes.append($0.bytes[1]) }
    #expect(notes == [60, 62])
  }
}
