import CSampleCodec
import DAWMedia

extension SampleEncoding {
  /// As the kernels have it.
  var code: daw_sample_format {
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
