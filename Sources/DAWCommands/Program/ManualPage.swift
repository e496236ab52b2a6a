import ArgumentParser
import DAWRender

/// A man page, made from what the help text is made from.
/// - SeeAlso: man(7)
enum ManualPage {
  /// The word by which `Scripts/manual` asks for one.
  static let word = "--manual-page"

  /// - Parameter name: of a command; `nil` for `daw` itself.
  static func text(of name: String?) throws -> String? {
    guard let name else { return try page(of: DAWCommand.self, called: "daw", synopsis: ["daw"]) }
    return try DAWCommand.command(named: name).map { try page(of: $0, called: "daw-\(name)", synopsis: ["daw", name]) }
  }

  private static func page(
    of command: any ParsableCommand.Type, called title: String, synopsis words: [String]
  ) throws -> String {
    let grammar = try OptionGrammar(of: command)
    let isRoot = words.count == 1
    var lines = [
      ".TH \(quoted(title.uppercased())) 1 \"\" \(quoted("daw \(dawVersion)")) \(quoted("Manual of daw"))", ".SH NAME",
      "\(escaped(title)) \\- \(escaped(command.configuration.abstract))", ".SH SYNOPSIS",
    ]
    lines.append("\\fB\(escaped(words.joined(separator: " ")))\\fR " + arguments(grammar, isRoot: isRoot))
    lines.append(".SH DESCRIPTION")
    lines += description(command.configuration.discussion)
    if isRoot { lines += commands }
    let positionals = grammar.positionals
    if !positionals.isEmpty { lines.append(".SH ARGUMENTS") }
    for argument in positionals {
      lines += [".TP", "\\fI\(escaped(argument.valueName))\\fR", escaped(argument.abstract)]
    }
    lines.append(".SH OPTIONS")
    for option in options(grammar) { lines += [".TP", option.names, escaped(option.abstract)] }
    lines += [
      ".SH EXIT STATUS", "0 where it is done; 64 and more where not, by the table in Documentation/CommandLine.md.",
    ]
    let others = isRoot ? DAWCommand.allCommands.map { "daw-" + $0._commandName } : ["daw"]
    lines += [".SH SEE ALSO", others.map { "\\fB\(escaped($0))\\fR(1)" }.joined(separator: ", ")]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func arguments(_ grammar: OptionGrammar, isRoot: Bool) -> String {
    let names = grammar.positionals.map { "\\fI\(escaped($0.valueName))\\fR" + ($0.isRepeating ? " ..." : "") }
    return (["[\\fIoption\\fR ...]"] + (isRoot ? ["\\fIcommand\\fR ..."] : names)).joined(separator: " ")
  }

  /// Paragraphs are filled, examples are not.
  private static func description(_ discussion: String) -> [String] {
    discussion.split(separator: "\n\n").flatMap { block -> [String] in
      let rows = block.split(separator: "\n").map(String.init)
      guard rows.allSatisfy({ $0.hasPrefix("  ") }) else { return [".PP"] + rows.map(escaped) }
      return [".PP", ".RS 4", ".nf"] + rows.map { escaped(String($0.dropFirst(2))) } + [".fi", ".RE"]
    }
  }

  private static var commands: [String] {
    DAWCommand.configuration.groupedSubcommands.flatMap { group in
      [".SS \(quoted(group.name))"]
        + group.subcommands.flatMap {
          [".TP", "\\fB\(escaped($0._commandName))\\fR", escaped($0.configuration.abstract)]
        }
    }
  }

  /// Each option once, with all its names; a flag together with its opposite.
  private static func options(_ grammar: OptionGrammar) -> [(names: String, abstract: String)] {
    let named = grammar.arguments.filter { $0.kind != .positional }
    let all = Set(named.flatMap(\.names))
    return named.compactMap { option in
      let long = option.names.first { $0.hasPrefix("--") } ?? ""
      if long.hasPrefix("--no-"), all.contains("--" + long.dropFirst(5)) { return nil }
      let opposite =
        option.kind == .flag && all.contains("--no-" + long.dropFirst(2)) ? ["--no-" + long.dropFirst(2)] : []
      let names = (option.names + opposite).map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
      let isLong = option.kind == .option
      return (isLong ? "\(names) \\fI\(escaped(option.valueName))\\fR" : names, option.abstract)
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// - SeeAlso: groff_char(7): a hyphen that is typed is `\-`
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
    return text.hasPrefix(".") ? "\\&" + text : text
  }
}
