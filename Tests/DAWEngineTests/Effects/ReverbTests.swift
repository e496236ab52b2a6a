import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

/// A Butterworth band pass of an octave: two sections of high pass, two of low pass.
/// - SeeAlso: Robert Bristow-Johnson: Cookbook formulae for audio EQ biquad filter coefficients.
private func octave(_ signal: [Float], at center: Double, rate: Double) -> [Double] {
  var samples = signal.map(Double.init)
  for q in [0.541_196_1, 1.306_563] {
    for isLow in [true, false] {
      let w = 2 * Double.pi * center * (isLow ? 2.0.squareRoot() : 0.5.squareRoot()) / rate
      let (c, alpha) = (cos(w), sin(w) / (2 * q))
      let middle = isLow ? 1 - c : -(1 + c)
      let (b0, b1) = (abs(middle) / 2 / (1 + alpha), middle / (1 + alpha))
      let (a1, a2) = (-2 * c / (1 + alpha), (1 - alpha) / (1 + alpha))
      var (s1, s2) = (0.0, 0.0)
      samples.withUnsafeMutableBufferPointer { samples in
        for i in samples.indices {
          let x = samples[i]
          let y = b0 * x + s1
          s1 = b1 * x - a1 * y + s2
          s2 = b0 * x - a2 * y
          samples[i] = y
        }
      }
    }
  }
  return samples
}

/// Seconds for 60 dB, from the line through −5 … −35 dB of Schroeder's backward integral.
private func decayTime(_ samples: [Double], rate: Double) -> Double {
  var energy = 0.0
  let integral = samples.reversed().map { sample in
    energy += sample * sample
    return energy
  }
  var (count, t, l, tt, tl) = (0.0, 0.0, 0.0, 0.0, 0.0)
  for (frame, value) in integral.reversed().enumerated() {
    let level = 10 * log10(value / energy)
    guard level <= -5, frame % 16 == 0 else { continue }
    guard level >= -35 else { break }
    let time = Double(frame) / rate
    count += 1
    t += time
    l += level
    tt += time * time
    tl += time * level
  }
  return -60 * (count * tt - t * t) / (count * tl - t * l)
}

/// The mean over both sides' responses to both sides' impulses: a single one of 1 s has a spread of 4 % in the lowest
/// octave by itself.
/// - SeeAlso: ISO 3382-1, equation 5: 0.55 ÷ √(bandwidth × decay).
@Test(arguments: [(1, 1), (2, 1), (1.5, 0.5)])
func decayTimesAreThoseAskedFor(decay: Double, size: Double) {
  let rate = 24_000.0
  let setup = EffectSetup(kind: .reverb, sampleRate: Int(rate), size: size)
  let values = EffectKind.reverb.values(["decay": decay, "highDecay": 1, "mix": 1])
  var impulse = EffectRendering.impulse(Int((decay * 0.8 + 0.2) * rate))
  impulse.right = impulse.right?.map { _ in 0 }
  let fromLeft = impulse.through(setup, values)
  (impulse.left, impulse.right) = (impulse.right ?? [], impulse.left)
  let fromRight = impulse.through(setup, values)
  for center in [250.0, 500, 1_000, 2_000, 4_000] {
    let bands = [fromLeft.left, fromLeft.right, fromRight.left, fromRight.right].map {
      octave($0, at: center, rate: rate)
    }
    let found = decayTime(
      bands[0].indices.map { frame in bands.reduce(0) { $0 + $1[frame] * $1[frame] }.squareRoot() }, rate: rate)
    #expect(abs(found / decay - 1) < 0.05, "\(center) Hz: \(found) s")
  }
}

@Test func lowsAndHighsHaveTheirOwnDecay() {
  let rate = 24_000.0
  let setup = EffectSetup(kind: .reverb, sampleRate: Int(rate))
  let (left, _) = EffectRendering.impulse(30_000).through(
    setup, EffectKind.reverb.values(["decay": 1, "lowDecay": 2, "highDecay": 0.25, "mix": 1]))
  let times = [63.0, 1_000, 8_000].map { decayTime(octave(left, at: $0, rate: rate), rate: rate) }
  #expect(times[0] > 1.6 && times[0] < 2.1)
  #expect(times[1] > 0.85 && times[1] < 1.15)
  #expect(times[2] < 0.5)
}

/// Noise comes out at the level it went in with, at every decay.
@Test(arguments: [0.3, 1.5])
func decayDoesNotChangeTheLevelOfNoise(decay: Double) {
  let frames = 24_000
  let noise = EffectRendering(
    Signal.noise(seed: 1, frames: frames, channels: 1), Signal.noise(seed: 2, frames: frames, channels: 1))
  let (left, right) = noise.through(
    EffectSetup(kind: .reverb, sampleRate: 8_000),
    EffectKind.reverb.values(["decay": decay, "highDecay": 1, "mix": 1]))
  func power(_ side: [Float]) -> Double { side.suffix(8_000).reduce(0) { $0 + Double($1 * $1) } }
  for side in [left, right] { #expect(abs(10 * log10(power(side) / power(noise.left))) < 1) }
}

@Test func preDelayAndWidthAreKept() throws {
  var signal = EffectRendering.impulse(6_000)
  signal.right = [Float](repeating: 0, count: 6_000)
  let setup = EffectSetup(kind: .reverb, sampleRate: 48_000)
  var firsts: [Int] = []
  for preDelay in [0.0, 50] {
    let (left, right) = signal.through(
      setup, EffectKind.reverb.values(["preDelay": preDelay, "width": 0, "mix": 1]))
    #expect(left == right)
    firsts.append(try #require(left.firstIndex { $0 != 0 }))
  }
  #expect(firsts == [1_109, 1_109 + 2_400])
  let (left, right) = signal.through(setup, EffectKind.reverb.values(["width": 1, "mix": 1]))
  let correlation = zip(left, right).reduce(0) { $0 + Double($1.0 * $1.1) }
  let power = zip(left, right).reduce(0) { $0 + Double($1.0 * $1.0 + $1.1 * $1.1) } / 2
  #expect(abs(correlation / power) < 0.3)
}

@Test(arguments: [8_000, 44_100, 192_000], [0.2, 1, 2])
func linesHaveNoDivisorInCommon(rate: Int, size: Double) {
  let lines = ReverbLines(size: size, rate: Double(rate))
  defer { lines.free() }
  let lengths = (0..<ReverbLines.count).map { lines.lengths[$0] }
  #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 })
  #expect((lengths.first ?? 0) >= ReverbLines.chunk)
  for length in lengths {
    let divisor = (2..<length).first { length % $0 == 0 }
    #expect(divisor == nil, "\(length)")
  }
}
