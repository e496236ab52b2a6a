import ArgumentParser

/// Whether a command reads standard input, or writes what it makes to standard output. A job has neither.
enum StandardStreamUse {
  static func isAsked(by command: any ParsableCommand) -> Bool {
    if text(of: command) == "-" { return true }
    guard let file = Self.file(of: command) else { return false }
    return ["-", "/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(file) || file.hasPrefix("/dev/fd/")
      || file.hasPrefix("/proc/self/fd/")
  }

  /// What it reads or writes.
  private static func file(of command: any ParsableCommand) -> String? {
    switch command {
    case let command as Batch: command.file
    case let command as AddNotes: command.list.file
    case let command as AddEvents: command.list.file
    case let command as AddPoints: command.file
    case let command as Export: command.output
    case let command as ExportTranscript: command.output
    case let command as Bounce: command.target.output
    default: nil
    }
  }

  /// Where `-` is standard input, and everything else the text itself.
  private static func text(of command: any ParsableCommand) -> String? {
    switch command {
    case let command as AddComment: command.text
    case let command as SetComment: command.text
    case let command as AddMemo: command.text
    case let command as SetTranscript: command.text
    case let command as SetRecording: command.notes
    default: nil
    }
  }
}
