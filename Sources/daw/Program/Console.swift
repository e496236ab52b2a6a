import DAWSession
import Foundation
import Synchronization

/// Writes to the standard streams, and notices when that fails.
enum Console {
  private static let errorDescriptor = Atomic(STDERR_FILENO)

  /// Keeps standard error for our own words: what libraries print there, as libmpg123 does of damaged MP3s, goes nowhere.
  static func silenceLibraries() {
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard kept >= 0 else { return }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0, dup2(nowhere, STDERR_FILENO) >= 0 else { return }
    close(nowhere)
    errorDescriptor.store(kept, ordering: .relaxed)
  }

  /// Writes to standard output. A reader that has gone away has had what it wanted.
  /// - Throws: `Failure` where not all was written.
  static func write(_ text: String) throws {
    if let error = write(text, to: STDOUT_FILENO), error != EPIPE {
      throw Failure(
        .io, code: "outputFailed",
        "The result could not be written to standard output: \(String(cString: strerror(error))).",
        hint: "An edit that was asked for has been made; 'daw history' shows it.")
    }
  }

  /// Writes to standard error. Where that fails, nobody is left who could be told.
  static func writeError(_ text: String) { _ = write(text, to: errorDescriptor.load(ordering: .relaxed)) }

  /// - Returns: the error's number where not all was written.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// All of standard input.
  /// - Throws: `Failure`.
  static func readStandardInput() throws -> Data {
    do {
      return try FileHandle.standardInput.readToEnd() ?? Data()
    } catch {
      throw Failure(.io, code: "inputFailed", "Standard input could not be read. Nothing was changed.")
    }
  }
}
