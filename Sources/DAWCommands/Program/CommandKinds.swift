import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWPlay
import DAWProject
import Foundation

/// A command that returns its result; `Program` prints it.
protocol ReportingCommand: ParsableCommand {
  var output: OutputOptions { get }

  /// - Throws: `Failure`, or what comes to one.
  func perform() throws -> CommandResult
}

/// A command that only looks at a project.
protocol ReadCommand: ReportingCommand {
  var project: ProjectOptions { get }

  /// - Throws: `Failure`, or what comes to one.
  func perform(on session: Session) throws -> CommandResult
}

extension ReadCommand {
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.open()
    defer { session.close() }
    return try perform(on: session)
  }
}

/// A command that changes a project. Alone it is one transaction; in a batch it is one line of a larger one. Either way
/// `perform(in:)` does the work.
protocol EditCommand: ReportingCommand {
  var edit: EditOptions { get }

  /// Whether a command with these words may have `incomingFiles`. Asked before they are parsed, which takes longer.
  static func mayBringInFiles(_ words: [String]) -> Bool

  /// The media that it brings in, their paths as they were typed.
  var incomingFiles: [IncomingFile] { get }

  /// Makes the changes.
  /// - Throws: `Failure`, or what comes to one; the whole edit is given up then.
  func perform(in context: EditContext) throws -> EditOutcome
}

extension EditCommand {
  static func mayBringInFiles(_ words: [String]) -> Bool { false }
  var incomingFiles: [IncomingFile] { [] }
  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    return try performEdit(on: session)
  }

  /// - Parameter warnings: of what was done before, as sentences.
  func performEdit(on session: Session, warnings: [String] = []) throws -> CommandResult {
    try edit.transaction(on: session, bringingIn: incomingFiles) { editor in
      var outcome = try perform(
        in: EditContext(
          editor: editor, folder: FileManager.default.currentDirectoryPath, playhead: Playhead(of: session)))
      outcome.warnings = warnings + outcome.warnings
      return outcome
    }
  }
}

/// The context of an edit command.
struct EditContext {
  let editor: Editor
  /// What relative paths of files are relative to: the current folder, or that of the batch's file.
  let folder: String
  /// For positions; asked at most once in a batch.
  let playhead: Playhead
  /// Whether standard input is free to be read.
  var mayReadStandardInput = true
  /// Whether the result may be printed as JSON.
  var isForJSON = true

  /// The tempo map as a result; `nil` where none is printed: each of thousands of lines of a batch would read it whole.
  func tempoMapDocument() throws -> TempoMapDocument? { isForJSON ? try TempoMapDocument(editor.view) : nil }

  /// What positions are resolved by: of the project as it is now, this edit's changes included.
  func timeline() throws -> Timeline { try Timeline(editor.view, playhead: playhead.position) }

  /// - Parameter typed: a path as it was typed.
  func path(_ typed: String) -> String { Self.path(typed, in: folder) }

  /// What a file holds, or standard input for `-`, and what messages call it.
  /// - Throws: `Failure`.
  func contents(of typed: String) throws -> (bytes: Data, name: String) {
    guard typed == "-" else { return (try readFile(path(typed)), typed) }
    guard mayReadStandardInput else {
      throw Failure(
        .usage, code: "standardInputInUse", "Standard input holds the batch itself. Nothing was changed.",
        hint: "Name a file.")
    }
    return (try Console.readStandardInput(), "standard input")
  }

  /// A text that was typed, or what standard input holds for `-`.
  /// - Throws: `Failure`.
  func text(typed: String) throws -> String {
    guard typed == "-" else { return typed }
    guard let text = String(bytes: try contents(of: typed).bytes, encoding: .utf8) else {
      throw Failure(.invalid, code: "notUTF8", "Standard input is not UTF-8. Nothing was changed.")
    }
    return text
  }

  static func path(_ typed: String, in folder: String) -> String {
    typed.hasPrefix("/") ? typed : folder + "/" + typed
  }
}

/// The result of an edit.
struct EditOutcome {
  /// One line for a person.
  var summary: String
  /// The ids of what was made.
  var made: [String] = []
  /// Warnings, as sentences.
  var warnings: [String] = []
  /// The message when nothing was changed.
  var ifUnchanged = "Nothing to change."
  /// Lines that show some of what would happen, for a person who only tries it.
  var preview: [String] = []
  /// What was made, changed or removed, under the name of its kind.
  var json: JSONObject
}

extension EditOptions {
  /// Runs `body` as the one transaction of a command.
  /// - Parameter files: media that `body` brings in.
  func transaction(
    on session: Session, bringingIn files: [IncomingFile], _ body: (Editor) throws -> EditOutcome
  ) throws -> CommandResult {
    let result = try session.edit(
      .current, isTrial: dryRun, ifRevision: ifRevision, bringingIn: files, body)
    let outcome = result.value
    let remark = dryRun ? " Only tried: nothing was changed." : result.entry == nil ? " \(outcome.ifUnchanged)" : ""
    let frame = JSONObject([
      "revision": result.revision, "isDryRun": dryRun, "isChanged": result.entry != nil, "summary": outcome.summary,
      "warnings": outcome.warnings,
    ])
    let preview = dryRun ? outcome.preview.map { "  " + $0 } : []
    var shown = CommandResult(
      lines: [outcome.summary + remark] + preview, made: outcome.made, json: frame.merging(outcome.json),
      warnings: outcome.warnings)
    shown.hasEdited = !dryRun && result.entry != nil
    return shown
  }
}
