import CSoxr

/// Doubles the sample rate with soxr at very high quality, without delay: output frame 2n is at the time of input frame
/// n. The filter is linear-phase, so it pre-rings slightly before a sharp attack. One thread at a time.
final class RateDoubler {
  private let left: OpaquePointer
  private let right: OpaquePointer

  /// - Parameter sampleRate: the input's, Hz.
  /// - Throws: `noSynthesizer` if memory is short.
  init(sampleRate: Int) throws(InstrumentError) {
    guard let left = Self.converter(from: sampleRate) else { throw .noSynthesizer }
    guard let right = Self.converter(from: sampleRate) else {
      soxr_delete(left)
      throw .noSynthesizer
    }
    self.left = left
    self.right = right
  }

  deinit {
    soxr_delete(left)
    soxr_delete(right)
  }

  /// Converts frames.
  /// - Parameters:
  ///   - frameCount: frames of `input`; all are consumed.
  ///   - output: room for all frames that are ready; overwritten from its start.
  /// - Returns: frames in `output`; 0 while the filter fills.
  func convert(_ input: StereoBuffer, frameCount: Int, into output: StereoBuffer) -> Int {
    let count = convert(input.left, frameCount, into: output.left, output.capacity, by: left)
    _ = convert(input.right, frameCount, into: output.right, output.capacity, by: right)
    return count
  }

  private func convert(
    _ input: UnsafePointer<Float>, _ frameCount: Int, into output: UnsafeMutablePointer<Float>, _ capacity: Int,
    by converter: OpaquePointer
  ) -> Int {
    var done = 0
    soxr_process(converter, input, frameCount, nil, output, capacity, &done)
    return done
  }

  private static func converter(from sampleRate: Int) -> OpaquePointer? {
    var format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
    var threads = soxr_runtime_spec(1)
    let rate = Double(sampleRate)
    return soxr_create(rate, 2 * rate, 1, nil, &format, &quality, &threads)
  }
}
