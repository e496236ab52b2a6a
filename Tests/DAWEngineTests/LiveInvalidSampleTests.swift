import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// An instrument that repeats the same samples.
private final class RowInstrument: EventPlayer {
  private let row: [Float]
  private var frame = 0

  init(_ row: [Float]) { self.row = row }

  func play(_ event: MIDIEvent) {}

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    for i in 0..<frameCount {
      left[i] = row[(frame + i) % row.count]
      right[i] = -0.5
    }
    frame += frameCount
  }
}

@Test func invalidSamplesOfAnInstrumentAreSilentLiveAndInTheBounce() throws {
  let seed = Seed.current()
  let row: [Float] = [0.25, .nan, 0.5, -.infinity, 0.125, .signalingNaN, 1]
  var plan = Tune().plan([(60, 0..<100)])
  let stage = LiveStage(seed: seed, makeProducer: { _ in RowInstrument(row) })
  stage.driver.framesBetweenWaits = 2_000
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(7_000)
  let streams = DirectStreams(
    plan,
    instruments: RenderedAhead(plan.instruments.map(\.plan), blockFrames: 1_024, blocksAhead: 8) { _ in
      RowInstrument(row)
    })
  let feeder = DirectFeeder(streams, maximumFrames: 333)
  var (left, right) = ([Float](repeating: .nan, count: 7_000), [Float](repeating: .nan, count: 7_000))
  for first in stride(from: 0, to: 7_000, by: 250) {
    var (a, b) = ([Float](repeating: 0, count: 250), [Float](repeating: 0, count: 250))
    try feeder.render(frame: TimelineFrame(first), left: &a, right: &b, frameCount: 250)
    left.replaceSubrange(first..<first + 250, with: a)
    right.replaceSubrange(first..<first + 250, with: b)
  }
  #expect(bits(stage.sides) == bits([left, right]), "seed \(seed)")
  // Gains of a half and a quarter; three of every seven frames are NaN or infinite.
  #expect(Array(left.prefix(7)) == [0.125, 0, 0.25, 0, 0.0625, 0, 0.5])
  #expect(Array(right.prefix(7)) == [-0.125, 0, -0.125, 0, -0.125, 0, -0.125])
  #expect(stage.engine.record.invalidSampleCount == 3_000)
  #expect(feeder.runner.invalidSampleCount == 3_000)

  // Sums that overflow a float are silent.
  plan.steps[plan.steps.count - 1] = .output(StripID(0), buffer: 0, left: .constant(3e38), right: .constant(3e38))
  let loud = LiveStage(seed: seed, makeProducer: { _ in RowInstrument([8]) })
  loud.engine.publish(plan)
  loud.waitForStreams()
  #expect(loud.engine.send(.start))
  loud.driver.play(2_000)
  #expect(loud.driver.left.allSatisfy { $0 == 0 })
  #expect(loud.driver.right.contains { $0 < -3e37 })
  #expect(loud.engine.record.invalidSampleCount == 2_000)
  #expect(loud.engine.takePeaks().left == 0)
}
