import DAWErrors
import DAWInterchange

/// The result of a command, in each output format.
struct CommandResult {
  /// Lines for the user. Each is printed as one line, line breaks in it escaped.
  var lines: [StyledLine]
  /// The ids or paths of what was made, for `--quiet`.
  var made: [String] = []
  /// One JSON value. Made only where it is printed.
  let json: () -> any JSONWritable
  /// Warnings for standard error; with `--json` only where the value is a list, since an object holds them itself.
  var warnings: [String] = []
  var exitStatus = ExitStatus.done
  /// Whether all of it has been printed already, as it came.
  var isPrinted = false
  /// Whether an edit has been made, which stays where the result cannot be printed.
  var hasEdited = false

  init(
    lines: [StyledLine], made: [String] = [], json: @autoclosure @escaping () -> any JSONWritable,
    warnings: [String] = [], exitStatus: Int32 = ExitStatus.done, isPrinted: Bool = false
  ) {
    self.lines = lines
    self.made = made
    self.json = json
    self.warnings = warnings
    self.exitStatus = exitStatus
    self.isPrinted = isPrinted
  }
}

/// How a result is printed.
enum OutputForm {
  case text, quiet, json
}

extension CommandResult {
  init(
    lines: [String], made: [String] = [], json: @autoclosure @escaping () -> any JSONWritable,
    warnings: [String] = [], exitStatus: Int32 = ExitStatus.done
  ) {
    self.init(
      lines: lines.map { StyledLine($0) }, made: made, json: json(), warnings: warnings, exitStatus: exitStatus)
  }

  /// With a single line for a person; empty where there is nothing to say.
  init(
    text: String, made: [String] = [], json: @autoclosure @escaping () -> any JSONWritable,
    warnings: [String] = [], exitStatus: Int32 = ExitStatus.done, isPrinted: Bool = false
  ) {
    self.init(
      lines: text.isEmpty ? [] : [StyledLine(text)], made: made, json: json(), warnings: warnings,
      exitStatus: exitStatus, isPrinted: isPrinted)
  }

  /// Writes the warnings to standard error, and then the result to standard output.
  /// - Throws: `Failure` where not all was written; it says so where an edit has been made.
  func write(as form: OutputForm) throws {
    if form != .json { writeWarnings() }
    if isPrinted { return }
    do {
      switch form {
      case .text: try Console.write(lines: lines)
      case .quiet: try Console.write(made: made)
      case .json:
        let value = json()
        if !warnings.isEmpty, (value as Any) is [Any] { writeWarnings() }
        try JSONWriter.write(value, to: Console.write(json:))
      }
    } catch {
      var failure = Failure(error)
      if hasEdited { failure.hint = "The edit has been made; 'daw history' shows it." }
      throw failure
    }
  }

  private func writeWarnings() { Console.writeError(lines: warnings.map { "daw: \($0)" }) }
}
