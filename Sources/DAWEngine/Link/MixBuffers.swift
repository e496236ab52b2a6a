/// The memory that a plan mixes in. Plans that never run at the same time share it, so that one that takes over finds it in
/// the processor's cache. What it holds is valid within a slice.
final class MixBuffers: @unchecked Sendable {
  // Unchecked: used by the thread that runs the plans alone.
  let samples: UnsafeMutablePointer<Float>
  private let count: Int

  /// - Parameters:
  ///   - bufferCount: of two sides each.
  ///   - maximumFrames: of a side.
  init(bufferCount: Int, maximumFrames: Int) {
    count = 2 * bufferCount * maximumFrames
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
  }

  deinit { samples.deallocate() }

  /// Whether a plan with so many buffers finds room.
  func hasRoom(bufferCount: Int, maximumFrames: Int) -> Bool { 2 * bufferCount * maximumFrames <= count }
}
