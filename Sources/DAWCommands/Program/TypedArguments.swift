import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject

/// The arguments, reordered for the parser, with checks that the parser lacks.
struct TypedArguments {
  /// Without `--color` of the output, which every command has; a track's or a region's own `--color` stays.
  let words: [String]
  /// The value of `--color`.
  let color: ColorChoice

  init(_ words: [String]) {
    var kept: [String] = []
    var color = ColorChoice.auto
    var index = 0
    while index < words.count, words[index] != "--" {
      let (word, next) = (words[index], index + 1 < words.count ? words[index + 1] : "")
      if word == "--color", let choice = ColorChoice(typed: next) {
        color = choice
        index += 1
      } else if word.hasPrefix("--color="), let choice = ColorChoice(typed: String(word.dropFirst("--color=".count))) {
        color = choice
      } else {
        kept.append(word)
      }
      index += 1
    }
    self.words = kept + words[index...]
    self.color = color
  }

  /// Whether errors should be JSON as well; known before anything is parsed.
  var wantsJSON: Bool { options.contains("--json") }

  /// The words before `--`.
  private var options: ArraySlice<String> { words.prefix { $0 != "--" } }

  /// The words with the options that stand before the verb moved behind it.
  /// - Throws: `Failure` for an unknown command or none, and for an option that is given twice and takes one value.
  func arranged() throws -> [String] {
    let leading = leadingOptions()
    let rest = words.dropFirst(leading.count)
    if rest.isEmpty, !leading.isEmpty { throw Self.missingCommand(behind: leading) }
    guard let verb = rest.first, !verb.hasPrefix("-") else { return words }
    if verb == "help" {
      if let topic = rest.dropFirst().first, !topic.hasPrefix("-"), topic != "help",
        DAWCommand.command(named: topic) == nil
      {
        throw CommandNames.unknown(topic)
      }
      return Array(rest)
    }
    guard let command = DAWCommand.command(named: verb) else { throw CommandNames.unknown(verb) }
    let arguments = Self.withNegativeValues(leading + rest.dropFirst(), of: command)
    try Self.refuseRepetition(arguments, of: command)
    return [verb] + arguments
  }

  /// The words of a command with an argument that may be negative, that one behind `--`: the parser would take it for
  /// an option. A negative word behind an option is the option's value.
  static func withNegativeValues(_ words: [String], of command: any ParsableCommand.Type) -> [String] {
    guard command == AddPoint.self, !words.contains("--") else { return words }
    let place = words.indices.first { index in
      let word = words[index].lowercased()
      let isNegative = word.hasPrefix("-inf") || (word.hasPrefix("-") && word.dropFirst().first?.isNumber == true)
      return isNegative && index > 0 && !words[index - 1].hasPrefix("--")
    }
    guard let place else { return words }
    var rest = words
    let value = rest.remove(at: place)
    return rest + ["--", value]
  }

  /// How many words stand before the verb.
  var leadingCount: Int { leadingOptions().count }

  /// The options of every command that stand before the verb, with their values.
  private func leadingOptions() -> [String] {
    var count = 0
    while count < words.count {
      switch words[count] {
      case "--json", "-q", "--quiet": count += 1
      case "-p", "--project": count += 2
      case let word where word.hasPrefix("--project="): count += 1
      default: return Array(words[..<count])
      }
    }
    return Array(words[..<min(count, words.count)])
  }

  private static func missingCommand(behind leading: [String]) -> Failure {
    Failure(
      .usage, code: "usage",
      "A command is missing behind '\(leading.joined(separator: " "))'.".shortenedForMessage,
      hint: "'daw help' lists the commands.")
  }

  /// An option before the command that only some commands have, or none; or behind options of every command, without a
  /// command.
  var misplacedOption: Failure? {
    let leading = leadingOptions()
    guard let option = words.dropFirst(leading.count).first, option.hasPrefix("-") else { return nil }
    guard let verb = words.drop(while: { $0 != option }).first(where: { DAWCommand.command(named: $0) != nil }) else {
      return leading.isEmpty ? nil : Self.missingCommand(behind: leading)
    }
    return Failure(
      .usage, code: "usage", "Unexpected option '\(option)' before the command.",
      hint: "Only -p, --json, -q and --color may stand before '\(verb)'; its own options stand behind it.")
  }

  /// The parser takes the h in a word such as `-hat.wav` for `-h`, whatever the word's other letters are.
  /// - Throws: `Failure` for such a word, unless help was requested.
  func refuseLettersTakenForHelp() throws {
    let asking = ["-h", "help", "--help", "--help-hidden", "--version"]
    let asksForHelp = options.contains { asking.contains($0) || $0.hasPrefix("--generate") || $0.hasPrefix("--exp") }
    let clusters = options.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 && $0.contains("h") }
    guard !asksForHelp, let word = clusters.first else { return }
    throw Failure(
      .usage, code: "usage", "Unknown option '\(word)'.",
      hint: "A file's name that begins with a dash is typed as './\(word)', other names behind '--'.")
  }

  /// Letters in words such as `-qo`, in a line's words together.
  private static let maximumLetters = 512

  /// The parser takes such words apart, in a time that grows with the square of their letters.
  /// - Throws: `Failure` where there are more letters than any line needs.
  static func refuseManyLetters(_ words: some Sequence<String>) throws {
    var count = 0
    for word in words {
      if word == "--" { return }
      guard word.hasPrefix("-"), !word.hasPrefix("--") else { continue }
      count += word.utf8.prefix { $0 != UInt8(ascii: "=") }.count - 1
      guard count > maximumLetters else { continue }
      throw Failure(
        .usage, code: "usage", "'\(word)' has too many letters behind one dash.".shortenedForMessage,
        hint: "A line has at most \(maximumLetters) of them. A value that begins with a dash is typed '--option=-…', "
          + "a file's name './-…', another name behind '--'.")
    }
  }

  /// Swift would replace what is no UTF-8, and so look for another file than the one that was meant.
  /// - Throws: `Failure`.
  static func refuseBrokenText() throws {
    guard let word = ProgramArguments.firstBroken else { return }
    throw Failure(
      .usage, code: "notUTF8", "'\(word)' is not UTF-8 text. Nothing was changed.".shortenedForMessage,
      hint: "A file with such a name can be renamed, or named by a link: ln -s FILE NAME.")
  }

  /// The parser would silently take the last of them.
  static func refuseRepetition(_ arguments: some Sequence<String>, of command: any ParsableCommand.Type) throws {
    var seen: Set<String> = []
    var repeated: Set<String> = []
    for word in arguments {
      if word == "--" { break }
      guard word.hasPrefix("-"), word != "-" else { continue }
      let name = String(word.prefix { $0 != "=" })
      if !seen.insert(name == "-p" ? "--project" : name).inserted { repeated.insert(name) }
    }
    // What the command's options are costs a millisecond to ask, and nearly never matters.
    guard !repeated.isEmpty else { return }
    let single = try OptionGrammar(of: command).singleValued
    for name in repeated.sorted() where single.contains(name) {
      throw Failure(
        .usage, code: "repeatedOption", "'\(name)' is given more than once. Nothing was changed.",
        hint: "Give it once: it takes one value.")
    }
  }
}
