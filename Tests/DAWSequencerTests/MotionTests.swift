import DAWEngine
import DAWTime
import Testing

@testable import DAWSequencer

private func motion(_ frame: TimelineFrame, at hostFrame: HostFrame, loop: Range<TimelineFrame>? = nil) -> Motion {
  var motion = Motion()
  (motion.isRolling, motion.frame, motion.hostFrame, motion.loop) = (true, frame, hostFrame, loop)
  return motion
}

@Test func aRollThatComesLaterIsTheSameRoll() {
  let first = motion(1_000, at: 50_000)
  let late = motion(1_256, at: 51_280)
  #expect(!first.predicts(late))
  #expect(first.isSameRoll(as: late))
  // Events up to host frame 52,000 are queued, as predicted; the playhead gets there later.
  #expect(late.hostFrame + late.distance(to: first.frame(at: 52_000)) == 53_024)
}

@Test func anotherRollIsNot() {
  var other = motion(1_256, at: 51_280)
  other.locateNumber = 2
  #expect(!motion(1_000, at: 50_000).isSameRoll(as: other))
  #expect(!motion(1_000, at: 50_000).isSameRoll(as: Motion()))
  #expect(!motion(1_000, at: 50_000).isSameRoll(as: motion(0, at: 100)))
  #expect(!motion(1_000, at: 50_000).isSameRoll(as: motion(1_256, at: 51_280, loop: 0..<9_000)))
}

@Test func theDistanceRoundALoopIsTheShorterWay() {
  let loop: Range<TimelineFrame> = 1_000..<5_000
  #expect(motion(4_900, at: 0, loop: loop).distance(to: 1_100) == 200)
  #expect(motion(1_100, at: 0, loop: loop).distance(to: 4_900) == -200)
  #expect(motion(1_100, at: 0, loop: loop).distance(to: 1_400) == 300)
  // After the loop's end it continues.
  #expect(motion(6_000, at: 0, loop: loop).distance(to: 6_200) == 200)
}

/// Events of its block that are still to be heard are those of the new plan.
@Test func aPlanThatIsTakenUpHoldsFromItsBlocksFirstFrameOn() {
  var record = TransportRecord()
  (record.state, record.hostFrame, record.frameCount) = (.rolling, 50_000, 256)
  (record.frame, record.nextFrame) = (9_000, 9_256)
  let moved = Motion(record)
  #expect(moved.start(of: record) == 50_000 && moved.frame(at: 50_000) == 9_000)
  // It has wrapped: nothing is known of what was before.
  (record.loopFirst, record.loopEnd, record.nextFrame) = (1_000, 9_100, 1_156)
  #expect(Motion(record).start(of: record) == 50_256)
}
