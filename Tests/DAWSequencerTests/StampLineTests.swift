import DAWTestSupport
import Testing

@testable import DAWSequencer

@Test func stampsRiseWithFramesWhateverTheEstimatesDo() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var line = StampLine()
  var frame: Int64 = 0
  var previous: Int64 = -1
  for _ in 0..<2_000 {
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

/// Frames that go back and leap, stretches of any length, estimates of any size: every question has the answer that its
/// definition gives.
@Test func aLineAnswersByItsDefinitionWhateverItIsGiven() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var line = StampLine()
  func wild() -> Int64 { Int64.random(in: 0...(1 << 58), using: &random) * (Bool.random(using: &random) ? 1 : -1) }
  var place: Int64 = 0
  for _ in 0..<20_000 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: line.cut(at: Bool.random(using: &random) ? place - Int64.random(in: 0...1_000, using: &random) : wild())
    case 1: line.forget(before: Bool.random(using: &random) ? place : wild())
    case 2: place = wild()
    default:
      let length: Int64 = [0, -5, 1, 480, Int64(1) << Int64.random(in: 0...57, using: &random)].randomElement(
        using: &random)!
      line.extend(from: place, to: place + length) { frame in
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .max
        case 1: .min
        case 2: 0
        default: frame &* 20_833
        }
      }
      if length > 0 { place += length }
    }
    guard let end = line.endFrame, let endStamp = line.endStamp else { continue }
    #expect(0...4_500_000_000_000_000_000 ~= endStamp, "seed \(seed)")
    let stamp = [endStamp - 1, endStamp / 2, Int64.random(in: 0...max(0, endStamp), using: &random)].randomElement(
      using: &random)!
    let next = line.frame(after: stamp)
    #expect(next == end || line.stamp(of: next) > stamp, "seed \(seed): \(stamp)")
    #expect(line.stamp(of: next - 1) <= stamp || next == line.frame(after: -2), "seed \(seed): \(stamp)")
  }
}

@Test func framesThatAreCountedAnewLeaveNothingBehind() {
  var line = StampLine()
  line.extend(from: 172_800_000, to: 172_800_480) { _ in 5_000_000_000 }
  var frame: Int64 = 0
  for _ in 0..<1_000 {
    line.extend(from: frame, to: frame + 480) { 6_000_000_000 + $0 * 20_833 }
    frame += 480
    line.forget(before: frame - 4_800)
  }
  #expect(line.stretchCount < 20)
  #expect(line.frame(after: line.stamp(of: frame - 100)) == frame - 99)
}
