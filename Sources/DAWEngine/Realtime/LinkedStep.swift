import CSampleCodec

// What a plan becomes in memory: plain values behind pointers, so that the audio thread follows them without touching a
// reference count.

enum LinkedStep {
  case clear(buffer: Int)
  /// `strip` is set where the next step is the only reader of the buffer and has constant gains.
  case sumRegions(group: Int, buffer: Int, isStereo: Bool, strip: Strip?)
  case playInstrument(Int, buffer: Int, strip: Strip?)
  case mix(Int, isStereo: Bool, target: Int, left: LinkedControl, right: LinkedControl)
  case output(buffer: Int, left: LinkedControl, right: LinkedControl)
}

/// Where a lone region or an instrument is added at once, past its track's buffer. The bits are the same: the buffer
/// would hold +0 plus the sample.
struct Strip {
  var target: Int
  var left: Float
  var right: Float
}

struct LinkedControl {
  /// The gain where there are no segments.
  var constant: Float
  var firstSegment: Int
  var segmentCount: Int

  var isConstant: Bool { @_noLocks get { segmentCount == 0 } }
}

struct LinkedSegment {
  /// Timeline frames.
  var first: Int64
  var length: Int64
  var start: Double
  var end: Double
}

struct LinkedRegion {
  var start: Int64
  var end: Int64
  var anchor: Int64
  var source: Int
  var format: daw_sample_format
  var channelCount: Int
  var pick: LinkedPick
  var gain: LinkedControl
  /// The most frames that are supplied at a time, at least 1.
  var pieceFrames: Int
}

enum LinkedPick {
  case one(Int)
  case two(Int, Int)
  case mean(Int, Int)
}

/// One track's regions, and which of them the current slice meets.
struct RegionGroup {
  /// Place of the first region; `startOrder` and `active` have the same places.
  var first: Int
  var count: Int
  /// How many regions, in order of start, have been looked at.
  var seen = 0
  var activeCount = 0
  /// Whether no two of the active ones sound at the same time.
  var areApart = true
  /// The start of the slice for which it was looked last.
  var frame = Int64.min
  /// A slice within `frame ..< settledEnd` meets what that one met.
  var settledEnd = Int64.min
}

/// What the runner needs before it can go on.
public struct StreamRequest: Hashable, Sendable {
  public enum Stream: Hashable, Sendable {
    /// Index into `RenderPlan.regions`, and into `RenderPlan.sources`.
    case region(Int, source: Int)
    /// Index into `RenderPlan.instruments`.
    case instrument(Int)
  }

  public var stream: Stream
  /// Of a region, the source's frame; of an instrument, the timeline's.
  public var firstFrame: Int64
  /// Answer with so many or fewer, at least 1.
  public var frameCount: Int

  @_noLocks init(stream: Stream, firstFrame: Int64, frameCount: Int) {
    self.stream = stream
    self.firstFrame = firstFrame
    self.frameCount = frameCount
  }
}
