import Glibc

/// Signals for tests, interleaved, full scale ±1, the same numbers everywhere.
public enum Signal {
  /// White noise within ±`peak`, from a seed; every channel its own.
  public static func noise(seed: UInt64, frames: Int, channels: Int, peak: Float = 0.9) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<frames * channels).map { _ in Float.random(in: -peak...peak, using: &random) }
  }

  /// A sine that begins at phase 0, the same on all channels. `frequency` and `rate` in hertz.
  public static func sine(
    frequency: Double, rate: Double, frames: Int, channels: Int = 1, amplitude: Double = 0.5
  ) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      let value = Float(amplitude * sin(2 * Double.pi * frequency * Double(frame) / rate))
      for _ in 0..<channels { samples.append(value) }
    }
    return samples
  }
}
