import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// What was said in a recording, as an engine that summarizes it is given it.
struct SummaryInput: Encodable {
  struct Part: Encodable {
    /// The track's name.
    var track: String
    /// Seconds from the start of the recording.
    var start: Double
    var end: Double
    var text: String
  }

  struct Remark: Encodable {
    var author: String
    var date: String
    var text: String
  }

  /// Empty: none.
  var title: String
  var startTime: String
  /// Seconds.
  var duration: Double
  /// In order of time; without what is silent.
  var texts: [Part]
  /// The newest, in order of date.
  var comments: [Remark]?

  /// - Parameter withComments: whether people's comments on the recording are in it.
  /// - Returns: `nil` if nothing is known of the recording.
  init?(_ id: RecordingID, withComments: Bool, _ view: ProjectView) throws {
    guard let entry = try view.recordingEntry(id) else { return nil }
    let recording = entry.recording
    title = entry.title
    startTime = recording.startTime.iso8601
    duration = Double(recording.duration.frames) / Double(recording.sampleRate.hertz)
    let passes = try view.passEntries(of: id)
    let found = Dictionary(
      grouping: try view.transcriptions(of: passes.map(\.pass.id)).values, by: { $0.transcript?.range.pass })
    texts = passes.flatMap { pass in
      let offset = Double(pass.pass.startTime.milliseconds - recording.startTime.milliseconds) / 1000
      return (found[pass.pass.id] ?? []).compactMap { transcription -> Part? in
        guard let range = transcription.transcript?.range, let text = transcription.text, !text.isEmpty else {
          return nil
        }
        let start = offset + range.seconds(range.start)
        return Part(track: pass.trackName, start: start, end: start + range.seconds(range.frames), text: text)
      }
    }.sorted { ($0.start, $0.track) < ($1.start, $1.track) }
    guard withComments else { return }
    let newest = try view.header().settings.retention.thread
    comments = try view.commentEntries(recording: id).map(\.comment).sorted { ($0.date, $0.id) < ($1.date, $1.id) }
      .suffix(newest).map { Remark(author: $0.author, date: $0.date.iso8601, text: $0.text) }
  }

  var isEmpty: Bool { texts.isEmpty }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

/// The summary of a recording in a listing.
public struct SummaryState: Sendable {
  public var summary: Summary?
  /// The latest job that summarizes it.
  public var job: Job?

  public var hasFailed: Bool { job?.state == .failed }
}

extension ProjectView {
  public func summaryState(of recording: RecordingID) throws -> SummaryState {
    SummaryState(
      summary: try work.summaries(of: [recording]).first,
      job: try work.jobs(JobFilter(recording: recording, limit: .max)).jobs.last)
  }
}

extension Session {
  /// Puts the summary of a recording into the queue.
  /// - Throws: `Failure` if there is no such recording, or nothing that was said in it is known.
  public func summarize(
    _ reference: String, by engine: Engine, fallback: Engine?,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Job {
    try failing {
      let (recording, language) = try store.read { view in
        let entry = try view.recording(calledBy: reference)
        guard let said = try SummaryInput(entry.recording.id, withComments: false, view), !said.isEmpty else {
          throw Failure(
            .invalid, code: "notTranscribed",
            "Nothing that was said in \(entry.subject) is known. Nothing was changed.",
            hint: "'daw transcribe \(entry.shortID) --wait' turns it into text.")
        }
        let passes = try view.recordings.passes(of: [entry.recording.id]).map(\.id)
        let languages = try view.transcriptions(of: passes).values.compactMap(\.transcript?.language)
        return (entry.recording.id, languages.min() ?? "en")
      }
      return try addEngineJobs(
        [
          Job(
            kind: .summarize, recording: recording, engine: engine.name, fallback: fallback?.name, language: language,
            createdAt: .now())
        ], environment)[0]
    }
  }
}
