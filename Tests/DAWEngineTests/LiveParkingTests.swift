import DAWTestSupport
import Foundation
import Synchronization
import Testing

@testable import DAWEngine

extension RenderPlan {
  /// The plan with its instruments muted.
  fileprivate var parked: RenderPlan {
    var plan = self
    for index in plan.instruments.indices { plan.instruments[index].isParked = true }
    plan.steps.removeAll { step in
      switch step {
      case .playInstrument, .mix: true
      default: false
      }
    }
    return plan
  }
}

/// A stage that counts the instruments made.
private func stage(_ tune: Tune, _ made: Made, _ change: (inout LiveOptions) -> Void = { _ in }) -> LiveStage {
  let stage = LiveStage(
    seed: 1, blockFrames: 64...512, change,
    makeProducer: { plan in
      made.count.withLock { $0 += 1 }
      return PulseInstrument(plan.events) { event in tune.told.withLock { $0.append(event) } }
    })
  stage.driver.framesBetweenWaits = 2_000
  return stage
}

private final class Made: Sendable {
  let count = Mutex(0)
}

@Suite("Muted instruments")
struct LiveParkingTests {
  @Test("Muting keeps an instrument, and unmuting goes on at the playhead with it")
  func keeps() throws {
    let (tune, made) = (Tune(), Made())
    let plan = tune.plan([(60, 0..<50_000), (64, 9_000..<10_000), (67, 15_000..<50_000)])
    let stage = stage(tune, made)
    stage.engine.publish(plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(4_096)
    stage.engine.publish(plan.parked)
    stage.driver.play(16_000)
    #expect(stage.driver.left.suffix(1_000).allSatisfy { $0 == 0 })
    // A thread tells it in its own time.
    for _ in 0..<6_000 where tune.told.withLock({ $0.count }) < 2 { usleep(10_000) }
    let silenced = tune.told.withLock { $0 }
    #expect(silenced.contains { $0.status == 0x80 && $0.data1 == 60 }, "what sounded is ended")
    #expect(silenced.contains { $0.status == 0xb0 && $0.data1 == 120 }, "and does not ring on")
    #expect(!silenced.contains { $0.data1 == 67 })
    tune.told.withLock { $0 = [] }
    stage.engine.publish(plan)
    stage.driver.play(5_000)
    #expect(stage.driver.left.suffix(1_000).allSatisfy { $0 > 0 })
    #expect(made.count.withLock { $0 } == 1, "it is the same instrument")
    #expect(tune.told.withLock { $0.map { [$0.status, $0.data1] } } == [[0x90, 60], [0x90, 67]])
    #expect(stage.engine.record.lateFrameCount == 0)

    // From the next locate on, what is heard is what is bounced.
    #expect(stage.engine.send(.locate(0)))
    stage.driver.playBlock(1)
    stage.driver.play(until: .rolling)
    stage.driver.clear()
    let first = stage.engine.record.nextFrame.number
    stage.driver.play(10_000)
    let whole = try bounced(plan, first + 10_000)
    #expect(bits(stage.sides) == bits(whole.map { Array($0[first...]) }))
  }

  @Test("Muted and unmuted while nothing plays, it sounds from the start as it is bounced")
  func stopped() throws {
    let (tune, made) = (Tune(), Made())
    let plan = tune.plan([(60, 0..<50_000), (64, 2_000..<6_000)])
    let stage = stage(tune, made)
    stage.engine.publish(plan)
    stage.waitForStreams()
    for next in [plan.parked, plan] {
      stage.engine.publish(next)
      stage.driver.playBlock(64)
      stage.waitForStreams()
    }
    stage.driver.clear()
    #expect(stage.engine.send(.start))
    stage.driver.play(10_000)
    #expect(stage.engine.record.lateFrameCount == 0)
    #expect(try bits(stage.sides) == bits(bounced(plan, 10_000)))
  }

  @Test("An instrument that is muted from the beginning is not made, and has no need of room")
  func neverMade() throws {
    let (tune, made) = (Tune(), Made())
    var plan = tune.plan([(60, 0..<50_000)])
    let muted = tune.plan([(64, 0..<50_000)]).parked.instruments[0].plan
    plan.instruments += (0..<5).map { PlannedInstrument(trackID: 100 + $0, plan: muted, isParked: true) }
    let stage = stage(tune, made) { $0.instrumentCount = 1 }
    stage.engine.publish(plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(3_000)
    #expect(made.count.withLock { $0 } == 1)
    #expect(stage.engine.takeProblems().isEmpty)
  }

  @Test("A muted instrument gives its room to one that is heard")
  func room() throws {
    let (tune, made) = (Tune(), Made())
    let plan = tune.plan([(60, 0..<50_000)])
    let stage = stage(tune, made) { $0.instrumentCount = 1 }
    stage.engine.publish(plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(2_000)
    stage.engine.publish(plan.parked)
    stage.driver.play(2_000)
    var other = plan
    other.instruments[0].trackID = 8
    other.instruments += plan.parked.instruments
    stage.engine.publish(other)
    stage.driver.play(3_000)
    #expect(stage.driver.left.suffix(500).allSatisfy { $0 > 0 })
    #expect(made.count.withLock { $0 } == 2)
    #expect(stage.engine.takeProblems().isEmpty)
  }

  @Test("That there are too many instruments is said once, not with every edit")
  func saidOnce() throws {
    let (tune, made) = (Tune(), Made())
    let one = tune.plan([(60, 0..<50_000)])
    var two = one
    two.instruments.append(PlannedInstrument(trackID: 8, plan: one.instruments[0].plan))
    two.steps.insert(.playInstrument(StripID(8), 1, into: 1), at: 3)
    let stage = stage(tune, made) { $0.instrumentCount = 1 }
    var reports: [Int] = []
    for plan in [two, two, two, one, two, two] {
      stage.engine.publish(plan)
      stage.driver.playBlock(64)
      stage.waitForStreams()
      reports.append(stage.engine.takeProblems().count)
    }
    #expect(reports == [1, 0, 0, 0, 1, 0])
  }
}
