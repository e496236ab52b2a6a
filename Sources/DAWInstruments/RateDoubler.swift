import CSoxr

/// Brings an instrument's frames to twice their rate, by soxr at very high quality, without delay: frame 2n is where
/// frame n was. A linear-phase filter, so a sharp attack has some tiny samples before it. One thread at a time.
final class RateDoubler {
  private let left: OpaquePointer
  private let right: OpaquePointer

  /// - Parameter sampleRate: of what comes in, Hz.
  /// - Throws: `noSynthesizer`, when memory is short.
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

  /// - Parameters:
  ///   - frameCount: frames of `input` to take; all are taken.
  ///   - output: has room for all that is ready; overwritten from its start.
  /// - Returns: frames in `output`; none while the filter fills.
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
