import DAWErrors
import Glibc

/// A process that silences MIDI receivers when this one is killed: it shares the table of sounding notes, and sends the
/// note-offs when the pipe to it closes without a goodbye.
public final class Watchdog: @unchecked Sendable {
  // Unchecked: only the table changes.
  public let table: SoundingTable
  private let pipe: Int32
  private let process: pid_t

  /// The watchdog's descriptors: the pipe's reading end, and the table's memory.
  static let pipeDescriptor: Int32 = 3
  static let tableDescriptor: Int32 = 4

  /// Starts the watchdog. Call it before opening descriptors that it should not inherit.
  /// - Parameter arguments: command-line arguments with which this program calls `takeOver()` first.
  /// - Throws: `WatchdogError`.
  public init(arguments: [String]) throws(WatchdogError) {
    table = try SoundingTable()
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Self.failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    pipe = ends[1]
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    Self.hand(ends[0], table.descriptor, by: &actions)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // It must survive a Ctrl-C on the terminal and a hang-up.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&blocked, number) }
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = (["daw"] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, words, environ)
    guard result == 0 else {
      close(ends[1])
      throw Self.failure(result)
    }
    self.process = process
  }

  /// Gives the watchdog its descriptors, whatever numbers they have here.
  static func hand(_ pipe: Int32, _ table: Int32, by actions: inout posix_spawn_file_actions_t) {
    // By way of two beyond both, so that neither overwrites the other.
    let spare = max(pipe, table, tableDescriptor) + 1
    posix_spawn_file_actions_adddup2(&actions, pipe, spare)
    posix_spawn_file_actions_adddup2(&actions, table, spare + 1)
    posix_spawn_file_actions_adddup2(&actions, spare, pipeDescriptor)
    posix_spawn_file_actions_adddup2(&actions, spare + 1, tableDescriptor)
    for descriptor in [spare, spare + 1] { posix_spawn_file_actions_addclose(&actions, descriptor) }
  }

  private static func failure(_ number: Int32) -> WatchdogError { WatchdogError("start its watchdog", number) }

  /// Ends the watchdog without sending anything: all is silent.
  public func dismiss() {
    var goodbye: UInt8 = 1
    _ = write(pipe, &goodbye, 1)
    close(pipe)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Makes the watchdog send the note-offs now, when this process cannot.
  public func alarm() { close(pipe) }

  /// In the watchdog: waits for the end of the process that started it.
  /// - Returns: the table of what is left sounding; `nil` after a goodbye.
  public static func takeOver() -> SoundingTable? {
    // The signals that end a process are blocked since its start; a new session detaches it from the terminal.
    setsid()
    var goodbye: UInt8 = 0
    while true {
      let count = read(pipeDescriptor, &goodbye, 1)
      if count > 0 { return nil }
      if count == 0 { return SoundingTable(descriptor: tableDescriptor) }
      guard errno == EINTR else { return nil }
    }
  }
}

/// Why the watchdog did not start. Nothing has to be cleaned up.
public struct WatchdogError: Error, Hashable {
  /// What was tried, and the system's message.
  public let attempt: String
  public let reason: String

  init(_ attempt: String, _ number: Int32) {
    self.attempt = attempt
    reason = String(cString: strerror(number))
  }
}

extension WatchdogError: DAWError {
  public var kind: ErrorKind { .unavailable }
  public var code: String { "watchdogFailed" }
  public var message: String {
    "The player could not \(attempt): \(reason). It plays on; where it is killed, notes may sound on."
  }
}
