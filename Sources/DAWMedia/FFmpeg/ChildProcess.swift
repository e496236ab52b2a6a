import CChildProcess
import Glibc

/// Another program, run without a shell, with limits, in a process group of its own. It is killed with this object, and
/// when this process ends. Used by one thread, which outlives it.
final class ChildProcess {
  private let process: StartedProcess
  private(set) var ending: StartedProcess.Ending?
  private let errors: MemoryFile

  /// Seconds of processor time: more than a day of sound takes.
  static let maximumSeconds: UInt = 3_600
  static let maximumFileBytes: UInt = 64 << 30
  private static let maximumMemoryBytes: UInt = 4 << 30

  /// - Parameters:
  ///   - path: absolute.
  ///   - input: the descriptor that it reads as its standard input; `nil`: it reads nothing.
  ///   - output: its standard output; `nil`: discarded.
  ///   - descriptors: passed on as 3, 4, …
  init(
    path: String, arguments: [String], input: Int32? = nil, output: Int32? = nil, descriptors: [Int32] = []
  ) throws(SystemCallFailure) {
    errors = try MemoryFile()
    let nowhere = try FileDescriptor.opening("/dev/null", O_RDWR)
    let passed = [input ?? nowhere.number, output ?? nowhere.number, errors.number] + descriptors
    // Nothing of the user's environment, in which FFREPORT would have it write files.
    let environment = Self.words(["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "AV_LOG_FORCE_NOCOLOR=1"])
    let words = Self.words([Path.name(of: path)] + arguments)
    defer { for word in words + environment { free(word) } }
    var limits = daw_child_limits(
      seconds: Self.maximumSeconds, file_bytes: Self.maximumFileBytes, memory_bytes: Self.maximumMemoryBytes,
      niceness: 0, is_idle: 0, folder: nil)
    let number = daw_child_start(path, words, environment, passed, Int32(passed.count), &limits)
    guard number > 0 else { throw SystemCallFailure(call: "start \(Path.name(of: path))", code: errno) }
    // Not before it is known to be one: `deinit` would kill the process -1, which is every process of the user.
    process = StartedProcess(number: number)
  }

  deinit { kill() }

  /// Waits for its end.
  /// - Parameter isAlive: called about fifty times a second; the process is killed when it returns `false`.
  func wait(while isAlive: () -> Bool = { true }) -> StartedProcess.Ending {
    var pause: UInt32 = 500
    while ending == nil {
      ending = process.takeEnding(waits: false)
      if ending != nil { break }
      if !isAlive() { kill() }
      usleep(pause)
      pause = min(20_000, pause * 2)
    }
    return ending ?? .exited(127)
  }

  /// Ends it, and what it has started.
  func kill() {
    guard ending == nil else { return }
    process.kill()
    ending = process.takeEnding(waits: true)
  }

  /// What it has written to standard error, line by line.
  var complaints: [String] { errors.text.complaintLines }

  private static func words(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] { words.map { strdup($0) } + [nil] }
}

/// A file in memory, to pass texts to a child process and to take them from it.
final class MemoryFile {
  let number: Int32

  init() throws(SystemCallFailure) {
    number = daw_memory_file()
    if number < 0 { throw SystemCallFailure(call: "make a file in memory", code: errno) }
  }

  convenience init(_ bytes: [UInt8]) throws(SystemCallFailure) {
    try self.init()
    try FileDescriptor.write(bytes, to: number, at: 0)
  }

  deinit { close(number) }

  /// Its first 64 KiB.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = bytes.withUnsafeMutableBytes { (try? FileDescriptor.read(number, into: $0, at: 0)) ?? 0 }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
