import CSampleCodec

/// The analysis of one channel, piece by piece. How it is cut into pieces changes nothing: each of the eight sums takes
/// the frames whose number has its remainder, in their order.
struct ChannelAnalysis {
  private(set) var frameCount: Int64 = 0
  private(set) var firstAudible: Int64?
  private(set) var lastAudible: Int64?
  private var greatest: UInt32 = 0
  private var sums = SIMD8<Double>(repeating: 0)

  /// Linear.
  var peak: Float { Float(bitPattern: greatest) }
  var mean: Double { frameCount == 0 ? 0 : sums.sum() / Double(frameCount) }

  mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    var beyondFullScale = 0
    let bits = daw_greatest_magnitude(daw_best_path(), samples, count, &beyondFullScale)
    withUnsafeMutableBytes(of: &sums) { bytes in
      guard let lanes = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      daw_add_to_eight_sums(daw_best_path(), samples, count, Int(frameCount & 7), lanes)
    }
    greatest = max(greatest, bits)
    let magnitude = Float(bitPattern: bits)
    if magnitude > SignalStatistics.audibleMagnitude {
      let buffer = UnsafeBufferPointer(start: samples, count: count)
      if firstAudible == nil {
        firstAudible = buffer.firstIndex(where: Self.isAudible).map { frameCount + Int64($0) }
      }
      lastAudible = buffer.lastIndex(where: Self.isAudible).map { frameCount + Int64($0) }
    }
    frameCount += Int64(count)
  }

  private static func isAudible(_ sample: Float) -> Bool { abs(sample) > SignalStatistics.audibleMagnitude }
}
