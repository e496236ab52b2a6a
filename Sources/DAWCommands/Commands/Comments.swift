import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWPlay
import DAWProject
import DAWTime
import DAWWork
import Foundation

struct AddComment: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-comment",
    abstract: "Add a comment about a track, a region, a recording or the project, or a reply.",
    discussion: """
      Comments are part of the project, and of its history. The author is that of the edit: DAW_AUTHOR, or user@host.

        daw add-comment "Too loud from here on" --track Bass --at 9.1.0
        daw add-comment "Take two is better" --region Vocal/Verse
        daw add-comment "The first half is usable" --recording Verse
        daw add-comment "Done." --reply 0a1b2c
      """)

  @Argument(help: "The text, 1 … 65536 characters; - reads it from standard input.")
  var text: String

  @Option(help: ArgumentHelp("The track that it is about.", valueName: "track"))
  var track: String?

  @Option(help: ArgumentHelp("The region that it is about.", valueName: "region"))
  var region: String?

  @Option(
    help: ArgumentHelp(
      "The recording that it is about: its title, or its id, or the end of it.", valueName: "recording"))
  var recording: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The position that it is about.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(help: ArgumentHelp("The comment that it answers: its id, or the end of it.", valueName: "id"))
  var reply: String?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let editor = context.editor
    let comment = try editor.addComment(
      context.text(typed: text), track: track, region: region, recording: recording,
      at: try at?.position(in: context.timeline()), replyingTo: reply)
    let entry = try editor.view.commentEntry(of: comment)
    return EditOutcome(
      summary:
        "\(reply == nil ? "Added a comment" : "Replied to a comment") about \(entry.subject) (id \(entry.shortID)).",
      made: [comment.id.uuidString], json: JSONObject(["comment": entry.json(in: try editor.tempoMap())]))
  }
}

struct AddMemo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-memo",
    abstract: "Add a spoken comment about a track.",
    discussion: """
      The sound is copied into the project, and 'daw work' turns it into text. What was said is listed below the comment, \
      and found by 'daw search'. With --quality the sound is compressed: losslessly to FLAC, or to one channel of Vorbis: \
      low 16,000 Hz and 32 kbit/s, medium 22,050 and 64, high 44,100 and 128.

      With --record it is spoken now, into a port of the JACK server, until Ctrl-C.

        daw add-memo Bass remark.wav --at 9.1.0
        daw add-memo Bass --record --for 10s --at 9.1.0
        daw add-memo Vox remark.wav --text "About the second verse" --quality low
        daw list-comments --track Bass
      """)

  @Argument(help: "The track that it is about.")
  var track: String

  @Argument(help: "The file with what was said, of any format that 'import' reads.", completion: .file())
  var file: String?

  @Flag(help: "Record what is said now.")
  var record = false

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("How long to record, an hour at most. (default: until Ctrl-C)", valueName: "duration"),
    transform: TypedDistance.init(typed:))
  var length: TypedDistance?

  @Option(help: ArgumentHelp("The port to record from. (default: system:capture_1)", valueName: "port"))
  var input: String?

  @Option(help: ArgumentHelp("The JACK server. (default: JACK_DEFAULT_SERVER, or the usual one)", valueName: "name"))
  var server: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The position that it is about.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(help: "The comment's text, beside what was said; - reads it from standard input.")
  var text = "Spoken comment"

  @Option(
    help: ArgumentHelp(
      "What the sound is compressed to: lossless, low, medium or high. (default: it stays as it is)",
      valueName: "quality"),
    completion: .list(Retention.Quality.allCases.map(\.rawValue)), transform: Retention.Quality.init(typed:))
  var quality: Retention.Quality?

  @OptionGroup var speech: SpeechOptions

  @Option(
    help: ArgumentHelp("The engine to use where the first is not there, or has failed five times.", valueName: "engine")
  )
  var fallback: String?

  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { true }

  var incomingFiles: [IncomingFile] {
    file.map { [IncomingFile(path: $0, isLinked: false, quality: quality)] } ?? []
  }

  func validate() throws {
    if record, file != nil {
      throw Exclusion.error("Name a file, or say --record; both at once would be two comments.")
    }
    if !record, file == nil { throw ValidationError("Name the file with what was said, or say --record.") }
    if !record, length != nil || input != nil || server != nil {
      throw ValidationError("--for, --input and --server belong to --record.")
    }
    if record, edit.dryRun { throw Exclusion.error("What is recorded cannot be only tried: leave out --dry-run.") }
  }

  /// Records before the edit begins: no other process waits for the end of what is said.
  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    guard record else { return try performEdit(on: session) }
    let seconds = try session.read { view in
      _ = try view.track(calledBy: track)
      let timeline = try Timeline(view, playhead: Playhead(of: session).position)
      return try length?.flicks(in: timeline, from: .zero).seconds
    }
    if let seconds, seconds <= 0 {
      throw Failure(.invalid, code: "invalidRange", "Nothing is recorded in \(seconds) s. Nothing was changed.")
    }
    let port = input ?? "system:capture_1"
    if output.form == .text {
      Console.writeError(lines: ["Recording from '\(port)'\(seconds == nil ? "; Ctrl-C ends it" : "")."])
    }
    return try Interruption.catching {
      try session.withRecordedSound(
        from: port, server: server, seconds: seconds, named: "memo.wav",
        isInterrupted: { Interruption.wasRequested }
      ) { path, sound in
        var memo = self
        memo.file = path
        return try memo.performEdit(on: session, warnings: sound.warnings)
      }
    }
  }

  func perform(in context: EditContext) throws -> EditOutcome {
    let editor = context.editor
    guard let file else {
      throw Failure(
        .usage, code: "notAnEdit", "'add-memo --record' cannot be a line of a batch. Nothing was changed.",
        hint: "Record first, and name the file.")
    }
    let engines = EngineFolder()
    let (comment, jobs, warnings) = try editor.addMemo(
      context.text(typed: text), on: track, file: context.path(file), quality: quality,
      at: try at?.position(in: context.timeline()), by: engines.engine(named: speech.engine, for: .transcribe),
      fallback: try fallback.map { try engines.engine(named: $0, for: .transcribe) }, language: speech.language)
    let entry = try editor.view.commentEntry(of: comment)
    let memo = try editor.view.memos(of: [comment])[comment.id]
    return EditOutcome(
      summary:
        "Added a spoken comment about \(entry.subject), \(Wording.time(memo?.duration ?? 0)) (id \(entry.shortID)).",
      made: [comment.id.uuidString], warnings: warnings,
      json: JSONObject(["comment": entry.json(in: try editor.tempoMap(), memo), "jobs": jobs.map(\.json)]))
  }
}

struct SetComment: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-comment",
    abstract: "Change a comment's text, or resolve its thread.",
    discussion: """
        daw set-comment 0a1b2c --resolved
        daw set-comment 0a1b2c --text "Too loud from bar 9 on"
      """)

  @Argument(help: "The comment: its id, or the end of it.")
  var comment: String

  @Option(help: "Another text; - reads it from standard input.")
  var text: String?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Whether the thread that it begins is done with.")
  var resolved: Bool?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let editor = context.editor
    let comment = try editor.setComment(
      comment, text: try text.map { try context.text(typed: $0) }, isResolved: resolved)
    let entry = try editor.view.commentEntry(of: comment)
    let change = text != nil ? "Changed" : comment.isResolved ? "Resolved" : "Opened again"
    return EditOutcome(
      summary: "\(change): the comment about \(entry.subject) (id \(entry.shortID)).",
      json: JSONObject(["comment": entry.json(in: try editor.tempoMap())]))
  }

  func validate() throws {
    if text == nil, resolved == nil { throw ValidationError("Say what to change: --text or --resolved.") }
  }
}

struct RemoveComment: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-comment",
    abstract: "Remove comments; the first one of a thread with its replies.",
    discussion: """
        daw remove-comment 0a1b2c
        daw remove-comment $(daw list-comments --author ada -q)
      """)

  @Argument(help: "The comments: their ids, or the ends of them.")
  var comments: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeComments(comments)
    return EditOutcome(
      summary: "Removed \(counted(removed.count, "comment")).", json: JSONObject(["removed": removed.map(\.uuidString)])
    )
  }
}

struct ListComments: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-comments",
    abstract: "List comments in order of date, replies below what they answer.",
    discussion: """
        daw list-comments --open
        daw list-comments --track Bass --author ada
        daw list-comments --json
      """)

  @Flag(help: "Only threads that are not resolved.")
  var open = false

  @Option(help: "Only an author's: user@host, or the user alone.")
  var author: String?

  @Option(help: "Only about this track, or regions on it.")
  var track: String?

  @Option(help: "Only about this recording.")
  var recording: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    try session.read { view in
      let entries = try view.commentEntries(
        isOpen: open, author: author, track: try track.map(view.track(calledBy:)),
        recording: try recording.map { try view.recording(calledBy: $0).recording.id })
      let map = try view.tempoMap()
      let shortIDs = ShortIDs(try view.all(Comment.self).map(\.id))
      let memos = try view.memos(of: entries.map(\.comment))
      let width = Terminal.columns()
      let lines = entries.flatMap { entry -> [String] in
        let indent = entry.isReply ? "  " : ""
        let place = entry.comment.position.map { " at " + Wording.place(map.ticks(at: $0), in: map) } ?? ""
        let about = entry.isReply ? "" : ", about \(entry.subject)\(place)"
        let state = entry.comment.isResolved ? " (resolved)" : ""
        let head =
          "\(shortIDs[entry.comment.id])  \(Wording.date(entry.comment.date.iso8601)), \(entry.comment.author)\(about)\(state)"
        let text = entry.comment.text.split(separator: "\n", omittingEmptySubsequences: false)
        let rest: [String] = text.map { "  " + $0 } + (memos[entry.comment.id]?.lines ?? [])
        let indentation = indent.count + 2
        // Of the first line a long author is shortened; the comment itself is whole.
        return TextWrapping.fittedLines(TerminalText.line(indent + head), width: width, indentation: indentation)
          + rest.flatMap {
            TextWrapping.lines(TerminalText.line(indent + $0), width: width, indentation: indentation)
          }
      }
      return CommandResult(
        lines: entries.isEmpty ? ["No comments."] : lines, made: entries.map(\.comment.id.uuidString),
        json: entries.map { $0.json(in: map, memos[$0.comment.id]) })
    }
  }
}

extension CommentEntry {
  fileprivate var isReply: Bool { comment.thread != nil }

  /// The end of its id.
  fileprivate var shortID: String { String(comment.id.uuidString.suffix(12)) }

  /// "region 'Vocal/Verse'", "track 'Bass'", "recording 'Verse'", "the project".
  fileprivate var subject: String {
    if first.recording != nil { return recording?.subject ?? "a forgotten recording" }
    return switch (track, region) {
    case (let track?, let region?): "region '\(track.name)/\(region.name)'"
    case (let track?, nil): "track '\(track.name)'"
    default: "the project"
    }
  }

  /// - Parameter memo: its sound.
  fileprivate func json(in map: TempoMap, _ memo: Memo? = nil) -> JSONObject {
    let position = comment.position
    return JSONObject([
      "id": comment.id.uuidString, "thread": comment.thread?.uuidString,
      "track": track?.name.text, "trackID": track?.id.uuidString, "region": region?.name.text,
      "regionID": region?.id.uuidString, "recording": recording.map(\.title),
      "recordingID": first.recording?.uuidString,
      "startTime": position.map { map.flicks(at: $0).seconds },
      "startTicks": position.flatMap { if case .musical(let ticks) = $0 { ticks.ticks } else { nil } },
      "startFlicks": position.flatMap { if case .absolute(let flicks) = $0 { flicks.flicks } else { nil } },
      "author": comment.author, "date": comment.date.iso8601, "text": comment.text, "isResolved": comment.isResolved,
      "memo": memo?.json,
    ])
  }
}

extension Memo {
  /// What was said, or what becomes of it.
  fileprivate var lines: [String] {
    let sound = "  \(Wording.time(duration)) of sound"
    let said = text.map { $0.isEmpty ? ", nothing said" : ": \($0)" } ?? ""
    let now: String? =
      switch state {
      case .pending, .processing: "is being transcribed"
      case .retrying, .failed: "the transcription failed: \(lastError ?? "")"
      case .completed: nil
      case .cancelled, nil: text == nil ? "not transcribed" : nil
      }
    return [sound + said + (now.map { " (\($0))" } ?? "")]
  }

  fileprivate var json: JSONObject {
    JSONObject([
      "audioFile": file.location.path, "audioFileID": file.id.uuidString, "duration": duration,
      "processingStatus": state?.rawValue, "isThinking": isThinking, "isError": isError, "lastError": lastError,
      "transcript": text, "engine": engine,
    ])
  }
}
