import DAWSession

/// What a command came to, in each form that it can be asked for.
struct CommandResult {
  /// For a person, without the last line's end.
  var text: String
  /// The ids or paths of what was made, for `--quiet`.
  var made: [String] = []
  /// One JSON value.
  var json: any Encodable
  /// For standard error: what was done, but should be known. `json` holds them as well.
  var warnings: [String] = []
  var exitStatus = ExitStatus.done
  /// Whether all of it has been printed already, as it came.
  var isPrinted = false
}

/// How a result is printed.
enum OutputForm {
  case text, quiet, json
}

extension CommandResult {
  /// With the last line's end; empty where there is nothing to say.
  func rendered(as form: OutputForm) throws -> String {
    if isPrinted { return "" }
    return switch form {
    case .text: text.isEmpty ? "" : text + "\n"
    case .quiet: made.map { $0 + "\n" }.joined()
    case .json: try jsonText(json)
    }
  }
}
