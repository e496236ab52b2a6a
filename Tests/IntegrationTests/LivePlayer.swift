import DAWTestSupport
import Foundation

/// A `daw play --json`, or `daw record --json`, under way, and what it has said.
final class LivePlayer {
  let program: DAWProgram
  let server: JackServer
  private let running: DAWProgram.Running
  private let project: String

  /// Starts a player, and waits until it plays.
  convenience init(
    _ program: DAWProgram, _ project: String, on server: JackServer, command: String = "play", _ options: String...
  ) throws {
    try self.init(program, project, on: server, command: command, options: options)
  }

  init(_ program: DAWProgram, _ project: String, on server: JackServer, command: String, options: [String]) throws {
    self.program = program
    self.server = server
    self.project = project
    running = try program.start([command, "-p", project, "--server", server.name, "--json"] + options)
    guard wait(for: { !events("opened").isEmpty }) else { throw Silent(said: running.errorSoFar + running.textSoFar) }
  }

  deinit { if running.process.isRunning { running.kill() } }

  struct Silent: Error, CustomStringConvertible {
    var said: String
    var description: String { "The player did not start, or did not obey: \(said)" }
  }

  /// What it has told under a name, oldest first.
  func events(_ name: String) -> [[String: Any]] {
    running.textSoFar.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }.filter { $0["event"] as? String == name }
  }

  /// Its name among JACK's clients.
  var client: String { events("opened").first?["clientName"] as? String ?? "" }

  var isRunning: Bool { running.process.isRunning }

  /// Everything so far, for a failure's message.
  var said: String { running.errorSoFar + running.textSoFar }

  /// Until something holds.
  func wait(atMost seconds: Int = 60, for condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
      if ContinuousClock.now > deadline || !running.process.isRunning { return condition() }
      usleep(10_000)
    }
    return true
  }

  struct Status: Decodable {
    var state: String
    var frame: Int64
    var revision: Int64
    var xruns: Int
    var lateFrames: Int64
    var bufferSize: Int
  }

  /// Runs `daw transport`.
  @discardableResult
  func transport(_ words: String...) throws -> Status {
    try program.run(["transport", "-p", project, "--json"] + words).json(Status.self)
  }

  func send(_ signal: Int32) { running.send(signal) }
  func kill() { running.kill() }

  /// Its end.
  func finish() -> DAWProgram.Output { running.finish() }
}
