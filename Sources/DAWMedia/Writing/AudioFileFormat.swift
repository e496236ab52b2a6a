import DAWTime

/// The format of an audio file to be written: container, encoding, rate and channels.
public struct AudioFileFormat: Hashable, Sendable {
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// RIFF; RF64 if it exceeds 4 GiB.
    case wave = "WAV"
    /// RF64 at any length.
    case rf64 = "RF64"
    case flac = "FLAC"
    case aiff = "AIFF"
    /// Vorbis in Ogg, at about 190 kbit/s for two channels.
    case vorbis = "OGG"
    /// Opus in Ogg, at about 160 kbit/s for two channels.
    case opus = "OPUS"
    /// MPEG layer III, variable bit rate, at about 190 kbit/s for two channels.
    case mp3 = "MP3"
    /// AAC in MPEG-4, at about 192 kbit/s for two channels; written by ffmpeg.
    case m4a = "M4A"

    /// The encodings that it supports. Lossy containers take floats.
    public var encodings: [SampleEncoding] {
      switch self {
      case .wave, .rf64, .aiff: [.int16, .int24, .int32, .float32, .float64]
      case .flac: [.int16, .int24]
      case .vorbis, .opus, .mp3, .m4a: [.float32]
      }
    }

    /// Whether it is a lossy format.
    public var isLossy: Bool {
      switch self {
      case .wave, .rf64, .aiff, .flac: false
      case .vorbis, .opus, .mp3, .m4a: true
      }
    }

    /// Hertz; ISO/IEC 14496-3, table 1.18.
    private static let ratesOfAAC: Set<Int> = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    ]

    /// Hertz; libvorbis, `ve_setup_X_stereo`. libsndfile finds out with the first samples only, and then cannot close
    /// the file.
    private static let highestRateOfVorbis = 200_000

    /// The supported rate to use for samples at a given rate.
    public func rate(nearest rate: SampleRate) -> SampleRate {
      switch self {
      case .wave, .rf64, .aiff, .flac: rate
      case .opus: SampleRate(hertz: 48_000)
      case .vorbis where rate.hertz <= Self.highestRateOfVorbis: rate
      case .m4a where Self.ratesOfAAC.contains(rate.hertz): rate
      case .mp3, .m4a, .vorbis:
        rate.hertz <= 48_000 && self == .mp3 ? rate : SampleRate(hertz: rate.hertz % 11_025 == 0 ? 44_100 : 48_000)
      }
    }
  }

  public var container: Container
  public var encoding: SampleEncoding
  public var sampleRate: SampleRate
  public var channelCount: Int
  /// For integer encodings only.
  public var dither: Dither
  /// The quality of Vorbis and AAC; `nil`: the usual one of the container.
  public var quality: LossyQuality?

  public init(
    container: Container = .wave, encoding: SampleEncoding, sampleRate: SampleRate, channelCount: Int,
    dither: Dither = .none, quality: LossyQuality? = nil
  ) {
    self.container = container
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
    self.quality = quality
  }
}

extension AudioFileFormat: CustomStringConvertible {
  /// "WAV, 24-bit PCM", like `AudioFileFacts.format`.
  public var description: String {
    switch container {
    case .wave, .rf64, .flac, .aiff: "\(container.rawValue), \(encoding)"
    case .vorbis: "Ogg Vorbis"
    case .opus: "Ogg Opus"
    case .mp3: "MP3"
    case .m4a: "M4A, AAC"
    }
  }
}
