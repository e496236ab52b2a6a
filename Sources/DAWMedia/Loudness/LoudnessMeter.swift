import CEBUR128
import DAWTime

/// Measures loudness with libebur128. Used by one thread at a time.
/// - SeeAlso: ebur128.h.
public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  /// Frames in 10 ms.
  private let hopFrames: Int
  private var framesInHop = 0
  private var sliding = SlidingLoudness()

  /// - Parameters:
  ///   - channelCount: 1 … 64; five channels are left, right, centre, left surround, right surround.
  /// - Throws: `LoudnessError.unavailable`.
  public init(sampleRate: SampleRate, channelCount: Int) throws(LoudnessError) {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard let rate = UInt(exactly: sampleRate.hertz), let count = UInt32(exactly: channelCount),
      let state = ebur128_init(count, rate, Int32(mode))
    else { throw .unavailable }
    self.state = state
    self.channelCount = channelCount
    hopFrames = max(1, sampleRate.hertz / 100)
  }

  deinit { ebur128_destroy(&state) }

  /// - Parameter samples: interleaved, full scale ±1.
  public func add(interleaved samples: UnsafePointer<Float>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(hopFrames - framesInHop, frameCount - done)
      ebur128_add_frames_float(state, samples + done * channelCount, count)
      done += count
      framesInHop += count
      if framesInHop == hopFrames {
        framesInHop = 0
        sliding.add(value { ebur128_loudness_window($0, 10, $1) })
      }
    }
  }

  /// The loudness of all frames so far.
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
      integrated: integrated.isFinite ? integrated : nil, range: range.isFinite ? range : 0, truePeak: truePeak,
      maximumMomentary: sliding.maximumMomentary, maximumShortTerm: sliding.maximumShortTerm)
  }

  private func value(
    _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
  ) -> Double {
    var value = -Double.infinity
    return measure(state, &value) == Int32(EBUR128_SUCCESS.rawValue) ? value : -.infinity
  }
}
