/// Both sides, as many frames later as the reader asks for.
struct EchoLine {
  /// The longest delay, frames.
  let longest: Int
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Sides>
  private var index = 0
  /// Frames written since it was emptied, at most `capacity`.
  private var age = 0

  /// - Parameter longest: at least 1.
  init(longest: Int) {
    self.longest = longest
    // One more for what is read between two frames.
    capacity = longest + 1
    memory = .filled(with: .zero, count: capacity)
  }

  func free() { memory.deallocate() }

  @_noLocks mutating func reset() { age = 0 }

  @_noLocks @inline(__always) mutating func write(_ frame: Sides) {
    memory[index] = frame
    index = index + 1 == capacity ? 0 : index + 1
    if age < capacity { age += 1 }
  }

  /// What was written `frames` writes ago; 1 is the last.
  @_noLocks @inline(__always) func read(_ frames: Int) -> Sides {
    guard frames <= age else { return .zero }
    let place = index - frames
    return memory[place < 0 ? place + capacity : place]
  }

  /// What was written a fractional number of writes ago: on a straight line between the two frames beside it.
  /// - Parameter frames: 1 … `longest`.
  @_noLocks @inline(__always) func read(between frames: Double) -> Sides {
    let whole = Int(frames)
    let part = frames - Double(whole)
    return (1 - part) * read(whole) + part * read(whole + 1)
  }

  /// A delay in frames, rounded to a whole one.
  @_noLocks func frames(milliseconds: Double, rate: Double, least: Int) -> Int {
    Int(limited(milliseconds * rate / 1_000 + 0.5, Double(least), Double(longest)))
  }
}
