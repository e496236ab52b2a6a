import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject
import DAWTime
import DAWWork

struct ListSegments: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-segments",
    abstract: "List the files of a recording, and how far their transcription is.",
    discussion: """
        daw list-segments Verse
        daw list-segments Verse --limit 100 --page 2
        daw list-segments Verse --confidence-below 0.6
        daw list-segments 1a2b3c --json
      """)

  @Argument(help: "The recording: its title, or its id, or the end of it.")
  var recording: String

  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var part: PartOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (row, passes, segments, hasMore, transcriptions) = try session.read { view in
      let row = try view.recording(calledBy: recording).recording
      let page = try view.segmentPage(of: row.id, limit: part.limit ?? .max, offset: part.offset)
      let transcriptions = try view.transcriptions(of: page.passes.map(\.pass.id))
      return (row, page.passes, page.segments, page.hasMore, transcriptions)
    }
    let ofPass = Dictionary(grouping: segments, by: \.pass)
    let entries = passes.flatMap { pass in
      (ofPass[pass.pass.id] ?? []).map { segment in
        SegmentEntry(
          segment: segment, pass: pass, recording: row,
          transcription: transcriptions[.segment(segment.pass, segment.index)] ?? SegmentTranscription())
      }
    }.filter { entry in
      confidence.below.map { limit in entry.transcription.transcript?.confidence.map { $0 < limit } ?? false } ?? true
    }
    var table = TextTable(.text, .number, .plain, .number, .plain, .text, .path)
    for entry in entries {
      table.add([
        "\(entry.pass.name)", "\(entry.segment.index)", "\(Wording.time(row.seconds(entry.segment.start)))",
        "\(Wording.size(entry.segment.fileSize))", "\(entry.segment.state.rawValue)", "\(entry.transcriptionText)",
        "\(entry.segment.path)",
      ])
    }
    let isWhole = confidence.below == nil && part.limit == nil
    let rest: [StyledLine] = hasMore ? ["There are more; see --page."] : []
    return CommandResult(
      lines: entries.isEmpty ? [isWhole ? "It has no segments." : "No such segments."] : table.lines() + rest,
      made: entries.map(\.segment.path), json: entries.map(\.json))
  }

  func validate() throws {
    if confidence.below != nil, part.limit != nil {
      throw Exclusion.error("'--limit' is not for '--confidence-below'.")
    }
  }
}

/// What was transcribed with little confidence.
struct ConfidenceOptions: ParsableArguments {
  @Option(
    name: .customLong("confidence-below"), parsing: .unconditional,
    help: ArgumentHelp("Only where the engine was less sure, 0 … 1.", valueName: "number"))
  var below: Double?

  func validate() throws {
    if let below, !(0...1).contains(below) {
      throw ValidationError("'--confidence-below' is a number, 0 … 1.")
    }
  }
}

/// A segment in a listing.
private struct SegmentEntry {
  var segment: RecordedSegment
  var pass: PassEntry
  var recording: Recording
  var transcription: SegmentTranscription

  /// "text, 92 %", "retrying"; empty if it was never to be transcribed.
  var transcriptionText: String {
    guard let state = transcription.state else { return "" }
    guard state == .completed, let text = transcription.text else { return state.rawValue }
    if transcription.ownText != nil { return "your text" }
    if text.isEmpty { return "nothing said" }
    return "text" + (transcription.transcript?.confidence.map { ", \(Int(($0 * 100).rounded())) %" } ?? "")
  }

  var json: JSONObject {
    let (frames, start) = (segment.frames, segment.start)
    return JSONObject([
      "recordingID": recording.id.uuidString, "passID": segment.pass.uuidString, "track": pass.track?.name.text,
      "trackID": pass.pass.track.uuidString, "pass": pass.pass.number, "segmentIndex": segment.index,
      "startFrame": start.frames, "frames": frames.frames, "startTime": recording.seconds(start),
      "endTime": recording.seconds(start + frames), "duration": recording.seconds(frames), "path": segment.path,
      "fileSize": segment.fileSize, "sha256": segment.sha256, "recordedSHA256": segment.recordedSHA256,
      "createdAt": segment.createdAt.iso8601, "state": segment.state.rawValue,
      "channelCount": pass.pass.channelCount, "sampleRate": recording.sampleRate.hertz,
      "processingStatus": transcription.state?.rawValue, "retryCount": transcription.job?.retryCount,
      "lastError": transcription.job?.lastError, "job": transcription.job?.id.uuidString,
      "transcript": transcription.transcript?.id.uuidString, "confidence": transcription.transcript?.confidence,
      "text": transcription.text,
    ])
  }
}

extension TranscriptionProgress {
  /// "3 of 10 segments transcribed, 1 failed"; `nil` if it was not asked for.
  var text: String? {
    guard asked > 0 else { return nil }
    return "\(completed) of \(counted(segments, "segment")) transcribed" + (failed == 0 ? "" : ", \(failed) failed")
  }
}
