import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWWork

struct SetRetention: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-retention",
    abstract: "Set how long recordings are kept.",
    discussion: """
      'daw retain' removes what is too old, which 'daw work' does once a day. In a new project everything is kept; on means 90 days. \
      Ages are days (90d), weeks (12w), or off.

        daw set-retention --recordings on
        daw set-retention --recordings 30d --newest 10 --trash 7d
        daw set-retention --compress-after 30d --quality lossless
        daw set-retention --recordings off

      Sound is compressed only where no region plays it: losslessly to FLAC (what was recorded in 16 or 24 bits), or to one \
      channel of Vorbis: low 16,000 Hz and 32 kbit/s, medium 22,050 and 64, high 44,100 and 128.
      """)

  @Option(
    help: ArgumentHelp("The age at which recordings go: 90d, 12w, on (90d) or off.", valueName: "age"),
    transform: KeptAge.init(typed:))
  var recordings: KeptAge?

  @Option(
    help: ArgumentHelp("The age at which transcripts go, likewise.", valueName: "age"), transform: KeptAge.init(typed:))
  var transcripts: KeptAge?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many recordings stay whatever their age, or off.", valueName: "n"),
    transform: KeptCount.init(typed:))
  var newest: KeptCount?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many comments of a thread an engine is given.", valueName: "n"),
    transform: Int.init(typed:))
  var thread: Int?

  @Option(
    help: ArgumentHelp("The age at which sound that no region plays is compressed, likewise.", valueName: "age"),
    transform: KeptAge.init(typed:))
  var compressAfter: KeptAge?

  @Option(
    help: ArgumentHelp("What it is compressed to: lossless, low, medium or high.", valueName: "quality"),
    completion: .list(Retention.Quality.allCases.map(\.rawValue)), transform: Retention.Quality.init(typed:))
  var quality: Retention.Quality?

  @Option(
    help: ArgumentHelp("How long what was removed stays in the trash, such as 7d or 0d.", valueName: "age"),
    transform: KeptAge.init(typed:))
  var trash: KeptAge?

  @Option(
    help: ArgumentHelp(
      "What goes: unused, what neither a region nor the history uses, or all; then 'daw retain' needs --yes.",
      valueName: "scope"),
    completion: .list(Retention.Scope.allCases.map(\.rawValue)), transform: Retention.Scope.init(typed:))
  var scope: Retention.Scope?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = Change<ProjectSettings>()
    change.set(\.retention.recordings, to: recordings.map(\.days))
    change.set(\.retention.transcripts, to: transcripts.map(\.days))
    change.set(\.retention.newest, to: newest.map(\.count))
    change.set(\.retention.thread, to: thread)
    change.set(\.retention.compressAfter, to: compressAfter.map(\.days))
    change.set(\.retention.quality, to: quality)
    change.set(\.retention.trash, to: trash.flatMap(\.days))
    change.set(\.retention.scope, to: scope)
    let retention = try context.editor.setProject(change).retention
    return EditOutcome(summary: retention.text, json: JSONObject(["retention": retention]))
  }

  func validate() throws {
    if recordings == nil, transcripts == nil, newest == nil, thread == nil, trash == nil, scope == nil,
      compressAfter == nil, quality == nil
    {
      throw ValidationError("Say what to change, such as --recordings 90d; 'daw show-retention' says what is set.")
    }
    if let trash, trash.days == nil { throw ValidationError("'--trash' takes an age, such as 7d or 0d.") }
  }
}

struct ShowRetention: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show-retention",
    abstract: "Say how long recordings are kept.",
    discussion: """
        daw show-retention
        daw show-retention --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let retention = try session.read { try $0.header().settings.retention }
    return CommandResult(text: retention.text, json: JSONObject(["retention": retention]))
  }
}

struct Retain: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "retain",
    abstract: "Remove or compress the recordings that are too old.",
    discussion: """
      What is older than 'daw set-retention' says goes to the trash, and what has been there long enough goes for good. What \
      a region or the history uses stays; history older than that age is pruned first. With the scope all, what regions \
      play goes too, which needs --yes: they are silent from then on.

      Sound that is compressed takes the place of what was recorded when it has been read again; takes are made of it as \
      before. What was compressed once stays as it is.

        daw retain --dry-run
        daw retain
      """)

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @Flag(help: "Needed where the scope is all.")
  var yes = false

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let retention = try session.read { try $0.header().settings.retention }
    if retention.scope == .all, !yes, !dryRun {
      throw Failure(
        .usage, code: "usage", "The scope is all: what regions play would go, too. Nothing was changed.",
        hint: "Add --yes, or --dry-run to see what would go, or 'daw set-retention --scope unused'.")
    }
    let report = try session.retain(isTrial: dryRun, includesUsed: true)
    let would = dryRun ? "Would " : ""
    var lines = report.trashed.map { "\(would.isEmpty ? "Moved" : "Would move") to the trash: \($0.text)" }
    lines += report.forgotten.map { "\(would.isEmpty ? "Removed" : "Would remove") for good: \($0.text)" }
    lines += report.compressed.map { compressed in
      let size = (dryRun ? "about " : "") + Wording.size(max(0, compressed.freedByteCount))
      return "\(dryRun ? "Would compress" : "Compressed"): \(compressed.entry.subject), "
        + "\(counted(compressed.fileCount, "file")), \(size) freed."
    }
    let texts = report.removedTexts
    let removed = [
      texts.transcripts > 0 ? counted(texts.transcripts, "transcript") : nil,
      texts.summaries > 0 ? counted(texts.summaries, "summary", plural: "summaries") : nil,
    ].compactMap(\.self)
    if !removed.isEmpty {
      lines.append("\(dryRun ? "Would remove" : "Removed") \(removed.joined(separator: " and ")).")
    }
    lines += report.kept.map { "Kept \($0.entry.subject): \($0.reason)." }
    let trashedCount = retention.isOn ? 0 : try session.trashedRecordingCount()
    if trashedCount > 0 {
      let (stay, them) = trashedCount == 1 ? ("stays", "it") : ("stay", "them")
      lines.append(
        "\(counted(trashedCount, "recording")) in the trash \(stay) there: 'daw forget' removes \(them) for good, "
          + "'daw set-retention --recordings on' lets \(them) go after \(retention.trash).")
    }
    if lines.isEmpty {
      let text = report.failures.isEmpty ? "Nothing is too old." : "Nothing was done."
      lines = [retention.isOn ? text : retention.text]
    }
    return CommandResult(
      lines: lines,
      made: ((report.trashed + report.forgotten).map(\.entry) + report.compressed.map(\.entry))
        .map(\.recording.id.uuidString),
      json: JSONObject([
        "trashed": report.trashed.map(\.json), "forgotten": report.forgotten.map(\.json),
        "kept": report.kept.map { kept in
          JSONObject(["id": kept.entry.recording.id.uuidString, "title": kept.entry.title, "reason": kept.reason])
        },
        "compressed": report.compressed.map(\.json), "transcriptCount": texts.transcripts,
        "summaryCount": texts.summaries, "leftInTrash": trashedCount, "isDryRun": dryRun,
        "warnings": report.failures.map(\.message),
      ]), warnings: report.failures.map(\.message),
      exitStatus: report.failures.first.map { ExitStatus.of($0.kind) } ?? ExitStatus.done)
  }
}

extension CompressedRecording {
  fileprivate var json: JSONObject {
    JSONObject([
      "id": entry.recording.id.uuidString, "title": entry.title, "fileCount": fileCount, "byteCount": byteCount,
      "compressedByteCount": compressedByteCount, "freedByteCount": freedByteCount,
    ])
  }
}

// MARK: Values

/// An age, or none.
struct KeptAge {
  var days: Days?
  var isOff: Bool { days == nil }

  init(typed text: String) throws {
    switch text.lowercased() {
    case "off", "none": days = nil
    case "on": days = Days(90)
    default:
      let unit = ["d": 1, "w": 7][text.lowercased().suffix(1)]
      guard let unit, let number = wholeNumber(String(text.dropLast())), (0...1_000_000_000).contains(number) else {
        throw Unreadable(
          text, "an age is a number of days or weeks, such as 90d or 12w, at most 36500d, or on (90d), or off.")
      }
      days = Days(number * unit)
    }
  }
}

/// A number, or none.
struct KeptCount {
  var count: Int?

  init(typed text: String) throws {
    if ["off", "none"].contains(text.lowercased()) {
      count = nil
    } else {
      count = try Int(typed: text)
    }
  }
}

extension Retention.Scope {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the scopes are") }
}

extension Retention.Quality {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the qualities are") }
}

extension Retention {
  /// "Recordings are kept for 90 days, the newest 10 longer; the trash for 7 days."
  fileprivate var text: String {
    guard isOn else { return "Recordings and transcripts are kept as they are." }
    var words = [recordings.map { "Recordings are kept for \($0)" } ?? "Recordings are kept"]
    if recordings != nil, let newest { words[0] += ", the newest \(newest) longer" }
    if recordings != nil, scope == .all { words[0] += ", also if regions play them" }
    if let transcripts { words.append("transcripts for \(transcripts)") }
    if let compressAfter { words.append("unused sound is compressed after \(compressAfter), \(quality.rawValue)") }
    words.append("what is in the trash for \(trash)")
    return words.joined(separator: "; ") + "."
  }
}
