import DAWMedia

/// Passes spooled samples on to a sink.
public struct Replay {
  private let spool: SampleSpool
  private let loopFrames: Int64?

  /// - Parameters:
  ///   - spool: finished.
  ///   - loopFrames: the length of a loop: later frames are wrapped around and added to it, repeatedly if they are
  ///     longer; `nil` passes all frames on unchanged.
  public init(_ spool: SampleSpool, loopFrames: Int64? = nil) {
    self.spool = spool
    self.loopFrames = loopFrames
  }

  /// Passes all frames on. The sink is neither finished nor cancelled.
  /// - Parameter progress: called from time to time with the frames done and the total; `false` cancels.
  /// - Throws: `.sink`, `.cancelled`.
  public func play(
    into sink: any AudioFileSink, progress: (_ done: Int64, _ total: Int64) -> Bool
  ) throws(BounceError) {
    let channels = spool.format.channelCount
    let pieceFrames = 16_384
    let sum = UnsafeMutablePointer<Float>.allocate(capacity: 2 * pieceFrames * channels)
    defer { sum.deallocate() }
    let piece = sum + pieceFrames * channels
    let total = loopFrames ?? spool.frameCount
    var frame: Int64 = 0
    while frame < total {
      if !progress(frame, total) { throw .cancelled }
      let count = Int(min(Int64(pieceFrames), total - frame))
      do throws(AudioFileWriteError) {
        let read = try spool.read(from: frame, frameCount: count, into: sum)
        (sum + read * channels).update(repeating: 0, count: (count - read) * channels)
        if let loopFrames { try addRounds(of: loopFrames, at: frame, count, to: sum, piece, channels) }
        try sink.append(interleaved: sum, frameCount: count)
      } catch {
        throw .sink(error)
      }
      frame += Int64(count)
    }
  }

  /// Adds the tails of earlier rounds of the loop, the newest first.
  private func addRounds(
    of loopFrames: Int64, at frame: Int64, _ count: Int, to sum: UnsafeMutablePointer<Float>,
    _ piece: UnsafeMutablePointer<Float>, _ channels: Int
  ) throws(AudioFileWriteError) {
    var place = frame + loopFrames
    while place < spool.frameCount {
      let read = try spool.read(from: place, frameCount: count, into: piece)
      for index in 0..<read * channels { sum[index] += piece[index] }
      place += loopFrames
    }
  }
}
