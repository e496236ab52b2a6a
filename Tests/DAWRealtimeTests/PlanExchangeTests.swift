import Synchronization
import Testing

@testable import DAWRealtime

/// The exchange in a class, because `#expect` cannot hold a value that is not copyable.
private final class Exchange {
  let exchange = PlanExchange()
  func publish(_ plan: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { exchange.publish(plan) }
  func collect() -> UnsafeMutableRawPointer? { exchange.collect() }
  func newest(after plan: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { exchange.newest(after: plan) }
}

@Test func aPlanArrivesAndTheOneBeforeIsReturned() {
  let exchange = Exchange()
  let plans = (0..<3).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1) }
  defer { plans.forEach { $0.deallocate() } }

  #expect(exchange.newest(after: nil) == nil)
  #expect(exchange.publish(plans[0]) == nil)
  #expect(exchange.newest(after: nil) == plans[0])
  #expect(exchange.collect() == nil)

  #expect(exchange.publish(plans[1]) == nil)
  #expect(exchange.newest(after: plans[0]) == plans[1])
  #expect(exchange.publish(plans[2]) == nil)
  #expect(exchange.newest(after: plans[1]) == plans[1], "the first plan has not been collected")
  #expect(exchange.collect() == plans[0])
  #expect(exchange.newest(after: plans[1]) == plans[2])
}

@Test func aPlanThatWasNotTakenIsReturnedByTheNextPublication() {
  let exchange = Exchange()
  let plans = (0..<2).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1) }
  defer { plans.forEach { $0.deallocate() } }
  #expect(exchange.publish(plans[0]) == nil)
  #expect(exchange.publish(plans[1]) == plans[0])
  #expect(exchange.newest(after: nil) == plans[1])
}

@Test func noPlanIsLostOrFreedTwiceBetweenTwoThreads() {
  let stage = Stage()
  let isSound = Mutex(false)
  let player = startThread { isSound.withLock { $0 = stage.play() } }
  let freed = stage.edit(plans: 20_000)
  player.wait()
  #expect(isSound.withLock { $0 })
  #expect(freed == Array(1...20_000))
}

/// A control thread that publishes numbered plans, and an audio thread that reads each while it holds it.
private final class Stage: Sendable {
  let exchange = PlanExchange()
  let isOver = Atomic<Bool>(false)
  let isSilent = Atomic<Bool>(false)

  /// The numbers of the plans that were freed, in order.
  func edit(plans count: Int) -> [Int] {
    var freed: [Int] = []
    func free(_ plan: UnsafeMutableRawPointer?) {
      guard let plan else { return }
      freed.append(plan.load(as: Int.self))
      plan.storeBytes(of: -1, as: Int.self)
      plan.deallocate()
    }
    for number in 1...count {
      let plan = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
      plan.storeBytes(of: number, as: Int.self)
      free(exchange.publish(plan))
      free(exchange.collect())
    }
    isOver.store(true, ordering: .releasing)
    while !isSilent.load(ordering: .acquiring) { free(exchange.collect()) }
    free(exchange.collect())
    return freed.sorted()
  }

  /// Whether every plan read was not freed, and was newer than the one before.
  func play() -> Bool {
    var current: UnsafeMutableRawPointer?
    var last = 0
    var isSound = true
    func look() {
      let plan = exchange.newest(after: current)
      if let number = plan?.load(as: Int.self) {
        isSound = isSound && (plan == current ? number == last : number > last)
        last = number
      }
      current = plan
    }
    while !isOver.load(ordering: .acquiring) { look() }
    while last < 20_000 { look() }
    // After a client is closed, its plan is freed once no callback runs.
    let farewell = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    farewell.storeBytes(of: 20_001, as: Int.self)
    while current != farewell {
      _ = exchange.publish(farewell)
      current = exchange.newest(after: current)
    }
    farewell.deallocate()
    isSilent.store(true, ordering: .releasing)
    return isSound
  }
}
