import CSampleCodec

/// The analysis of one channel. The result does not depend on block sizes: frames are summed in fixed pieces, each in
/// eight interleaved sums.
struct ChannelAnalysis: Sendable {
  /// Frames in a piece.
  static let pieceFrames = 16_384

  private(set) var frameCount: Int64 = 0
  private(set) var firstAudible: Int64?
  private(set) var lastAudible: Int64?
  private var greatest: UInt32 = 0
  /// The sum of complete pieces.
  private var sum = 0.0
  /// The sums of the incomplete piece.
  private var sums = SIMD8<Double>(repeating: 0)

  /// The sum of squares of complete pieces, and of the incomplete one: of every `squareStep`th frame.
  private var squares = (complete: 0.0, piece: 0.0)
  static let squareStep = 16

  /// Linear.
  var peak: Float { Float(bitPattern: greatest) }
  /// The sum of the squares of every `squareStep`th frame.
  var squareSum: Double { squares.complete + squares.piece }
  var mean: Double { frameCount == 0 ? 0 : (sum + sums.sum()) / Double(frameCount) }

  mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    var done = 0
    while done < count {
      let room = Self.pieceFrames - Int(frameCount) % Self.pieceFrames
      let next = min(count - done, room)
      addWithinPiece(samples + done, count: next)
      if next == room { completePiece() }
      done += next
    }
  }

  /// Appends an analysis of the frames that follow.
  /// - Parameter other: of one piece; only the last may be incomplete.
  mutating func add(_ other: ChannelAnalysis) {
    precondition(Int(frameCount) % Self.pieceFrames == 0 && other.frameCount <= Self.pieceFrames)
    if firstAudible == nil { firstAudible = other.firstAudible.map { frameCount + $0 } }
    if let last = other.lastAudible { lastAudible = frameCount + last }
    greatest = max(greatest, other.greatest)
    sum += other.sum
    sums = other.sums
    squares = (squares.complete + other.squares.complete, other.squares.piece)
    frameCount += other.frameCount
  }

  private mutating func completePiece() {
    sum += sums.sum()
    sums = SIMD8(repeating: 0)
    squares = (squares.complete + squares.piece, 0)
  }

  private mutating func addWithinPiece(_ samples: UnsafePointer<Float>, count: Int) {
    var beyondFullScale = 0
    let bits = daw_greatest_magnitude(daw_best_path(), samples, count, &beyondFullScale)
    withUnsafeMutableBytes(of: &sums) { bytes in
      guard let lanes = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      daw_add_to_eight_sums(daw_best_path(), samples, count, Int(frameCount & 7), lanes)
    }
    // The first of the chunk's frames whose number the step divides.
    var frame = -Int(frameCount) & (Self.squareStep - 1)
    while frame < count {
      let value = Double(samples[frame])
      squares.piece += value * value
      frame += Self.squareStep
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
