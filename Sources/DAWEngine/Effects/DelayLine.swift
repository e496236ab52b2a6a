/// Both sides, a fixed number of frames later.
struct DelayLine {
  let frameCount: Int
  private let memory: UnsafeMutablePointer<Sides>
  private var index = 0
  /// Frames written since it was emptied, as far as they count.
  private var age = 0

  init(frameCount: Int) {
    self.frameCount = frameCount
    memory = .filled(with: .zero, count: frameCount)
  }

  func free() { memory.deallocate() }

  @_noLocks mutating func reset() { age = 0 }

  /// Takes a frame, and gives the one that was taken `frameCount` frames ago.
  @_noLocks @inline(__always) mutating func next(_ frame: Sides) -> Sides {
    guard frameCount > 0 else { return frame }
    var earlier = Sides.zero
    if age < frameCount { age += 1 } else { earlier = memory[index] }
    memory[index] = frame
    index = index + 1 == frameCount ? 0 : index + 1
    return earlier
  }
}
