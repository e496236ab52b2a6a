/// The memory that a plan mixes in. Plans that never run at the same time share it, so that one that takes over finds
/// it in the processor's cache. What it holds is valid within a slice.
final class MixBuffers: @unchecked Sendable {
  // Unchecked: used by the thread that runs the plans alone.
  let samples: UnsafeMutablePointer<Float>
  private let count: Int

  /// Samples from the beginning of a side to that of the next. Were it a power of two, the same frames of all sides
  /// would lie in the same few sets of the processor's first cache, and drive each other out.
  static func stride(maximumFrames: Int) -> Int { maximumFrames + 272 }

  /// - Parameters:
  ///   - bufferCount: of two sides each.
  ///   - maximumFrames: of a side.
  init(bufferCount: Int, maximumFrames: Int) {
    count = 2 * bufferCount * Self.stride(maximumFrames: maximumFrames)
    // At a cache line, since a vector that crosses one takes twice as long.
    samples = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
  }

  deinit { samples.deallocate() }

  /// Whether a plan with so many buffers finds room.
  func hasRoom(bufferCount: Int, maximumFrames: Int) -> Bool {
    2 * bufferCount * Self.stride(maximumFrames: maximumFrames) <= count
  }
}
