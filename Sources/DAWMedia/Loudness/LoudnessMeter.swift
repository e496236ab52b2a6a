import CEBUR128
import DAWTime

/// libebur128, which measures a programme as it comes. Used by one thread at a time.
/// - SeeAlso: ebur128.h.
public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int

  /// - Parameters:
  ///   - channelCount: 1 … 64; five are left, right, centre and the surrounds, the second last on.
  /// - Throws: `LoudnessError.unavailable`.
  public init(sampleRate: SampleRate, channelCount: Int) throws(LoudnessError) {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard let rate = UInt(exactly: sampleRate.hertz), let count = UInt32(exactly: channelCount),
      let state = ebur128_init(count, rate, Int32(mode))
    else { throw .unavailable }
    self.state = state
    self.channelCount = channelCount
  }

  deinit { ebur128_destroy(&state) }

  /// - Parameter samples: the channels one after the other within each frame, full scale ±1.
  public func add(interleaved samples: UnsafePointer<Float>, frameCount: Int) {
    ebur128_add_frames_float(state, samples, frameCount)
  }

  /// The last 400 ms, LUFS.
  public var momentary: Double { value(ebur128_loudness_momentary) }
  /// The last 3 s, LUFS.
  public var shortTerm: Double { value(ebur128_loudness_shortterm) }

  /// Of all that was added.
  public var loudness: Loudness {
    let integrated = value(ebur128_loudness_global)
    var truePeak = 0.0
    for channel in 0..<channelCount {
      var peak = 0.0
      if ebur128_true_peak(state, UInt32(channel), &peak) == Int32(EBUR128_SUCCESS.rawValue) {
        truePeak = max(truePeak, peak)
      }
    }
    let range = value(ebur128_loudness_range)
    return Loudness(
      integrated: integrated.isFinite ? integrated : nil, range: range.isFinite ? range : 0, truePeak: truePeak)
  }

  private func value(
    _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
  ) -> Double {
    var value = -Double.infinity
    return measure(state, &value) == Int32(EBUR128_SUCCESS.rawValue) ? value : -.infinity
  }
}
