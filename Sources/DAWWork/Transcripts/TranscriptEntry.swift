import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// A transcript in a listing.
public struct TranscriptEntry: Sendable {
  public var transcript: Transcript
  /// What the user says instead.
  public var ownText: String?
  /// "Vox pass 2, segment 0", or the name of an audio file.
  public var source: String
  public var shortID: String

  /// What counts.
  public var text: String { ownText ?? transcript.text }
  /// Seconds from the start of the pass or of the file.
  public var start: Double { transcript.range.seconds(transcript.range.start) }
  public var duration: Double { transcript.range.seconds(transcript.range.frames) }
}

extension ProjectView {
  /// Current transcripts, in order of medium and place.
  /// - Parameter reference: a track, a region, a recording or an audio file; `nil`: all.
  public func transcriptEntries(
    of reference: String? = nil, confidenceBelow: Double? = nil, includesWords: Bool = true, limit: Int = .max,
    offset: Int = 0
  ) throws -> (entries: [TranscriptEntry], hasMore: Bool) {
    var filter = TranscriptFilter(
      confidenceBelow: confidenceBelow, includesWords: includesWords, limit: limit, offset: offset)
    if let reference {
      let ranges = try rangesIfAny(of: soundSource(calledBy: reference))
      if ranges.isEmpty { return ([], false) }
      filter.media = TranscriptFilter.Media(
        passes: Set(ranges.compactMap(\.pass)), files: Set(ranges.compactMap(\.audioFile)))
    }
    let found = try work.transcripts(filter)
    return (try entries(of: found.transcripts), found.hasMore)
  }

  /// The transcript with an id, or the end of one.
  /// - Throws: `Failure`.
  func transcriptEntry(calledBy reference: String) throws -> TranscriptEntry {
    guard let id = try transcriptIDs(calledBy: [reference]).first, let transcript = try work.transcript(id) else {
      throw Self.noTranscript(reference)
    }
    return try entries(of: [transcript])[0]
  }

  private func entries(of transcripts: [Transcript]) throws -> [TranscriptEntry] {
    let shortIDs = ShortIDs(transcripts.map(\.id), among: try work.transcriptIDs())
    var sources: [SoundRange.Medium: String] = [:]
    return try transcripts.map { transcript in
      let medium = transcript.range.medium
      let source = try sources[medium] ?? source(of: medium)
      sources[medium] = source
      return TranscriptEntry(
        transcript: transcript, ownText: try row(TranscriptTextID(rawValue: transcript.id.rawValue))?.text,
        source: source, shortID: shortIDs[transcript.id])
    }
  }

  /// "Vox pass 2, segment 0", or the name of an audio file.
  func source(of medium: SoundRange.Medium) throws -> String {
    switch medium {
    case .file(let id):
      return try row(id)?.location.path.split(separator: "/").last.map(String.init) ?? "(removed file)"
    case .segment(let id, let index):
      guard let pass = try recordings.pass(id) else { return "(removed recording)" }
      return "\(try row(pass.track)?.name.text ?? "(removed track)") pass \(pass.number), segment \(index)"
    }
  }
}

extension Editor {
  /// Says what was spoken, instead of what the engine heard.
  /// - Parameter text: empty: the engine's words count again.
  public func setTranscript(_ reference: String, text: String) throws -> TranscriptEntry {
    let entry = try view.transcriptEntry(calledBy: reference)
    let id = TranscriptTextID(rawValue: entry.transcript.id.rawValue)
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let old = try view.row(id)
    if text.isEmpty {
      if old != nil { try apply(.remove(id)) }
    } else if old == nil {
      try apply(.add(TranscriptText(id: id, text: text)))
    } else if old?.text != text {
      try apply(.set(TranscriptText(id: id, text: text)))
    }
    note("Changed a transcript of \(entry.source)")
    return try view.transcriptEntry(calledBy: "id:\(entry.transcript.id)")
  }
}

extension ProjectView {
  /// The jobs with some ids, or the ends of ids, in the order of these.
  /// - Throws: `Failure`.
  public func jobIDs(calledBy references: [String]) throws -> [JobID] {
    try ids(calledBy: references, among: try work.jobIDs()) { reference in
      Failure(
        .noInput, code: "jobNotFound", "There is no job '\(reference)'. Nothing was changed.",
        hint: "A job is named by its id, or its last 6 or more digits; 'daw list-jobs' shows them.")
    }
  }

  /// The current transcripts with some ids, or the ends of ids, in the order of these.
  /// - Throws: `Failure`.
  public func transcriptIDs(calledBy references: [String]) throws -> [TranscriptID] {
    try ids(calledBy: references, among: try work.transcriptIDs(), orElse: Self.noTranscript)
  }

  private static func noTranscript(_ reference: String) -> Failure {
    Failure(
      .noInput, code: "transcriptNotFound", "There is no transcript '\(reference)'. Nothing was changed.",
      hint: "A transcript is named by its id, or its last 6 or more digits; 'daw list-transcripts' shows them.")
  }

  /// The ids that references are, or end. There may be thousands of both.
  /// - Throws: `Failure`: what `missing` returns for a reference, or that it may mean several.
  private func ids<Kind: IdentifiedKind>(
    calledBy references: [String], among all: [Identifier<Kind>], orElse missing: (String) -> Failure
  ) throws -> [Identifier<Kind>] {
    let endings = IDEndings(all)
    return try references.map { reference in
      let found = endings.matching(try IDReference(reference)?.digits ?? "")
      guard found.count <= 1 else { throw ambiguousReference(Kind.noun, reference, found.map { "id \($0)" }) }
      guard let id = found.first else { throw missing(reference) }
      return id
    }
  }
}
