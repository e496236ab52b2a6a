import CSampleCodec

/// A sample's encoding in a file, little-endian: an integer, full scale 2^(bits−1), or a float, full scale 1.
public enum SampleEncoding: String, Hashable, Sendable, CaseIterable {
  /// Unsigned: silence is 128. Read only.
  case uint8
  case int16
  /// Three bytes, packed.
  case int24
  case int32
  case float32
  case float64

  public var bytesPerSample: Int { bitsPerSample / 8 }

  public var bitsPerSample: Int {
    switch self {
    case .uint8: 8
    case .int16: 16
    case .int24: 24
    case .int32, .float32: 32
    case .float64: 64
    }
  }

  public var isFloat: Bool { self == .float32 || self == .float64 }
}

extension SampleEncoding: CustomStringConvertible {
  /// "24-bit PCM", "32-bit float".
  public var description: String { "\(bitsPerSample)-bit \(isFloat ? "float" : "PCM")" }
}

/// The layout of a PCM WAV's samples, for direct reads: frame n begins at byte `dataOffset + n × bytesPerFrame`,
/// interleaved.
public struct PCMLayout: Hashable, Sendable {
  /// Bytes from the file's start to the first frame.
  public let dataOffset: Int64
  public let encoding: SampleEncoding
  public let channelCount: Int

  public init(dataOffset: Int64, encoding: SampleEncoding, channelCount: Int) {
    self.dataOffset = dataOffset
    self.encoding = encoding
    self.channelCount = channelCount
  }

  public var bytesPerFrame: Int { encoding.bytesPerSample * channelCount }
}

extension SampleEncoding {
  /// The value for CSampleCodec.
  package var codecFormat: daw_sample_format {
    switch self {
    case .uint8: DAW_SAMPLE_U8
    case .int16: DAW_SAMPLE_S16
    case .int24: DAW_SAMPLE_S24
    case .int32: DAW_SAMPLE_S32
    case .float32: DAW_SAMPLE_F32
    case .float64: DAW_SAMPLE_F64
    }
  }
}
