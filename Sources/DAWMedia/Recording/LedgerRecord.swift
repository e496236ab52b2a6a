import DAWTime

/// A record of a recording's ledger.
public enum LedgerRecord: Hashable, Sendable {
  case begin(RecordingHeader)
  case pass(PassHeader)
  /// A piece begins, where it has no frames; where it has, the piece that began there ended after them.
  case piece(pass: Int64, RecordedPiece)
  /// Replaces a gap of the same start.
  case gap(pass: Int64, RecordedGapSpan)
  /// A file was begun (`sha256` is `nil`) or sealed. Replaces the one with the same index.
  case segment(pass: Int64, RecordedSegmentFile)
  /// The latencies changed, in frames. Frames are still placed by those that the pass began with.
  case latency(pass: Int64, capture: Int, playback: Int, atFrame: Int64)
  /// MIDI events that the system dropped.
  case lostEvents(pass: Int64, count: Int, atFrame: Int64)
  case endPass(pass: Int64, frames: Int64)
  /// The user has thrown the pass away: it is not to become a take.
  case cancelPass(pass: Int64)
  /// The recording is complete. - Parameter endTime: milliseconds since 1970.
  case end(endTime: Int64)

  /// The id of the pass that it tells of; `nil` if it tells of the recording.
  public var passID: Int64? {
    switch self {
    case .begin, .end: nil
    case .pass(let header): header.pass
    case .piece(let pass, _), .gap(let pass, _), .segment(let pass, _), .endPass(let pass, _), .cancelPass(let pass):
      pass
    case .latency(let pass, _, _, _), .lostEvents(let pass, _, _): pass
    }
  }
}

/// The ranges that numbers in a recording's files must be in. Sums of a few of them cannot overflow.
enum RecordingLimits {
  /// Frames of a pass: at least 370 years.
  static let frames: ClosedRange<Int64> = 0...1 << 53
  static let timelineFrames: ClosedRange<Int64> = -(1 << 53)...1 << 53
  static let bytes: ClosedRange<Int64> = 0...1 << 53
  /// A RIFF file holds 4 GiB.
  static let segmentBytes: Int64 = 0xffff_ffff - 8
  static let index: ClosedRange<Int64> = 0...1_000_000_000
  static let latency: ClosedRange<Int64> = 0...1 << 31
  /// Until the year 6429, so that what is recorded then ends before the last year that a project can name.
  static let milliseconds: ClosedRange<Int64> = 0...1 << 47
  /// Those of a project's rows, with room above them for new ones.
  static let ids: ClosedRange<Int64> = 1...Int64.max - 1 << 40
  static let passNumbers: ClosedRange<Int64> = 1...index.upperBound
  static let channelCounts = ClosedRange<Int64>(
    uncheckedBounds: (0, Int64(AudioFileFacts.acceptedChannelCounts.upperBound)))
  /// Of a pass: as many as a track has; 0 for MIDI.
  static let passChannelCounts: ClosedRange<Int64> = 0...2
  static let rates = ClosedRange<Int64>(
    uncheckedBounds: (
      Int64(AudioFileFacts.acceptedRates.lowerBound), Int64(AudioFileFacts.acceptedRates.upperBound)
    ))

  /// Those of a pass of which a start and a length together end on a project's timeline.
  static func frames(at rate: SampleRate) -> ClosedRange<Int64> { 0...timelineEnd(at: rate) / 2 }

  static func timelineEnd(at rate: SampleRate) -> Int64 { FlickPosition.timelineEnd.frames(at: rate).frames - 1 }
}

/// Makes records of the lines of one file. A line is none whose numbers no project can hold: its rows would be refused,
/// and with them all of the recording.
struct LedgerRecordParser {
  /// The recording's, once its record was read.
  private var rate: SampleRate?

  /// - Returns: `nil` if it is no record.
  mutating func record(_ json: FlatJSON) -> LedgerRecord? {
    guard let record = LedgerRecord(json), rate.map(record.fits) ?? true else { return nil }
    if case .begin(let header) = record, rate == nil { rate = SampleRate(hertz: header.sampleRate) }
    return record
  }
}

extension LedgerRecord {
  /// Whether its frames lie on a project's timeline.
  fileprivate func fits(_ rate: SampleRate) -> Bool {
    let end = RecordingLimits.timelineEnd(at: rate)
    let hostFrames = -end...end
    let frames = RecordingLimits.frames(at: rate)
    let timelineFrames = -frames.upperBound...frames.upperBound
    return switch self {
    case .begin, .cancelPass, .end: true
    case .pass(let header):
      hostFrames.contains(header.firstHostFrame) && timelineFrames.contains(Int64(header.recordOffset))
    case .piece(_, let piece):
      frames.contains(piece.passFrame) && frames.contains(piece.frames) && timelineFrames.contains(piece.timelineFrame)
    case .gap(_, let gap): frames.contains(gap.start) && frames.contains(gap.frames)
    case .segment(_, let file): frames.contains(file.startFrame) && frames.contains(file.frames)
    case .latency(_, _, _, let frame), .lostEvents(_, _, let frame), .endPass(_, let frame): frames.contains(frame)
    }
  }
}

extension LedgerRecord {
  var json: FlatJSON {
    var json = FlatJSON()
    switch self {
    case .begin(let header):
      json.add("type", "begin")
      json.add("version", header.version)
      json.add("project", header.project)
      json.add("recording", header.recording)
      json.add("title", header.title)
      json.add("startTime", header.startTime)
      json.add("sampleRate", header.sampleRate)
      json.add("encoding", header.encoding.rawValue)
      json.add("segmentFrames", header.segmentFrames)
      json.add("processID", header.owner.processID)
      json.add("processStart", header.owner.startTime)
      json.add("bootID", header.owner.bootID)
      if header.replacesOthers { json.add("over", "replace") }
      if !header.isHeard { json.add("isHeard", 0) }
    case .pass(let header):
      json.add("type", "pass")
      json.add("pass", header.pass)
      json.add("take", header.take)
      json.add("track", header.track)
      json.add("trackName", header.trackName)
      json.add("number", header.number)
      json.add("kind", header.kind.rawValue)
      json.add("channelCount", header.channelCount)
      json.add("inputs", header.inputs)
      json.add("firstHostFrame", header.firstHostFrame)
      json.add("captureLatency", header.captureLatency)
      json.add("playbackLatency", header.playbackLatency)
      json.add("recordOffset", header.recordOffset)
      json.add("alignment", header.alignment.rawValue)
    case .piece(let pass, let piece):
      json.add("type", "piece")
      json.add("pass", pass)
      json.add("passFrame", piece.passFrame)
      json.add("timelineFrame", piece.timelineFrame)
      json.add("frames", piece.frames)
    case .gap(let pass, let gap):
      json.add("type", "gap")
      json.add("pass", pass)
      json.add("start", gap.start)
      json.add("frames", gap.frames)
      json.add("cause", gap.cause.rawValue)
    case .segment(let pass, let file):
      json.add("type", "segment")
      json.add("pass", pass)
      file.add(to: &json)
    case .latency(let pass, let capture, let playback, let frame):
      json.add("type", "latency")
      json.add("pass", pass)
      json.add("capture", capture)
      json.add("playback", playback)
      json.add("atFrame", frame)
    case .lostEvents(let pass, let count, let frame):
      json.add("type", "lostEvents")
      json.add("pass", pass)
      json.add("count", count)
      json.add("atFrame", frame)
    case .endPass(let pass, let frames):
      json.add("type", "endPass")
      json.add("pass", pass)
      json.add("frames", frames)
    case .cancelPass(let pass):
      json.add("type", "cancelPass")
      json.add("pass", pass)
    case .end(let endTime):
      json.add("type", "end")
      json.add("endTime", endTime)
    }
    return json
  }

  /// - Returns: `nil` if it is no record, or a number is out of range.
  init?(_ json: FlatJSON) {
    let anyID = Int64.min...Int64.max
    let frames = RecordingLimits.frames
    switch json.text("type") {
    case "begin":
      guard let header = RecordingHeader(json) else { return nil }
      self = .begin(header)
    case "pass":
      guard let header = PassHeader(json) else { return nil }
      self = .pass(header)
    case "piece":
      guard let pass = json.number("pass", in: anyID), let passFrame = json.number("passFrame", in: frames),
        let timelineFrame = json.number("timelineFrame", in: RecordingLimits.timelineFrames),
        let count = json.number("frames", in: frames)
      else { return nil }
      self = .piece(pass: pass, RecordedPiece(passFrame: passFrame, timelineFrame: timelineFrame, frames: count))
    case "gap":
      guard let pass = json.number("pass", in: anyID), let start = json.number("start", in: frames),
        let count = json.number("frames", in: frames),
        let cause = json.text("cause").flatMap(GapCause.init(rawValue:)), cause != .lostEvents
      else { return nil }
      self = .gap(pass: pass, RecordedGapSpan(start: start, frames: count, cause: cause))
    case "segment":
      guard let pass = json.number("pass", in: anyID), let file = RecordedSegmentFile(json) else { return nil }
      self = .segment(pass: pass, file)
    case "latency":
      guard let pass = json.number("pass", in: anyID), let frame = json.number("atFrame", in: frames),
        let capture = json.number("capture", in: RecordingLimits.latency),
        let playback = json.number("playback", in: RecordingLimits.latency)
      else { return nil }
      self = .latency(pass: pass, capture: Int(capture), playback: Int(playback), atFrame: frame)
    case "lostEvents":
      guard let pass = json.number("pass", in: anyID), let frame = json.number("atFrame", in: frames),
        let count = json.number("count", in: 0...1 << 53)
      else { return nil }
      self = .lostEvents(pass: pass, count: Int(count), atFrame: frame)
    case "endPass":
      guard let pass = json.number("pass", in: anyID), let count = json.number("frames", in: frames) else { return nil }
      self = .endPass(pass: pass, frames: count)
    case "cancelPass":
      guard let pass = json.number("pass", in: anyID) else { return nil }
      self = .cancelPass(pass: pass)
    case "end":
      guard let time = json.number("endTime", in: RecordingLimits.milliseconds) else { return nil }
      self = .end(endTime: time)
    default: return nil
    }
  }
}

extension RecordingHeader {
  fileprivate init?(_ json: FlatJSON) {
    let anyID = Int64.min...Int64.max
    guard let version = json.number("version", in: 1...Int64(Self.currentVersion)), let project = json.text("project"),
      let recording = json.number("recording", in: RecordingLimits.ids), let title = json.text("title"),
      let startTime = json.number("startTime", in: RecordingLimits.milliseconds),
      let sampleRate = json.number("sampleRate", in: RecordingLimits.rates),
      let encoding = json.text("encoding").flatMap(SampleEncoding.init), Self.encodings.contains(encoding),
      let segmentFrames = json.number("segmentFrames", in: 1...RecordingLimits.segmentBytes),
      let processID = json.number("processID", in: 0...Int64(Int32.max)),
      let processStart = json.number("processStart", in: anyID), let bootID = json.text("bootID")
    else { return nil }
    self.init(
      version: Int(version), project: project, recording: recording, title: title, startTime: startTime,
      sampleRate: Int(sampleRate), encoding: encoding, segmentFrames: segmentFrames,
      owner: RecordingOwner(processID: Int32(processID), startTime: processStart, bootID: bootID))
    replacesOthers = json.text("over") == "replace"
    isHeard = json.number("isHeard", in: 0...1) != 0
  }
}

extension PassHeader {
  fileprivate init?(_ json: FlatJSON) {
    let ids = RecordingLimits.ids
    guard let pass = json.number("pass", in: ids), let take = json.number("take", in: ids),
      let track = json.number("track", in: ids), let trackName = json.text("trackName"),
      let number = json.number("number", in: RecordingLimits.passNumbers),
      let kind = json.text("kind").flatMap(PassKind.init),
      let channelCount = json.number("channelCount", in: RecordingLimits.passChannelCounts),
      kind == .midi || channelCount > 0, let inputs = json.texts("inputs"),
      let firstHostFrame = json.number("firstHostFrame", in: RecordingLimits.timelineFrames),
      let captureLatency = json.number("captureLatency", in: RecordingLimits.latency),
      let playbackLatency = json.number("playbackLatency", in: RecordingLimits.latency),
      let recordOffset = json.number("recordOffset", in: RecordingLimits.timelineFrames),
      let alignment = json.text("alignment").flatMap(RecordAlignment.init)
    else { return nil }
    self.init(
      pass: pass, take: take, track: track, trackName: trackName, number: Int(number), kind: kind,
      channelCount: Int(channelCount), inputs: inputs, firstHostFrame: firstHostFrame,
      captureLatency: Int(captureLatency), playbackLatency: Int(playbackLatency), recordOffset: Int(recordOffset),
      alignment: alignment)
  }
}

extension RecordedSegmentFile {
  func add(to json: inout FlatJSON) {
    json.add("index", index)
    json.add("startFrame", startFrame)
    json.add("frames", frames)
    json.add("name", name)
    json.add("dataOffset", dataOffset)
    json.add("byteCount", byteCount)
    if let sha256 { json.add("sha256", sha256) }
  }

  /// - Returns: `nil` if a number is out of range, or the name leads out of the folder without being an absolute path.
  init?(_ json: FlatJSON) {
    guard let index = json.number("index", in: RecordingLimits.index),
      let startFrame = json.number("startFrame", in: RecordingLimits.frames),
      let frames = json.number("frames", in: RecordingLimits.frames), let name = json.text("name"),
      Self.isAcceptable(name: name), let dataOffset = json.number("dataOffset", in: RecordingLimits.bytes),
      let byteCount = json.number("byteCount", in: RecordingLimits.bytes)
    else { return nil }
    let sha256 = json.text("sha256")
    if let sha256 {
      guard sha256.utf8.count == 64,
        sha256.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { return nil }
    }
    self.init(
      index: Int(index), startFrame: startFrame, frames: frames, name: name, dataOffset: dataOffset,
      byteCount: byteCount, sha256: sha256)
  }

  /// Whether a name is that of a file in the folder, not a hidden one, or an absolute path.
  static func isAcceptable(name: String) -> Bool {
    let last = name.hasPrefix("/") ? Path.name(of: name) : name
    return !last.isEmpty && !last.hasPrefix(".") && !last.utf8.contains(UInt8(ascii: "/")) && last.utf8.count <= 255
      && name.utf8.count < 4_096 && !name.utf8.contains(0)
  }
}
