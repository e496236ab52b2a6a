import DAWEngine
import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWPlay

/// What is recorded of what was asked for, where the tempo is edited meanwhile, and behind a locate.
@Suite struct FollowedRangeTests {
  /// In 4/4.
  private func project(bpm: Int64) -> Project {
    Project(
      id: .random(), createdDate: Timestamp(milliseconds: 0),
      settings: ProjectSettings(name: Name(literal: "Song"), tempo: Tempo(bpm: bpm)))
  }

  private func bar(_ bar: Int64) -> PlayRequest.Place {
    { timeline in
      let tick = try timeline.tempoMap.ticks(at: BarBeatTick(bar: bar))
      return timeline.tempoMap.flicks(at: tick)
    }
  }

  private func second(_ second: Int64) -> PlayRequest.Place { { _ in .zero + FlickCount.seconds(second) } }

  /// The range in frames, as the player gives it to the writer.
  private func frames(
    in project: Project, from: PlayRequest.Place? = nil, to: PlayRequest.Place? = nil, countsIn: Bool = false
  ) throws -> Range<TimelineFrame>? {
    let time = PlayedTime(map: project.tempoMap, rate: project.settings.sampleRate)
    let range = try RecordRequest().range(from: from, to: to, countsIn: countsIn, in: Timeline(project)).punch
    return range.map { time.frame(at: $0.lowerBound)..<time.frame(at: $0.upperBound) }
  }

  /// Lets frames come in until the writing thread has taken up what was sent to it before: it has begun twice to write
  /// since, and looks for that first.
  private func settle(_ stage: WriterStage) -> Bool {
    for _ in 0..<2 {
      let before = stage.writer.passedFrames.load(ordering: .relaxed)
      stage.play(3_000)
      guard stage.wait(for: { stage.writer.passedFrames.load(ordering: .relaxed) > before }) else { return false }
    }
    return true
  }

  /// Rolls from 0.
  private func start(_ stage: WriterStage) {
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
  }

  /// - Returns: the only pass of the only recording.
  private func end(_ stage: WriterStage, _ words: String) throws -> RecordingDescription.Pass {
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    try stage.check(words)
    let passes = stage.finished.flatMap(\.description.passes)
    #expect(stage.finished.count == 1 && passes.count == 1, "\(words)")
    return try #require(passes.first)
  }

  @Test func placesInBarsAreElsewhereAfterAnEditOfTheTempo() throws {
    // A bar has 48,000 frames, and 96,000 after the edit.
    let (before, after) = (project(bpm: 240), project(bpm: 120))
    let ranges: [(before: Range<TimelineFrame>, after: Range<TimelineFrame>)] = [
      (0..<96_000, 0..<192_000), (48_000..<96_000, 96_000..<192_000),
    ]
    for (range, countsIn) in zip(ranges, [false, true]) {
      #expect(try frames(in: before, from: bar(2), to: bar(3), countsIn: countsIn) == range.before)
      #expect(try frames(in: after, from: bar(2), to: bar(3), countsIn: countsIn) == range.after)
    }
    // Without an end.
    #expect(try frames(in: before, from: bar(2)) == nil)
    #expect(try frames(in: before, from: bar(2), countsIn: true)?.lowerBound == 48_000)
    #expect(try frames(in: after, from: bar(2), countsIn: true)?.lowerBound == 96_000)
  }

  /// As what `transport punch` and `transport loop` have set.
  @Test func aRangeInFramesStaysAtItsBarsAfterAnEditOfTheTempo() {
    let times = ([240, 120, 240] as [Int64]).map { bpm in
      let project = project(bpm: bpm)
      return PlayedTime(map: project.tempoMap, rate: project.settings.sampleRate)
    }
    let range: Range<TimelineFrame> = 48_000..<96_000
    #expect(times[1].range(range, of: times[0]) == 96_000..<192_000)
    #expect(times[2].range(times[1].range(range, of: times[0]), of: times[1]) == range)
    #expect(times[0].range(3..<4, of: times[1]).count == 1)
  }

  @Test func nothingIsRecordedWhereAnEditPutsTheStartBehindTheEnd() throws {
    // From 2 s to 3 s, and then from 4 s.
    let before: Range<TimelineFrame> = 96_000..<144_000
    #expect(try frames(in: project(bpm: 240), from: bar(3), to: second(3), countsIn: true) == before)
    let after = try frames(in: project(bpm: 120), from: bar(3), to: second(3), countsIn: true)
    #expect(after?.isEmpty == true && after?.lowerBound == 192_000)
  }

  /// Slower, the end is farther away; faster, it is nearer.
  @Test(arguments: [(160, 144_000), (300, 76_800)] as [(Int64, Int64)])
  func whatRingsOnBehindTheEndIsNotRecordedAfterAnEditOfTheTempo(bpm: Int64, expected: Int64) throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, punch: frames(in: project(bpm: 240), to: bar(3)))
    start(stage)
    stage.play(30_000)
    stage.writer.setPunch(try frames(in: project(bpm: bpm), to: bar(3)))
    #expect(settle(stage))
    stage.play(150_000)
    let pass = try end(stage, "\(bpm) BPM")
    #expect(pass.frames == expected)
    #expect(pass.pieces == [RecordedPiece(passFrame: 0, timelineFrame: 0, frames: expected)])
  }

  /// What was played before it lies on the timeline of before.
  @Test func anEditOfTheTempoWithinThePunchRangeEndsNoPass() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18, punch: 0..<60_000)
    start(stage)
    stage.play(20_000)
    #expect(stage.wait { stage.hasBegun })
    // What comes in before the edit is taken behind it.
    stage.gate.close()
    stage.play(5_000)
    #expect(stage.wait { stage.gate.isReached })
    let number = stage.engine.publish(stage.numbers.plan, moved: { $0 + 100_000 })
    stage.writer.setPunch(100_000..<160_000, fromPlan: number)
    stage.play(60_000)
    stage.gate.open()
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    let passes = stage.finished.flatMap(\.description.passes)
    #expect(passes.map(\.frames) == [60_000] && stage.gaps.isEmpty)
    #expect(passes.first?.pieces.map { $0.timelineFrame - $0.passFrame } == [0, 100_000])
  }

  @Test(arguments: [false, true])
  func aCountInIsNotRecordedAndALocateLiftsItsBoundButNotThatOfTheEnd(hasEnd: Bool) throws {
    let project = project(bpm: 240)
    let to = hasEnd ? bar(4) : nil
    let stage = try WriterStage(
      seed: 1, ringFrames: 1 << 18, punch: frames(in: project, from: bar(2), to: to, countsIn: true))
    start(stage)
    stage.play(80_000)
    #expect(stage.wait { stage.writer.passedFrames.load(ordering: .relaxed) > 20_000 })
    // As the player does.
    stage.writer.setPunchFromLocate(
      try frames(in: project, from: bar(2), to: to), notBefore: stage.nextHostFrame)
    #expect(stage.engine.send(.locate(5_000)))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(160_000)
    let pass = try end(stage, "with an end: \(hasEnd)")
    #expect(pass.pieces.map(\.timelineFrame) == [48_000, 5_000])
    let last = try #require(pass.pieces.last)
    #expect(hasEnd ? last.timelineFrame + last.frames == 144_000 : last.timelineFrame + last.frames > 144_000)
  }

  @Test func aPunchSentBehindTheEndLeavesWhatHadComeInBefore() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18)
    start(stage)
    stage.play(10_000)
    #expect(stage.wait { stage.hasBegun })
    // While it writes, a locate comes in, and recording is switched off behind that.
    stage.gate.close()
    stage.play(5_000)
    #expect(stage.wait { stage.gate.isReached })
    #expect(stage.engine.send(.locate(50_000)))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(20_000)
    stage.writer.setRecording(false)
    stage.writer.setPunch(500_000..<500_100)
    stage.gate.open()
    let pass = try end(stage, "punch behind the end")
    #expect(pass.pieces.map(\.timelineFrame) == [0, 50_000])
    // All but the newest blocks, which others correct.
    #expect(pass.pieces.last.map { $0.passFrame + $0.frames > 34_000 } == true, "\(pass.pieces)")
  }

  @Test func ofACountInThatALocateEndsNothingIsRecorded() throws {
    let stage = try WriterStage(
      seed: 1, ringFrames: 1 << 18, punch: frames(in: project(bpm: 240), from: bar(2), countsIn: true))
    start(stage)
    // What the writing thread has not taken yet is older than the locate as well.
    stage.play(20_000)
    stage.writer.setPunchFromLocate(nil, notBefore: stage.nextHostFrame)
    stage.play(3_000)
    #expect(stage.engine.send(.locate(5_000)))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(60_000)
    let pass = try end(stage, "locate in the count-in")
    #expect(pass.pieces.map(\.timelineFrame) == [5_000])
  }
}
