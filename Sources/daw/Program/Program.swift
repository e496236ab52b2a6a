import ArgumentParser
import DAWSession
import Foundation

/// The one way through the program: what was typed in, output and exit status out.
enum Program {
  static func main() -> Never {
    ProcessSetup.prepare()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Does what was typed, prints what came of it, and returns the exit status.
  private static func run(_ words: [String]) -> Int32 {
    let typed = TypedArguments(words)
    do {
      var command = try parse(typed)
      guard let task = command as? any ReportingCommand else {
        try command.run()
        return ExitStatus.done
      }
      let result = try task.perform()
      for warning in result.warnings { try Console.write("daw: \(warning)\n", to: .standardError) }
      try Console.write(result.rendered(as: task.output.form), to: .standardOutput)
      return result.exitStatus
    } catch {
      return report(error, asJSON: typed.wantsJSON)
    }
  }

  /// - Throws: what ArgumentParser throws, also to ask for help; `Failure`.
  static func parse(_ typed: TypedArguments) throws -> any ParsableCommand {
    try DAWCommand.parseAsRoot(try typed.arranged())
  }

  /// Prints an error, or the help that ArgumentParser delivers as one.
  private static func report(_ error: any Error, asJSON isJSON: Bool) -> Int32 {
    do {
      if isFromParser(error) {
        let text = DAWCommand.fullMessage(for: error)
        guard DAWCommand.exitCode(for: error).isSuccess == false else {
          try Console.write(text + "\n", to: .standardOutput)
          return ExitStatus.done
        }
        guard isJSON else {
          try Console.write(text + "\n", to: .standardError)
          return ExitStatus.of(.usage)
        }
      }
      let failure = failure(error)
      try Console.write(isJSON ? failure.json : failure.text, to: .standardError)
      return ExitStatus.of(failure.kind)
    } catch {
      return ExitStatus.of(Failure(error).kind)
    }
  }

  /// What went wrong, the parser's own errors included.
  static func failure(_ error: any Error) -> Failure {
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
