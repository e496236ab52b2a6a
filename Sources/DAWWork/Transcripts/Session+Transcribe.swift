import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension SoundRange {
  /// Length of the pieces in which imported files are transcribed.
  public static let seconds = 30
}

/// What can be transcribed.
enum SoundSource {
  case track(Track)
  case region(Region)
  case recording(Recording)
  case file(AudioFile)
}

extension ProjectView {
  /// What is to be transcribed of a track, a region, a recording or an audio file of the project: segments of
  /// recordings, and 30 s at a time of other files.
  /// - Parameter reference: the name or the id of one of them, or the path of a file.
  /// - Throws: `Failure`.
  public func soundRanges(of reference: String) throws -> [SoundRange] {
    try soundRanges(of: soundSource(calledBy: reference), calledBy: reference)
  }

  func soundRanges(of source: SoundSource, calledBy reference: String) throws -> [SoundRange] {
    let ranges = try rangesIfAny(of: source)
    guard !ranges.isEmpty else {
      throw Failure(
        .invalid, code: "noSound", "'\(reference)' has no sound to be transcribed. Nothing was changed.",
        hint: "Name a track with audio regions, an audio region, a recording or an audio file.")
    }
    return ranges
  }

  /// What can be transcribed of a sound; nothing of a track without any.
  func rangesIfAny(of source: SoundSource) throws -> [SoundRange] {
    switch source {
    case .track(let track): try ranges(of: rows(Region.self, where: "track", is: track.id))
    case .region(let region): try ranges(of: [region])
    case .recording(let recording): try ranges(ofRecording: recording.id)
    case .file(let file): Self.ranges(of: file)
    }
  }

  /// A track, a region, a recording or an audio file, the first of them that has the name.
  /// - Throws: `Failure` if there is none, or the name fits several of a kind.
  func soundSource(calledBy reference: String) throws -> SoundSource {
    var likely: String?
    func found<T>(_ body: () throws -> T) throws -> T? {
      do {
        return try body()
      } catch let failure as Failure where failure.kind == .noInput {
        if let hint = failure.hint, hint.hasPrefix("Did you mean") { likely = likely ?? hint }
        return nil
      }
    }
    if let track = try found({ try track(calledBy: reference) }) { return .track(track) }
    if let region = try found({ try region(calledBy: reference) }) { return .region(region) }
    if let recording = try found({ try recording(calledBy: reference) }) { return .recording(recording.recording) }
    // Of an empty path, a URL's would be the current folder's.
    let name = (reference as NSString).lastPathComponent
    let files = try name.isEmpty ? [] : all(AudioFile.self)
    let file =
      files.first { $0.location.path == reference }
      ?? files.first { URL(fileURLWithPath: $0.location.path).lastPathComponent == name }
    if let file { return .file(file) }
    throw Failure(
      .noInput, code: "soundNotFound",
      "There is no track, region, recording or audio file '\(reference)' in the project. Nothing was changed.",
      hint: likely
        ?? "'daw import FILE' brings a file in; 'daw list-tracks' and 'daw list-recordings' show what is there.")
  }

  private func ranges(of regions: [Region]) throws -> [SoundRange] {
    var ranges: [SoundRange] = []
    // Thousands of regions may play one pass, and a recording may have thousands of passes.
    var passes: Set<PassID> = []
    var recorded: [RecordingID: [PassID?: [SoundRange]]] = [:]
    for region in regions.sorted(by: { $0.id < $1.id }) {
      guard let span = region.audio else { continue }
      let pass = try region.take.flatMap { try row($0)?.pass }
      if let pass, let recording = try recordings.pass(pass)?.recording {
        guard passes.insert(pass).inserted else { continue }
        let known = try recorded[recording] ?? Dictionary(grouping: self.ranges(ofRecording: recording), by: \.pass)
        recorded[recording] = known
        ranges += known[pass] ?? []
      } else if let file = try row(span.file) {
        // Played reversed, the offset is that from the file's end.
        let start = span.isReversed ? max(.zero, file.duration - span.offset - span.duration) : span.offset
        let last = (start + span.duration).frames(at: file.sampleRate) + FrameCount(frames: 1)
        ranges += Self.ranges(of: file, from: start.frames(at: file.sampleRate), to: min(last, file.frames))
      }
    }
    var known: Set<SoundRange> = []
    return ranges.filter { known.insert($0).inserted }
  }

  private func ranges(ofRecording id: RecordingID) throws -> [SoundRange] {
    guard let recording = try recordings.recording(id) else { return [] }
    let passes = try recordings.passes(of: [id]).filter { $0.channelCount > 0 }
    let segments = Dictionary(grouping: try recordings.segments(of: id), by: \.pass)
    return passes.flatMap { pass in
      (segments[pass.id] ?? []).filter { $0.frames > .zero && ($0.state == .sealed || $0.state == .recovered) }.map {
        SoundRange(
          .segment(pass.id, $0.index), start: $0.start, frames: $0.frames, sampleRate: recording.sampleRate)
      }
    }
  }

  static func ranges(of file: AudioFile) -> [SoundRange] { ranges(of: file, from: .zero, to: file.frames) }

  /// The pieces of 30 s, from the file's start on, that the frames lie in.
  private static func ranges(of file: AudioFile, from first: FrameCount, to last: FrameCount) -> [SoundRange] {
    let step = Int64(SoundRange.seconds * file.sampleRate.hertz)
    return stride(from: first.frames / step * step, to: last.frames, by: Int(step)).map { start in
      SoundRange(
        .file(file.id), start: FrameCount(frames: start),
        frames: FrameCount(frames: min(step, file.frames.frames - start)), sampleRate: file.sampleRate)
    }
  }
}

extension Session {
  /// Transcripts and jobs of the project.
  public var work: any WorkRepository { store.work }

  /// Puts what is to be transcribed into the queue, once where several of the references name it.
  /// - Throws: `Failure` if there is no such engine, or nothing to be transcribed.
  public func transcribe(
    _ references: [String], by engine: Engine, fallback: Engine?, language: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> [Job] {
    try failing {
      let ranges = try store.read { view in try references.flatMap { try view.soundRanges(of: $0) } }
      var known: Set<SoundRange> = []
      return try addEngineJobs(
        Job.transcribing(
          ranges.filter { known.insert($0).inserted }, by: engine, fallback: fallback, language: language),
        environment)
    }
  }
}

extension Job {
  /// Jobs that transcribe ranges, one each.
  static func transcribing(
    _ ranges: [SoundRange], by engine: Engine, fallback: Engine?, language: String
  ) -> [Job] {
    let now = Timestamp.now()
    return ranges.map {
      Job(
        kind: .transcribe, range: $0, engine: engine.name, fallback: fallback?.name, language: language, createdAt: now)
    }
  }
}
