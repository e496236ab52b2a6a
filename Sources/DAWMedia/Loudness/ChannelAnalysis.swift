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
    addSums(samples, count)
    let magnitude = Samples.greatestMagnitude(samples, count: count)
    greatest = max(greatest, magnitude.bitPattern)
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

  private mutating func addSums(_ samples: UnsafePointer<Float>, _ count: Int) {
    var sums = sums
    var lane = Int(frameCount & 7)
    var i = 0
    while lane & 7 != 0, i < count {
      sums[lane] += Double(samples[i])
      lane += 1
      i += 1
    }
    let bytes = UnsafeRawPointer(samples)
    while i + 8 <= count {
      let piece = bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      sums += SIMD8<Double>(
        Double(piece[0]), Double(piece[1]), Double(piece[2]), Double(piece[3]), Double(piece[4]), Double(piece[5]),
        Double(piece[6]), Double(piece[7]))
      i += 8
    }
    for (lane, index) in (i..<count).enumerated() { sums[lane] += Double(samples[index]) }
    self.sums = sums
  }
}
