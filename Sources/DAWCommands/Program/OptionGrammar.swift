import ArgumentParser
import Foundation

/// The arguments that a command takes, as ArgumentParser describes them.
struct OptionGrammar {
  struct Argument {
    enum Kind: String, Decodable {
      case option, flag, positional
    }

    var kind: Kind
    /// With their hyphens; empty for a positional argument.
    var names: [String]
    var valueName: String
    /// A sentence about it.
    var abstract: String
    var isRepeating: Bool
    /// What the value may be.
    var completion: Completion
  }

  enum Completion: Equatable {
    case none, files, folders
    case list([String])
  }

  let arguments: [Argument]

  /// Takes about a millisecond.
  init(of command: any ParsableCommand.Type) throws {
    let description = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    arguments = (description.command.arguments ?? []).map(\.argument)
  }

  /// The names of options that take a value and may be given once.
  var singleValued: Set<String> {
    Set(arguments.filter { $0.kind == .option && !$0.isRepeating }.flatMap(\.names))
  }

  var positionals: [Argument] { arguments.filter { $0.kind == .positional } }

  /// The option or flag with this name.
  func named(_ name: String) -> Argument? { arguments.first { $0.names.contains(name) } }

  private struct Tool: Decodable {
    struct Command: Decodable { var arguments: [Described]? }
    struct Name: Decodable { var kind, name: String }

    struct Described: Decodable {
      var kind: Argument.Kind
      var isRepeating: Bool
      var names: [Name]?
      var valueName: String?
      var abstract: String?
      var allValues: [String]?
      var completionKind: CompletionKind?

      var argument: Argument {
        let completion: Completion =
          if let values = completionKind?.list?.values { .list(values) } else if completionKind?.file != nil {
            .files
          } else if completionKind?.directory != nil { .folders } else if let allValues { .list(allValues) } else {
            .none
          }
        return Argument(
          kind: kind, names: (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name },
          valueName: valueName ?? "", abstract: abstract ?? "", isRepeating: isRepeating, completion: completion)
      }
    }

    struct CompletionKind: Decodable {
      struct List: Decodable { var values: [String] }
      struct Other: Decodable {}
      var list: List?
      var file: Other?
      var directory: Other?
    }

    var command: Command
  }
}
