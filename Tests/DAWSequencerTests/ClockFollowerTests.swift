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
  // What is queued 150 ms ahead lies within 20 µs.
  #expect(worst < 20_000, "seed \(seed)")
  #expect(abs(follower.drift - drift) < 40, "seed \(seed)")
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

@Test func stampsRiseWithFramesWhateverTheEstimatesDo() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var line = StampLine()
  var (frame, previous): (Int64, Int64) = (0, -1)
  for _ in 0..<200 {
    let end = frame + Int64.random(in: 1...960, using: &random)
    line.extend(from: frame, to: end) { $0 * 20_833 + Int64.random(in: -900_000...900_000, using: &random) }
    for place in stride(from: frame, to: end, by: 7) {
      let stamp = line.stamp(of: place)
      #expect(stamp > previous, "seed \(seed)")
      #expect(line.frame(after: stamp) == place + 1, "seed \(seed)")
      previous = stamp
    }
    frame = end
    guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
    frame = Int64.random(in: max(0, end - 500)...end, using: &random)
    line.cut(at: frame)
    previous = line.stamp(of: max(0, frame - 1))
    line.forget(before: frame - 2_000)
  }
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
