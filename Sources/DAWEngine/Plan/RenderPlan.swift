import DAWTime

/// What there is to compute, as a flat list of steps in processing order, with buffers assigned. Made by the compiler,
/// never changed: an edit makes a new one.
///
/// The order of arithmetic is fixed, so that neither block size nor threads change a bit: a sample as `Float`, times its
/// region's gain; the sum of a track's regions in order of their ids; times one coefficient for each side; the sum of
/// tracks in order of their ids; the master. Products and sums are each rounded once. Every sum starts from +0, so that
/// adding silence, or leaving it out, are the same; no output is ever −0.
public struct RenderPlan: Equatable, Sendable {
  public var sampleRate: SampleRate
  /// Each file once.
  public var sources: [AudioSource]
  public var instruments: [PlannedInstrument]
  /// Those of one track stand together, in order of id.
  public var regions: [PlannedRegion]
  public var steps: [Step]
  /// What is sent to MIDI ports beside the sound; one of each slot.
  public var ports: [PlannedPort]
  /// Stereo buffers that the steps use, numbered from 0.
  public var bufferCount: Int
  /// The first timeline frame behind all regions.
  public var endFrame: Int64
  /// Buffers that are heard by themselves as well, once the steps have run; in order of slot.
  public var directOuts: [DirectOut]
  /// What the metronome plays, in order of frame.
  public var clicks: [Click]

  public init(
    sampleRate: SampleRate, sources: [AudioSource], instruments: [PlannedInstrument], regions: [PlannedRegion],
    steps: [Step], ports: [PlannedPort] = [], bufferCount: Int, endFrame: Int64, directOuts: [DirectOut] = [],
    clicks: [Click] = []
  ) {
    self.sampleRate = sampleRate
    self.sources = sources
    self.instruments = instruments
    self.regions = regions
    self.steps = steps
    self.ports = ports
    self.bufferCount = bufferCount
    self.endFrame = endFrame
    self.directOuts = directOuts
    self.clicks = clicks
  }

  /// Frames in a block of live playback: the runner cuts longer ones.
  public static let maximumFrames = 1_024
}

/// One step of a plan. Buffers are stereo; a mono one uses its left side.
public enum Step: Hashable, Sendable {
  /// The buffer holds nothing.
  case clear(buffer: Int)
  /// The buffer holds the sum of `RenderPlan.regions[range]`, in that order.
  case sumRegions(Range<Int>, into: Int, width: ChannelWidth)
  /// The buffer holds what the instrument plays.
  case playInstrument(Int, into: Int)
  /// Adds a buffer to another, times one coefficient for each side. A mono one goes to both sides.
  case mix(Int, width: ChannelWidth, into: Int, left: Control, right: Control)
  /// The buffer, times one coefficient for each side, leaves the engine.
  case output(buffer: Int, left: Control, right: Control)
}

public enum ChannelWidth: Int, Hashable, Sendable {
  case mono = 1
  case stereo = 2
}

/// A span of the timeline that plays a source.
public struct PlannedRegion: Hashable, Sendable {
  /// What the region's stream is found by: its id.
  public var slot: Int64
  /// Index into `RenderPlan.sources`.
  public var source: Int
  /// Timeline frames; within the source: `frames.lowerBound − anchor` ≥ 0, `frames.upperBound − anchor` ≤ its length.
  public var frames: Range<Int64>
  /// Timeline frame n plays the source's frame n − anchor.
  public var anchor: Int64
  public var channels: ChannelPick
  public var gain: Control

  public init(
    slot: Int64, source: Int, frames: Range<Int64>, anchor: Int64, channels: ChannelPick, gain: Control = .unity
  ) {
    self.slot = slot
    self.source = source
    self.frames = frames
    self.anchor = anchor
    self.channels = channels
    self.gain = gain
  }
}

/// Which channels of a source are played, counted from 0.
public enum ChannelPick: Hashable, Sendable {
  case one(Int)
  case two(Int, Int)
  /// `(left + right) × 0.5` of two, as one.
  case mean(Int, Int)

  public var width: ChannelWidth {
    switch self {
    case .one, .mean: .mono
    case .two: .stereo
    }
  }
}

/// An instrument and what it has to play.
public struct PlannedInstrument: Hashable, Sendable {
  /// What the instrument's stream is found by: its track's id.
  public var slot: Int64
  public var plan: InstrumentPlan

  public init(slot: Int64, plan: InstrumentPlan) {
    self.slot = slot
    self.plan = plan
  }
}

/// A track that has an output of its own.
public struct DirectOut: Hashable, Sendable {
  /// The track's id.
  public var slot: Int64
  public var buffer: Int

  public init(slot: Int64, buffer: Int) {
    self.slot = slot
    self.buffer = buffer
  }
}

/// A beat that the metronome plays.
public struct Click: BitwiseCopyable, Hashable, Sendable {
  /// Timeline frame; may be negative.
  public var frame: Int64
  /// Whether a bar begins there.
  public var isAccent: Bool

  public init(frame: Int64, isAccent: Bool) {
    self.frame = frame
    self.isAccent = isAccent
  }
}
