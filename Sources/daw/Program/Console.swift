import DAWSession
import Foundation

/// Writes to the standard streams, and notices when that fails.
enum Console {
  enum Stream: Int32 {
    case standardOutput = 1
    case standardError = 2
  }

  /// - Throws: `Failure` where not all was written, unless the reader has gone away: that ends the program quietly.
  static func write(_ text: String, to stream: Stream) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(stream.rawValue, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EPIPE {
          exit(ExitStatus.done)
        } else if errno != EINTR {
          throw Failure(
            .io, code: "outputFailed",
            "The result could not be written to standard output: \(String(cString: strerror(errno))).",
            hint: "An edit that was asked for has been made; 'daw history' shows it.")
        }
      }
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
