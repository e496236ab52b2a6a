import DAWEngine
import DAWMedia
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What a pass leaves behind when it ends, and when its disk fails or is short.
@Suite struct TrackWriterTests {
  private let stage: TrackStage<TrackWriter>

  init() throws { stage = try TrackStage<TrackWriter>() }

  private func names() throws -> [String] { try stage.recording.names() }

  @Test func theFileThatWasMadeBeforehandGoesWithItsPass() throws {
    stage.take()
    // Held, as by the thread that makes the files.
    let segments = try #require(stage.writer.segmentWriter)
    try segments.reserveNext()
    try Data().write(to: URL(fileURLWithPath: stage.recording.place.appending("Keys.0001.wav").path))
    #expect(try names() == ["Keys.0001.wav", "Vox.0001.wav", "Vox.0002.wav"])
    stage.endPass()
    #expect(try names() == ["Keys.0001.wav", "Vox.0001.wav"])
    // The next pass has its number.
    stage.take()
    #expect(try names() == ["Keys.0001.wav", "Vox.0001.wav", "Vox.0002.wav"])
    stage.endPass()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map { $0.segments.map(\.name) } == [["Vox.0001.wav"], ["Vox.0002.wav"]])
    withExtendedLifetime(segments) {}
  }

  @Test func theLastFileOfAPassIsFlushedAndHashedThoughItHasEnded() throws {
    stage.take()
    let file = try #require(stage.writer.takeFilesToSync().first)
    stage.endPass()
    #expect(stage.writer.takeFilesToSync().map(\.number) == [file.number])
    #expect(stage.writer.takeFilesToSync().isEmpty)
    var sealed = stage.writer.takeSealed()
    try #require(sealed.count == 1)
    let record = try sealed[0].hashPiece()
    guard case .segment(_, let hashed)? = record else {
      Issue.record("\(String(describing: record))")
      return
    }
    let path = stage.recording.place.appending("Vox.0001.wav").path
    #expect(try hashed.frames == 2_400 && hashed.sha256 == sha256(ofFile: path).sha256)
    #expect(stage.said.isEmpty)
  }

  @Test func aFileThatIsGivenUpIsFlushedAndTheNextOneGoesOnBehindAGap() throws {
    stage.take()
    let file = try #require(stage.writer.takeFilesToSync().first)
    // A descriptor for reading only refuses writes.
    let broken = open(stage.recording.place.appending("Vox.0001.wav").path, O_RDONLY)
    #expect(broken >= 0 && dup2(broken, file.number) == file.number)
    close(broken)
    stage.take()
    #expect(stage.failures == [true])
    #expect(stage.writer.takeFilesToSync().map(\.number) == [file.number])
    stage.take()
    stage.endPass()
    #expect(stage.failures == [true, false])
    let pass = try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
    #expect(pass.frames == 7_200 && pass.unaccounted.isEmpty, "\(pass)")
    #expect(pass.gaps == [RecordedGapSpan(start: 2_400, frames: 2_400, cause: .ioError)])
    #expect(pass.segments.map(\.frames) == [2_400, 2_400])
    // The first one is hashed when it can be completed.
    #expect(stage.writer.takeSealed().count == 1)
  }

  @Test func thatItWorksAgainIsNotSaidOfFramesThatWereWrittenBeforeItFailed() throws {
    stage.take()
    let file = try #require(stage.writer.takeFilesToSync().first)
    let broken = open(stage.recording.place.appending("Vox.0001.wav").path, O_RDONLY)
    #expect(broken >= 0 && dup2(broken, file.number) == file.number)
    close(broken)
    stage.take()
    // So long a gap makes no file.
    stage.lose(11 * 48_000, .xrun)
    #expect(stage.failures == [true])
    stage.take()
    #expect(stage.failures == [true, false])
    stage.endPass()
    let pass = try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
    #expect(pass.unaccounted.isEmpty && pass.gaps.map(\.cause) == [.ioError, .xrun], "\(pass.gaps)")
  }

  @Test func thatFramesAreLostForWantOfRoomIsSaidOnceUntilSomeAreWritten() throws {
    stage.take()
    #expect(stage.writer.setRoom(false) == .lost && stage.writer.setRoom(false) == nil)
    // A second, of which nothing is written.
    for _ in 0..<20 { stage.take() }
    #expect(stage.writer.setRoom(true) == nil)
    // It is tried, and there is no room again before anything is in a file.
    stage.lose(11 * 48_000, .xrun)
    #expect(stage.writer.setRoom(false) == nil && stage.failures.isEmpty)
    for _ in 0..<20 { stage.take() }
    #expect(stage.writer.setRoom(true) == nil)
    for _ in 0..<2 { stage.take() }
    #expect(stage.failures == [false] && stage.writer.setRoom(false) == .lost)
    stage.endPass()
    let pass = try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
    #expect(pass.unaccounted.isEmpty && Set(pass.gaps.map(\.cause)) == [.diskFull, .xrun], "\(pass.gaps)")
  }

  /// As in a loop, where the room is looked at less often than passes begin.
  @Test(arguments: [false, true]) func withoutRoomAPassThatBeginsTakesNoneEither(isOpen: Bool) throws {
    if isOpen {
      stage.take()
      #expect(stage.writer.setRoom(false) == .lost)
      stage.endPass()
    } else {
      #expect(stage.writer.setRoom(false) == nil)
    }
    for _ in 0..<2 {
      for _ in 0..<3 { stage.take() }
      #expect(stage.writer.setRoom(false) == nil)
      stage.endPass()
    }
    // Said by `setRoom` of the one that was open, or when one began.
    #expect(stage.failures == (isOpen ? [] : [true]))
    #expect(try names() == (isOpen ? ["Vox.0001.wav"] : []))
    stage.take()
    #expect(stage.writer.setRoom(true) == nil)
    for _ in 0..<2 { stage.take() }
    stage.endPass()
    #expect(stage.failures.last == false)
    let passes = stage.description(of: stage.writer.takeRecords()).passes.suffix(3)
    #expect(passes.allSatisfy { $0.unaccounted.isEmpty && $0.frames == 7_200 })
    #expect(passes.map { $0.gaps.map(\.frames) } == [[7_200], [7_200], [2_400]])
    #expect(passes.flatMap(\.gaps).allSatisfy { $0.cause == .diskFull })
    #expect(passes.map { $0.segments.map(\.startFrame) } == [[], [], [2_400]])
  }

  @Test func onAShortDiskNeitherThePassUnderWayNorTheNextOneKeepsSpace() throws {
    /// What the disk keeps when the next file has been made.
    func held() throws -> Int64 {
      let segments = try #require(stage.writer.segmentWriter)
      try segments.reserveNext()
      return segments.heldByteCount
    }
    stage.take()
    // Of both files.
    #expect(try held() > 48_000 * 3)
    stage.writer.keepsSpace = false
    #expect(try held() == 0)
    stage.endPass()
    stage.take()
    #expect(try held() == 0)
    #expect(try names() == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"])
    // There is room again.
    stage.writer.keepsSpace = true
    stage.endPass()
    stage.take()
    #expect(try held() > 48_000 * 3)
    stage.endPass()
    #expect(stage.said.isEmpty)
    #expect(try names() == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"])
  }

  @Test func aPassThatTheLoopOrThePunchRangeEndsIsWholeAndOneThatAStopEndsIsNot() throws {
    func change(_ frame: TimelineFrame, _ motion: TimelineChange.Motion = .rolling, wraps: UInt64) {
      stage.timeline.add(TimelineChange(hostFrame: stage.frame, frame: frame, motion: motion, wrapCount: wraps))
    }
    stage.take()
    change(0, wraps: 1)
    stage.take()
    stage.timeline.setPunch(0..<1_200)
    change(0, wraps: 2)
    stage.take()
    change(600, wraps: 3)
    stage.take()
    // Neither ends at the range's end: in the one it was stopped, from the other it was located behind that.
    change(0, wraps: 4)
    stage.timeline.setPunch(nil)
    stage.take()
    change(2_400, .stopped, wraps: 4)
    stage.take()
    stage.timeline.setPunch(0..<3_000)
    change(0, wraps: 4)
    stage.take()
    change(9_000, wraps: 4)
    stage.take()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map(\.frames) == [2_400, 2_400, 1_200, 600, 2_400, 2_400])
    #expect(passes.map { stage.writer.wholePasses.contains($0.header.pass) } == [true, true, true, true, false, false])
  }

  @Test func aPassFromWhichALocateLeadsToThePunchRangesEndIsNotWhole() throws {
    func goTo(_ frame: TimelineFrame, _ motion: TimelineChange.Motion) {
      stage.timeline.add(TimelineChange(hostFrame: stage.frame, frame: frame, motion: motion, wrapCount: 0))
    }
    stage.timeline.setPunch(0..<9_000)
    stage.take()
    goTo(2_400, .between)
    stage.take()
    goTo(9_000, .rolling)
    stage.take()
    // Played to it.
    goTo(6_600, .rolling)
    stage.take()
    stage.take()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map(\.frames) == [4_800, 2_400])
    #expect(passes.map { stage.writer.wholePasses.contains($0.header.pass) } == [false, true])
  }

  @Test func aPassThatTheLoopEndsIsWholeAlsoWhereThePunchRangeBeginsLaterInIt() throws {
    func goTo0(wraps: UInt64) {
      stage.timeline.add(TimelineChange(hostFrame: stage.frame, frame: 0, motion: .rolling, wrapCount: wraps))
    }
    stage.timeline.setPunch(600..<9_000)
    stage.take()
    goTo0(wraps: 1)
    stage.take()
    // By a locate, which counts anew.
    goTo0(wraps: 0)
    stage.take()
    stage.endPass()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.map(\.frames) == [1_800, 1_800, 1_800])
    #expect(passes.map { stage.writer.wholePasses.contains($0.header.pass) } == [true, false, false])
  }

  /// As where the server's buffers become larger or smaller while a loop is recorded.
  @Test(arguments: [(500, 100), (100, 500)])
  func latenciesThatChangeInALoopLeaveEachFrameWhereItWasPlayed(before: Int, after: Int) throws {
    let loop: Int64 = 2_400
    for (wrap, host) in [2_400, 4_800].enumerated() {
      stage.timeline.add(
        TimelineChange(hostFrame: HostFrame(host), frame: 0, motion: .rolling, wrapCount: UInt64(wrap + 1)))
    }
    stage.latency.capture = before
    stage.take()
    stage.latency.capture = after
    for _ in 0..<2 { stage.take() }
    stage.endPass()
    let passes = stage.description(of: stage.writer.takeRecords()).passes
    #expect(passes.count > 2 && passes.map(\.header.captureLatency).first == before)
    // Nothing was played before host frame 0; and from then on no frame is in no pass, or in two.
    var next = Int64(before)
    for (number, pass) in passes.enumerated() {
      #expect(pass.header.captureLatency == (number == 0 ? before : after))
      #expect(pass.header.firstHostFrame == next && pass.frames > 0, "\(pass)")
      next += pass.frames
      let played = (pass.header.firstHostFrame - Int64(pass.header.captureLatency)) % loop
      #expect(pass.pieces == [RecordedPiece(passFrame: 0, timelineFrame: played, frames: pass.frames)], "\(pass)")
      #expect(played + pass.frames <= loop)
    }
    #expect(next == Int64(stage.frame.number))
  }
}
