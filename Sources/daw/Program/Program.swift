import ArgumentParser
import DAWSession
import Foundation

/// The one way through the program: what was typed in, output and exit status out.
enum Program {
  static func main() -> Never {
    ProcessSetup.prepare()
    if CommandLine.arguments.dropFirst() == [MIDIWatchdog.word] {
      MIDIWatchdog.run()
      exit(ExitStatus.done)
    }
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Does what was typed, prints what came of it, and returns the exit status.
  private static func run(_ words: [String]) -> Int32 {
    let typed = TypedArguments(words)
    if typed.wantsJSON { Console.silenceLibraries() }
    do {
      try TypedArguments.refuseBrokenText()
      var command = try parse(typed)
      guard let task = command as? any ReportingCommand else {
        try command.run()
        return ExitStatus.done
      }
      let result = try task.perform()
      // JSON holds them itself.
      if !task.output.json { for warning in result.warnings { Console.writeError("daw: \(warning)\n") } }
      try Console.write(result.rendered(as: task.output.form))
      return result.exitStatus
    } catch {
      return report(error, typed)
    }
  }

  /// - Throws: what ArgumentParser throws, also to ask for help; `Failure`.
  static func parse(_ typed: TypedArguments) throws -> any ParsableCommand {
    try DAWCommand.parseAsRoot(try typed.arranged())
  }

  /// Prints an error, or the help that ArgumentParser delivers as one.
  private static func report(_ error: any Error, _ typed: TypedArguments) -> Int32 {
    let isJSON = typed.wantsJSON
    if isFromParser(error) {
      let text = DAWCommand.fullMessage(for: error) + "\n"
      if DAWCommand.exitCode(for: error).isSuccess {
        do {
          try typed.refuseLettersTakenForHelp()
          try Console.write(text)
          return ExitStatus.done
        } catch {
          return report(error, typed)
        }
      }
      if !isJSON {
        Console.writeError(text)
        return ExitStatus.of(.usage)
      }
    }
    let failure = failure(error)
    // Whoever read the audio has had what they wanted.
    if failure.code == Failure.readerIsGone { return ExitStatus.done }
    Console.writeError(isJSON ? failure.json : failure.text)
    return ExitStatus.of(failure.kind)
  }

  /// What went wrong, the parser's own errors included.
  static func failure(_ error: any Error) -> Failure {
    if let unreadable = error as? Unreadable { return Failure(.usage, code: "usage", "Not accepted: \(unreadable)") }
    guard isFromParser(error) else { return Failure(error) }
    let help = DAWCommand.fullMessage(for: error).split(separator: "\n").last { $0.contains("See '") }
    return Failure(
      .usage, code: "usage", DAWCommand.message(for: error),
      hint: help.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// ArgumentParser's own errors are usage errors or requests for help; whatever else is thrown is a failure of the task.
  private static func isFromParser(_ error: any Error) -> Bool {
    let code = DAWCommand.exitCode(for: error)
    return code.isSuccess || code == .validationFailure
  }
}

extension Failure {
  /// For a person: what happened, and what to do next.
  var text: String { "daw: \(message)\n" + (hint.map { $0 + "\n" } ?? "") }

  /// For a script.
  var json: String {
    let error = JSONObject(["code": code, "message": message, "hint": hint])
    return (try? JSONObject(["error": error]).text()) ?? text
  }
}
