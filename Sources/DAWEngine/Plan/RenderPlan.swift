import DAWTime

/// A flat list of steps in processing order, with buffers assigned. Made by the compiler and immutable: an edit makes a
/// new plan.
///
/// The order of arithmetic is fixed, so neither block size nor threads change a bit: a sample as `Float`, times its
/// region's gain; the sum of a track's regions in order of their ids; the strip's shape; times one coefficient for each
/// side of a connection; the sum of a bus's connections in the order of its steps; the master. Products and sums are
/// each rounded once. Every sum starts from +0, so adding silence and leaving it out are the same; no output is −0.
public struct RenderPlan: Equatable, Sendable {
  public var sampleRate: SampleRate
  /// Without duplicates.
  public var sources: [AudioSource]
  public var instruments: [PlannedInstrument]
  /// The effects that `steps` run, each once.
  public var inserts: [PlannedInsert]
  /// The regions of a track are contiguous, in order of id.
  public var regions: [PlannedRegion]
  public var steps: [Step]
  /// MIDI outputs; at most one for each track.
  public var ports: [PlannedPort]
  /// Stereo buffers that the steps use, numbered from 0.
  public var bufferCount: Int
  /// The first timeline frame after all regions.
  public var endFrame: TimelineFrame
  /// Buffers with an output of their own, taken after the last step; in order of `trackID`.
  public var directOuts: [DirectOut]
  /// The metronome's beats, in order of frame.
  public var clicks: [Click]

  public init(
    sampleRate: SampleRate, sources: [AudioSource], instruments: [PlannedInstrument], regions: [PlannedRegion],
    steps: [Step], ports: [PlannedPort] = [], bufferCount: Int, endFrame: TimelineFrame, directOuts: [DirectOut] = [],
    clicks: [Click] = [], inserts: [PlannedInsert] = []
  ) {
    self.sampleRate = sampleRate
    self.sources = sources
    self.instruments = instruments
    self.inserts = inserts
    self.regions = regions
    self.steps = steps
    self.ports = ports
    self.bufferCount = bufferCount
    self.endFrame = endFrame
    self.directOuts = directOuts
    self.clicks = clicks
  }

  /// Whether it has instruments or effects: what they sound depends on earlier frames.
  public var hasMemory: Bool { !instruments.isEmpty || !inserts.isEmpty }

  /// Whether something may sound on where regions and notes have ended. Compressors, gates and limiters only change the
  /// level of what is there.
  public var ringsOn: Bool { !instruments.isEmpty || inserts.contains { !$0.setup.kind.isDynamics } }

  /// Frames in a slice of live playback; longer blocks are sliced.
  public static let maximumFrames = 1_024
}

/// How many channels a signal has.
public enum ChannelWidth: Int, Hashable, Sendable {
  case mono = 1
  case stereo = 2
}

/// A span of the timeline that plays a source.
public struct PlannedRegion: Hashable, Sendable {
  /// The region's id. It identifies the stream from plan to plan.
  public var regionID: Int64
  /// Index into `RenderPlan.sources`.
  public var source: Int
  /// Within the source, by `fileFrame(at:)`.
  public var frames: Range<TimelineFrame>
  /// The timeline frame at which the source's frame 0 would play.
  public var anchor: TimelineFrame
  public var channels: ChannelPick
  public var gain: Control

  public init(
    regionID: Int64, source: Int, frames: Range<TimelineFrame>, anchor: TimelineFrame, channels: ChannelPick,
    gain: Control = .unity
  ) {
    self.regionID = regionID
    self.source = source
    self.frames = frames
    self.anchor = anchor
    self.channels = channels
    self.gain = gain
  }

  /// The source's frame that it plays at a timeline frame.
  public func fileFrame(at frame: TimelineFrame) -> FileFrame { FileFrame(at: frame, anchor: anchor) }
}

/// Which channels of a source are played, counted from 0.
public enum ChannelPick: BitwiseCopyable, Hashable, Sendable {
  case one(Int)
  case two(Int, Int)
  /// `(left + right) × 0.5` of two channels.
  case mean(Int, Int)

  public var width: ChannelWidth {
    switch self {
    case .one, .mean: .mono
    case .two: .stereo
    }
  }
}

/// An instrument with its events.
public struct PlannedInstrument: Hashable, Sendable {
  /// The track's id. It identifies the stream from plan to plan.
  public var trackID: Int64
  public var plan: InstrumentPlan
  /// Whether no step plays it: the instrument of a track that is not heard, kept so that it can be heard again at once.
  public var isParked: Bool

  public init(trackID: Int64, plan: InstrumentPlan, isParked: Bool = false) {
    self.trackID = trackID
    self.plan = plan
    self.isParked = isParked
  }
}

/// A track with an output of its own.
public struct DirectOut: BitwiseCopyable, Hashable, Sendable {
  /// The track's id.
  public var trackID: Int64
  public var buffer: Int

  public init(trackID: Int64, buffer: Int) {
    self.trackID = trackID
    self.buffer = buffer
  }
}

/// A beat of the metronome.
public struct Click: BitwiseCopyable, Hashable, Sendable {
  public var frame: TimelineFrame
  /// Whether a bar begins there.
  public var isAccent: Bool

  public init(frame: TimelineFrame, isAccent: Bool) {
    self.frame = frame
    self.isAccent = isAccent
  }
}
