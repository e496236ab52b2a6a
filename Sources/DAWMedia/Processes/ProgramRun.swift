import CChildProcess
import Glibc

/// Another program, run to its end without a shell, in a process group of its own, which is killed when the calling
/// thread ends.
package struct ProgramRun {
  /// Absolute.
  package var path: String
  /// Without its name.
  package var arguments: [String]
  package var environment: [String: String]
  /// The file that it reads as its standard input.
  package var input = "/dev/null"
  /// The folder that it starts in; `nil`: that of this process.
  package var folder: String?
  /// Whether it runs only while no other program wants the processor.
  package var isIdle = false
  /// Seconds, by the clock, without pauses.
  package var timeLimit: Double
  /// The most bytes of its standard output; beyond them it is killed.
  package var maximumOutput = 16 << 20

  package enum Ending: Equatable {
    case ended(StartedProcess.Ending)
    case tookTooLong
    case wroteTooMuch
    case unwanted
  }

  package struct Result {
    package var ending: Ending
    package var output: [UInt8]
    /// What it has written to standard error, line by line; of much only the end.
    package var complaints: [String]
  }

  /// The longest file that it may write, in bytes.
  private static let maximumFileBytes: UInt = 4 << 30
  private static let maximumComplaints = 16_384
  /// 0 … 19, as of nice(1).
  private static let niceness: Int32 = 10

  package init(path: String, arguments: [String], environment: [String: String], timeLimit: Double) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.timeLimit = timeLimit
  }

  /// - Parameters:
  ///   - isWanted: called about ten times a second; the program is killed when it returns `false`.
  ///   - isPaused: called as often; while it returns `true` the program's group is stopped.
  ///   - received: called with each piece of its output.
  package func run(
    while isWanted: () -> Bool = { true }, pausingWhile isPaused: () -> Bool = { false },
    received: (ArraySlice<UInt8>) -> Void = { _ in }
  ) throws(SystemCallFailure) -> Result {
    let output = try Pipe()
    let errors = try Pipe()
    let process = try start(output, errors)
    output.closeEnd()
    errors.closeEnd()
    let start = Self.now()
    var result = Result(ending: .ended(.exited(127)), output: [], complaints: [])
    var complaints: [UInt8] = []
    var forced: Ending?
    var lastAsked = start
    var pause = Pause(group: process.number)
    while true {
      let ended = process.hasEnded
      if !ended { Pipe.wait(output, errors) }
      while let piece = output.read(), forced == nil {
        result.output += piece
        received(piece[...])
        if result.output.count > maximumOutput { forced = .wroteTooMuch }
        if !ended { break }
      }
      while let piece = errors.read() {
        complaints = Array((complaints + piece).suffix(Self.maximumComplaints))
        if !ended { break }
      }
      if forced == nil, Self.now() - start - pause.length(at: Self.now()) > timeLimit { forced = .tookTooLong }
      if forced == nil, Self.now() - lastAsked > 0.1 {
        lastAsked = Self.now()
        if isWanted() { pause.set(isPaused(), at: lastAsked) } else { forced = .unwanted }
      }
      if forced != nil || ended { break }
    }
    // What it has started ends with it; its own number is free only once it is waited for.
    process.kill()
    let ending = process.takeEnding(waits: true) ?? .exited(127)
    result.ending = forced ?? .ended(ending)
    result.complaints = String(decoding: complaints, as: UTF8.self).complaintLines
    return result
  }

  private func start(_ output: Pipe, _ errors: Pipe) throws(SystemCallFailure) -> StartedProcess {
    let input = try FileDescriptor.opening(input, O_RDONLY)
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let words = ([Path.name(of: path)] + arguments).map { strdup($0) } + [nil]
    let names = variables.map { strdup($0) } + [nil]
    let place = folder.map { strdup($0) } ?? nil
    defer {
      for word in words + names { free(word) }
      free(place)
    }
    var limits = daw_child_limits(
      seconds: 0, file_bytes: Self.maximumFileBytes, memory_bytes: 0, niceness: Self.niceness,
      is_idle: isIdle ? 1 : 0, folder: place)
    let number = daw_child_start(path, words, names, [input.number, output.end, errors.end], 3, &limits)
    guard number > 0 else { throw SystemCallFailure(call: "start \(Path.name(of: path))", code: errno) }
    return StartedProcess(number: number)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Stops a process group and lets it go on. Where this process dies meanwhile, the group does not stay stopped: its
/// first process is killed, and the kernel wakes the others with a SIGHUP, as of a group that has become an orphan.
/// - SeeAlso: setpgid(2); prctl(2), PR_SET_PDEATHSIG
private struct Pause {
  let group: pid_t
  /// When it was stopped, in seconds; `nil`: it runs.
  private var since: Double?
  /// The length of the pauses that are over, in seconds.
  private var past = 0.0

  init(group: pid_t) { self.group = group }

  /// The time for which it has been stopped, in seconds.
  func length(at now: Double) -> Double { past + (since.map { now - $0 } ?? 0) }

  mutating func set(_ isStopped: Bool, at now: Double) {
    if isStopped, since == nil {
      // It fails until the program has made its group.
      if kill(-group, SIGSTOP) == 0 { since = now }
    } else if !isStopped, let start = since {
      kill(-group, SIGCONT)
      past += now - start
      since = nil
    }
  }
}

/// What a program writes, to be read without waiting.
private final class Pipe {
  private let start: Int32
  private(set) var end: Int32
  private(set) var isAtEnd = false

  init() throws(SystemCallFailure) {
    var ends: [Int32] = [-1, -1]
    guard daw_pipe(&ends) == 0 else { throw SystemCallFailure(call: "make a pipe", code: errno) }
    (start, end) = (ends[0], ends[1])
    _ = fcntl(start, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(start)
    closeEnd()
  }

  func closeEnd() {
    if end >= 0 { close(end) }
    end = -1
  }

  /// - Returns: `nil` if there is nothing now.
  func read() -> [UInt8]? {
    guard !isAtEnd else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(start, &bytes, bytes.count)
    if count == 0 { isAtEnd = true }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// At most 50 ms.
  static func wait(_ pipes: Pipe...) {
    var waits = pipes.filter { !$0.isAtEnd }.map { pollfd(fd: $0.start, events: Int16(POLLIN), revents: 0) }
    if waits.isEmpty { usleep(5_000) } else { _ = poll(&waits, nfds_t(waits.count), 50) }
  }
}
