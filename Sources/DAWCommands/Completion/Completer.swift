import ArgumentParser
import DAWModel
import DAWProject
import Foundation

/// A word that a shell can complete to.
struct Candidate: Hashable {
  var text: String
  /// A few words about it, for shells that show them.
  var about = ""
}

/// What can stand at a place of the command line.
struct Completions: Equatable {
  var candidates: [Candidate] = []
  /// Whether the shell adds names of files, or of folders, where no candidate fits.
  var paths = OptionGrammar.Completion.none
}

/// Completes the last of the words of a command line.
struct Completer {
  /// Without `--color`; the last one is being typed and may be empty.
  private let words: [String]

  /// - Parameter words: without `daw`.
  init(words: [String]) { self.words = TypedArguments(words.dropLast()).words + [words.last ?? ""] }

  private var typed: String { words.last ?? "" }

  /// Those that begin with what is typed; case does not matter.
  var completions: Completions {
    var found = all
    found.candidates = found.candidates.filter { Self.begins($0.text, with: typed) }
    return found
  }

  private static func begins(_ text: String, with typed: String) -> Bool {
    text.lowercased().hasPrefix(typed.lowercased())
  }

  private var all: Completions {
    let leading = TypedArguments(words.dropLast() + [""]).leadingCount
    if words.count > 1, ["-p", "--project"].contains(words[words.count - 2]) { return ProjectNames.projects }
    let rest = words.dropFirst(leading)
    if rest.first == "--color" { return colors }
    guard rest.count > 1, let verb = rest.first else { return commandNames(withOptions: true) }
    if verb == "help" { return rest.count == 2 ? commandNames(withOptions: false) : Completions() }
    guard let command = DAWCommand.command(named: verb), let grammar = try? OptionGrammar(of: command) else {
      return Completions()
    }
    return arguments(of: verb, grammar, before: Array(rest.dropFirst().dropLast()))
  }

  private var colors: Completions { Completions(candidates: ColorChoice.allCases.map { Candidate(text: "\($0)") }) }

  private func commandNames(withOptions: Bool) -> Completions {
    if typed.hasPrefix("-"), withOptions {
      let options = ["--project", "--json", "--quiet", "--color", "--help", "--version"]
      return Completions(candidates: options.map { Candidate(text: $0) })
    }
    let commands = DAWCommand.allCommands.map {
      Candidate(text: $0._commandName, about: $0.configuration.abstract)
    }
    let help = withOptions ? [Candidate(text: "help", about: "Describe a command, with examples.")] : []
    return Completions(candidates: commands + help)
  }

  private func arguments(of verb: String, _ grammar: OptionGrammar, before: [String]) -> Completions {
    let scan = ArgumentScan(before, grammar)
    if before.last == "--color", grammar.named("--color") == nil { return colors }
    let values = ArgumentValues(verb: verb, scan: scan, project: project(scan))
    if let open = scan.open { return values.completions(for: open, typed) }
    if !scan.isPastOptions, typed.hasPrefix("-") {
      if let equals = typed.firstIndex(of: "="), let option = grammar.named(String(typed[..<equals])) {
        let prefix = String(typed[...equals])
        let found = values.completions(for: option, String(typed.dropFirst(prefix.count)))
        return Completions(candidates: found.candidates.map { Candidate(text: prefix + $0.text, about: $0.about) })
      }
      return options(grammar, scan)
    }
    let positionals = grammar.positionals
    let index = scan.positionals.count
    let argument =
      index < positionals.count ? positionals[index] : positionals.last.flatMap { $0.isRepeating ? $0 : nil }
    return argument.map { values.completions(for: $0, typed) } ?? options(grammar, scan)
  }

  /// The project of the command: that of `-p`, before the command or behind it.
  private func project(_ scan: ArgumentScan) -> String? {
    if let given = scan.options.last(where: { $0.argument.names.contains("--project") })?.value { return given }
    if let index = words.dropLast(2).firstIndex(where: { $0 == "-p" || $0 == "--project" }) { return words[index + 1] }
    return words.first { $0.hasPrefix("--project=") }.map { String($0.dropFirst("--project=".count)) }
  }

  /// Long options that may still be given.
  private func options(_ grammar: OptionGrammar, _ scan: ArgumentScan) -> Completions {
    let names = scan.options.filter { !$0.argument.isRepeating }.flatMap(\.argument.names)
    // A flag and its opposite exclude each other.
    let opposites = names.map { $0.hasPrefix("--no-") ? "--" + $0.dropFirst(5) : "--no-" + $0.dropFirst(2) }
    let given = Set(names + opposites)
    let open = grammar.arguments.filter { $0.kind != .positional && given.isDisjoint(with: $0.names) }
    return Completions(
      candidates: open.flatMap { argument in
        argument.names.filter { $0.hasPrefix("--") }.map { Candidate(text: $0, about: argument.abstract) }
      })
  }
}
