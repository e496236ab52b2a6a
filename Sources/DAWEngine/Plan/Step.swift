/// One step of a plan. Buffers are stereo; a mono signal uses the left side.
///
/// A strip is filled by one step, perhaps shaped, and then read by the connections that start there. What has the same
/// strip or connection in two plans is the same signal, so that a change of plans can go from one to the other.
public enum Step: Hashable, Sendable {
  /// Silences the buffer of a strip that sums connections.
  case clear(StripID, buffer: Int)
  /// Sets the buffer to the sum of `RenderPlan.regions[range]`, in that order.
  case sumRegions(StripID, Range<Int>, into: Int, width: ChannelWidth)
  /// Puts what comes in on the track's ports in place of what the buffer has, as far as it is heard. Live playback
  /// alone.
  case monitor(StripID, PlannedMonitoring, buffer: Int, width: ChannelWidth)
  /// Sets the buffer to the instrument's output.
  case playInstrument(StripID, Int, into: Int)
  /// Applies a strip's trim, polarity and width to its buffer.
  case shape(StripID, buffer: Int, width: ChannelWidth, StripShape)
  /// Makes a mono buffer stereo: both sides get the signal times the gain.
  case widen(StripID, buffer: Int, gain: Float)
  /// Runs an effect, `RenderPlan.inserts[index]`, on a buffer.
  /// - `key`: the buffer of its side chain, which is stereo; `nil` if it listens to the signal itself.
  case insert(StripID, Int, buffer: Int, width: ChannelWidth, key: Int?)
  /// Sets a buffer to another, so many frames later.
  case delay(DelayID, Int, into: Int, width: ChannelWidth, frameCount: Int)
  /// Adds a buffer to another, times one coefficient for each side. A mono source goes to both sides.
  case mix(Connection, Int, width: ChannelWidth, into: Int, left: Control, right: Control)
  /// Outputs the buffer, times one coefficient for each side.
  case output(StripID, buffer: Int, left: Control, right: Control)
}

/// A strip of the mixer, or a part of one that has a buffer of its own.
public struct StripID: BitwiseCopyable, Hashable, Sendable {
  public var trackID: Int64
  public var part: Part

  public enum Part: BitwiseCopyable, Hashable, Sendable {
    case main
    /// What its effects behind the fader process.
    case postFader
    /// The track's output of its own, behind its fader.
    case directOut
    /// What the effect of this id listens to.
    case key(Int64)
  }

  public init(_ trackID: Int64, _ part: Part = .main) {
    self.trackID = trackID
    self.part = part
  }
}

/// A delay, by which a way with less latency meets one with more. It identifies the delay from plan to plan.
public enum DelayID: Hashable, Sendable {
  case connection(Connection)
  /// Of a strip on its way to the effect's side chain, the output, or an output of its own.
  case end(StripID)
}

/// A way from one strip to another.
public struct Connection: Hashable, Sendable {
  public var source: StripID
  public var target: StripID
  public var kind: Kind

  public enum Kind: Hashable, Sendable {
    case output
    /// A send, by its id.
    case send(Int64)
    /// From a strip to the side chain of an effect, by the effect's id.
    case key(Int64)
  }

  public init(from source: StripID, to target: StripID, _ kind: Kind = .output) {
    self.source = source
    self.target = target
    self.kind = kind
  }
}

/// What a strip does to its signal before everything else.
///
/// l × ±trim and r × ±trim; then, with a width, m = (l + r) × 0.5, s = (l − r) × (width × 0.5), l = m + s, r = m − s,
/// unless the width is 1. Each product and each sum is rounded once, to `Float`. A mono strip has the left side alone
/// and no width.
public struct StripShape: Hashable, Sendable {
  /// Linear, ≥ 0.
  public var trim: Control
  public var invertsLeft: Bool
  public var invertsRight: Bool
  /// −1 … 2: 0 is mono, −1 swaps the sides. `nil` leaves them as they are.
  public var stereoWidth: Control?

  public init(
    trim: Control = .unity, invertsLeft: Bool = false, invertsRight: Bool = false, stereoWidth: Control? = nil
  ) {
    self.trim = trim
    self.invertsLeft = invertsLeft
    self.invertsRight = invertsRight
    self.stereoWidth = stereoWidth
  }
}
