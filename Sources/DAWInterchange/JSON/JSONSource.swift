import DAWErrors
import DAWMedia
import Foundation

/// The bytes of a JSON document, which can be read at any offset: a file, or a copy of what can be read only once.
public final class JSONSource {
  private let descriptor: Int32
  /// What messages call it: a path, or "standard input".
  private let name: String

  /// Bytes that are copied of a stream, which may have no end.
  static let maximumStreamLength: Int64 = 4 << 30

  /// Opens a file. A pipe is copied.
  /// - Throws: `Failure`.
  public convenience init(path: String) throws {
    try self.init(path: path, maximumStreamLength: Self.maximumStreamLength)
  }

  convenience init(path: String, maximumStreamLength: Int64) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.unreadable(path) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.isFolder {
      close(descriptor)
      throw Failure.unreadable(path)
    }
    try self.init(owning: descriptor, name: "'\(path)'", maximumStreamLength)
  }

  /// Standard input, copied unless it is a file.
  /// - Throws: `Failure`.
  public static func standardInput() throws -> JSONSource {
    let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard descriptor >= 0 else { throw unreadable("Standard input") }
    return try JSONSource(owning: descriptor, name: "Standard input", maximumStreamLength)
  }

  private init(owning descriptor: Int32, name: String, _ maximumStreamLength: Int64) throws {
    self.name = name
    var status = stat()
    // A file that is standard input may have been read in part already.
    let isWhole = lseek(descriptor, 0, SEEK_CUR) == 0
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isWhole else {
      defer { close(descriptor) }
      self.descriptor = try Self.copy(of: descriptor, name, maximumStreamLength)
      return
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// - Returns: the number of bytes read; fewer than asked for only at the end.
  /// - Throws: `Failure`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    do throws(SystemCallFailure) {
      return try FileDescriptor.read(descriptor, into: buffer, at: offset)
    } catch {
      throw Self.unreadable(name)
    }
  }

  /// Runs `body`, which reads these bytes, and says where they are wrong.
  /// - Parameter noun: what they should be: "a project".
  /// - Throws: `Failure` of a `JSONError`, and other errors of `body`.
  func reading<Value>(_ noun: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as JSONError {
      let (line, column) = try place(of: error.offset)
      let path = error.place.isEmpty ? "" : "\(error.place), "
      throw Failure(
        .invalid, code: "invalidJSON",
        "The JSON is not that of \(noun): at \(path)line \(line), column \(column): \(error.reason)")
    }
  }

  /// Line and column of a byte, both from 1; columns count characters.
  func place(of offset: Int64) throws -> (line: Int, column: Int) {
    var (line, column) = (1, 1)
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      var start: Int64 = 0
      while start < offset {
        let count = min(try read(into: buffer, at: start), Int(offset - start))
        guard count > 0 else { return }
        for byte in buffer[..<count] {
          if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) } else if byte & 0xc0 != 0x80 { column += 1 }
        }
        start += Int64(count)
      }
    }
    return (line, column)
  }

  /// Copies what is left of a stream to a file without a name; no further than to a NUL byte, or a beginning that is no
  /// object's, at which reading fails, since such a stream may have no end.
  /// - Throws: `Failure`, also for more than `limit` bytes, and more white space than there may be.
  private static func copy(of stream: Int32, _ name: String, _ limit: Int64) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.path
    var file: Int32 = -1
    do {
      file = try Folder(path: folder).openNameless(spare: "daw-\(UUID().uuidString)")
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
        var end: Int64 = 0
        var spaces = 0
        var isBegun = false
        while true {
          let count = Glibc.read(stream, buffer.baseAddress, buffer.count)
          if count == 0 { return }
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { throw unreadable(name) }
          let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          try FileDescriptor.write(piece, to: file, at: end)
          end += Int64(count)
          if piece.contains(0) { return }
          if !isBegun, let first = piece.first(where: { !JSONReader.isSpace($0) }) {
            // An object, or a byte order mark before one.
            guard first == UInt8(ascii: "{") || first == 0xef else { return }
            isBegun = true
          }
          if end > limit { throw tooLong(name, limit) }
          for byte in piece {
            spaces = JSONReader.isSpace(byte) ? spaces + 1 : 0
            if spaces > maximumSpaceLength { throw tooMuchSpace(name) }
          }
        }
      }
      return file
    } catch {
      if file >= 0 { close(file) }
      guard let error = error as? SystemCallFailure else { throw error }
      throw Failure(
        .io, code: "io", "The JSON could not be copied to '\(folder)': \(error). Nothing was changed.",
        hint: "Set TMPDIR to a folder with more space.")
    }
  }

  /// Bytes of white space in a row, of which a string may consist, too.
  private static let maximumSpaceLength = JSONReader.maximumTokenLength

  private static func tooMuchSpace(_ name: String) -> Failure {
    Failure(
      .invalid, code: "invalidJSON",
      "\(name) gives more than \(maximumSpaceLength >> 20) MiB of white space in a row, as no JSON does. "
        + "Nothing was changed.")
  }

  private static func tooLong(_ name: String, _ limit: Int64) -> Failure {
    Failure(
      .invalid, code: "inputTooLong", "\(name) gives more than \(limit >> 20) MiB. Nothing was changed.",
      hint: "Write it into a file, which may be longer, and name that.")
  }

  private static func unreadable(_ name: String) -> Failure {
    Failure(.io, code: name.hasPrefix("'") ? "io" : "inputFailed", "\(name) could not be read. Nothing was changed.")
  }
}
