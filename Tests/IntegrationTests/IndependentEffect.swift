import Foundation

/// An effect whose outcome is known exactly, by the rules of the documentation: what is neutral or bypassed changes
/// nothing, an echo is an earlier sample, and a gate is a line of the decibels. No look-ahead is heard.
struct IndependentEffect {
  private let effect: IndependentSong.Effect
  private let rate: Double

  struct Unknown: Error {
    var effect: IndependentSong.Effect
  }

  init(_ effect: IndependentSong.Effect, sampleRate: Int) {
    self.effect = effect
    rate = Double(sampleRate)
  }

  private func value(_ parameter: String, or standard: Double) -> Double {
    effect.settings.first { $0.parameter == parameter }?.value.number ?? standard
  }

  /// - Parameters:
  ///   - key: of the strip that it listens to; `nil`: it listens to its own.
  ///   - centre: the gain of both sides of a mono signal in the middle.
  func apply(to strip: inout IndependentStrip, key: IndependentStrip?, centre: Double) throws {
    if strip.isMono, ["delay", "reverb"].contains(effect.kind) {
      strip = strip.times(Course(centre))
    }
    guard !effect.isBypassed else { return }
    strip.roundings += 4
    switch effect.kind {
    case "compressor" where value("ratio", or: 4) == 1: addMakeUp(to: &strip)
    case "gate": gate(&strip, key ?? strip)
    case "delay" where value("lowCut", or: 0) == 0 && value("highCut", or: 0) == 0: echo(&strip)
    case "reverb" where value("mix", or: 0.25) == 0: break
    case "eq" where effect.settings.allSatisfy({ !$0.parameter.hasSuffix(".gain") || $0.value.number == 0 }): break
    default: throw Unknown(effect: effect)
    }
  }

  private func addMakeUp(to strip: inout IndependentStrip) {
    let mix = value("mix", or: 1)
    let gain = 1 - mix + mix * pow(10, value("makeUp", or: 0) / 20)
    for frame in 0..<strip.left.count {
      strip.left[frame] *= gain
      strip.right[frame] *= gain
      // What is mixed may be louder than the sum.
      strip.magnitude[frame] *= 1 + gain
    }
  }

  private func echo(_ strip: inout IndependentStrip) {
    let distance = Int((value("time", or: 250) * rate / 1_000).rounded())
    let (feedback, mix) = (value("feedback", or: 0.3), value("mix", or: 0.35))
    let isPingPong = value("pingPong", or: 0) == 1
    // What has gone round more often is rounded more often, and fainter.
    strip.roundings += Int(4 / (1 - feedback))
    // The line, the delay behind its end.
    var line = IndependentStrip(frames: strip.left.count)
    for frame in 0..<strip.left.count {
      let (l, r, magnitude) = (strip.left[frame], strip.right[frame], strip.magnitude[frame])
      let echo =
        frame < distance
        ? (0, 0, 0) : (line.left[frame - distance], line.right[frame - distance], line.magnitude[frame - distance])
      if isPingPong {
        (line.left[frame], line.right[frame]) = ((l + r) / 2 + feedback * echo.1, feedback * echo.0)
      } else {
        (line.left[frame], line.right[frame]) = (l + feedback * echo.0, r + feedback * echo.1)
      }
      line.magnitude[frame] = magnitude + feedback * echo.2
      strip.left[frame] = l + mix * (echo.0 - l)
      strip.right[frame] = r + mix * (echo.1 - r)
      strip.magnitude[frame] = magnitude + mix * echo.2
    }
  }

  private func gate(_ strip: inout IndependentStrip, _ key: IndependentStrip) {
    func remainder(_ parameter: String, or standard: Double) -> Double {
      exp(-1_000 / (value(parameter, or: standard) * rate))
    }
    let (attack, release) = (remainder("attack", or: 1), remainder("release", or: 150))
    let threshold = pow(10, value("threshold", or: -50) / 20)
    let closing = pow(10, (value("threshold", or: -50) - value("hysteresis", or: 4)) / 20)
    let (range, hold) = (value("range", or: -60), value("hold", or: 50) * rate / 1_000)
    var (isOpen, quietFrames, decibels, isCertain) = (false, 0.0, range, true)
    for frame in 0..<strip.left.count {
      let level = max(abs(key.left[frame]), abs(key.right[frame]))
      if abs(level - (isOpen ? closing : threshold)) <= key.error(at: frame) { isCertain = false }
      if level >= threshold { isOpen = true }
      quietFrames = level >= closing ? 0 : quietFrames + 1
      if quietFrames > hold { isOpen = false }
      let (target, remainder) = isOpen ? (0, attack) : (range, release)
      decibels = target + (decibels - target) * remainder
      let gain = pow(10, decibels / 20)
      strip.left[frame] *= gain
      strip.right[frame] *= gain
      // Once a rounding may have opened or closed it, anything is right.
      strip.magnitude[frame] = isCertain ? strip.magnitude[frame] * gain : 0x1p64
    }
  }
}
