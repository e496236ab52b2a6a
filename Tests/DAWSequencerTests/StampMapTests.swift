import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWSequencer

@Test func stampsRiseWithFramesWhateverTheEstimatesDo() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var stampMap = StampMap()
  var frame: HostFrame = 0
  var previous: Int64 = -1
  for _ in 0..<2_000 {
    let end = frame + Int.random(in: 1...960, using: &random)
    stampMap.extend(from: frame, to: end) {
      Int64($0.number) * 20_833 + Int64.random(in: -900_000...900_000, using: &random)
    }
    for place in stride(from: frame, to: end, by: 7) {
      let stamp = stampMap.stamp(of: place)
      #expect(stamp > previous, "seed \(seed)")
      #expect(stampMap.frame(after: stamp) == place + 1, "seed \(seed)")
      previous = stamp
    }
    frame = end
    guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
    frame = HostFrame.random(in: max(0, end - 500)...end, using: &random)
    stampMap.cut(at: frame)
    previous = stampMap.stamp(of: max(0, frame - 1))
    stampMap.forget(before: frame - 2_000)
  }
}

/// Frames that go back and jump, segments of any length, estimates of any size: every query returns what its definition
/// says.
@Test func aLineAnswersByItsDefinitionWhateverItIsGiven() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var stampMap = StampMap()
  func wild() -> HostFrame {
    HostFrame(Int.random(in: 0...(1 << 58), using: &random) * (Bool.random(using: &random) ? 1 : -1))
  }
  var place: HostFrame = 0
  for _ in 0..<20_000 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: stampMap.cut(at: Bool.random(using: &random) ? place - Int.random(in: 0...1_000, using: &random) : wild())
    case 1: stampMap.forget(before: Bool.random(using: &random) ? place : wild())
    case 2: place = wild()
    default:
      let length: Int = [0, -5, 1, 480, 1 << Int.random(in: 0...57, using: &random)].randomElement(
        using: &random)!
      stampMap.extend(from: place, to: place + length) { frame in
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .max
        case 1: .min
        case 2: 0
        default: Int64(frame.number &* 20_833)
        }
      }
      if length > 0 { place += length }
    }
    guard let end = stampMap.endFrame, let endStamp = stampMap.endStamp else { continue }
    #expect(0...4_500_000_000_000_000_000 ~= endStamp, "seed \(seed)")
    let stamp = [endStamp - 1, endStamp / 2, Int64.random(in: 0...max(0, endStamp), using: &random)].randomElement(
      using: &random)!
    let next = stampMap.frame(after: stamp)
    #expect(next == end || stampMap.stamp(of: next) > stamp, "seed \(seed): \(stamp)")
    #expect(stampMap.stamp(of: next - 1) <= stamp || next == stampMap.frame(after: -2), "seed \(seed): \(stamp)")
  }
}

@Test func framesThatAreCountedAnewLeaveNothingBehind() {
  var stampMap = StampMap()
  stampMap.extend(from: 172_800_000, to: 172_800_480) { _ in 5_000_000_000 }
  var frame: HostFrame = 0
  for _ in 0..<1_000 {
    stampMap.extend(from: frame, to: frame + 480) { 6_000_000_000 + Int64($0.number) * 20_833 }
    frame += 480
    stampMap.forget(before: frame - 4_800)
  }
  #expect(stampMap.segmentCount < 20)
  #expect(stampMap.frame(after: stampMap.stamp(of: frame - 100)) == frame - 99)
}
