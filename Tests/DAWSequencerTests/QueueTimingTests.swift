import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWSequencer

/// The MIDI thread's use of its timing in one round, without a sequencer.
private struct RoundDriver {
  let host: HostileHost
  var timing = QueueTiming()
  /// Pieces queued, and their stamps, since the last restart.
  var newest: (end: HostFrame, stamp: Int64)?
  var faults: [String] = []

  mutating func runRound() -> Int {
    let before = host.microseconds
    let queueTime = host.queueTime
    let now = host.microseconds
    timing.measure(before: before, queue: queueTime, after: now)
    guard let deadlines = timing.deadlines(at: now, host, host.record()) else { return 0 }
    let reached = timing.stampMap.frame(after: queueTime)
    timing.forget(deadlines)
    if let frame = timing.restart(deadlines, reached: reached, host) {
      timing.begin(at: frame)
      newest = nil
    }
    var count = 0
    while let end = timing.nextEnd(deadlines) {
      let first = timing.queuedTo
      timing.extend(to: end, host)
      let (begin, stop) = (timing.stampMap.stamp(of: first), timing.stampMap.stamp(of: end))
      if stop <= begin { faults.append("stamps fall from \(begin) to \(stop)") }
      if let newest, begin < newest.stamp { faults.append("the stamp \(begin) lies before \(newest)") }
      newest = (end, stop)
      timing.advance(to: end)
      count += 1
      if count > 10_000 { break }
    }
    return count
  }
}

/// Steps of the clock as on a loaded machine.
private func step(_ host: HostileHost, _ random: inout SeededGenerator) {
  let elapsed = UInt64.random(in: 1_000...9_000, using: &random)
  host.change { $0.now += elapsed }
}

private func isRight(_ driver: RoundDriver, within nanoseconds: Double) -> Bool {
  let frame = driver.timing.queuedTo - 100
  return abs(Double(driver.timing.stampMap.stamp(of: frame)) - driver.host.trueStamp(of: frame)) < nanoseconds
}

@Test func undisturbedStampsAreThoseOfTheQueue() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var driver = RoundDriver(host: HostileHost())
  for number in 0..<2_000 {
    step(driver.host, &random)
    _ = driver.runRound()
    if number > 500 { #expect(isRight(driver, within: 5_000), "seed \(seed)") }
  }
  #expect(driver.faults == [])
}

/// A round queues and remembers at most a second and a half; its stamps increase, and are right again two seconds after
/// a disturbance has ended.
@Test(arguments: 0..<40) func noClockLeadsTheThreadAstrayForLong(number: Int) {
  let seed = Seed.current() &+ UInt64(number)
  var random = SeededGenerator(seed: seed)
  let host = HostileHost()
  var driver = RoundDriver(host: host)
  for _ in 0..<15 {
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      disturb(host, &random)
      let count = driver.runRound()
      #expect(count <= 240, "seed \(seed): \(count) pieces at a look")
      #expect(driver.timing.stampMap.segmentCount <= 400, "seed \(seed)")
      _ = driver.timing.stampMap.frame(after: host.queueTime)
      _ = driver.timing.follower.queueTime(at: UInt64.random(in: 0...UInt64.max, using: &random))
    }
    // The stamps are right again, though possibly at other frames.
    host.change { state in
      state.now = UInt64.random(in: 1_000_000_000...1_000_000_000_000, using: &random)
      state.begin = Double(state.now) - Double.random(in: 0...900_000_000, using: &random)
      (state.sampleRate, state.latency, state.record) = (48_000, Int.random(in: 0...4_096, using: &random), nil)
      (state.queueSpeed, state.queueOffset) = (999.98, Double.random(in: 0...1e12, using: &random))
    }
    for _ in 0..<500 {
      step(host, &random)
      let count = driver.runRound()
      #expect(count <= 240, "seed \(seed): \(count) pieces at a look")
    }
    #expect(isRight(driver, within: 100_000), "seed \(seed)")
  }
  #expect(driver.faults == [], "seed \(seed)")
}

private func disturb(_ host: HostileHost, _ random: inout SeededGenerator) {
  step(host, &random)
  let wild = Double.random(in: -1e19...1e19, using: &random)
  let small = Double.random(in: -2_000_000...2_000_000, using: &random)
  let any = UInt64.random(in: 0...UInt64.max, using: &random)
  let kind = Int.random(in: 0..<14, using: &random)
  host.change { state in
    switch kind {
    case 0: state.begin = nil
    case 1: state.begin = wild
    case 2: state.begin = Double(state.now)
    case 3: state.begin = (state.begin ?? 0) + small
    case 4: state.now = any
    case 5: state.now = UInt64(max(0, min(1.8e19, Double(state.now) + small)))
    case 6: state.sampleRate = [0, -1, .nan, .infinity, 1e300, 1, 8_000, 192_000][Int(any % 8)]
    case 7: state.latency = [-1, 0, Int(Int32.max), Int.max, Int.min, 48_000][Int(any % 6)]
    case 8: state.queueOffset = wild
    case 9: state.queueOffset += small * 1_000
    case 10: state.queueSpeed = [0, 1_000, -1_000, 1e9, 999.9][Int(any % 5)]
    case 11:
      var record = TransportRecord()
      record.hostFrame = HostFrame(Int(clamping: any >> (any & 63)))
      state.record = record
    case 12: state.record = nil
    // The same time once more.
    default: state.now -= min(state.now, any % 10_000)
    }
    if state.now > .max - 10_000 { state.now = 1_000_000_000 }
  }
}

/// A latency that falls or rises by half a second, or a queue's clock that jumps by ten: queueing does not wait for
/// that time to pass.
@Test(arguments: [(24_000, 0, 0.0), (0, 24_000, 0), (1_024, 1_024, -10e9), (1_024, 1_024, 10e9)])
func aClockThatJumpsIsFollowedAtOnce(from: Int, to: Int, queueJump: Double) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var driver = RoundDriver(host: HostileHost())
  driver.host.change { ($0.latency, $0.queueOffset) = (from, 20e9) }
  for _ in 0..<600 {
    step(driver.host, &random)
    _ = driver.runRound()
  }
  #expect(isRight(driver, within: 5_000), "seed \(seed)")
  driver.host.change {
    $0.latency = to
    $0.queueOffset += queueJump
  }
  for _ in 0..<150 {
    step(driver.host, &random)
    _ = driver.runRound()
  }
  #expect(isRight(driver, within: 100_000), "seed \(seed)")
  #expect(driver.faults == [])
}
