import ArgumentParser
import DAWErrors
import DAWModel
import DAWPlay
import DAWProject
import Foundation

/// The main program: from arguments to output and exit status.
public enum Program {
  public static func main() -> Never {
    ProcessSetup.prepare()
    let words = ProgramArguments.words
    if words.first == MIDIWatchdog.word, MIDIWatchdog.run(Array(words.dropFirst())) { exit(ExitStatus.done) }
    if words.first == CompletionScript.word {
      try? Console.writeExactly(CompletionScript.answer(Array(words.dropFirst())))
      exit(ExitStatus.done)
    }
    if words.first == ManualPage.word, let page = try? ManualPage.text(of: words.dropFirst().first) {
      try? Console.writeExactly(page)
      exit(ExitStatus.done)
    }
    exit(run(words))
  }

  /// Runs the command, prints its result, and returns the exit status.
  private static func run(_ words: [String]) -> Int32 {
    let typed = TypedArguments(words)
    Terminal.color = typed.color
    if typed.wantsJSON { Console.silenceLibraries() }
    do {
      try TypedArguments.refuseBrokenText()
      var command = try parse(typed)
      guard let task = command as? any ReportingCommand else {
        try command.run()
        return ExitStatus.done
      }
      try ProcessSetup.requireFiles()
      let result = try task.perform()
      try result.write(as: task.output.form)
      return result.exitStatus
    } catch {
      return report(error, typed)
    }
  }

  /// - Throws: what ArgumentParser throws, also to ask for help; `Failure`.
  static func parse(_ typed: TypedArguments) throws -> any ParsableCommand {
    let words = try typed.arranged()
    try TypedArguments.refuseManyLetters(words)
    do {
      return try DAWCommand.parseAsRoot(words)
    } catch  where !DAWCommand.exitCode(for: error).isSuccess {
      if let failure = typed.misplacedOption { throw failure }
      if let verb = words.first, let command = DAWCommand.command(named: verb),
        let failure = try ArgumentReview(Array(words.dropFirst()), of: command).failure
      {
        throw failure
      }
      throw error
    }
  }

  /// Prints an error, or the help that ArgumentParser delivers as one.
  private static func report(_ error: any Error, _ typed: TypedArguments) -> Int32 {
    let isJSON = typed.wantsJSON
    if isFromParser(error) {
      if DAWCommand.exitCode(for: error).isSuccess {
        do {
          try typed.refuseLettersTakenForHelp()
          try Console.writeExactly(helpText(error) + "\n")
          return ExitStatus.done
        } catch {
          return report(error, typed)
        }
      }
      if !isJSON {
        Console.writeError(lines: parserLines(error))
        return ExitStatus.of(.usage)
      }
    }
    let failure = failure(error)
    if isJSON { Console.writeError(json: failure.json) } else { Console.writeError(lines: failure.lines) }
    return ExitStatus.of(failure.kind)
  }

  /// The parser's message: its sentence, which quotes the argument, and the usage.
  private static func parserLines(_ error: any Error) -> [String] {
    let (sentence, text) = (DAWCommand.message(for: error), DAWCommand.fullMessage(for: error))
    let width = Terminal.columns(of: STDERR_FILENO) ?? 80
    guard !sentence.isEmpty, let place = text.range(of: sentence) else { return TextWrapping.usage(text, width: width) }
    let line = TerminalText.line(onOneLine(sentence))
    return TextWrapping.usage(text.replacingCharacters(in: place, with: line), width: width)
  }

  /// The parser's sentence, which lists the values that an argument can have, and what it may be about, line by line.
  /// What was typed is cut where it is long.
  private static func onOneLine(_ sentence: String) -> String {
    sentence.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ").replacing("\n   or: ", with: ", or: ")
      .shortenedForMessage
  }

  /// Help, which the parser has broken between words but for its usage; scripts and descriptions as they are.
  private static func helpText(_ error: any Error) -> String {
    let text = DAWCommand.fullMessage(for: error)
    guard text.hasPrefix("OVERVIEW: "), let usage = text.firstMatch(of: /\nUSAGE: daw ([a-z-]*)/) else { return text }
    let width = Terminal.columns() ?? 80
    let command = DAWCommand.command(named: String(usage.1)) ?? DAWCommand.self
    let overview = "OVERVIEW: \(command.configuration.abstract)\n\n\(command.configuration.discussion)\n"
    // The parser would break examples anywhere.
    let broken = overview.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
      line.hasPrefix("  ") ? TextWrapping.command(line, width: width) : TextWrapping.lines(line, width: width)
    }
    let rest = TextWrapping.usage(String(text[usage.range.lowerBound...].dropFirst()), width: width)
    return (broken + rest).joined(separator: "\n")
  }

  /// Any error as a `Failure`, the parser's included.
  static func failure(_ error: any Error) -> Failure {
    if let unreadable = error as? Unreadable { return Failure(.usage, code: "usage", "Not accepted: \(unreadable)") }
    guard isFromParser(error) else { return Failure(error) }
    let help = DAWCommand.fullMessage(for: error).split(separator: "\n").last { $0.contains("See '") }
    let sentence = DAWCommand.message(for: error)
    return Failure(
      .usage, code: Exclusion.code(sentence), onOneLine(sentence),
      hint: help.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// ArgumentParser's own errors are usage errors or requests for help; whatever else is thrown is a failure of the
  /// task.
  private static func isFromParser(_ error: any Error) -> Bool {
    let code = DAWCommand.exitCode(for: error)
    return code.isSuccess || code == .validationFailure
  }
}

extension Failure {
  /// For a person: what happened, and what to do next.
  var lines: [String] { ["daw: \(message)"] + (hint.map { [$0] } ?? []) }

  /// For a script.
  var json: String {
    let error = JSONObject(["code": code, "message": message, "hint": hint])
    return (try? JSONObject(["error": error]).text()) ?? "{}\n"
  }
}
