/// Builds the levels of a peak file from a stream of samples. Memory does not grow with the length. Used by one thread
/// at a time.
final class PeakBuilder {
  private let layout: PeakLayout
  private let file: PartialFile
  private var levels: [Level] = []
  /// The finest level's unfinished point.
  private var peaks: [Peak]
  private var framesInPoint = 0

  /// A level that is being written.
  private struct Level {
    var offset: Int64
    var pending: [UInt8] = []
    /// The unfinished point, from `count` points of the finer level.
    var peaks: [Peak]
    var count = 0
  }

  private static let pendingBytes = 65_536

  init(layout: PeakLayout, file: PartialFile) {
    self.layout = layout
    self.file = file
    peaks = Self.nothing(layout.channelCount)
    levels = layout.levels.indices.map { level in
      Level(offset: layout.offset(ofLevel: level), peaks: Self.nothing(layout.channelCount))
    }
  }

  /// Adds interleaved frames.
  func append(_ block: Block) throws(SystemCallFailure) {
    var block = block
    while block.frames > 0 {
      let count = min(block.frames, PeakLayout.framesPerPoint - framesInPoint)
      PeakScan.widen(&peaks, block.samples, frames: count)
      framesInPoint += count
      block.drop(count, channels: layout.channelCount)
      if framesInPoint == PeakLayout.framesPerPoint { try endPoint() }
    }
  }

  /// Completes the unfinished points and writes what is left.
  func finish() throws(SystemCallFailure) {
    if framesInPoint > 0 { try endPoint() }
    for level in levels.indices {
      if levels[level].count > 0 { try push(level) }
      try flush(level)
    }
  }

  private func endPoint() throws(SystemCallFailure) {
    levels[0].peaks = peaks
    peaks = Self.nothing(layout.channelCount)
    framesInPoint = 0
    try push(0)
  }

  /// Adds a level's point to its pending bytes, and to the next level's point, which may complete that one.
  private func push(_ level: Int) throws(SystemCallFailure) {
    let point = levels[level].peaks
    for peak in point {
      levels[level].pending.append(littleEndian: peak.minimum.bitPattern)
      levels[level].pending.append(littleEndian: peak.maximum.bitPattern)
    }
    levels[level].peaks = Self.nothing(layout.channelCount)
    levels[level].count = 0
    if levels[level].pending.count >= Self.pendingBytes { try flush(level) }
    guard level + 1 < levels.count else { return }
    for channel in point.indices { levels[level + 1].peaks[channel].widen(by: point[channel]) }
    levels[level + 1].count += 1
    if levels[level + 1].count == PeakLayout.factor { try push(level + 1) }
  }

  private func flush(_ level: Int) throws(SystemCallFailure) {
    try FileDescriptor.write(levels[level].pending, to: file.number, at: levels[level].offset)
    levels[level].offset += Int64(levels[level].pending.count)
    levels[level].pending.removeAll(keepingCapacity: true)
  }

  private static func nothing(_ channelCount: Int) -> [Peak] {
    [Peak](repeating: Peak(minimum: .infinity, maximum: -.infinity), count: channelCount)
  }
}
