import DAWTime

public typealias RecordingID = Identifier<Recording>
public typealias PassID = Identifier<RecordedPass>

/// One run of record.
public struct Recording: Hashable, Sendable, Identifiable, IdentifiedKind {
  public var id: RecordingID
  /// When its row was made, before anything was recorded.
  public var createdAt: Timestamp
  /// When recording began.
  public var startTime: Timestamp
  /// `nil` while it runs, and until it is finished after its process was killed.
  public var endTime: Timestamp?
  public var isCompleted: Bool
  /// From the first frame of its first pass to the last frame of its last one.
  public var duration: FrameCount
  public var sampleRate: SampleRate
  /// 16 or 24: integers; 32: floating point.
  public var bitDepth: Int
  public var format: Format
  /// Within the project's folder.
  public var folder: String
  /// The process that records; `nil` when it has ended.
  public var owner: OwnerProcess?
  /// When its files were moved to the project's trash; `nil` if they were not.
  public var trashedAt: Timestamp?

  public enum Format: String, CaseIterable, Sendable, Codable, WrappedValue {
    case wav
  }

  public init(
    id: RecordingID, createdAt: Timestamp, startTime: Timestamp, endTime: Timestamp? = nil, isCompleted: Bool = false,
    duration: FrameCount = .zero, sampleRate: SampleRate, bitDepth: Int = 24, format: Format = .wav, folder: String,
    owner: OwnerProcess? = nil, trashedAt: Timestamp? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.startTime = startTime
    self.endTime = endTime
    self.isCompleted = isCompleted
    self.duration = duration
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
    self.format = format
    self.folder = folder
    self.owner = owner
    self.trashedAt = trashedAt
  }

  /// The name of its folder in `Audio/Recordings`; `nil` where it is none there, as in a row of another program.
  public var folderName: String? {
    let parent = "Audio/Recordings/"
    guard folder.utf8.starts(with: parent.utf8) else { return nil }
    let name = folder.utf8.dropFirst(parent.utf8.count)
    guard let first = name.first, first != UInt8(ascii: "."), !name.contains(0), !name.contains(UInt8(ascii: "/"))
    else { return nil }
    return String(name)
  }

  /// The same as that of its `RecordingNote`, so that both have the same UUID.
  public static let identifierKind = RecordingNote.identifierKind
  public static let noun = "recording"
}

/// A process, told from a later one with the same number.
public struct OwnerProcess: Hashable, Sendable {
  public var processID: Int
  /// Clock ticks since the start of the system: field 22 of `/proc/PID/stat`.
  public var startTime: Int64
  /// `/proc/sys/kernel/random/boot_id`
  public var bootID: String

  public init(processID: Int, startTime: Int64, bootID: String) {
    self.processID = processID
    self.startTime = startTime
    self.bootID = bootID
  }
}

extension Recording: RecordedFact {
  public static let table = "recording"
  public static let key = ["id"]

  public static let fields: [Field<Recording>] =
    [
      Field("id", \.id, rule: .recordingFacts),
      Field("createdAt", \.createdAt, rule: .recordingFacts),
      Field("startTime", \.startTime, rule: .recordingFacts),
      Field("endTime", \.endTime, rule: .recordingFacts),
      Field("isCompleted", \.isCompleted, rule: .recordingFacts),
      Field("duration", \.duration, rule: .recordingFacts),
      Field("sampleRate", \.sampleRate, rule: .recordingFacts),
      Field("bitDepth", \.bitDepth, rule: .recordingFacts),
      Field("format", \.format, rule: .recordingFacts),
      Field("folder", \.folder, rule: .recordingFacts),
    ] + Field.owner(\.owner) + [Field("trashedAt", \.trashedAt, rule: .recordingFacts)]

  public static let blank = Recording(
    id: RecordingID(rawValue: 0), createdAt: Timestamp(milliseconds: 0), startTime: Timestamp(milliseconds: 0),
    sampleRate: SampleRate(hertz: 0), folder: "")

  public func validate() throws(RuleViolation) {
    try requireFact(id.rawValue > 0, "the id \(id.rawValue)")
    for date in [createdAt, startTime, endTime ?? startTime, trashedAt ?? startTime] {
      try requireFact(Timestamp.accepted.contains(date), "a date of \(date.milliseconds) ms")
    }
    try requireFact(duration >= .zero, "a duration of \(duration.frames) frames")
    try requireFact((1...10_000_000).contains(sampleRate.hertz), "a rate of \(sampleRate.hertz) Hz")
    try requireFact([16, 24, 32].contains(bitDepth), "\(bitDepth) bits")
    try requireFact(!folder.isEmpty, "an empty folder")
    try requireFact(!isCompleted || endTime != nil && owner == nil, "a completed recording that goes on")
    if let owner { try requireFact(owner.processID > 0 && !owner.bootID.isEmpty, "the process \(owner.processID)") }
  }
}

// MARK: Passes

/// An unbroken stretch of the host's frames on one track.
public struct RecordedPass: Hashable, Sendable, Identifiable, IdentifiedKind {
  public var id: PassID
  public var recording: RecordingID
  /// It need not be there any more.
  public var track: TrackID
  /// Its number among the recording's passes of the track, from 1.
  public var number: Int
  /// 0 of MIDI.
  public var channelCount: Int
  /// The system's clock at its first frame.
  public var startTime: Timestamp
  /// The host's number of its first frame.
  public var firstHostFrame: Int64
  public var frames: FrameCount
  public var captureLatency: FrameCount
  public var playbackLatency: FrameCount
  /// The ports that it was recorded from.
  public var inputs: [String]
  /// Where it lies on the timeline.
  public var pieces: [RecordedPiece]
  /// What `daw` found: `clipped`, `silent`, `gaps`.
  public var foundTags: Tags
  /// What the track was called, for when it is not there any more; empty if that is not known.
  public var trackName: String

  /// In characters (Unicode scalars).
  public static let maximumNameLength = 255

  public init(
    id: PassID, recording: RecordingID, track: TrackID, number: Int = 1, channelCount: Int = 1, startTime: Timestamp,
    firstHostFrame: Int64 = 0, frames: FrameCount = .zero, captureLatency: FrameCount = .zero,
    playbackLatency: FrameCount = .zero, inputs: [String] = [], pieces: [RecordedPiece] = [], foundTags: Tags = Tags(),
    trackName: String = ""
  ) {
    self.id = id
    self.recording = recording
    self.track = track
    self.number = number
    self.channelCount = channelCount
    self.startTime = startTime
    self.firstHostFrame = firstHostFrame
    self.frames = frames
    self.captureLatency = captureLatency
    self.playbackLatency = playbackLatency
    self.inputs = inputs
    self.pieces = pieces
    self.foundTags = foundTags
    self.trackName = trackName
  }

  public static let identifierKind: UInt8 = 22
  public static let noun = "pass"
}

extension RecordedPass: RecordedFact {
  public static let table = "pass"
  public static let key = ["id"]

  public static let fields: [Field<RecordedPass>] = [
    Field("id", \.id, rule: .recordingFacts),
    Field("recording", \.recording, rule: .recordingFacts),
    Field("track", \.track, rule: .recordingFacts),
    Field("number", \.number, rule: .recordingFacts),
    Field("channelCount", \.channelCount, rule: .recordingFacts),
    Field("startTime", \.startTime, rule: .recordingFacts),
    Field("firstHostFrame", \.firstHostFrame, rule: .recordingFacts),
    Field("frames", \.frames, rule: .recordingFacts),
    Field("captureLatency", \.captureLatency, rule: .recordingFacts),
    Field("playbackLatency", \.playbackLatency, rule: .recordingFacts),
    Field(json: "inputs", \.inputs, usually: PlainListReader.texts),
    Field(json: "pieces", \.pieces),
    Field("foundTags", \.foundTags, rule: .recordingFacts),
    Field("trackName", \.trackName, rule: .recordingFacts),
  ]

  public static let blank = RecordedPass(
    id: PassID(rawValue: 0), recording: RecordingID(rawValue: 0), track: TrackID(rawValue: 0),
    startTime: Timestamp(milliseconds: 0))

  public func validate() throws(RuleViolation) {
    try requireFact(id.rawValue > 0 && track.rawValue > 0, "the id \(id.rawValue) of track \(track.rawValue)")
    try requireFact(number >= 1, "the number \(number)")
    try requireFact((0...64).contains(channelCount), "\(channelCount) channels")
    try requireFact(Timestamp.accepted.contains(startTime), "a date of \(startTime.milliseconds) ms")
    for count in [frames, captureLatency, playbackLatency] {
      try requireFact(count >= .zero, "\(count.frames) frames")
    }
    try requireFact(trackName.unicodeScalars.count <= Self.maximumNameLength, "a long name of a track")
    try requireFact(!trackName.unicodeScalars.contains("\0"), "a name of a track with a NUL character")
    try requireFact(foundTags.isAccepted, "the tags '\(foundTags.simple)'")
    try requireFact(
      pieces.allSatisfy { $0.passFrame >= 0 && $0.frames >= 0 && $0.frames <= frames.frames &- $0.passFrame },
      "a piece outside the pass")
  }
}

// MARK: Segments and gaps

/// A file of a pass.
public struct RecordedSegment: Hashable, Sendable {
  public var pass: PassID
  /// The number in the name of its file, from 1, counted on over the passes of the track.
  public var index: Int
  /// From the start of the pass.
  public var start: FrameCount
  public var frames: FrameCount
  /// Within the project's folder, unless it is absolute: a file that was written elsewhere for want of room.
  public var path: String
  /// In bytes.
  public var fileSize: Int64
  /// `nil` while it is written.
  public var sha256: String?
  public var createdAt: Timestamp
  public var state: State
  /// The hash of the file that was recorded, where it was compressed to another; else `nil`.
  public var recordedSHA256: String?

  public enum State: String, CaseIterable, Sendable, Codable, WrappedValue {
    /// It is written, or its process was killed.
    case recording
    /// It is complete.
    case sealed
    /// It was completed after its process was killed.
    case recovered
    /// Its file is gone.
    case missing
    /// Its file is in the project's trash.
    case trashed
  }

  public init(
    pass: PassID, index: Int = 0, start: FrameCount = .zero, frames: FrameCount, path: String, fileSize: Int64 = 0,
    sha256: String? = nil, createdAt: Timestamp, state: State = .recording, recordedSHA256: String? = nil
  ) {
    self.pass = pass
    self.index = index
    self.start = start
    self.frames = frames
    self.path = path
    self.fileSize = fileSize
    self.sha256 = sha256
    self.createdAt = createdAt
    self.state = state
    self.recordedSHA256 = recordedSHA256
  }
}

extension RecordedSegment: RecordedFact {
  public static let table = "segment"
  public static let key = ["pass", "segmentIndex"]

  public static let fields: [Field<RecordedSegment>] = [
    Field("pass", \.pass, rule: .recordingFacts),
    Field("segmentIndex", \.index, rule: .recordingFacts),
    Field("startFrame", \.start, rule: .recordingFacts),
    Field("frames", \.frames, rule: .recordingFacts),
    Field("path", \.path, rule: .recordingFacts),
    Field("fileSize", \.fileSize, rule: .recordingFacts),
    Field("sha256", \.sha256, rule: .recordingFacts),
    Field("createdAt", \.createdAt, rule: .recordingFacts),
    Field("state", \.state, rule: .recordingFacts),
    Field("recordedSHA256", \.recordedSHA256, rule: .recordingFacts),
  ]

  public static let blank = RecordedSegment(
    pass: PassID(rawValue: 0), frames: .zero, path: "", createdAt: Timestamp(milliseconds: 0))

  public func validate() throws(RuleViolation) {
    try requireFact(index >= 0, "the index \(index)")
    try requireFact(start >= .zero && frames >= .zero, "\(frames.frames) frames from \(start.frames)")
    try requireFact(!path.isEmpty && fileSize >= 0, "the path '\(path)' of \(fileSize) bytes")
    for hash in [sha256, recordedSHA256].compactMap(\.self) {
      let isHash = hash.utf8.count == 64 && hash.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      try requireFact(isHash, "the SHA-256 '\(hash)'")
    }
    try requireFact(Timestamp.accepted.contains(createdAt), "a date of \(createdAt.milliseconds) ms")
  }
}

/// Frames of a pass that were lost. A short gap is silence in the file of a segment, a long one is in none.
public struct RecordedGap: Hashable, Sendable {
  public var pass: PassID
  /// From the start of the pass.
  public var start: FrameCount
  public var frames: FrameCount
  public var cause: GapCause

  public init(pass: PassID, start: FrameCount, frames: FrameCount, cause: GapCause) {
    self.pass = pass
    self.start = start
    self.frames = frames
    self.cause = cause
  }
}

extension RecordedGap: RecordedFact {
  public static let table = "gap"
  public static let key = ["pass", "start"]

  public static let fields: [Field<RecordedGap>] = [
    Field("pass", \.pass, rule: .recordingFacts),
    Field("start", \.start, rule: .recordingFacts),
    Field("frames", \.frames, rule: .recordingFacts),
    Field("cause", \.cause, rule: .recordingFacts),
  ]

  public static let blank = RecordedGap(pass: PassID(rawValue: 0), start: .zero, frames: .zero, cause: .xrun)

  public func validate() throws(RuleViolation) {
    try requireFact(start >= .zero && frames > .zero, "\(frames.frames) frames from \(start.frames)")
  }
}
