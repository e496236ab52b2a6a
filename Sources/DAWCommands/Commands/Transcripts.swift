import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWWork
import Foundation

struct Transcribe: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe",
    abstract: "Turn speech into text: put tracks, regions, recordings or audio files into the queue.",
    discussion: """
      A recording is transcribed segment by segment, another file 30 s at a time; 'daw work' does it, or --wait at once. \
      What is transcribed again keeps the older text beside the new one. Engines are listed by 'daw list-engines'.

        daw transcribe Vox --wait
        daw transcribe speech.wav --engine whisper --fallback pocketsphinx
        daw transcribe $(daw list-recordings --since 1d -q)
      """)

  @Argument(help: "The names or ids of tracks, regions or recordings, or names of audio files of the project.")
  var sounds: [String]

  @OptionGroup var speech: SpeechOptions

  @OptionGroup var queue: EngineJobOptions

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let engines = EngineFolder()
    let jobs = try session.transcribe(
      sounds, by: try engines.engine(named: speech.engine, for: .transcribe),
      fallback: try queue.fallback.map { try engines.engine(named: $0, for: .transcribe) }, language: speech.language)
    let ids = jobs.map(\.id)
    guard queue.wait else {
      return CommandResult(
        text: "\(counted(jobs.count, "job")) in the queue: 'daw work' does \(jobs.count == 1 ? "it" : "them").",
        made: ids.map(\.uuidString), json: JSONObject(["jobs": jobs.map(\.json)]))
    }
    let ended = try session.finish(ids, form: output.form)
    return CommandResult(
      text: "\(counted(ended.count { $0.state == .completed }, "job")) done: 'daw list-transcripts' shows the text.",
      made: ids.map(\.uuidString), json: JSONObject(["jobs": ended.map(\.json)]))
  }
}

struct ListTranscripts: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-transcripts",
    abstract: "List what was spoken, in order of place.",
    discussion: """
        daw list-transcripts
        daw list-transcripts --track Vox --confidence-below 0.6
        daw list-transcripts --limit 20 --page 2 --json
      """)

  @Option(help: ArgumentHelp("Only of this track, region, recording or audio file.", valueName: "name"))
  var track: String?

  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var pages: PageOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let found = try session.read {
      try $0.transcriptEntries(
        of: track, confidenceBelow: confidence.below, includesWords: project.output.json, limit: pages.limit,
        offset: pages.offset)
    }
    var table = TextTable(.text, .plain, .number, .text, .id)
    for entry in found.entries {
      let sure = entry.transcript.confidence.map { "\(Int(($0 * 100).rounded())) %" } ?? ""
      table.add([
        "\(entry.source)", "\(Wording.time(entry.start))", "\(entry.ownText == nil ? sure : "yours")",
        TextTable.Cell(entry.text.isEmpty ? "(nothing)" : entry.text, .bold), TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return CommandResult(
      lines: found.entries.isEmpty
        ? ["No such transcripts."]
        : table.lines(fitting: Terminal.columns()) + (found.hasMore ? [StyledLine("There are more; see --page.")] : []),
      made: found.entries.map(\.transcript.id.uuidString),
      json: JSONObject(["transcripts": found.entries.map(\.json), "hasMore": found.hasMore]))
  }
}

struct SetTranscript: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-transcript",
    abstract: "Say what was spoken, instead of what the engine heard.",
    discussion: """
      The text counts, also when the sound is transcribed again; the engine's words stay beside it. An empty text lets \
      them count again.

        daw set-transcript 1a2b3c --text 'Good morning.'
        daw set-transcript 1a2b3c --text ''
      """)

  @Argument(help: "The transcript: its id, or the end of it.")
  var transcript: String

  @Option(parsing: .unconditional, help: ArgumentHelp("What was spoken; - reads standard input.", valueName: "text"))
  var text: String

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.setTranscript(transcript, text: try context.text(typed: text))
    return EditOutcome(
      summary: "Transcript of \(entry.source): \(entry.text.prefix(100))", json: JSONObject(["transcript": entry.json]))
  }
}

struct RemoveTranscript: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-transcript",
    abstract: "Remove transcripts, and what they replaced.",
    discussion: """
      This cannot be undone; the sound can be transcribed again. What a person said instead stays in the project.

        daw remove-transcript 1a2b3c
      """)

  @Argument(help: "The transcripts: ids, or the ends of them.")
  var transcripts: [String]

  @OptionGroup var project: ProjectOptions
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let found = try session.read { try $0.transcriptIDs(calledBy: transcripts) }
    try failing { try session.work.remove(found) }
    return CommandResult(
      text: "Removed \(counted(Set(found).count, "transcript")).",
      json: JSONObject(["removed": Set(found).sorted().map(\.uuidString)]))
  }
}

struct ExportTranscript: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "export-transcript",
    abstract: "Write what was spoken as subtitles, text or a table.",
    discussion: """
      Of a track or a region, what is heard of it, at its times on the timeline; of a recording from its start, of an \
      audio file from the file's. A subtitle has at most two lines of 42 characters, for at most 7 s. The file appears \
      only when it is complete.

        daw export-transcript Vox -o vox.srt
        daw export-transcript Vox/Verse -o verse.vtt --overwrite
        daw export-transcript speech.wav -o - --format csv
      """)

  @Argument(
    help: "The name or the id of a track, a region or a recording, or the name of an audio file of the project.")
  var sound: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file; - for standard output.", valueName: "file"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("\(Self.formats). (default: by the file's ending; txt for -)", valueName: "format"),
    completion: .list(TranscriptFormat.allCases.map(\.rawValue)), transform: Self.format(typed:))
  var format: TranscriptFormat?

  @Flag(help: "Replace the file where it exists; never a project's file, nor a medium.")
  var overwrite = false

  @OptionGroup var project: ProjectOptions

  private static var formats: String { TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func format(typed text: String) throws -> TranscriptFormat {
    try TranscriptFormat(typed: text, listedAs: "the formats are")
  }

  private var chosenFormat: TranscriptFormat? {
    format
      ?? (isStandardOutput ? .txt : TranscriptFormat(rawValue: URL(fileURLWithPath: output).pathExtension.lowercased()))
  }

  private var isStandardOutput: Bool { output == "-" }

  func validate() throws {
    guard chosenFormat != nil else {
      throw ValidationError(
        "'\(output as String)' does not say what to write: let it end with one of \(Self.formats), or give --format.")
    }
    guard !isStandardOutput || !project.output.json && !project.output.quiet else {
      throw Exclusion.error("'-o -' writes the file itself to standard output, so --json and --quiet have no place.")
    }
  }

  func perform(on session: Session) throws -> CommandResult {
    let written = try session.exportTranscript(
      of: sound, as: chosenFormat ?? .txt, to: isStandardOutput ? nil : output, overwrites: overwrite)
    if isStandardOutput { try Console.writeFile(written.text) }
    return CommandResult(
      text: written.path.map {
        "Wrote '\($0)': \(counted(written.captionCount, "caption")), \(counted(written.wordCount, "word"))."
      } ?? "", made: written.path.map { [$0] } ?? [],
      json: JSONObject([
        "path": written.path, "format": written.format.rawValue, "captionCount": written.captionCount,
        "wordCount": written.wordCount, "warnings": written.warnings,
      ]), warnings: written.warnings)
  }
}

struct AddMarkers: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-markers",
    abstract: "Add markers where something was spoken.",
    discussion: """
      A marker for each subtitle that 'daw export-transcript' would write, or with --match for each place where the words \
      were said. They keep their time when the tempo changes. Those that are there already are not added again.

        daw add-markers --from-transcript
        daw add-markers Vox --from-transcript --match guitar --color red
        daw add-markers Vox --from-transcript --match '"take two"'
      """)

  @Argument(help: "The names or ids of tracks, regions or recordings, or names of audio files. (default: all tracks)")
  var sounds: [String] = []

  @Flag(help: "Take them from what was spoken.")
  var fromTranscript = false

  @Option(help: ArgumentHelp("Only where this was said: words, as for 'daw search'.", valueName: "text"))
  var match: String?

  @Option(
    help: ArgumentHelp("A colour's name, six hexadecimal digits, or none.", valueName: "colour"),
    completion: .list(Color.names + ["none"]), transform: RegionColor.init(typed:))
  var color: RegionColor?

  @OptionGroup var edit: EditOptions

  func validate() throws {
    if !fromTranscript { throw ValidationError("Say what they are taken from: --from-transcript.") }
    if let match, SearchQuery(words: match) == nil {
      throw ValidationError("'--match' is 1 … \(SearchQuery.maximumWordCount) words.")
    }
  }

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = Change<Marker>()
    change.set(\.color, to: color.map(\.own))
    let markers = try context.editor.addMarkers(
      fromTranscriptsOf: sounds, matching: match.flatMap { SearchQuery(words: $0) }, change)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added \(counted(markers.count, "marker")).", made: markers.map(\.id.uuidString),
      ifUnchanged: "Nothing else was said there.",
      preview: markers.prefix(10).map { "\(Wording.place(map.ticks(at: $0.start), in: map))  \($0.name)" },
      json: JSONObject(["markers": markers.map { MarkerDocument($0, in: map) }]))
  }
}

struct ListEngines: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-engines",
    abstract: "List what can transcribe or summarize, where it runs, and whether it is there.",
    discussion: """
      An engine is a file engines/NAME.json in the folder of the user's settings, ~/.config/daw; pocketsphinx is built in.

        daw list-engines
        daw list-engines --json
      """)

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let folder = EngineFolder()
    var table = TextTable(.text, .plain, .plain, .text, .path)
    var entries: [JSONObject] = []
    var problems: [String] = []
    for name in folder.names() {
      do {
        let engine = try folder.engine(named: name)
        let program = engine.program
        table.add([
          TextTable.Cell(name, .bold), "\(engine.task.rawValue)", "\(engine.runs.rawValue)",
          "\(program == nil ? "not installed" : "ready")",
          "\(program ?? engine.command[0])",
        ])
        entries.append(
          JSONObject([
            "name": name, "task": engine.task.rawValue, "comments": engine.comments, "runs": engine.runs.rawValue,
            "isInstalled": program != nil, "command": engine.command,
            "rate": engine.rate.hertz, "channels": engine.channels, "bits": engine.bits,
            "timeLimit": engine.timeLimit, "atOnce": engine.atOnce, "perMinute": engine.perMinute,
            "output": engine.output.rawValue,
          ]))
      } catch {
        table.add([TextTable.Cell(name, .bold), "", "", "unusable", ""])
        problems.append(error.message)
        entries.append(JSONObject(["name": name, "isInstalled": false, "problem": error.message]))
      }
    }
    return CommandResult(
      lines: table.lines(fitting: Terminal.columns()), made: folder.names(), json: JSONObject(["engines": entries]),
      warnings: problems)
  }
}

extension TranscriptEntry {
  var json: JSONObject {
    JSONObject([
      "id": transcript.id.uuidString, "source": source, "text": text, "isOwnText": ownText != nil,
      "engineText": transcript.text, "language": transcript.language, "confidence": transcript.confidence,
      "engine": transcript.engine, "processingTime": Double(transcript.processingTime) / 1000,
      "createdAt": transcript.createdAt.iso8601, "range": transcript.range.json,
      "words": transcript.words.map {
        JSONObject([
          "word": $0.word, "start": start + $0.start, "end": start + $0.end, "confidence": $0.confidence,
          "speaker": $0.speaker,
        ])
      }, "details": transcript.details,
    ])
  }
}
