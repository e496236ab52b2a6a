import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import DAWWork
import Foundation

struct ListRecordings: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-recordings",
    abstract: "List recordings, the newest first.",
    discussion: """
        daw list-recordings
        daw list-recordings --since 30d --by-day
        daw list-recordings --limit 20 --page 2 --json
      """)

  @OptionGroup var pages: PageOptions

  @Option(help: SinceHelp.help, transform: PastTime.init(typed:))
  var since: PastTime?

  @Flag(help: "Under the days on which they began, in local time.")
  var byDay = false

  @Flag(help: "Only those that are not completed.")
  var running = false

  @Flag(help: "Those in the trash instead of the others.")
  var trashed = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let filter = RecordingFilter(
      since: since?.timestamp(now: Date()), isRunning: running, isTrashed: trashed, limit: pages.limit,
      offset: pages.offset)
    let found = try session.read { try $0.recordingEntries(filter) }
    var lines: [StyledLine] = []
    if byDay {
      let days = Dictionary(grouping: found.entries) { LocalTime($0.recording.startTime).date }
      for (day, ofDay) in days.sorted(by: { $0.key > $1.key }) {
        lines.append(StyledLine([(day, .bold)]))
        lines += table(ofDay) { LocalTime($0).time }.map { StyledLine([("  ", nil)] + $0.parts) }
      }
    } else {
      lines = table(found.entries) { Wording.date($0.iso8601) }
    }
    if found.hasMore { lines.append(StyledLine("There are more; see --page.")) }
    return CommandResult(
      lines: found.entries.isEmpty ? ["No such recordings."] : lines,
      made: found.entries.map { $0.recording.id.uuidString },
      json: JSONObject(["recordings": found.entries.map(\.json), "hasMore": found.hasMore]))
  }

  private func table(_ entries: [RecordingEntry], _ date: (Timestamp) -> String) -> [StyledLine] {
    var table = TextTable(.text, .text, .plain, .text, .id)
    for entry in entries {
      table.add([
        "\(date(entry.recording.startTime))", TextTable.Cell(entry.title, .bold),
        "\(Wording.time(entry.recording.seconds))", "\(entry.counts)", TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return table.lines(fitting: Terminal.columns().map { byDay ? $0 - 2 : $0 })
  }
}

struct ShowRecording: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show-recording",
    abstract: "Show a recording and its passes.",
    discussion: """
      A pass is an unbroken stretch on one track; after a loop's wrap the next begins. All its frames are in segments \
      (list-segments) or in gaps (list-gaps).

        daw show-recording Verse
        daw show-recording 1a2b3c --json
      """)

  @Argument(help: "The recording: its title, or its id, or the end of it.")
  var recording: String

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entry, passes, transcription, summary) = try session.read { view in
      let entry = try view.recording(calledBy: recording)
      let passes = try view.passEntries(of: entry.recording.id)
      let id = entry.recording.id
      return (entry, passes, try view.work.transcriptionProgress(of: id), try view.summaryState(of: id))
    }
    let row = entry.recording
    let depth = row.bitDepth == 32 ? "32 bits floating point" : "\(row.bitDepth) bits"
    var lines = [StyledLine([(entry.title.isEmpty ? "recording \(entry.shortID)" : entry.title, .bold)])]
    let facts = [
      "\(Wording.date(row.startTime.iso8601)), \(Wording.time(row.seconds)), \(row.sampleRate.hertz) Hz, \(depth)",
      row.trashedAt.map { "in the trash since \(Wording.date($0.iso8601))" } ?? "in \(row.folder)", "id \(row.id)",
      row.stateText(isWrittenUnseen: session.isWrittenUnseen(row)), transcription.text,
    ].compactMap(\.self)
    let notes = (entry.notes ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
    lines += (facts + (entry.notes == nil ? [] : notes) + summary.lines).flatMap {
      TextWrapping.lines(TerminalText.line($0), width: Terminal.columns(), indentation: 2)
    }.map { StyledLine($0) }
    var table = TextTable(.text, .plain, .plain, .text, .text)
    for pass in passes {
      let words =
        pass.pass.inputs + (pass.gapCount == 0 ? [] : [Wording.gaps(pass.gapCount, pass.lostFrames, row.sampleRate)])
        + pass.pass.foundTags.words.sorted()
      table.add([
        "\(pass.name)", TextTable.Cell(pass.pass.channelCount == 0 ? "MIDI" : Wording.width(pass.pass.channelCount)),
        "\(Wording.time(row.seconds(pass.pass.frames)))", "\(pass.takes.map(\.name.text).joined(separator: ", "))",
        "\(words.joined(separator: ", "))",
      ])
    }
    return CommandResult(
      lines: lines + table.lines(), made: [row.id.uuidString],
      json: entry.json.merging(
        JSONObject([
          "passes": passes.map { $0.json(row) }, "isProcessed": transcription.isComplete,
          "summary": summary.summary?.json,
          "summaryFailed": summary.hasFailed,
        ])))
  }
}

struct ListGaps: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-gaps",
    abstract: "List what recordings have lost, and why.",
    discussion: """
      The causes are \(GapCause.allCases.map(\.rawValue).joined(separator: ", ")). With --patterns, those with \
      one cause on the same inputs are counted.

        daw list-gaps
        daw list-gaps Verse --cause overrun
        daw list-gaps --limit 100 --page 2
        daw list-gaps --patterns
      """)

  @Argument(help: "A recording: its title, or its id, or the end of it. (default: all)")
  var recording: String?

  @Option(
    help: ArgumentHelp("Only those with this cause.", valueName: "cause"),
    completion: .list(GapCause.allCases.map(\.rawValue)), transform: GapCause.init(typed:))
  var cause: GapCause?

  @Flag(help: "What recurs: how often, on which inputs, and when last; the most frequent first.")
  var patterns = false

  @OptionGroup var part: PartOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    try session.read { view in
      let id = try recording.map { try view.recording(calledBy: $0).recording.id }
      if patterns { return Self.result(try view.recordings.gapPatterns(of: id, cause: cause)) }
      guard let limit = part.limit else { return Self.result(try view.gapEntries(of: id, cause: cause)) }
      let page = try view.gapEntries(of: id, cause: cause, limit: limit, offset: part.offset)
      return Self.result(page.entries, hasMore: page.hasMore)
    }
  }

  func validate() throws {
    if patterns, part.limit != nil { throw Exclusion.error("'--limit' is not for '--patterns'.") }
  }

  private static func result(_ gaps: [GapEntry], hasMore: Bool = false) -> CommandResult {
    // A recording without a title is named by its id, which is not cut.
    let idLength = gaps.filter(\.recording.title.isEmpty).map(\.recording.shortID.count).max()
    let titles = idLength.map { TextTable.Column.textKeeping($0 - 1) } ?? .text
    var table = TextTable(.text, titles, .text, .plain, .plain, .plain)
    for entry in gaps {
      table.add([
        "\(Wording.date(entry.date.iso8601))",
        TextTable.Cell(entry.recording.title.isEmpty ? entry.recording.shortID : entry.recording.title),
        "\(entry.pass.name)", "at \(Wording.time(entry.startTime))", "\(Wording.duration(entry.duration))",
        "\(entry.gap.cause.rawValue)",
      ])
    }
    let rest: [StyledLine] = hasMore ? ["There are more; see --page."] : []
    return CommandResult(
      lines: gaps.isEmpty ? ["No gaps."] : table.lines() + rest, json: gaps.map(\.json))
  }

  private static func result(_ patterns: [GapPattern]) -> CommandResult {
    var table = TextTable(.number, .plain, .text, .plain, .text)
    for pattern in patterns {
      table.add([
        "\(pattern.count)\(Glyph.times)", "\(pattern.cause.rawValue)", "\(pattern.inputs.joined(separator: ", "))",
        "\(counted(Int(pattern.frames.frames), "frame"))", "last \(Wording.date(pattern.last.iso8601))",
      ])
    }
    return CommandResult(
      lines: patterns.isEmpty ? ["No gaps."] : table.lines(),
      json: patterns.map { pattern in
        JSONObject([
          "cause": pattern.cause.rawValue, "inputs": pattern.inputs, "count": pattern.count,
          "frames": pattern.frames.frames, "lastOccurrence": pattern.last.iso8601,
        ])
      })
  }
}

struct SetRecording: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-recording",
    abstract: "Set a recording's title and notes.",
    discussion: """
      They are part of the project's history, unlike the recording itself. An empty text removes them.

        daw set-recording 1a2b3c --title Verse
        daw set-recording Verse --notes 'Second take is the one.'
      """)

  @Argument(help: "The recording: its title, or its id, or the end of it.")
  var recording: String

  @Option(help: "What it is called.")
  var title: String?

  @Option(help: ArgumentHelp("The notes; - reads them from standard input.", valueName: "text"))
  var notes: String?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.setRecording(
      recording, title: title, notes: try notes.map { try context.text(typed: $0) })
    let subject = entry.subject
    return EditOutcome(
      summary: "Changed \(subject) (id \(entry.shortID)).", json: JSONObject(["recording": entry.json]))
  }

  func validate() throws {
    if title == nil, notes == nil { throw ValidationError("Say what to change: --title or --notes.") }
  }
}

// MARK: Values

enum SinceHelp {
  static let help = ArgumentHelp(
    "Only since then: 30m, 2h, 3d or 1w ago, or a date in UTC such as 2026-11-20 or 2026-11-20T08:00.",
    valueName: "time")
}

extension GapCause {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the causes are") }
}

extension LocalTime {
  fileprivate init(_ timestamp: Timestamp) { self.init(milliseconds: timestamp.milliseconds) }

  /// "14:03:00"
  fileprivate var time: String { "\(hour):\(minute):\(second)" }
}

extension Wording {
  /// "2 gaps (0.35 s)".
  static func gaps(_ count: Int, _ frames: FrameCount, _ rate: SampleRate) -> String {
    "\(counted(count, "gap")) (\(duration(Double(frames.frames) / Double(max(1, rate.hertz)))))"
  }
}

extension Recording {
  func seconds(_ frames: FrameCount) -> Double { Double(frames.frames) / Double(max(1, sampleRate.hertz)) }
  var seconds: Double { seconds(duration) }

  /// `nil` of a completed one.
  func stateText(isWrittenUnseen: Bool) -> String? {
    guard !isCompleted else { return nil }
    guard let owner else { return "not completed" }
    if isWrittenUnseen { return "not completed; a process that cannot be seen from here records it" }
    return isLeft
      ? "not completed; its process, \(owner.processID), is gone: 'daw recover-recordings' finishes it"
      : "not completed; process \(owner.processID) records it"
  }
}

extension RecordingEntry {
  /// "2 tracks, 3 passes, 1 gap (5.3 ms), not completed".
  fileprivate var counts: String {
    var words = [counted(summary.trackCount, "track")]
    if summary.passCount != summary.trackCount {
      words.append(counted(summary.passCount, "pass", plural: "passes"))
    }
    if summary.gapCount > 0 { words.append(Wording.gaps(summary.gapCount, summary.lostFrames, recording.sampleRate)) }
    if !recording.isCompleted { words.append("not completed") }
    return words.joined(separator: ", ")
  }

  var json: JSONObject {
    let row = recording
    return JSONObject([
      "id": row.id.uuidString, "title": title, "notes": notes, "createdAt": row.createdAt.iso8601,
      "startTime": row.startTime.iso8601, "endTime": row.endTime?.iso8601,
      "day": LocalTime(row.startTime).date, "isCompleted": row.isCompleted,
      "duration": row.seconds, "durationFrames": row.duration.frames, "sampleRate": row.sampleRate.hertz,
      "bitDepth": row.bitDepth, "format": row.format.rawValue, "folder": row.folder,
      "ownerProcess": row.owner?.processID, "trackCount": summary.trackCount, "passCount": summary.passCount,
      "gapCount": summary.gapCount, "lostFrames": summary.lostFrames.frames, "trashedAt": row.trashedAt?.iso8601,
    ])
  }
}

extension PassEntry {
  fileprivate func json(_ recording: Recording) -> JSONObject {
    JSONObject([
      "id": pass.id.uuidString, "track": track?.name.text, "trackID": pass.track.uuidString,
      "trackName": pass.trackName, "number": pass.number,
      "channelCount": pass.channelCount, "startTime": pass.startTime.iso8601, "firstHostFrame": pass.firstHostFrame,
      "frames": pass.frames.frames, "duration": recording.seconds(pass.frames),
      "captureLatency": pass.captureLatency.frames, "playbackLatency": pass.playbackLatency.frames,
      "inputs": pass.inputs, "foundTags": pass.foundTags.words.sorted(),
      "pieces": pass.pieces.map { piece in
        JSONObject([
          "passFrame": piece.passFrame, "timelineFrame": piece.timelineFrame, "frames": piece.frames,
        ])
      },
      "takes": takes.map { JSONObject(["id": $0.id.uuidString, "name": $0.name.text]) }, "gapCount": gapCount,
      "lostFrames": lostFrames.frames,
    ])
  }
}

extension GapEntry {
  fileprivate var json: JSONObject {
    JSONObject([
      "recordingID": recording.recording.id.uuidString, "title": recording.title, "passID": gap.pass.uuidString,
      "track": pass.track?.name.text, "trackID": pass.pass.track.uuidString, "pass": pass.pass.number,
      "inputs": pass.pass.inputs, "cause": gap.cause.rawValue, "startFrame": gap.start.frames,
      "frames": gap.frames.frames, "startTime": startTime, "duration": duration, "date": date.iso8601,
    ])
  }
}
