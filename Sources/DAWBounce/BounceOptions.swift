import DAWEngine
import DAWMedia
import DAWTime

/// The range of a bounce and how it is rendered. Only `range`, `startsCold` and `chases` affect the samples.
public struct BounceOptions: Sendable {
  /// From 0 on, including the tail.
  public var range: Range<TimelineFrame>
  /// The timeline frame up to which is rendered in any case, where `isEnough` may end the bounce early; `nil`: the
  /// range's end.
  public var certainEnd: TimelineFrame?
  /// Whether instruments start at the range's start, with notes that sound across it struck there, rather than at frame
  /// 0: faster, but not equal to the range cut from a whole bounce.
  public var startsCold: Bool
  /// Whether instruments that start cold chase earlier events: programs, controllers, sounding notes.
  public var chases: Bool
  /// Frames rendered at a time, at least 1.
  public var blockFrames: Int
  /// Threads that render, the calling one among them, at least 1.
  public var threadCount: Int
  public var instructions: Instructions
  /// The most instruments that are in memory at once, at least 1: of more, the plan is run in several passes.
  public var instrumentLimit: Int
  /// The most strips with effects, and renders that are read, in memory at once. Each takes a few MB; some have an
  /// instrument as well.
  var stageLimit: Int { 2 * max(1, instrumentLimit) }
  /// Where sums are kept between two passes; `nil`: there is one pass, whatever it takes.
  public var spoolFolder: Place?
  /// Takes the gain reduction of the plan's effects; its range lies in `range`. `nil` measures none.
  public var reductions: MeasuredReductions?

  /// An instrument with a General MIDI SoundFont takes 12 MB. Each thread needs at least one that it can render.
  private static let usualInstrumentLimit = 32

  public init(
    range: Range<TimelineFrame>, certainEnd: TimelineFrame? = nil, startsCold: Bool = false, chases: Bool = true,
    blockFrames: Int = PlacedFrames.maximumFrames, threadCount: Int = 1, instructions: Instructions = .best,
    instrumentLimit: Int? = nil, spoolFolder: Place? = nil
  ) {
    self.range = range
    self.certainEnd = certainEnd
    self.startsCold = startsCold
    self.chases = chases
    self.blockFrames = blockFrames
    self.threadCount = threadCount
    self.instructions = instructions
    self.instrumentLimit = instrumentLimit ?? max(Self.usualInstrumentLimit, 2 * threadCount)
    self.spoolFolder = spoolFolder
  }

  /// The timeline frame at which what has memory begins.
  var firstFrame: TimelineFrame { startsCold ? range.lowerBound.roundedDown(to: InstrumentPlan.quantum) : 0 }
}
