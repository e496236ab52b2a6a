import DAWTime

/// The metronome's sounds: short decaying tones, higher where a bar begins.
final class MetronomeTicks: @unchecked Sendable {
  // Unchecked: never changed after it is made.
  let metronome: Metronome

  /// - Parameter sampleRate: hertz.
  init(sampleRate: Int) {
    let frameCount = max(1, sampleRate / 25)
    metronome = Metronome(
      beat: Self.tone(hertz: 1_000, peak: 0.35, sampleRate, frameCount),
      accent: Self.tone(hertz: 1_500, peak: 0.5, sampleRate, frameCount), frameCount: frameCount)
  }

  deinit {
    metronome.beat.deallocate()
    metronome.accent.deallocate()
  }

  private static func tone(
    hertz: Double, peak: Double, _ sampleRate: Int, _ frameCount: Int
  ) -> UnsafeMutablePointer<Float> {
    let tone = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
    for frame in 0..<frameCount {
      let turns = hertz * Double(frame) / Double(sampleRate)
      let remaining = 1 - Double(frame) / Double(frameCount)
      (tone + frame).initialize(to: Float(peak * remaining * remaining * remaining * sine(turns: turns)))
    }
    return tone
  }

  /// sin(2π · turns), the same on every machine.
  private static func sine(turns: Double) -> Double {
    let phase = (turns - turns.rounded(.down)) * 4
    let (cosine, sine) = ReproducibleMath.quarterTurn(phase - phase.rounded(.down))
    return [sine, cosine, -sine, -cosine][Int(phase)]
  }
}
