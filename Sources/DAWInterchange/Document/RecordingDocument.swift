import DAWModel
import DAWStore
import DAWTime

/// A completed recording as JSON, with everything that is known about it.
public struct RecordingDocument {
  public var row: Recording
  public var passes: [PassDocument] = []
  public var summary: Summary?

  init(_ facts: RecordingFacts, summary: Summary? = nil) {
    row = facts.recording
    self.summary = summary
    let segments = Dictionary(grouping: facts.segments, by: \.pass)
    let gaps = Dictionary(grouping: facts.gaps, by: \.pass)
    passes = facts.passes.map { pass in
      PassDocument(row: pass, segments: segments[pass.id] ?? [], gaps: gaps[pass.id] ?? [])
    }
  }

  /// Its rows: passes refer to the recording, segments and gaps to their pass.
  var facts: RecordingFacts {
    var facts = RecordingFacts(row)
    for pass in passes {
      facts.passes.append(pass.row)
      facts.passes[facts.passes.count - 1].recording = row.id
      for var segment in pass.segments {
        segment.pass = pass.row.id
        facts.segments.append(segment)
      }
      for var gap in pass.gaps {
        gap.pass = pass.row.id
        facts.gaps.append(gap)
      }
    }
    return facts
  }
}

/// A pass as JSON, within its recording.
public struct PassDocument {
  public var row: RecordedPass
  public var segments: [RecordedSegment] = []
  public var gaps: [RecordedGap] = []
}

extension RecordingDocument: JSONRecord {
  package static var blank: RecordingDocument { RecordingDocument(RecordingFacts(.blank)) }

  package static let members: JSONMembers<RecordingDocument> = [
    JSONMember("id", \.row.id, isRequired: true),
    JSONMember("createdAt", \.row.createdAt, isRequired: true),
    JSONMember("startTime", \.row.startTime, isRequired: true),
    JSONMember("endTime", \.row.endTime, isRequired: true),
    JSONMember("durationFrames", \.row.duration),
    JSONMember("sampleRate", \.row.sampleRate, isRequired: true),
    JSONMember("bitDepth", \.row.bitDepth),
    JSONMember("format", \.row.format),
    JSONMember("folder", \.row.folder, isRequired: true),
    JSONMember("passes", \.passes),
    JSONMember(ifPresent: "summary", \.summary),
  ]

  package mutating func complete() {
    row.isCompleted = true
    summary?.recording = row.id
  }
}

extension PassDocument: JSONRecord {
  package static var blank: PassDocument { PassDocument(row: .blank) }

  package static let members: JSONMembers<PassDocument> = [
    JSONMember("id", \.row.id, isRequired: true),
    JSONMember("track", \.row.track, isRequired: true),
    JSONMember("trackName", \.row.trackName),
    JSONMember("number", \.row.number),
    JSONMember("channelCount", \.row.channelCount),
    JSONMember("startTime", \.row.startTime, isRequired: true),
    JSONMember("firstHostFrame", \.row.firstHostFrame),
    JSONMember("frames", \.row.frames, isRequired: true),
    JSONMember("captureLatency", \.row.captureLatency),
    JSONMember("playbackLatency", \.row.playbackLatency),
    JSONMember("inputs", \.row.inputs),
    JSONMember("pieces", \.row.pieces),
    JSONMember("foundTags", \.row.foundTags),
    JSONMember("segments", \.segments),
    JSONMember("gaps", \.gaps),
  ]
}

extension RecordedPiece: JSONRecord {
  package static var blank: RecordedPiece { RecordedPiece(passFrame: 0, timelineFrame: 0, frames: 0) }

  package static let members: JSONMembers<RecordedPiece> = [
    JSONMember("passFrame", \.passFrame, isRequired: true),
    JSONMember("timelineFrame", \.timelineFrame, isRequired: true),
    JSONMember("frames", \.frames, isRequired: true),
  ]
}

extension RecordedSegment: JSONRecord {
  package static let members: JSONMembers<RecordedSegment> = [
    JSONMember("segmentIndex", \.index, isRequired: true),
    JSONMember("startFrame", \.start, isRequired: true),
    JSONMember("frames", \.frames, isRequired: true),
    JSONMember("path", \.path, isRequired: true),
    JSONMember("fileSize", \.fileSize),
    JSONMember("sha256", \.sha256),
    JSONMember("recordedSHA256", \.recordedSHA256),
    JSONMember("createdAt", \.createdAt, isRequired: true),
    JSONMember("state", \.state, isRequired: true),
  ]
}

extension RecordedGap: JSONRecord {
  package static let members: JSONMembers<RecordedGap> = [
    JSONMember("startFrame", \.start, isRequired: true),
    JSONMember("frames", \.frames, isRequired: true),
    JSONMember("cause", \.cause, isRequired: true),
  ]
}

extension Recording.Format: JSONWrapped {}
extension RecordedSegment.State: JSONWrapped {}
extension GapCause: JSONWrapped {}

extension Summary: JSONRecord {
  package static let members: JSONMembers<Summary> = [
    JSONMember("text", \.text, isRequired: true),
    JSONMember("engine", \.engine, isRequired: true),
    JSONMember("processingTime", \.processingTime),
    JSONMember("createdAt", \.createdAt, isRequired: true),
  ]
}

// MARK: Transcripts

/// A current transcript as JSON, with what it is of: a segment of a pass, or a range of an audio file.
public struct TranscriptDocument {
  var row: Transcript
  var pass: PassID?
  var segmentIndex: Int?
  var audioFile: AudioFileID?
  var start = FrameCount.zero
  var frames = FrameCount.zero
  var sampleRate = SampleRate(hertz: 0)

  init(_ transcript: Transcript) {
    row = transcript
    let range = transcript.range
    (start, frames, sampleRate) = (range.start, range.frames, range.sampleRate)
    switch range.medium {
    case .segment(let pass, let index): (self.pass, segmentIndex) = (pass, index)
    case .file(let file): audioFile = file
    }
  }
}

extension TranscriptDocument: JSONRecord {
  package static var blank: TranscriptDocument {
    var blank = TranscriptDocument(.blank)
    blank.audioFile = nil
    return blank
  }

  package static let members: JSONMembers<TranscriptDocument> = [
    JSONMember("id", \.row.id, isRequired: true),
    JSONMember(ifPresent: "pass", \.pass),
    JSONMember(ifPresent: "segmentIndex", \.segmentIndex),
    JSONMember(ifPresent: "audioFile", \.audioFile),
    JSONMember("startFrame", \.start, isRequired: true),
    JSONMember("frames", \.frames, isRequired: true),
    JSONMember("sampleRate", \.sampleRate, isRequired: true),
    JSONMember("text", \.row.text, isRequired: true),
    JSONMember("language", \.row.language),
    JSONMember("confidence", \.row.confidence),
    JSONMember("engine", \.row.engine),
    JSONMember("processingTime", \.row.processingTime),
    JSONMember("words", \.row.words),
    JSONMember(ifPresent: "details", \.row.details),
    JSONMember("createdAt", \.row.createdAt, isRequired: true),
  ]

  package mutating func complete() throws {
    switch (pass, segmentIndex, audioFile) {
    case (let pass?, let index?, nil):
      row.range = SoundRange(.segment(pass, index), start: start, frames: frames, sampleRate: sampleRate)
    case (nil, nil, let file?):
      row.range = SoundRange(.file(file), start: start, frames: frames, sampleRate: sampleRate)
    default:
      throw JSONError.Problem.value("A transcript is of a 'pass' and a 'segmentIndex', or of an 'audioFile'.")
    }
  }
}

extension TranscriptWord: JSONRecord {
  package static var blank: TranscriptWord { TranscriptWord("", start: 0, end: 0) }

  package static let members: JSONMembers<TranscriptWord> = [
    JSONMember("word", \.word, isRequired: true),
    JSONMember("start", \.start, isRequired: true),
    JSONMember("end", \.end, isRequired: true),
    JSONMember(ifPresent: "confidence", \.confidence),
    JSONMember(ifPresent: "speaker", \.speaker),
  ]
}

extension ProjectDocument {
  /// Adds what is known about completed recordings, but for those in the trash, and the current transcripts.
  public mutating func addFacts(_ view: ProjectView) throws {
    let summaries = Dictionary(uniqueKeysWithValues: try view.work.summaries().map { ($0.recording, $0) })
    recordings = try view.recordings.recordingIDs().compactMap { id in
      guard let facts = try view.recordings.facts(of: id), facts.recording.isCompleted, facts.recording.trashedAt == nil
      else { return nil }
      return RecordingDocument(facts, summary: summaries[id])
    }
    transcripts = try view.work.transcripts(TranscriptFilter(limit: .max)).transcripts.map(TranscriptDocument.init)
  }
}
