import DAWEngine
import DAWMedia

/// What of a plan is bounced, and how. Only `range`, `startsCold` and `chases` change what comes out.
public struct BounceOptions: Sendable {
  /// Timeline frames, ≥ 0; the tail is part of it.
  public var range: Range<Int64>
  /// Whether instruments begin at the range's start, with the notes that sound across struck anew, rather than at the
  /// timeline's: faster, and not equal to the same range cut from the whole.
  public var startsCold: Bool
  /// Whether instruments that start cold are told first what came before: programs, controllers, notes that sound across.
  public var chases: Bool
  /// Frames rendered at a time, at least 1.
  public var blockFrames: Int
  /// Threads that render, at least 1. With one, the calling thread does everything; with more, it writes what they cannot
  /// write themselves.
  public var threadCount: Int
  public var instructions: Instructions

  public init(
    range: Range<Int64>, startsCold: Bool = false, chases: Bool = true, blockFrames: Int = PlacedFrames.mostFrames,
    threadCount: Int = 1,
    instructions: Instructions = .best
  ) {
    self.range = range
    self.startsCold = startsCold
    self.chases = chases
    self.blockFrames = blockFrames
    self.threadCount = threadCount
    self.instructions = instructions
  }
}
