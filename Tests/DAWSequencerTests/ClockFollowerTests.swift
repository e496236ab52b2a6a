import DAWTestSupport
import Testing

@testable import DAWSequencer

@Test(arguments: [-200.0, 0, 35, 200])
func aFollowerLearnsHowFastTheQueueRuns(drift: Double) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var follower = ClockFollower()
  var worst = 0.0
  let queueTime = { (microseconds: Double) in microseconds * 1_000 * (1 + drift / 1e6) + 5e9 }
  for step in 0..<8_000 {
    let now = 1e9 + Double(step) * 5_000
    let noise = Double.random(in: 0...40, using: &random)
    follower.measure(before: UInt64(now), queue: Int64(queueTime(now + noise / 2)), after: UInt64(now + noise))
    guard step > 4_000 else { continue }
    let ahead = now + 150_000
    worst = max(worst, abs(Double(follower.queueTime(at: UInt64(ahead))) - queueTime(ahead)))
  }
  // Predictions 150 ms ahead are within 20 µs.
  #expect(worst < 20_000, "seed \(seed)")
  #expect(abs(follower.drift - drift) < 40, "seed \(seed)")
}

@Test func aFollowerTellsTheHostsTimeOfAStamp() {
  var follower = ClockFollower()
  for step in UInt64(1)..<2_000 {
    follower.measure(before: step * 5_000, queue: 7_000_000 + Int64(step) * 5_001_000, after: step * 5_000)
  }
  for microseconds in stride(from: UInt64(9_000_000), to: 11_000_000, by: 77_777) {
    let stamp = follower.queueTime(at: microseconds)
    #expect(abs(follower.hostTime(at: stamp) - Double(microseconds)) < 0.01)
    #expect(abs(follower.hostTime(at: stamp) - Double(stamp - 7_000_000) / 1_000.2) < 10)
  }
}

@Test func aFollowerBeginsAnewWhereAClockJumps() {
  var follower = ClockFollower()
  for step in UInt64(1)..<100 {
    follower.measure(before: step * 5_000, queue: Int64(step) * 5_000_000, after: step * 5_000)
  }
  follower.measure(before: 500_000, queue: 900_000_000_000, after: 500_000)
  #expect(abs(follower.queueTime(at: 600_000) - 900_100_000_000) < 1_000)
}

@Test func aSlowMeasurementHardlyCounts() {
  var follower = ClockFollower()
  for step in UInt64(1)..<100 {
    follower.measure(before: step * 5_000, queue: Int64(step) * 5_000_000, after: step * 5_000)
  }
  follower.measure(before: 500_000, queue: 503_000_000, after: 510_000)
  #expect(abs(follower.queueTime(at: 600_000) - 600_000_000) < 1_000)
}

/// Times that jump, stop, repeat and run backwards, up to the limits of their types: the result is always finite, and a
/// few seconds of good measurements restore it.
@Test(arguments: 0..<50) func aFollowerForgetsWhateverItWasGiven(number: Int) {
  let seed = Seed.current() &+ UInt64(number)
  var random = SeededGenerator(seed: seed)
  var follower = ClockFollower()
  var (host, queue): (UInt64, Int64) = (0, 0)
  for _ in 0..<500 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: host = UInt64.random(in: 0...UInt64.max, using: &random)
    case 1: queue = Int64.random(in: Int64.min...Int64.max, using: &random)
    case 2: (host, queue) = (.max, .min)
    case 3: (host, queue) = (0, .max)
    case 4: host &+= UInt64.random(in: 0...3, using: &random)
    case 5: queue &+= Int64.random(in: -19_000_000...19_000_000, using: &random)
    default:
      host &+= 5_000
      queue &+= 5_000_000
    }
    follower.measure(before: host, queue: queue, after: host &+ UInt64.random(in: 0...20_000, using: &random))
    _ = follower.queueTime(at: UInt64.random(in: 0...UInt64.max, using: &random))
    #expect(abs(follower.drift) <= 5_001, "seed \(seed)")
  }
  let begin = UInt64.random(in: 0...1_000_000_000_000, using: &random)
  for step in UInt64(0)..<1_000 {
    let now = begin + step * 5_000
    follower.measure(before: now, queue: 7_000_000_000 + Int64(step) * 5_000_000, after: now + 10)
  }
  let ahead = follower.queueTime(at: begin + 5_150_000)
  #expect(abs(ahead - 12_150_000_000) < 50_000, "seed \(seed)")
}

@Test func measurementsThatFollowEachOtherAtOnceDoNotChangeTheSpeed() {
  var follower = ClockFollower()
  for step in UInt64(1)..<400 {
    follower.measure(before: step * 5_000, queue: Int64(step) * 5_000_000, after: step * 5_000)
  }
  let before = follower.drift
  for step in UInt64(0)..<20 {
    follower.measure(
      before: 2_000_000 + step, queue: 2_000_000_000 + Int64(step) * 1_000 + 50_000, after: 2_000_000 + step)
  }
  #expect(abs(follower.drift - before) < 100)
}

@Test func percentilesAreNearestRanks() {
  var delays = Percentiles(capacity: 100)
  #expect(delays.value(at: 0.5) == nil)
  for value in 1...150 { delays.add(Double(value)) }
  #expect(delays.value(at: 0) == 51)
  #expect(delays.value(at: 0.5) == 100)
  #expect(delays.value(at: 0.99) == 149)
  #expect(delays.value(at: 1) == 150)
}
