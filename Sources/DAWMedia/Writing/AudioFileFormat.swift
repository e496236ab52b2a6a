import DAWTime

/// What an audio file is to be: its container, how a sample lies in it, and how many there are to the second.
public struct AudioFileFormat: Hashable, Sendable {
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// RIFF, which becomes RF64 by itself where it passes 4 GiB.
    case wave = "WAV"
    /// RF64 at any length.
    case rf64 = "RF64"
    case flac = "FLAC"
    case aiff = "AIFF"

    /// What it can hold.
    public var encodings: [SampleEncoding] {
      switch self {
      case .wave, .rf64, .aiff: [.int16, .int24, .int32, .float32, .float64]
      case .flac: [.int16, .int24]
      }
    }
  }

  public var container: Container
  public var encoding: SampleEncoding
  public var sampleRate: SampleRate
  public var channelCount: Int

  public init(
    container: Container = .wave, encoding: SampleEncoding, sampleRate: SampleRate, channelCount: Int
  ) {
    self.container = container
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension AudioFileFormat: CustomStringConvertible {
  /// "WAV, 24-bit PCM", as `AudioFileFacts.format` has it.
  public var description: String { "\(container.rawValue), \(encoding)" }
}
