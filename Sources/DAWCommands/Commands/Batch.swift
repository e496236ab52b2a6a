import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWPlay
import DAWProject
import Foundation

struct Batch: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Make many edits at once, or none of them.",
    discussion: """
      Reads one edit to the line, written as on the command line but without 'daw'. All of them are one step of undo; \
      the first error names its line, and nothing is changed. Quotes and backslashes work as in the shell, '#' begins a \
      comment, and nothing is expanded. With --as NAME on a line that makes something, later lines call it %NAME.

        daw batch edits.txt
        printf 'add-track Keys --as k\\nset-track %%k --mute\\n' | daw batch
      """)

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var file = "-"

  @OptionGroup var edit: EditOptions

  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let isStandardInput = file == "-"
    let script = try BatchScript(try text(isStandardInput ? Console.readStandardInput() : readFile(file)))
    let current = FileManager.default.currentDirectoryPath
    let path = file.hasPrefix("/") ? file : current + "/" + file
    let folder = isStandardInput || isStream(path) ? current : (path as NSString).deletingLastPathComponent
    let session = try edit.open()
    defer { session.close() }
    let files = BatchRun.incomingFiles(of: script).map {
      IncomingFile(path: EditContext.path($0.path, in: folder), isLinked: $0.isLinked, kind: $0.kind)
    }
    return try edit.transaction(on: session, bringingIn: files) { editor in
      var run = BatchRun(
        context: EditContext(
          editor: editor, folder: folder, playhead: Playhead(of: session), mayReadStandardInput: !isStandardInput,
          isForJSON: output.json))
      for line in script.lines { try run.perform(line) }
      return run.outcome
    }
  }

  private func text(_ bytes: Data) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, code: "notUTF8", "The batch is not text in UTF-8. Nothing was changed.")
    }
    return text
  }
}

/// Whether a path leads to a pipe or a character device, such as `/dev/stdin` and what the shell puts for `<(…)`.
private func isStream(_ path: String) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
}

/// Reads a file whole, or what a pipe or a character device gives until its end.
/// - Throws: `Failure`.
func readFile(_ path: String) throws -> Data {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw Failure.unreadable(path) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { throw Failure.unreadable(path) }
  return try Console.readAll(of: descriptor, name: "'\(path)'")
}
