import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject

/// Runs the lines of a batch in order within one transaction.
struct BatchRun {
  private let context: EditContext
  /// The ids that `--as` has named, as `id:…`, by name.
  private var names: [String: String] = [:]
  /// Readers of plain lines, by the command's name.
  private var lineReaders: [String: any LineReader] = [:]
  private var results: [JSONObject] = []
  private var made: [String] = []
  private var warnings: [String] = []

  init(context: EditContext) { self.context = context }

  /// The media that the lines import, which are copied before the transaction begins. A line that cannot be parsed yet,
  /// since it refers to an earlier one, is left out and copies its media itself.
  static func incomingFiles(of script: BatchScript) -> [IncomingFile] {
    script.lines.flatMap { line -> [IncomingFile] in
      let words = line.words.map(\.text)
      guard let type = DAWCommand.command(named: words[0]) as? any EditCommand.Type, type.mayBringInFiles(words) else {
        return []
      }
      let arguments = separateNames(from: words.dropFirst()).rest
      guard (try? TypedArguments.refuseManyLetters(arguments)) != nil,
        let command = try? type.parseAsRoot(arguments) as? any EditCommand
      else { return [] }
      return command.incomingFiles
    }
  }

  /// Performs one line.
  /// - Throws: `Failure` with the number of the line; the caller rolls back the whole batch.
  mutating func perform(_ line: BatchScript.Line) throws {
    do {
      try performUnnumbered(line)
    } catch {
      var failure = Program.failure(error)
      failure.message = "Line \(line.number) (\(line.words[0].text)): \(failure.message)"
      throw failure
    }
  }

  var outcome: EditOutcome {
    let summary = results.isEmpty ? "The batch is empty: it holds no edit." : "Made \(counted(results.count, "edit"))."
    return EditOutcome(
      summary: summary, made: made, warnings: warnings, json: JSONObject(["edits": results, "names": names]))
  }

  private mutating func performUnnumbered(_ line: BatchScript.Line) throws {
    context.editor.beginCommand()
    let words = try line.words.map { word in try word.resolved { try value(of: $0, isPosition: word.isPosition) } }
    let (arguments, name) = try takeName(from: words.dropFirst())
    let outcome = try command(words[0], arguments).perform(in: context)
    if let name {
      guard outcome.made.count == 1 else {
        throw Failure(
          .usage, code: "singleResultRequired", "--as \(name) names one thing, but this makes \(outcome.made.count).",
          hint: "Leave --as out, or make that thing alone in a line of its own.")
      }
      names[name] = "id:" + outcome.made[0]
    }
    made += outcome.made
    warnings += outcome.warnings
    results.append(JSONObject(["line": line.number, "summary": outcome.summary]).merging(outcome.json))
  }

  private mutating func command(_ verb: String, _ arguments: [String]) throws -> any EditCommand {
    if let command = lineReaders[verb]?.command(arguments) { return command }
    guard let type = DAWCommand.command(named: verb) else {
      if verb == "daw" {
        throw Failure(.usage, code: "unknownCommand", "A line of a batch begins with the command, without 'daw'.")
      }
      if verb == "help" {
        throw Failure(
          .usage, code: "notAnEdit", "Help cannot be asked for in a batch.", hint: "Type 'daw help' instead.")
      }
      throw CommandNames.unknown(verb)
    }
    guard type is any EditCommand.Type else {
      throw Failure(
        .usage, code: "notAnEdit", "'\(verb)' is no edit that a batch can hold.",
        hint: "Leave the line out, and run 'daw \(verb)' before or after the batch.")
    }
    if lineReaders[verb] == nil, let type = type as? any PlainlyTyped.Type {
      lineReaders[verb] = type.plainLineReader()
    }
    try TypedArguments.refuseManyLetters(arguments)
    try TypedArguments.refuseRepetition(arguments, of: type)
    guard let command = try parsed(arguments, of: type) as? any EditCommand else {
      throw Failure(
        .usage, code: "notAnEdit", "Help cannot be asked for in a batch.", hint: "Type 'daw help \(verb)' instead.")
    }
    guard command.edit.isEmpty else {
      throw Failure(
        .usage, code: "batchOnlyOption",
        "-p, --json, --quiet, --dry-run and --if-revision belong to 'daw batch' itself, not to a line of it.")
    }
    return command
  }

  /// Parses the arguments of a line.
  /// - Throws: `Failure`, in place of the parser's error, whose usage would begin with the command instead of `daw`.
  private func parsed(_ arguments: [String], of type: any ParsableCommand.Type) throws -> any ParsableCommand {
    do {
      return try type.parseAsRoot(TypedArguments.withNegativeValues(arguments, of: type))
    } catch  where !type.exitCode(for: error).isSuccess {
      if let failure = try ArgumentReview(arguments, of: type).failure { throw failure }
      var failure = Program.failure(error)
      if failure.kind == .usage { failure.hint = "'daw help \(type._commandName)' lists what it takes." }
      throw failure
    }
  }

  /// Takes each `--as NAME` out of the words.
  private static func separateNames(from words: ArraySlice<String>) -> (rest: [String], names: [String]) {
    var rest: [String] = []
    var names: [String] = []
    var index = words.startIndex
    while index < words.endIndex {
      switch words[index] {
      case "--":
        rest += words[index...]
        index = words.endIndex
      case "--as":
        names.append(index + 1 < words.endIndex ? words[index + 1] : "")
        index += 1
      case let word where word.hasPrefix("--as="): names.append(String(word.dropFirst("--as=".count)))
      case let word: rest.append(word)
      }
      index += 1
    }
    return (rest, names)
  }

  /// Takes `--as NAME` out of the words.
  private func takeName(from words: ArraySlice<String>) throws -> (rest: [String], name: String?) {
    let (rest, found) = Self.separateNames(from: words)
    guard let name = found.first else { return (rest, nil) }
    guard found.count == 1 else {
      throw Failure(.usage, code: "repeatedOption", "'--as' is given more than once. Nothing was changed.")
    }
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
      throw Failure(
        .usage, code: "invalidName", "'\(name)' is no name for --as: it has letters, digits, '-' and '_' only.")
    }
    guard names[name] == nil else {
      throw Failure(
        .usage, code: "nameTaken", "An earlier line is called '\(name)' already.",
        hint: "Choose another name for this one.")
    }
    return (rest, name)
  }

  /// The value of a name, which in a position is followed by an edge or a distance: `@%loop.end+2b`.
  private func value(of name: String, isPosition: Bool) throws -> String {
    guard let value = names[name] ?? (isPosition ? valueAndRest(of: name) : nil) else {
      let near = nearest(to: name, among: Array(names.keys))
      throw Failure(
        .usage, code: "unknownName", "No earlier line says '--as \(name)'.".shortenedForMessage,
        hint: near.first.map { "Did you mean '%\($0)'?" }
          ?? "Quote a word that begins with % itself: '%\(name)'.".shortenedForMessage)
    }
    return value
  }

  private func valueAndRest(of text: String) -> String? {
    let ends = text.indices.reversed().filter { text[$0] == "." || text[$0] == "+" || text[$0] == "-" }
    let end = ends.first { names[String(text[..<$0])] != nil }
    return end.flatMap { end in names[String(text[..<end])].map { $0 + text[end...] } }
  }
}
