import DAWTime

extension AudioConversion {
  /// Resamples one channel in memory.
  /// - Parameter path: what messages call the sound.
  /// - Returns: as many samples as `RateStage` gives of them.
  package static func resampled(
    _ samples: [Float], from rate: SampleRate, to newRate: SampleRate, path: String
  ) throws(MediaWorkError) -> [Float] {
    guard rate != newRate, !samples.isEmpty else { return samples }
    let total = Int(max(1, RateStage.frameCount(Int64(samples.count), from: rate, to: newRate)))
    var output = [Float](repeating: 0, count: total)
    do {
      let resampler = try Resampler(from: rate, to: newRate, channelCount: 1)
      var (read, written) = (0, 0)
      while written < total {
        let isAtEnd = read == samples.count
        let (place, room) = (written, total - written)
        let step = try output.withUnsafeMutableBufferPointer {
          (output: inout UnsafeMutableBufferPointer<Float>) throws(ResamplerFailure) -> (taken: Int, given: Int) in
          guard let target = output.baseAddress else { return (0, 0) }
          return try samples.withUnsafeBufferPointer {
            (input: UnsafeBufferPointer<Float>) throws(ResamplerFailure) -> (taken: Int, given: Int) in
            guard let source = input.baseAddress else { return (0, 0) }
            return try resampler.process(
              isAtEnd ? nil : source + read, count: samples.count - read, into: target + place, capacity: room)
          }
        }
        read += step.taken
        written += step.given
        // The rounded length may be a frame more than soxr returns; it is silent.
        if isAtEnd, step.given == 0 { break }
      }
    } catch {
      throw .resampling(path: path, reason: error.reason)
    }
    return output
  }
}
