import DAWErrors
import DAWProject

extension Session {
  /// Finishes recordings that a killed process has left, before anything else is done with the project, and says so on
  /// standard error.
  func finishLeftRecordings() {
    guard (try? hasLeftRecordings()) == true, let recovery = try? recoverRecordings() else { return }
    for recording in recovery.recovered {
      switch recording.outcome {
      case .success(let takes):
        Console.writeError(lines: ["Finished what its process had left: \(takes.text)"])
      case .failure(let failure):
        Console.writeError(
          lines: Failure(
            failure.kind, code: failure.code, "'\(recording.folder)' cannot be finished: \(failure.message)",
            hint: "'daw recover-recordings' tries again."
          ).lines)
      }
    }
  }
}
