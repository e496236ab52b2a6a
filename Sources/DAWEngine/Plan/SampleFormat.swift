import CSampleCodec

/// How the samples of a stream lie in memory: little-endian, packed.
public enum SampleFormat: String, Hashable, Sendable, CaseIterable {
  case unsigned8, signed16, signed24, signed32, float32, float64

  public var bytesPerSample: Int {
    switch self {
    case .unsigned8: 1
    case .signed16: 2
    case .signed24: 3
    case .signed32, .float32: 4
    case .float64: 8
    }
  }

  var code: daw_sample_format {
    switch self {
    case .unsigned8: DAW_SAMPLE_U8
    case .signed16: DAW_SAMPLE_S16
    case .signed24: DAW_SAMPLE_S24
    case .signed32: DAW_SAMPLE_S32
    case .float32: DAW_SAMPLE_F32
    case .float64: DAW_SAMPLE_F64
    }
  }
}
