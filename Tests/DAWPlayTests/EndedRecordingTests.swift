import DAWEngine
import DAWTestSupport
import Glibc
import Testing

@testable import DAWPlay

@Suite struct EndedRecordingTests {
  @Test func theNextRecordingBeginsWhileTheFilesOfOneAreHashed() throws {
    let hashing = WriterGate()
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hashing: hashing)
    stage.roll()
    hashing.close()
    stage.writer.setRecording(false)
    #expect(
      stage.wait {
        stage.play(500)
        return hashing.isReached
      })
    // More than is to wait in the ring.
    stage.play(90_000)
    #expect(stage.catchUp())
    // Until then the writer is not stopped for another one.
    #expect(stage.writer.isHashing)
    stage.hasBegun = false
    stage.writer.setRecording(true)
    #expect(
      stage.wait {
        stage.play(500)
        return stage.hasBegun
      })
    stage.play(10_000)
    #expect(stage.catchUp() && stage.finished.isEmpty)
    hashing.open()
    // It ends, though the next one goes on.
    #expect(stage.waitForEnd(1))
    #expect(stage.wait { !stage.writer.isHashing })
    stage.stop()
    #expect(stage.finished.count == 2 && stage.gaps.isEmpty)
    #expect(stage.finished.flatMap(\.description.passes).flatMap(\.segments).allSatisfy { $0.sha256 != nil })
    try stage.check("hashed later")
  }

  @Test func whatIsRecordedWhileTheFilesOfOneAreHashedIsNotMissed() throws {
    let hashing = WriterGate()
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hashing: hashing)
    stage.roll()
    hashing.close()
    stage.writer.setRecording(false)
    #expect(
      stage.wait {
        stage.play(500)
        return hashing.isReached
      })
    // Less than the writing thread takes before the first one has ended.
    stage.play(5_000)
    stage.writer.setRecording(true)
    stage.play(10_000)
    stage.writer.setRecording(false)
    stage.play(10_000)
    hashing.open()
    #expect(
      stage.wait {
        stage.play(500)
        return stage.finished.count == 2
      })
    stage.stop()
    #expect(stage.gaps.isEmpty)
    let pass = try #require(stage.finished.last?.description.passes.first)
    // All but the newest block, which another one corrects.
    #expect(pass.frames > 8_900)
    try stage.check("switched on and off")
  }

  /// Until what was played before has come in on all inputs, which are not equally late, two recordings would have to
  /// be written at once.
  @Test func whatIsSwitchedOffAndOnAtOnceIsASecondPassThatBeginsWhereTheFirstEnds() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18)
    stage.roll()
    stage.gate.close()
    stage.play(5_000)
    #expect(stage.wait { stage.gate.isReached })
    stage.writer.setRecording(false)
    stage.writer.setRecording(true)
    stage.gate.open()
    stage.play(20_000)
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    let passes = stage.finished.flatMap(\.description.passes)
    #expect(stage.finished.count == 1 && passes.count == 2 && stage.gaps.isEmpty)
    let first = try #require(passes.first)
    let second = try #require(passes.last)
    #expect(first.header.firstHostFrame + first.frames == second.header.firstHostFrame)
    #expect(first.pieces.map { $0.timelineFrame + $0.frames } == second.pieces.map(\.timelineFrame))
    try stage.check("off and on")
  }

  /// What is cancelled, and the last one of a player, is complete when that is said.
  @Test func aCancelIsSaidWhenTheFilesAreHashedHoweverMuchComesIn() throws {
    let hashing = WriterGate()
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hashing: hashing)
    stage.roll()
    hashing.close()
    stage.writer.cancel()
    #expect(stage.wait { hashing.isReached })
    // Where it is not waited for, it ends on a thread of its own by now.
    stage.play(90_000)
    usleep(300_000)
    stage.takeEvents()
    #expect(stage.cancels.isEmpty && !stage.writer.isHashing && stage.ring.untakenCount >= 90_000)
    hashing.open()
    #expect(stage.wait { !stage.cancels.isEmpty })
    #expect(stage.cancels == [true] && stage.finished.count == 1)
    #expect(stage.finished.flatMap(\.description.passes).flatMap(\.segments).allSatisfy { $0.sha256 != nil })
    stage.stop()
  }

  @Test func theLastRecordingHasEndedWhenTheWriterHasStopped() throws {
    let stage = try WriterStage(seed: 1)
    stage.roll()
    stage.stop()
    #expect(stage.finished.flatMap(\.description.passes).flatMap(\.segments).allSatisfy { $0.sha256 != nil })
    #expect(stage.finished.count == 1)
  }

  /// A player that ends asks for that, to wait for the rest of such a recording as well.
  @Test func aRecordingThatWaitsInTheRingHasBegunWhenThatIsTaken() throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.gate.close()
    #expect(stage.wait { stage.gate.isReached })
    stage.play(30_000)
    #expect(!stage.hasBegun)
    stage.gate.open()
    stage.writer.takeArrived(atMost: LiveDriver.patience)
    stage.takeEvents()
    #expect(stage.hasBegun)
    stage.stop()
    // Nothing is waited for any more.
    stage.writer.takeArrived(atMost: LiveDriver.patience)
    #expect(stage.finished.count == 1 && stage.gaps.isEmpty)
    try stage.check("taken")
  }

  /// As where the transport was started again while the files were flushed, and then the player is ended.
  @Test func theRingKeepsItsMemoryWhileTheNextRecordingIsInIt() throws {
    let hashing = WriterGate()
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hashing: hashing)
    stage.roll()
    hashing.close()
    #expect(stage.engine.send(.stop))
    #expect(
      stage.wait {
        stage.play(100)
        return hashing.isReached
      })
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(15_000)
    #expect(stage.finished.isEmpty)
    // Nothing of that is taken yet when the first one has ended.
    stage.gate.close()
    hashing.open()
    #expect(stage.waitForEnd(1))
    #expect(stage.wait { stage.gate.isReached })
    stage.writer.dropMemory()
    stage.gate.open()
    stage.stop()
    #expect(stage.finished.count == 2 && stage.gaps.isEmpty)
    try stage.check("in the ring")
    let (samples, count) = stage.ring.samples(ofChannel: 0, at: 0, frameCount: stage.ring.capacity)
    #expect((1_024..<count).contains { samples[$0] != 0 })
    stage.writer.dropMemory()
    // The first page is not the ring's alone.
    #expect((1_024..<count).allSatisfy { samples[$0] == 0 })
  }
}
