import DAWEngine
import DAWTestSupport
import Testing

@testable import DAWPlay

@Suite struct CancelledRecordingTests {
  /// A writer that records what rolls.
  private func rolling() throws -> WriterStage {
    let stage = try WriterStage(seed: 1)
    stage.roll()
    return stage
  }

  @Test func whatHasEndedIsNotCancelled() throws {
    let stage = try rolling()
    stage.writer.setRecording(false)
    // Until all that was played before has come in.
    #expect(
      stage.wait {
        stage.play(500)
        return !stage.finished.isEmpty
      })
    stage.writer.cancel()
    #expect(stage.wait { !stage.cancels.isEmpty })
    #expect(stage.cancels == [false])
    stage.stop()
    #expect(stage.finished.flatMap(\.description.passes).map(\.isCancelled) == [false])
    try stage.check("ended before")
  }

  @Test func aCancelIsSaidAfterTheEndOfWhatItEnds() throws {
    let stage = try rolling()
    stage.writer.cancel()
    #expect(stage.wait { !stage.cancels.isEmpty })
    #expect(stage.cancels == [true])
    #expect(stage.finished.flatMap(\.description.passes).map(\.isCancelled) == [true])
    stage.stop()
    #expect(stage.finished.count == 1)
  }
}
