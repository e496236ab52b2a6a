import DAWTestSupport
import Foundation
import Synchronization

/// A pseudo-terminal driven by a test, and a program that runs on it.
final class PseudoTerminal: @unchecked Sendable {
  // Unchecked: what changes is behind the mutex.
  private let master: Int32
  /// The terminal as its program has it.
  let line: Int32
  private let shown = Mutex<[UInt8]>([])

  struct Missing: Error {}

  /// - Parameter columns: of the screen.
  init(columns: UInt16 = 120) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN, which Glibc's module leaves out: unlock the other end, and say its number.
    var (isLocked, number): (Int32, Int32) = (0, -1)
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw Missing()
    }
    line = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard line >= 0 else { throw Missing() }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(line, UInt(TIOCSWINSZ), &size)
    let reader = master
    Thread.detachNewThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(reader, &bytes, bytes.count), count > 0 {
        let new = bytes.prefix(count)
        shown.withLock { $0 += new }
      }
      // This thread is the last to use the reader's end, and closes it.
      close(reader)
    }
  }

  /// Without the program's end and this one, the thread that reads comes to its end.
  func hangUp() { close(line) }

  /// All that was written so far, as it was written.
  var text: String { shown.withLock { String(decoding: $0, as: UTF8.self) } }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// How the terminal is set: its modes and its characters.
  var settings: [UInt8] {
    var settings = termios()
    tcgetattr(line, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// Starts `daw` on it.
  func start(_ daw: DAWProgram, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: daw.path)
    process.arguments = arguments
    process.currentDirectoryURL = daw.folder
    var variables = ProcessInfo.processInfo.environment
    variables["DAW_PROJECT"] = nil
    for name in ["COLUMNS", "NO_COLOR"] { variables[name] = nil }
    (variables["TERM"], variables["LC_ALL"]) = ("xterm-256color", "C.UTF-8")
    process.environment = variables.merging(daw.environment) { $1 }
    let handle = FileHandle(fileDescriptor: line, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.start()
    return process
  }
}
