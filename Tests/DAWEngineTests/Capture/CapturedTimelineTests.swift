import DAWTime
import Testing

@testable import DAWEngine

/// What is recorded where a clock begins again, where recording is switched behind a locate, and what is kept later.
@Suite struct CapturedTimelineTests {
  private func change(
    _ host: HostFrame, _ frame: TimelineFrame, _ motion: TimelineChange.Motion = .rolling
  ) -> TimelineChange {
    TimelineChange(hostFrame: host, frame: frame, motion: motion, wrapCount: 0)
  }

  /// The timeline's frame at a host frame; `nil` where it is not recorded.
  private func recorded(_ timeline: CapturedTimeline, at host: HostFrame) -> TimelineFrame? {
    if case .recorded(_, let frame) = timeline.segment(at: host).content { frame } else { nil }
  }

  @Test func aPunchFromALocateHoldsWhereTheClockBeginsAgain() {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.setRecording(true, from: 0)
    timeline.add(change(50_000, 0))
    timeline.setPunchFromLocate(1_000..<2_000, notBefore: 60_000)
    // Of another server, whose count does not come to that for a long time.
    timeline.add(change(10, 1_500))
    #expect(recorded(timeline, at: 10) == 1_500 && timeline.segment(at: 10).end == 510)
    #expect(timeline.segment(at: 9) == .init(end: 10, content: .nothing))
  }

  /// A plan says nothing of where the playhead is.
  @Test func eachFrameIsThatOfThePlanByWhichItWasPlayed() {
    func change(_ host: HostFrame, _ frame: TimelineFrame, plan: UInt64) -> TimelineChange {
      TimelineChange(hostFrame: host, frame: frame, motion: .rolling, wrapCount: 0, planNumber: plan)
    }
    var timeline = CapturedTimeline(punch: 0..<1_000)
    timeline.setRecording(true, from: 0)
    timeline.add(change(0, 0, plan: 1))
    timeline.setPunchFromLocate(2_000..<3_000, notBefore: 50)
    timeline.add(change(100, 100, plan: 2))
    timeline.add(change(200, 200, plan: 2))
    let hosts: [HostFrame] = [0, 99, 100, 250]
    #expect(hosts.map { timeline.segment(at: $0).planNumber } == [1, 1, 2, 2])
    #expect(timeline.segment(at: 100).end == 1_000 && recorded(timeline, at: 250) == 250)
  }

  /// As after an edit of the tempo.
  @Test func aPunchFromAPlanOnLeavesWhatThoseBeforeHavePlayed() {
    func change(_ host: HostFrame, _ frame: TimelineFrame, plan: UInt64) -> TimelineChange {
      TimelineChange(hostFrame: host, frame: frame, motion: .rolling, wrapCount: 0, planNumber: plan)
    }
    var timeline = CapturedTimeline(punch: 0..<150)
    timeline.setRecording(true, from: 0)
    timeline.add(change(0, 0, plan: 1))
    timeline.setPunch(200..<300, fromPlan: 2)
    // What the plan before has played may be said later.
    timeline.add(change(50, 20, plan: 1))
    timeline.add(change(100, 220, plan: 2))
    #expect(recorded(timeline, at: 0) == 0 && recorded(timeline, at: 60) == 30)
    #expect(recorded(timeline, at: 100) == 220 && timeline.segment(at: 100).end == 180)
    timeline.setPunch(0..<25)
    #expect(recorded(timeline, at: 50) == 20 && recorded(timeline, at: 60) == nil && recorded(timeline, at: 100) == nil)
  }

  /// As where the recording is cancelled right behind that.
  @Test func whatWasPlayedBeforeRecordingWasSwitchedOffIsNotRecordedWhereItIsOffFromThereOn() {
    var timeline = CapturedTimeline()
    timeline.setRecording(true, from: 0)
    timeline.add(change(1_000, 0))
    timeline.setRecording(false, from: 1_500)
    timeline.setRecording(false, from: 1_600)
    #expect(recorded(timeline, at: 1_499) == 499 && recorded(timeline, at: 1_500) == nil)
    timeline.setRecording(false, from: .min)
    #expect(recorded(timeline, at: 1_000) == nil && recorded(timeline, at: 1_499) == nil)
    timeline.setRecording(true, from: 1_700)
    #expect(recorded(timeline, at: 1_699) == nil && recorded(timeline, at: 1_700) == 700)
  }

  @Test func recordingThatIsSwitchedBehindALocateKeepsThePunchFromBeforeIt() {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.add(change(1_000, 0))
    timeline.setPunchFromLocate(nil, notBefore: 1_150)
    timeline.add(change(1_160, 500))
    timeline.setRecording(true, from: 1_050)
    #expect(timeline.segment(at: 1_050) == .init(end: 1_100, content: .nothing))
    #expect(recorded(timeline, at: 1_100) == 100 && timeline.segment(at: 1_100).end == 1_160)
    #expect(recorded(timeline, at: 1_160) == 500)
  }

  @Test func aPunchHoldsForAllOfAClockThatBeganAgainSinceRecordingWasSwitched() {
    var timeline = CapturedTimeline()
    timeline.add(change(40_000, 0))
    timeline.setRecording(true, from: 50_000)
    timeline.add(change(10, 1_500))
    timeline.setPunch(2_000..<3_000)
    #expect(timeline.segment(at: 10) == .init(end: 510, content: .nothing))
    #expect(recorded(timeline, at: 510) == 2_000 && timeline.segment(at: 510).end == 1_510)
  }

  @Test func aPunchHoldsFromWhereRecordingWasSwitchedAlsoWhenThatIsFoundToHaveBeenEarlier() {
    var timeline = CapturedTimeline()
    timeline.add(change(900, 0))
    timeline.setRecording(true, from: 1_100)
    // The host counted 50 frames too many from 1,000 on.
    var correction = change(1_000, 100)
    correction.misreadFrames = 50
    timeline.add(correction)
    timeline.setPunch(400..<500)
    #expect(timeline.segment(at: 1_049).content == .nothing)
    #expect(timeline.segment(at: 1_050) == .init(end: 1_250, content: .nothing))
    #expect(recorded(timeline, at: 1_250) == 400 && timeline.segment(at: 1_250).end == 1_350)
  }

  @Test func whatIsKeptIsAllThatWasPlayed() throws {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.add(change(1_000, 0))
    timeline.add(change(2_000, 1_000, .between))
    timeline.add(change(2_100, 1_000))
    timeline.add(change(3_000, 1_900, .stopped))
    let kept = try #require(timeline.keeping(1_500..<3_500))
    #expect(recorded(kept, at: 1_500) == 500 && recorded(kept, at: 2_100) == 1_000)
    #expect(kept.segment(at: 2_050) == .init(end: 2_100, content: .between))
    #expect(kept.segment(at: 3_000).content == .nothing)
    // What goes on is recorded as before.
    #expect(!timeline.isOn && timeline.segment(at: 1_150).content == .nothing)
  }

  @Test func theShortestLoopIsFoundAmongWhatWentRound() {
    func change(_ host: HostFrame, _ frame: TimelineFrame, _ wrapCount: UInt64) -> TimelineChange {
      TimelineChange(hostFrame: host, frame: frame, motion: .rolling, wrapCount: wrapCount)
    }
    var timeline = CapturedTimeline()
    timeline.add(change(1_000, 0, 0))
    timeline.add(change(2_000, 200, 1))
    // Twice round one of 100 frames.
    timeline.add(change(2_900, 900, 3))
    timeline.add(change(3_500, 700, 4))
    // A locate is no time round.
    timeline.add(self.change(3_600, 800, .between))
    timeline.add(change(3_610, 799, 0))
    #expect(timeline.shortestLoop(in: 1_000..<4_000) == 100)
    #expect(timeline.shortestLoop(in: 1_000..<2_900) == 800 && timeline.shortestLoop(in: 2_900..<4_000) == 800)
    #expect(timeline.shortestLoop(in: 3_500..<4_000) == nil && timeline.shortestLoop(in: 1_000..<2_000) == nil)
  }

  /// Where it stood in all that is kept.
  @Test(arguments: [(1_900, 1_400), (500, 0), (300, 0)] as [(TimelineFrame, TimelineFrame)])
  func whatCameInWhileItStoodEndsAtThePlayheadAndBeginsAtZeroAtTheEarliest(
    playhead: TimelineFrame, first: TimelineFrame
  ) throws {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.setRecording(true, from: 0)
    timeline.add(change(1_000, playhead - 100))
    timeline.add(change(1_100, playhead, .stopped))
    let kept = try #require(timeline.keeping(2_000..<2_500))
    #expect(recorded(kept, at: 2_000) == first)
    #expect(recorded(kept, at: 2_499) == first + 499)
  }

  @Test func whatWasPlayedAtNoPlaceIsNotKept() {
    var timeline = CapturedTimeline()
    #expect(timeline.keeping(0..<100).map { $0.isOn } == nil, "nothing is known")
    timeline.add(change(1_000, 0, .between))
    #expect(timeline.keeping(1_000..<1_100).map { $0.isOn } == nil, "it moves")
  }
}
