import CSoxr
import DAWTime

/// soxr at very high quality, on one thread: output frame n is the signal at time n / rate. Used by one thread at a
/// time.
/// - SeeAlso: soxr.h.
final class Resampler {
  private let handle: soxr_t

  /// - Throws: soxr's message.
  init(from input: SampleRate, to output: SampleRate, channelCount: Int) throws(ResamplerFailure) {
    var failure: soxr_error_t?
    var layout = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_28_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    let handle = soxr_create(
      Double(input.hertz), Double(output.hertz), UInt32(channelCount), &failure, &layout, &quality, &runtime)
    guard let handle, failure == nil else { throw ResamplerFailure(failure) }
    self.handle = handle
  }

  deinit { soxr_delete(handle) }

  /// "0.1.3", for the names of cached files.
  static var version: String { String(String(cString: soxr_version()).drop { !$0.isNumber }) }

  /// Resamples interleaved frames.
  /// - Parameter input: `nil` at the end, to flush the filter.
  /// - Returns: frames consumed and frames produced; none produced after the end means that the filter is empty.
  func process(
    _ input: UnsafePointer<Float>?, count: Int, into output: UnsafeMutablePointer<Float>, capacity: Int
  ) throws(ResamplerFailure) -> (taken: Int, given: Int) {
    var taken = 0
    var given = 0
    if let failure = soxr_process(handle, input, input == nil ? 0 : count, &taken, output, capacity, &given) {
      throw ResamplerFailure(failure)
    }
    return (taken, given)
  }
}

/// An error of soxr.
struct ResamplerFailure: Error {
  let reason: String

  init(_ text: soxr_error_t?) { reason = text.map { String(cString: $0) } ?? "soxr gives no reason" }
}
