/// What a recording's files begin with.
public struct RecordingHeader: Hashable, Sendable {
  /// The version of the files that this code writes.
  public static let currentVersion = 1

  public var version: Int
  /// The project's UUID.
  public var project: String
  public var recording: Int64
  public var title: String
  /// Milliseconds since 1970.
  public var startTime: Int64
  /// Hertz.
  public var sampleRate: Int
  public var encoding: SampleEncoding
  /// Frames of a file that is full.
  public var segmentFrames: Int64
  /// The process that records, or has finished it for one that is gone.
  public var owner: RecordingOwner
  /// Whether its takes cut away what lies under them.
  public var replacesOthers = false
  /// Whether its takes sound, as far as they do not lie under later ones.
  public var isHeard = true

  public init(
    version: Int = Self.currentVersion, project: String, recording: Int64, title: String, startTime: Int64,
    sampleRate: Int, encoding: SampleEncoding, segmentFrames: Int64, owner: RecordingOwner
  ) {
    self.version = version
    self.project = project
    self.recording = recording
    self.title = title
    self.startTime = startTime
    self.sampleRate = sampleRate
    self.encoding = encoding
    self.segmentFrames = segmentFrames
    self.owner = owner
  }

  /// The encodings that a recording can have.
  public static let encodings: [SampleEncoding] = [.int16, .int24, .float32]
}

/// What a pass records.
public enum PassKind: String, Codable, CaseIterable, Sendable { case audio, midi }

/// Where a recorded frame belongs on the timeline.
public enum RecordAlignment: String, Codable, CaseIterable, Sendable {
  /// To what was heard while it was played.
  case heard
  /// To what was at the ports while it was captured.
  case captured
}

/// A pass: one unbroken stretch of the server's frames on one track.
public struct PassHeader: Hashable, Sendable {
  public var pass: Int64
  public var take: Int64
  public var track: Int64
  public var trackName: String
  /// From 1, in the order of the track's passes in this recording.
  public var number: Int
  public var kind: PassKind
  /// 0 for MIDI.
  public var channelCount: Int
  /// Full names of ports.
  public var inputs: [String]
  /// The server's frame number of the pass's frame 0.
  public var firstHostFrame: Int64
  /// Frames.
  public var captureLatency: Int
  /// Frames.
  public var playbackLatency: Int
  /// Frames; positive moves what is recorded later.
  public var recordOffset: Int
  public var alignment: RecordAlignment

  public init(
    pass: Int64, take: Int64, track: Int64, trackName: String, number: Int = 1, kind: PassKind = .audio,
    channelCount: Int, inputs: [String] = [], firstHostFrame: Int64 = 0, captureLatency: Int = 0,
    playbackLatency: Int = 0, recordOffset: Int = 0, alignment: RecordAlignment = .heard
  ) {
    self.pass = pass
    self.take = take
    self.track = track
    self.trackName = trackName
    self.number = number
    self.kind = kind
    self.channelCount = channelCount
    self.inputs = inputs
    self.firstHostFrame = firstHostFrame
    self.captureLatency = captureLatency
    self.playbackLatency = playbackLatency
    self.recordOffset = recordOffset
    self.alignment = alignment
  }
}
