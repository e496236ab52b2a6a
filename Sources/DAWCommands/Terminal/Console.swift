import DAWErrors
import DAWMedia
import Foundation
import Synchronization

/// Writes to the standard streams, and notices when that fails.
enum Console {
  private static let errorDescriptor = Atomic(STDERR_FILENO)
  private static let foundNoReader = Atomic(false)

  /// Whether the reader of standard output has gone away, as `head` does. Known once something was written in vain.
  static var isReaderGone: Bool { foundNoReader.load(ordering: .relaxed) }

  /// Keeps standard error for our own words: what libraries print there goes nowhere.
  static func silenceLibraries() {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    divertLibraries(to: nowhere)
    close(nowhere)
  }

  /// What others than `Console` write to standard error goes to a descriptor.
  static func divertLibraries(to descriptor: Int32) {
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard kept >= 0, dup2(descriptor, STDERR_FILENO) >= 0 else { return }
    errorDescriptor.store(kept, ordering: .relaxed)
  }

  /// Writes lines for a person to standard output, harmless for a terminal.
  /// - Parameter lines: without their ends.
  /// - Throws: `Failure` where not all was written; so for the others.
  static func write(lines: [String]) throws { try writeExactly(text(lines)) }

  /// Writes lines to standard output, with colours where they are shown.
  static func write(lines: [StyledLine]) throws {
    let isColored = Terminal.isColored()
    var text = ""
    text.reserveCapacity(100 * lines.count)
    for line in lines {
      text += line.rendered(inColor: isColored)
      text += "\n"
    }
    try writeExactly(text)
  }

  /// Writes ids or paths, one to the line, as they are; on a terminal harmless for it.
  static func write(made: [String]) throws {
    if isatty(STDOUT_FILENO) == 1 { return try write(lines: made) }
    try writeExactly(made.map { $0 + "\n" }.joined())
  }

  /// Writes JSON to standard output, with an escape for what is not harmless for a terminal.
  static func write(json: String) throws { try writeExactly(TerminalText.json(json)) }

  /// Writes to standard output what is the program's own, as it is. A reader that has gone away has had what it wanted.
  static func writeExactly(_ text: String) throws {
    var text = text
    try text.withUTF8 { try writeExactly(UnsafeRawBufferPointer($0)) }
  }

  /// Writes what a file would hold to standard output, all of which its reader needs.
  static func writeFile(_ text: String) throws { try writeFile(Array(text.utf8)) }

  /// Writes the bytes that a file would hold to standard output.
  static func writeFile(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      guard let error = write(bytes, to: STDOUT_FILENO) else { return }
      if error == EPIPE {
        throw Failure(
          .io, code: "outputFailed", "The reader of standard output ended before all of the file was written.")
      }
      throw outputFailure(error)
    }
  }

  private static func writeExactly(_ bytes: UnsafeRawBufferPointer) throws {
    guard let error = write(bytes, to: STDOUT_FILENO) else { return }
    guard error == EPIPE else { throw outputFailure(error) }
    foundNoReader.store(true, ordering: .relaxed)
  }

  private static func outputFailure(_ error: Int32) -> Failure {
    Failure(
      .io, code: "outputFailed",
      "The result could not be written to standard output: \(String(cString: strerror(error))).")
  }

  /// Writes lines for the user to standard error, escaped for a terminal and broken between words. Errors are ignored.
  static func writeError(lines: [String]) {
    let descriptor = errorDescriptor.load(ordering: .relaxed)
    let width = isatty(descriptor) == 1 ? Terminal.columns(of: descriptor) : nil
    let isColored = Terminal.isColored(descriptor)
    let broken = lines.flatMap { TextWrapping.lines(TerminalText.line($0), width: width) }
    writeErrorExactly(
      broken.map { line in
        guard isColored, line.hasPrefix(Self.mark) else { return line + "\n" }
        let mark = StyledLine([(Self.mark, .error)]).rendered(inColor: true)
        return mark + line.dropFirst(Self.mark.count) + "\n"
      }.joined())
  }

  /// What begins an error or a warning.
  private static let mark = "daw:"

  /// Writes JSON to standard error.
  static func writeError(json: String) { writeErrorExactly(TerminalText.json(json)) }

  /// Writes to standard error what is the program's own, such as what draws a progress bar.
  static func writeErrorExactly(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: errorDescriptor.load(ordering: .relaxed)) }
  }

  private static func text(_ lines: [String]) -> String { lines.map { TerminalText.line($0) + "\n" }.joined() }

  /// - Returns: the error's number where not all was written.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        FileDescriptor.wait(for: POLLOUT, of: descriptor)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// All of standard input.
  /// - Throws: `Failure`.
  static func readStandardInput() throws -> Data { try readAll(of: STDIN_FILENO, name: "Standard input") }

  /// Bytes that are read of a file, and of a pipe or a device, which may have no end.
  private static let maximumLength = 256 << 20

  /// What is left of a file, or what a pipe or a device gives until its end.
  /// - Parameter name: what messages call it: a path in quotation marks, or "Standard input".
  /// - Throws: `Failure`.
  static func readAll(of descriptor: Int32, name: String) throws -> Data {
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR))) > maximumLength
    {
      throw tooLong(name)
    }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return content }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        FileDescriptor.wait(for: POLLIN, of: descriptor)
        continue
      }
      guard count > 0 else {
        let sentence = "\(name) could not be read. Nothing was changed."
        if descriptor == STDIN_FILENO { throw Failure(.io, code: "inputFailed", sentence) }
        throw Failure(.io, code: "io", sentence)
      }
      content.append(contentsOf: buffer[..<count])
      if content.count > maximumLength { throw tooLong(name) }
    }
  }

  private static func tooLong(_ name: String) -> Failure {
    Failure(
      .invalid, code: "inputTooLong", "\(name) gives more than \(maximumLength >> 20) MiB. Nothing was changed.",
      hint: "Write it into several files.")
  }
}
