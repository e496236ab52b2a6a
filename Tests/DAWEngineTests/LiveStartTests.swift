import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWEngine

/// An instrument whose making blocks until the gate is opened.
private final class Gate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }
  func wait() { while !isOpen.withLock({ $0 }) { usleep(1_000) } }
}

@Test func aStartWaitsForTheInstrumentsOfItsPlan() throws {
  let seed = Seed.current()
  let gate = Gate()
  let stage = LiveStage(
    seed: seed, blockFrames: 64...512,
    makeProducer: { plan in
      gate.wait()
      return PulseInstrument(plan.events)
    })
  defer { gate.open() }
  let plan = Tune().plan([(60, 0..<5_000), (62, 3_000..<9_000)])
  stage.driver.framesBetweenWaits = nil
  // Blocks before the first plan: nothing is ready.
  stage.driver.play(1_000)
  usleep(20_000)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  #expect(stage.engine.record.state == .starting)
  #expect(stage.driver.left.allSatisfy { $0 == 0 })
  gate.open()
  #expect(stage.driver.play(until: .rolling))
  stage.driver.framesBetweenWaits = 2_000
  stage.driver.play(10_000)
  try expectBounce(plan, stage, seed)
}

@Test(arguments: [0, 1, 300, 5_000])
func aStartRightAfterAnEditPlaysTheEdit(framesBefore: Int) throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed)
  stage.engine.publish(tune.plan([(60, 4_000..<5_000)]))
  stage.driver.play(1)
  stage.waitForStreams()
  if framesBefore > 0 {
    // After an earlier start and a locate back.
    #expect(stage.engine.send(.start))
    stage.driver.play(framesBefore)
    #expect(stage.engine.send(.stop))
    #expect(stage.driver.play(until: .stopped))
    #expect(stage.engine.send(.locate(0)))
    stage.driver.play(1)
    stage.waitForStreams()
  }
  let edited = tune.plan([(64, 0..<2_000), (60, 4_000..<5_000)])
  stage.driver.clear()
  stage.engine.publish(edited)
  #expect(stage.engine.send(.start))
  stage.driver.framesBetweenWaits = nil
  #expect(stage.driver.play(until: .rolling))
  stage.driver.framesBetweenWaits = 2_000
  stage.driver.play(10_000)
  try expectBounce(edited, stage, seed)
}

@Test func aStartThatIsHeldPlaysWhatIsPublishedMeanwhile() throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed, blockFrames: 64...512)
  stage.engine.publish(tune.plan([(60, 0..<5_000)]))
  stage.driver.play(1)
  stage.waitForStreams()
  stage.engine.holdStarts()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  #expect(stage.engine.record.state == .starting)
  let edited = tune.plan([(64, 0..<2_000)])
  stage.engine.publish(edited)
  stage.engine.allowStarts(upTo: stage.engine.heldStarts)
  #expect(stage.driver.play(until: .rolling))
  stage.driver.play(10_000)
  try expectBounce(edited, stage, seed)
  // A start that is held forever begins after the timeout.
  #expect(stage.engine.send(.stop))
  #expect(stage.driver.play(until: .stopped))
  stage.engine.holdStarts()
  #expect(stage.engine.send(.start))
  #expect(stage.driver.play(until: .rolling))
  #expect(stage.engine.record.startTimeoutCount == 1)
}

@Test func anInstrumentThatCannotBeMadeHoldsNoStartUp() throws {
  let tune = Tune()
  let stage = LiveStage(seed: 1, blockFrames: 64...512)
  stage.engine.publish(tune.plan([(60, 0..<5_000)]))
  #expect(stage.engine.send(.start))
  #expect(stage.driver.play(until: .rolling))
  #expect(stage.engine.record.startTimeoutCount == 0)
  #expect(stage.engine.takeProblems() == [.stopped])
}

/// Checks that what was played since the start is the plan from its first frame on.
private func expectBounce(_ plan: RenderPlan, _ stage: LiveStage, _ seed: UInt64) throws {
  let record = stage.engine.record
  #expect(record.nextFrame.number == record.rolledFrame.number && record.rolledFrame >= 10_000)
  #expect(record.lateFrameCount == 0, "seed \(seed)")
  let played = stage.sides.map { Array($0.suffix(record.rolledFrame.number)) }
  let whole = try bounced(plan, played[0].count)
  #expect(bits(played) == bits(whole), "seed \(seed)")
}
