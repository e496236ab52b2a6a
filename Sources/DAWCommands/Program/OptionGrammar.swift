import ArgumentParser
import Foundation

/// What ArgumentParser knows of a command's options.
struct OptionGrammar {
  /// The names, with their hyphens, of options that take a value and may be given once.
  let singleValued: Set<String>

  init(of command: any ParsableCommand.Type) throws {
    let description = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    let options = (description.command.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
    singleValued = Set(options.flatMap { $0.names ?? [] }.map { $0.kind == "short" ? "-\($0.name)" : "--\($0.name)" })
  }

  private struct Tool: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var arguments: [Argument]?
  }

  private struct Argument: Decodable {
    var kind: String
    var isRepeating: Bool
    var names: [Name]?
  }

  private struct Name: Decodable {
    var kind: String
    var name: String
  }
}
