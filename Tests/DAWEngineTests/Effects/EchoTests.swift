import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

private func echo(_ signal: EffectRendering, _ values: [String: Double], rate: Int = 48_000) -> (
  left: [Float], right: [Float]
) {
  signal.through(EffectSetup(kind: .delay, sampleRate: rate), EffectKind.delay.values(values))
}

private func peaks(_ side: [Float]) -> [Int: Float] {
  var peaks: [Int: Float] = [:]
  for (frame, sample) in side.enumerated() where sample != 0 { peaks[frame] = sample }
  return peaks
}

@Test(arguments: [44_100, 48_000])
func echoesComeInTimeAtTheirLevels(rate: Int) {
  let time = 123.4
  let frames = Int((time * Double(rate) / 1_000).rounded())
  var signal = EffectRendering.impulse(4 * frames - 1)
  signal.right = signal.left.map { $0 * -0.5 }
  let (left, right) = echo(signal, ["time": time, "feedback": 0.5, "mix": 0.25], rate: rate)
  #expect(peaks(left) == [0: 0.75, frames: 0.25, 2 * frames: 0.125, 3 * frames: 0.0625])
  #expect(peaks(right) == [0: -0.375, frames: -0.125, 2 * frames: -0.0625, 3 * frames: -0.03125])
}

@Test func pingPongGoesFromSideToSide() {
  var signal = EffectRendering.impulse(2_000)
  signal.right = [Float](repeating: 0, count: 2_000)
  let (left, right) = echo(signal, ["time": 10, "feedback": 0.5, "mix": 1, "pingPong": 1])
  #expect(peaks(left) == [480: 0.5, 1_440: 0.125])
  #expect(peaks(right) == [960: 0.25, 1_920: 0.0625])
}

@Test func longestEchoFits() {
  let (left, _) = echo(.impulse(40_001), ["time": 5_000, "mix": 1, "feedback": 0], rate: 8_000)
  #expect(peaks(left) == [40_000: 1])
}

/// A first-order cut has −3.01 dB at its frequency, once for each time around.
@Test(arguments: ["lowCut", "highCut"])
func cutsWorkOnceForEachEcho(cut: String) {
  let (left, _) = echo(.impulse(24_000), ["time": 200, "mix": 1, "feedback": 0.5, cut: 1_000])
  func level(_ frames: Range<Int>) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for frame in frames {
      let phase = 2 * Double.pi * 1_000 * Double(frame) / 48_000
      real += Double(left[frame]) * cos(phase)
      imaginary += Double(left[frame]) * sin(phase)
    }
    return 10 * log10(real * real + imaginary * imaginary)
  }
  let half = 10 * log10(0.5)
  #expect(abs(level(9_600..<19_200) - half) < 0.001)
  #expect(abs(level(19_200..<24_000) - (2 * half + 20 * log10(0.5))) < 0.01)
}

/// A time that moves slides over the frames between, and rests on whole ones.
@Test func movingTimeEndsWhereItRests() {
  let ramp = EffectRendering((0..<9_600).map { Float($0) / 9_600 }, [Float](repeating: 0, count: 9_600))
  var moving = ramp
  // From 10 ms to 20 ms within 1,600 frames.
  moving.knots = { EffectKind.delay.values(["time": 10 + min(Double($0), 100) / 10, "mix": 1, "feedback": 0]) }
  let (left, _) = moving.through(EffectSetup(kind: .delay, sampleRate: 48_000), [])
  for frame in stride(from: 1_000, to: 9_600, by: 37) {
    // Each knot's delay is a whole number of frames: of 4.8 more, 5 at most times.
    let delay = 480 + 4.8 * min(Double(frame) / 16, 100)
    #expect(abs(Double(left[frame]) * 9_600 - (Double(frame) - delay)) < 0.6)
  }
  let rested = echo(ramp, ["time": 20, "mix": 1, "feedback": 0]).left
  #expect(left.suffix(7_000) == rested.suffix(7_000))
}
