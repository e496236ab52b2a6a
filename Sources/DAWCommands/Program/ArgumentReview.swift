import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject

/// Looks for the mistake in arguments that the parser has refused. The parser names the first thing that it misses,
/// which is often only what a mistyped option should have said.
struct ArgumentReview {
  let command: any ParsableCommand.Type
  private let grammar: OptionGrammar
  private let scan: ArgumentScan

  /// - Parameter arguments: of the command, without its name.
  init(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    self.command = command
    grammar = try OptionGrammar(of: command)
    scan = ArgumentScan(arguments, grammar)
  }

  /// An unknown option, else an option in one word with its value, else one without it, else an argument that belongs
  /// to an option; `nil` if there is none of these.
  var failure: Failure? {
    if let word = scan.unknown.first { return unknownOption(word) }
    if let (option, value) = scan.joined.first { return joinedValue(option, value) }
    if let option = scan.withoutValue.first { return missingValue(option) }
    let accepted = grammar.positionals
    guard !accepted.contains(where: \.isRepeating), scan.positionals.count > accepted.count else { return nil }
    if let option = scan.optionsTooLate.first { return optionTooLate(option) }
    return unexpected(scan.positionals[accepted.count])
  }

  private var listing: String { "'daw help \(command._commandName)' lists what it takes." }

  private func unknownOption(_ word: String) -> Failure {
    let names = grammar.arguments.flatMap(\.names).filter { $0.hasPrefix("--") } + ["--version"]
    // What begins so is meant, rather than what differs by a slip of the finger.
    let abbreviated = word.count > 2 ? Set(names.filter { $0.hasPrefix(word.lowercased()) }).sorted() : []
    let near = abbreviated.isEmpty ? Array(nearest(to: word, among: names).prefix(2)) : abbreviated
    let hint: String =
      if !near.isEmpty {
        "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))? " + listing
      } else if word.hasPrefix("--") {
        listing
      } else {
        "A file's name that begins with a dash is typed as './\(word)', another name behind '--'. " + listing
      }
    return Failure(
      .usage, code: "usage", "Unknown option '\(word)'.".shortenedForMessage, hint: hint.shortenedForMessage)
  }

  private func unexpected(_ word: String) -> Failure {
    let option = MisplacedArgument.option(for: word, in: command._commandName)
    // Quoted as the shell needs it, so that it can be pasted.
    let hint = option.map { "Did you mean \(quoted("\($0) \(shellQuoted(word))"))? " + listing } ?? listing
    return Failure(
      .usage, code: "usage", "Unexpected argument '\(word)'.".shortenedForMessage, hint: hint.shortenedForMessage)
  }

  private func optionTooLate(_ word: String) -> Failure {
    Failure(
      .usage, code: "usage", "Unexpected argument '\(word)' behind '--'.".shortenedForMessage,
      hint: "Options stand before '--', which ends them. " + listing)
  }

  /// In quotes, unless it holds some.
  private func quoted(_ text: String) -> String { text.contains("'") ? text : "'\(text)'" }

  private func joinedValue(_ option: OptionGrammar.Argument, _ value: String) -> Failure {
    let name = option.names.first { !$0.hasPrefix("--") } ?? ""
    return Failure(
      .usage, code: "usage", "'\(name)' and its value are two words.",
      hint: "Did you mean \(quoted("\(name) \(shellQuoted(value))"))? " + listing)
  }

  private func missingValue(_ option: OptionGrammar.Argument) -> Failure {
    let name = option.names.first { $0.hasPrefix("--") } ?? option.names.first ?? ""
    return Failure(
      .usage, code: "usage", "'\(name)' lacks its value.",
      hint: "It is typed '\(name) <\(option.valueName)>'. " + listing)
  }
}
