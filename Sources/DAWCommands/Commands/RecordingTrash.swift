import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject

struct RemoveRecording: TrashCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-recording",
    abstract: "Move the files of recordings to the project's trash.",
    discussion: """
      'daw restore-recording' brings them back. One that regions play is refused, so that nothing falls silent: remove its \
      regions first, with 'daw remove-take'. Undo may bring those regions back; their sound is then still in the trash. \
      Files that were written outside the project's folder stay where they are.

        daw remove-recording Verse
        daw remove-recording 1a2b3c --dry-run
      """)

  @Argument(help: "The recordings: their titles, or their ids, or the ends of them.")
  var recordings: [String]

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @OptionGroup var project: ProjectOptions

  func check(_ id: RecordingID, on session: Session) throws { try session.removeRecording(id, isTrial: true) }

  func perform(_ id: RecordingID, on session: Session) throws -> RemovedRecording {
    try session.removeRecording(id, isTrial: dryRun)
  }

  var meansTrashed: Bool? { false }
  var verb: String { dryRun ? "Would move to the trash" : "Moved to the trash" }
}

struct RestoreRecording: TrashCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore-recording",
    abstract: "Bring recordings back from the trash.",
    discussion: """
      Their files are compared with their hashes first; one that is not what was recorded is refused.

        daw list-recordings --trashed
        daw restore-recording Verse
      """)

  @Argument(help: "The recordings: their titles, or their ids, or the ends of them.")
  var recordings: [String]

  @OptionGroup var project: ProjectOptions

  func perform(_ id: RecordingID, on session: Session) throws -> RemovedRecording { try session.restoreRecording(id) }

  var meansTrashed: Bool? { true }
  var verb: String { "Brought back" }
}

struct Forget: TrashCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove recordings for good: files, and what is known about them.",
    discussion: """
      Their files are removed at once, whether they are in the trash or not, and with them their gaps, their title, notes and \
      comments, and takes without regions. What was said about them stays in the project's history until that is pruned \
      ('daw set-history'). Those that regions play, and those that still run, are refused; with --all they are left, and \
      named.

        daw forget Verse --yes
        daw forget --all --dry-run
      """)

  @Argument(help: "The recordings: their titles, or their ids, or the ends of them.")
  var recordings: [String] = []

  @Flag(help: "All recordings, also those in the trash.")
  var all = false

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @Flag(help: "Needed, since nothing brings them back.")
  var yes = false

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if all == !recordings.isEmpty { throw ValidationError("Say which recordings, or --all.") }
    if !yes, !dryRun {
      throw ValidationError("Nothing brings a forgotten recording back: add --yes, or --dry-run to see what would go.")
    }
  }

  var takesAll: Bool { all }

  func check(_ id: RecordingID, on session: Session) throws { _ = try session.forgetRecording(id, isTrial: true) }

  func perform(_ id: RecordingID, on session: Session) throws -> RemovedRecording {
    try session.forgetRecording(id, isTrial: dryRun)
  }

  /// What cannot be brought back is not guessed.
  var meansTrashed: Bool? { nil }
  var verb: String { dryRun ? "Would forget" : "Forgot" }
}

// MARK: What they share

/// A command that moves the files of recordings. It is no edit: undo never moves sound.
protocol TrashCommand: ReportingCommand {
  var recordings: [String] { get }
  /// Whether it is about all recordings; those that are refused are then left.
  var takesAll: Bool { get }
  var project: ProjectOptions { get }
  /// Of several recordings with a title, whether those in the trash are meant, or the others; `nil`: neither.
  var meansTrashed: Bool? { get }
  /// "Moved to the trash".
  var verb: String { get }
  /// Refuses what `perform` would refuse. Called for all recordings before the first is changed.
  func check(_ id: RecordingID, on session: Session) throws
  func perform(_ id: RecordingID, on session: Session) throws -> RemovedRecording
}

extension TrashCommand {
  var output: OutputOptions { project.output }
  var takesAll: Bool { false }

  func check(_ id: RecordingID, on session: Session) throws {}

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    // All are resolved first: an ambiguous one must not become unique meanwhile.
    let named =
      takesAll
      ? try session.read { try $0.recordings.recordingIDs() }
      : try session.recordingIDs(calledBy: recordings, isTrashed: meansTrashed)
    var seen: Set<RecordingID> = []
    let ids = named.filter { seen.insert($0).inserted }
    if !takesAll, ids.count > 1 { for id in ids { try check(id, on: session) } }
    var done: [RemovedRecording] = []
    var left: [String] = []
    for id in ids {
      do {
        done.append(try perform(id, on: session))
      } catch {
        let failure = Failure(error)
        guard takesAll, [.invalid, .tryAgain, .noInput, .cannotCreate].contains(failure.kind) else {
          throw done.isEmpty ? failure : self.failure(failure, after: done)
        }
        left.append(failure.messageOfOne)
      }
    }
    let warnings =
      left
      + done.flatMap { removed in removed.outside.map { "'\($0)' is outside the project's folder, and stays." } }
      + done.compactMap { removed in
        removed.missing.isEmpty
          ? nil
          : "\(counted(removed.missing.count, "file")) of \(removed.entry.subject) \(removed.missing.count == 1 ? "is" : "are") missing."
      }
    return CommandResult(
      lines: done.isEmpty ? ["No recordings."] : done.map { "\(verb): \($0.text)" },
      made: done.map(\.entry.recording.id.uuidString),
      json: JSONObject(["recordings": done.map(\.json), "left": left, "warnings": warnings]),
      warnings: warnings)
  }

  /// What is said where the first of several recordings were changed, and the next failed.
  private func failure(_ failure: Failure, after done: [RemovedRecording]) -> Failure {
    let names = done.map(\.entry.subject).joined(separator: ", ")
    return Failure(
      failure.kind, code: failure.code, "\(verb): \(names). The next one failed: \(failure.messageOfOne)",
      hint: failure.hint)
  }
}

extension Failure {
  /// The message of one of several recordings: others may have been changed.
  fileprivate var messageOfOne: String { message.replacing(" Nothing was changed.", with: "") }
}

extension RemovedRecording {
  /// "recording 'Verse', 3 files, 4.1 MB".
  var text: String { "\(entry.subject), \(counted(fileCount, "file")), \(Wording.size(byteCount))." }

  var json: JSONObject {
    JSONObject([
      "id": entry.recording.id.uuidString, "title": entry.title, "fileCount": fileCount, "byteCount": byteCount,
      "missing": missing, "outside": outside,
    ])
  }
}
