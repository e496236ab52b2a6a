import DAWJack
import Foundation

/// A JACK server for one test: `jackd` with the dummy driver under a unique name, stopped by its process id.
public final class JackServer {
  public let name: String
  private let process: Process

  /// Why no server can run, as a sentence; `nil` if one can.
  public static let absence: String? = {
    do {
      _ = try JackLibrary.shared()
      return try start() == nil ? "jackd did not answer within two minutes" : nil
    } catch {
      return "\(error)"
    }
  }()

  /// Whether tests with a server can run; prints the reason if not. If `isComplete` they run anyway, and fail.
  public static let isAvailable: Bool = {
    guard !isComplete, let absence else { return true }
    FileHandle.standardError.write(Data("Skipped, for want of a JACK server: \(absence)\n".utf8))
    return false
  }()

  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  /// - Throws: if there is no `jackd`, or it does not answer.
  /// - Parameters:
  ///   - name: the name of a server that has ended; `nil` for a new name.
  ///   - isPatient: each cycle waits up to ten seconds for its clients, so that none misses a cycle on a busy machine.
  ///     Such a server stalls when a client is killed.
  public convenience init(
    name: String? = nil, rate: Int = 48_000, bufferSize: Int = 256, isPatient: Bool = false
  ) throws {
    let options = isPatient ? ["-S", "-t", "10000"] : []
    guard let process = try Self.launch(name: name ?? Self.freeName(), rate, bufferSize, options) else {
      throw Missing(description: "jackd did not answer within two minutes")
    }
    self.init(process)
  }

  private init(_ launched: (name: String, process: Process)) { (name, process) = launched }

  deinit {
    stop()
    if keepsPlace { giveBackPlace() }
    if !keepsPlace { removeSemaphores() }
  }

  /// Stops the server, and waits for its end.
  public func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }

  /// Suspends the server: it does not answer until it continues.
  public func standStill() { kill(process.processIdentifier, SIGSTOP) }
  public func goOn() { kill(process.processIdentifier, SIGCONT) }

  /// Kills the server without cleanup, as a power failure would.
  public func kill9() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// JACK has eight places for servers on a machine. A killed server keeps its place, and sometimes one whose client
  /// was killed just before does.
  private var keepsPlace: Bool {
    guard let places = try? Data(contentsOf: URL(filePath: "/dev/shm/jack-shm-registry")) else { return false }
    return places.range(of: Data(":\(name):".utf8)) != nil
  }

  /// Frees the place: only a server of the same name takes it over, and frees it when it ends.
  private func giveBackPlace() {
    guard let next = try? Self.launch(name: name, 48_000, 256) else { return }
    kill(next.process.processIdentifier, SIGTERM)
    next.process.waitUntilExit()
  }

  /// Removes the semaphores of clients, which stay where they or the server were killed. One of the same name may run
  /// again, and then has its place.
  private func removeSemaphores() {
    for file in Self.semaphores(ofServer: name) { unlink(file) }
  }

  /// The paths of the semaphores of a server's clients.
  public static func semaphores(ofServer name: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    return files.filter { $0.hasPrefix("jack_sem.\(getuid())_\(name)_") }.map { "/dev/shm/" + $0 }
  }

  private static func start() throws -> Void? {
    try launch(name: freeName(), 48_000, 256).map { JackServer($0).stop() }
  }

  private static func freeName() -> String { "daw-test-\(getpid())-\(UUID().uuidString.prefix(8).lowercased())" }

  private static func launch(
    name: String, _ rate: Int, _ bufferSize: Int, _ options: [String] = []
  ) throws -> (name: String, process: Process)? {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    guard let jackd = paths.lazy.map({ String($0) + "/jackd" }).first(where: { access($0, X_OK) == 0 }) else {
      throw Missing(description: "jackd is not installed (apt install jackd2)")
    }
    let process = Process()
    process.executableURL = URL(filePath: jackd)
    process.arguments = ["-n", name, "-r"] + options + ["-d", "dummy", "-r", "\(rate)", "-p", "\(bufferSize)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.start()
    let deadline = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < deadline, process.isRunning {
      if (try? CaptureClient(server: name, name: "probe")) != nil { return (name, process) }
      usleep(20_000)
    }
    if process.isRunning { kill(process.processIdentifier, SIGTERM) }
    return nil
  }
}
