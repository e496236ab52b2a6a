/// Two channels of samples at a fixed address.
final class StereoBuffer {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// Frames.
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    left = .allocate(capacity: capacity)
    right = .allocate(capacity: capacity)
    left.initialize(repeating: 0, count: capacity)
    right.initialize(repeating: 0, count: capacity)
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }
}
