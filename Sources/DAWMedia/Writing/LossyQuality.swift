import DAWTime

/// How much room lossy sound takes: one channel at a rate, with a bit rate.
public enum LossyQuality: String, Hashable, Sendable, CaseIterable {
  /// 16,000 Hz, 32 kbit/s.
  case low
  /// 22,050 Hz, 64 kbit/s.
  case medium
  /// 44,100 Hz, 128 kbit/s.
  case high

  public var sampleRate: SampleRate {
    switch self {
    case .low: SampleRate(hertz: 16_000)
    case .medium: SampleRate(hertz: 22_050)
    case .high: SampleRate(hertz: 44_100)
    }
  }

  /// Bits per second of one channel.
  public var bitRate: Int {
    switch self {
    case .low: 32_000
    case .medium: 64_000
    case .high: 128_000
    }
  }

  /// The quality of Vorbis, -0.1 ... 1, whose nominal bit rate at that sample rate is `bitRate`, of one channel.
  /// - SeeAlso: libvorbis, `rate_mapping_16_uncoupled`, `rate_mapping_22_uncoupled` and `rate_mapping_44_un`, between
  ///   whose entries the encoder interpolates.
  var vorbisQuality: Double {
    switch self {
    case .low: 0.1
    case .medium: 0.675
    case .high: 0.74
    }
  }
}
