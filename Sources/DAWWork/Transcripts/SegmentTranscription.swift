import DAWModel
import DAWProject
import DAWStore

/// How far the transcription of a recorded segment is.
public struct SegmentTranscription: Sendable {
  /// What an engine heard last, without its words' times.
  public var transcript: Transcript?
  /// What the user says instead.
  public var ownText: String?
  /// The latest job that transcribes it.
  public var job: Job?

  public init() {}

  /// What counts.
  public var text: String? { ownText ?? transcript?.text }
  /// `nil` where it was never asked for.
  public var state: Job.State? { job?.state ?? transcript.map { _ in .completed } }
}

extension ProjectView {
  /// How far the segments of these passes are transcribed; without those that have neither a transcript nor a job.
  public func transcriptions(of passes: [PassID]) throws -> [SoundRange.Medium: SegmentTranscription] {
    var found: [SoundRange.Medium: SegmentTranscription] = [:]
    let filter = TranscriptFilter(media: TranscriptFilter.Media(passes: Set(passes)), includesWords: false, limit: .max)
    let own = Dictionary(uniqueKeysWithValues: try all(TranscriptText.self).map { ($0.id.rawValue, $0.text) })
    for transcript in try work.transcripts(filter).transcripts {
      found[transcript.range.medium, default: SegmentTranscription()].transcript = transcript
      found[transcript.range.medium]?.ownText = own[transcript.id.rawValue]
    }
    for job in try work.jobs(JobFilter(passes: Set(passes), limit: .max)).jobs where job.kind == .transcribe {
      guard let medium = job.range?.medium else { continue }
      found[medium, default: SegmentTranscription()].job = job
    }
    return found
  }
}
