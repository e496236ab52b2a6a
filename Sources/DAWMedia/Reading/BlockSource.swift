/// Frames in a buffer of somebody else's, interleaved.
struct Block {
  var samples: UnsafePointer<Float>
  var frames: Int

  /// Leaves out the first frames.
  mutating func drop(_ count: Int, channels: Int) {
    samples += count * channels
    frames -= count
  }
}

/// An audio file from its first frame to its last, block by block. Used by one thread at a time.
final class BlockSource {
  private let reader: AudioFileReader
  private let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private var position: Int64 = 0

  init(_ reader: AudioFileReader) {
    self.reader = reader
    capacity = Self.frameCount(channels: reader.facts.channelCount)
    samples = .allocate(capacity: capacity * reader.facts.channelCount)
  }

  deinit { samples.deallocate() }

  /// Frames to the block.
  static func frameCount(channels: Int) -> Int { max(256, 32_768 / channels) }

  /// The next frames, valid until the next call; `nil` at the end.
  func next() throws(MediaWorkError) -> Block? {
    do {
      let count = try reader.read(at: position, count: capacity, into: samples)
      position += Int64(count)
      return count == 0 ? nil : Block(samples: UnsafePointer(samples), frames: count)
    } catch {
      throw .reading(error)
    }
  }
}
