/// Interleaved frames in a borrowed buffer.
struct Block {
  var samples: UnsafePointer<Float>
  var frames: Int

  /// Drops the first frames.
  mutating func drop(_ count: Int, channels: Int) {
    samples += count * channels
    frames -= count
  }
}

/// Reads an audio file from start to end in blocks. Used by one thread at a time.
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

  /// Frames in a block.
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
