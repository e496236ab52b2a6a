import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What came in before it was asked for, recorded or not.
@Suite struct KeptInputTests {
  /// A stage that rolls, and records nothing.
  private func rolling(_ seed: UInt64, remembered seconds: Double, hasKeys: Bool = false) throws -> WriterStage {
    let stage = try WriterStage(seed: seed, ringFrames: 1 << 18, hasKeys: hasKeys) { $0.rememberSeconds = seconds }
    stage.writer.setRecording(false)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    return stage
  }

  /// Plays a frame, behind which there is no block that may still be corrected but this one.
  /// - Returns: the host frame at which what can be kept ends.
  private func settle(_ stage: WriterStage) -> HostFrame {
    let end = stage.driver.hostFrame
    stage.play(1)
    return end
  }

  @Test func whatCameInLastIsKeptWhereItWasPlayed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let stage = try rolling(seed, remembered: 2)
    var missed: [Range<HostFrame>] = []
    for (number, seconds) in [0.5, 1, 1.7, 2].enumerated() {
      for _ in 0..<12 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let first = stage.driver.hostFrame
          stage.driver.miss(Int.random(in: 1..<3_000, using: &random))
          missed.append(first..<stage.driver.hostFrame)
        }
        // More than is remembered, and in all no more than there is to play.
        stage.play(Int.random(in: 5_000...11_000, using: &random))
        // A ring that overflows would be another gap.
        #expect(stage.catchUp())
      }
      let end = settle(stage)
      stage.writer.keep(seconds: seconds)
      #expect(stage.waitForEnd(number + 1))
      #expect(stage.finished.last?.description.passes.count == 1)
      let pass = try #require(stage.finished.last?.description.passes.first)
      // The first frame that came in, and the first behind it for which something was played.
      var first = end - Int(seconds * 48_000)
      first = missed.first { $0.contains(first) }?.upperBound ?? first
      first = missed.first { $0.contains(first - WriterStage.lag) }.map { $0.upperBound + WriterStage.lag } ?? first
      #expect(pass.header.firstHostFrame == Int64(first.number), "seed \(seed), \(seconds) s")
      #expect(pass.header.firstHostFrame + pass.frames == Int64(end.number), "seed \(seed), \(seconds) s")
    }
    try stage.check("seed \(seed)")
    // Recording goes on as ever.
    stage.hasBegun = false
    stage.writer.setRecording(true)
    #expect(
      stage.wait {
        stage.play(50)
        return stage.hasBegun
      })
    stage.play(30_000)
    stage.stop()
    #expect(stage.finished.count == 5)
    try stage.check("seed \(seed)")
  }

  @Test func whatCameInWhileItStoodEndsAtThePlayhead() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18) { $0.rememberSeconds = 2 }
    stage.writer.keep(seconds: 1)
    #expect(stage.wait { stage.hadNothingToKeep })
    for (playhead, start) in [(200_000, 152_000), (10_000, 0)] {
      #expect(stage.engine.send(.locate(TimelineFrame(playhead))))
      for _ in 0..<5 {
        stage.play(30_000)
        #expect(stage.catchUp())
      }
      stage.finished = []
      stage.writer.keep(seconds: 1)
      #expect(stage.waitForEnd(1))
      let pass = try #require(stage.finished.first?.description.passes.first)
      #expect(pass.pieces.count == 1)
      #expect(pass.pieces.first?.timelineFrame == Int64(start))
      #expect(pass.frames == 48_000)
      for segment in pass.segments { try stage.check(segment, of: pass, in: stage.finished[0], "\(playhead)") }
    }
    stage.stop()
  }

  /// However much is asked for, and however often.
  @Test func ofSoundAndMIDIAsMuchIsKeptAsIsRemembered() throws {
    let stage = try rolling(1, remembered: 1, hasKeys: true)
    var sent: [(frame: HostFrame, bytes: [UInt8])] = []
    for number in 0..<12 {
      for offset in stride(from: 17, to: 10_000, by: 1_000) {
        let frame = stage.driver.hostFrame + offset
        sent.append((frame, [0x90, UInt8(number), UInt8(1 + offset / 1_000)]))
        stage.receive(sent[sent.count - 1].bytes, at: frame)
      }
      stage.play(10_000)
      #expect(stage.catchUp())
    }
    let end = settle(stage)
    let wishes: [(seconds: Double, frames: Int)] = [(20, 48_000), (0.25, 12_000), (1, 48_000)]
    for (number, (asked, kept)) in wishes.enumerated() {
      stage.writer.keep(seconds: asked)
      #expect(stage.waitForEnd(number + 1))
      let recording = try #require(stage.finished.last)
      let passes = recording.description.passes
      try #require(passes.map(\.header.kind) == [.audio, .midi], "\(asked) s")
      let first = end - kept
      for pass in passes {
        #expect(pass.header.firstHostFrame == Int64(first.number) && pass.frames == Int64(kept), "\(asked) s")
      }
      #expect(passes[0].pieces == passes[1].pieces, "\(asked) s")
      var found: [RecordedEvent] = []
      _ = try EventsFile(recording.folder.eventsName(of: passes[1].header), in: recording.folder) { found.append($0) }
      let expected = sent.filter { $0.frame >= first }
      #expect(found.map(\.passFrame) == expected.map { Int64($0.frame - first) }, "\(asked) s")
      #expect(found.map(\.bytes) == expected.map { $0.bytes } && found.count == kept / 1_000, "\(asked) s")
    }
    stage.stop()
    try stage.check("kept")
  }

  @Test func ofAServerThatIsGoneNothingIsKept() throws {
    let stage = try rolling(1, remembered: 2)
    for _ in 0..<3 {
      stage.play(20_000)
      #expect(stage.catchUp())
    }
    stage.writer.loseServer(waits: true)
    #expect(stage.wait { stage.ring.untakenCount == 0 })
    // It is done with that.
    stage.gate.close()
    #expect(stage.wait { stage.gate.isReached })
    stage.gate.open()
    stage.changeServer()
    stage.play(20_000)
    #expect(stage.catchUp())
    let end = settle(stage)
    stage.writer.keep(seconds: 2)
    #expect(stage.waitForEnd(1))
    let recording = try #require(stage.finished.first)
    let pass = try #require(recording.description.passes.first)
    #expect(recording.description.passes.count == 1)
    // What came in first belongs to what was played before.
    #expect(pass.header.firstHostFrame == Int64(WriterStage.lag))
    #expect(pass.header.firstHostFrame + pass.frames == Int64(end.number))
    for segment in pass.segments { try stage.check(segment, of: pass, in: recording, "another server") }
    stage.stop()
  }

  /// Though the loop is gone since.
  @Test(arguments: [10, 100, 4_700]) func ofALoopThatIsTooShortNothingIsKept(frames: Int) throws {
    let stage = try rolling(1, remembered: 1)
    // The first frame has been played.
    #expect(stage.engine.send(.loop(first: 0, end: TimelineFrame(frames))))
    stage.play(20_000)
    #expect(stage.engine.send(.noLoop))
    stage.play(10_000)
    #expect(stage.catchUp())
    stage.writer.keep(seconds: 1)
    #expect(stage.wait { !stage.refusals.isEmpty })
    #expect(stage.refusals.map(\.code) == ["invalidRange"] && stage.refusals.map(\.kind) == [.invalid])
    #expect(stage.refusals.first?.message.contains("one of less than 100 ms is not recorded") == true)
    #expect(!stage.hasBegun && stage.finished.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path).isEmpty)
    // Once it is remembered no more, what came in is kept again.
    for _ in 0..<4 {
      stage.play(15_000)
      #expect(stage.catchUp())
    }
    _ = settle(stage)
    stage.writer.keep(seconds: 1)
    #expect(stage.waitForEnd(1))
    #expect(stage.finished.first?.description.passes.count == 1 && stage.refusals.count == 1)
    stage.stop()
  }

  @Test func whatCameInBeforeATrackWasRenamedIsKept() throws {
    let stage = try rolling(1, remembered: 1)
    var vox = stage.writer.setup.tracks[0]
    (vox.name, vox.recordOffset) = ("Voice", 100)
    for number in 0..<6 {
      stage.play(10_000)
      #expect(stage.catchUp())
      if number == 3 { stage.writer.setTracks([vox]) }
    }
    let end = settle(stage)
    stage.writer.keep(seconds: 1)
    #expect(stage.waitForEnd(1))
    stage.stop()
    let pass = try #require(stage.finished.first?.description.passes.first)
    #expect(pass.header.trackName == "Voice" && pass.header.recordOffset == 100)
    #expect(pass.frames == 48_000 && pass.header.firstHostFrame + pass.frames == Int64(end.number))
  }

  @Test func withoutATrackThatIsArmedNothingIsKept() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, hasVox: false) { $0.rememberSeconds = 1 }
    stage.play(30_000)
    #expect(stage.catchUp())
    stage.writer.keep(seconds: 1)
    #expect(stage.wait { stage.hadNothingToKeep || !stage.finished.isEmpty })
    stage.stop()
    #expect(stage.hadNothingToKeep && !stage.hasBegun && stage.finished.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path).isEmpty)
  }

  @Test func withoutRoomNothingIsWrittenOfWhatIsKept() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18) { request in
      request.rememberSeconds = 2
      request.leastFreeBytes = .max / 2
    }
    stage.writer.setRecording(false)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(40_000)
    #expect(stage.catchUp())
    stage.writer.keep(seconds: 2)
    #expect(stage.waitForEnd(1))
    stage.stop()
    #expect(stage.diskFailureCount == 1)
    let pass = try #require(stage.finished.first?.description.passes.first)
    #expect(pass.segments.isEmpty && pass.unaccounted.isEmpty && pass.frames > 30_000)
    #expect(pass.gaps == [RecordedGapSpan(start: 0, frames: pass.frames, cause: .diskFull)])
    try stage.check("no room")
  }
}
