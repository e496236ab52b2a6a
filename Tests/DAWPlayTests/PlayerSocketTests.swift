import DAWErrors
import DAWTestSupport
import Foundation
import Testing

@testable import DAWPlay
@testable import DAWProject

/// A socket that is served on a thread, and answers with a process's number.
private final class Served: @unchecked Sendable {
  // Unchecked: only the thread uses the socket; what it notes is behind the lock.
  private let socket: PlayerSocket
  let earlierPlayer: pid_t?
  private let lock = NSLock()
  private var isEnding = false
  private var taken: [PlayerCommand] = []
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter seconds: before each answer.
  init(_ socket: PlayerSocket, number: Int32 = 1, after seconds: UInt32 = 0) {
    self.socket = socket
    earlierPlayer = socket.earlierPlayer
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isEnding }) {
        self.socket.serve { command in
          lock.withLock { taken.append(command) }
          sleep(seconds)
          var status = PlayerStatus()
          status.processID = number
          return PlayerAnswer(status: status)
        }
        usleep(200)
      }
      self.socket.close()
      ended.signal()
    }
  }

  var commands: [PlayerCommand] { lock.withLock { taken } }

  func end() {
    lock.withLock { isEnding = true }
    ended.wait()
  }
}

/// The other end of a player's socket, which writes what no client of ours does.
private final class Rude {
  let socket: Int32

  init(_ address: PlayerAddress) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let folder = try PlayerFolder(at: address.folder, isMade: false)
    let name = try #require(folder.sockets(address.prefix).first)
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    try folder.withAddress(of: name) { [socket] pointer, length throws(POSIXCode) in
      guard connect(socket, pointer, length) == 0 else { throw POSIXCode(errno) }
    }
  }

  deinit { close(socket) }

  /// - Returns: whether all of it was taken.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// - Returns: `nil` where the connection was closed instead.
  func answer() -> String? {
    var bytes: [UInt8] = []
    var next: UInt8 = 0
    while recv(socket, &next, 1, 0) == 1 {
      if next == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(next)
    }
    return nil
  }
}

@Suite("A player's socket", .serialized)
struct PlayerSocketTests {
  private let folder: TemporaryFolder
  private let project: ProjectFolder
  private let address: PlayerAddress

  init() throws {
    folder = try TemporaryFolder()
    project = ProjectFolder(path: folder.path("Song.daw"))
    address = PlayerAddress(
      of: project, cacheFolder: folder.path("Cache"), environment: ["XDG_RUNTIME_DIR": folder.path])
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  // MARK: Who may come in

  @Test("Its folder is made for its owner alone, and so is the socket")
  func modes() throws {
    let socket = try PlayerSocket(at: address)
    defer { socket.close() }
    #expect(mode(address.folder) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: address.folder)
    #expect(names.count == 1 && mode("\(address.folder)/\(names[0])") == 0o600)
  }

  @Test("A folder that others can enter is refused, with what to do", arguments: [0o755, 0o750, 0o701, 0o777, 0o710])
  func openFolder(mode: Int) throws {
    mkdir(address.folder, 0o700)
    chmod(address.folder, mode_t(mode))
    for attempt in [
      { _ = try PlayerSocket(at: address) }, { _ = try PlayerConnection.oldest(at: address, project) },
    ] {
      let failure = try #require(throws: Failure.self) { try attempt() }
      #expect(failure.code == "unsafeControlFolder" && failure.hint?.contains("chmod 700") == true, "\(failure)")
      #expect(failure.message.contains(String(mode, radix: 8)))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: address.folder).isEmpty)
  }

  @Test("A link in the folder's place is refused, and so is another user's folder")
  func foreignFolder() throws {
    mkdir(folder.path("elsewhere"), 0o700)
    symlink(folder.path("elsewhere"), address.folder)
    #expect(throws: Failure.self) { try PlayerSocket(at: address) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere")).isEmpty)
    unlink(address.folder)
    guard geteuid() == 0 else { return }
    mkdir(address.folder, 0o700)
    chown(address.folder, 65_534, 65_534)
    let failure = try #require(throws: Failure.self) { try PlayerSocket(at: address) }
    #expect(failure.code == "unsafeControlFolder")
  }

  @Test("Both ends know each other's user: what is another's is answered by neither")
  func users() throws {
    let other = PeerCredentials(process: 1, user: geteuid() + 1)
    let deaf = Served(try PlayerSocket(at: address, credentials: { _ in other }))
    let rude = try Rude(address)
    rude.write(Array("{\"stop\":{}}\n".utf8))
    #expect(rude.answer() == nil)
    #expect(deaf.commands == [])
    deaf.end()
    let unknown = Served(try PlayerSocket(at: address, credentials: { _ in nil }))
    #expect(try Rude(address).answer() == nil)
    unknown.end()

    let served = Served(try PlayerSocket(at: address))
    defer { served.end() }
    let sockets = try PlayerFolder(at: address.folder, isMade: false)
    let name = try #require(sockets.sockets(address.prefix).first)
    let failure = try #require(throws: Failure.self) {
      try PlayerConnection(to: name, in: sockets, credentials: { _ in other })
    }
    #expect(failure.code == "foreignPlayer")
    let connection = try PlayerConnection(to: name, in: sockets)
    #expect(connection.processID == getpid())
    #expect(try connection.send(.status).processID == 1)
  }

  @Test("The system vouches for who is at the other end; this user and root are trusted, others are not")
  func credentials() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let peer = try #require(PeerCredentials(of: ends[0]))
    #expect(peer.process == getpid() && peer.user == geteuid() && peer.isTrusted)
    #expect(PeerCredentials(process: 1, user: 0).isTrusted)
    #expect(!PeerCredentials(process: 1, user: geteuid() + 1).isTrusted)
    #expect(PeerCredentials(of: STDIN_FILENO)?.isTrusted != true)
  }

  // MARK: Several players

  @Test("Of two players the one that came first is reached; when it has ended, the other")
  func two() throws {
    func reached() throws -> Int32 { try PlayerConnection.oldest(at: address, project).send(.status).processID }
    let first = Served(try PlayerSocket(at: address), number: 1)
    #expect(first.earlierPlayer == nil)
    let second = Served(try PlayerSocket(at: address), number: 2)
    #expect(second.earlierPlayer == getpid())
    #expect(try reached() == 1)
    first.end()
    #expect(try reached() == 2)
    let third = Served(try PlayerSocket(at: address), number: 3)
    #expect(try reached() == 2)
    second.end()
    #expect(try reached() == 3)
    third.end()
    let failure = try #require(throws: Failure.self) { try reached() }
    #expect(failure.code == "playerNotRunning")
    #expect(try FileManager.default.contentsOfDirectory(atPath: address.folder).isEmpty)
  }

  @Test("What a killed player has left is passed over, and removed by the next one")
  func stale() throws {
    let sockets = try PlayerFolder(at: address.folder, isMade: true)
    let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try sockets.withAddress(of: "\(address.prefix)dead.socket") { pointer, length throws(POSIXCode) in
      guard bind(dead, pointer, length) == 0, listen(dead, 1) == 0 else { throw POSIXCode(errno) }
    }
    close(dead)
    let failure = try #require(throws: Failure.self) { try PlayerConnection.oldest(at: address, project) }
    #expect(failure.code == "playerNotRunning" && failure.message.contains("ended by force"))
    let served = Served(try PlayerSocket(at: address))
    #expect(served.earlierPlayer == nil)
    #expect(sockets.sockets(address.prefix).count == 1)
    #expect(try PlayerConnection.oldest(at: address, project).send(.status).processID == 1)
    served.end()
  }

  // MARK: What comes in

  @Test("Connections that say nothing keep no other out")
  func idle() throws {
    let served = Served(try PlayerSocket(at: address))
    defer { served.end() }
    let idle = try (0..<3 * PlayerSocket.mostConnections).map { _ in try Rude(address) }
    idle[0].write([UInt8(ascii: "{")])
    for _ in 0..<10 { #expect(try PlayerConnection.oldest(at: address, project).send(.status).processID == 1) }
    withExtendedLifetime(idle) {}
  }

  @Test("One that has not given a command for long is closed, however many bytes it sends")
  func slow() throws {
    let served = Served(try PlayerSocket(at: address, patience: .milliseconds(20)))
    defer { served.end() }
    let slow = try Rude(address)
    slow.write([UInt8(ascii: "{")])
    #expect(slow.answer() == nil)
  }

  @Test("A client that asks without end is answered once at a time")
  func flood() throws {
    let socket = try PlayerSocket(at: address)
    defer { socket.close() }
    let (flood, other) = (try Rude(address), try Rude(address))
    flood.write(Array(String(repeating: "{\"status\":{}}\n", count: 100).utf8))
    other.write(Array("{\"stop\":{}}\n".utf8))
    var commands: [PlayerCommand] = []
    for turn in 1...4 {
      socket.serve { command in
        commands.append(command)
        return PlayerAnswer(status: PlayerStatus())
      }
      #expect(commands.count == turn)
      #expect(socket.hasCommand)
    }
    #expect(commands.contains(.stop), "the other's turn comes: \(commands)")
  }

  @Test("A client that asks and closes its end is answered still; one that reads nothing is left")
  func halfClosed() throws {
    let served = Served(try PlayerSocket(at: address))
    defer { served.end() }
    let half = try Rude(address)
    half.write(Array("{\"status\":{}}\n".utf8))
    shutdown(half.socket, Int32(SHUT_WR))
    #expect(half.answer()?.contains("\"status\"") == true)
    let deaf = try Rude(address)
    let line = Array(String(repeating: "{\"status\":{}}\n", count: 1_000).utf8)
    var writes = 0
    while writes < 50, deaf.write(line) { writes += 1 }
    #expect(try PlayerConnection.oldest(at: address, project).send(.status).processID == 1)
  }

  @Test("From a second to ten minutes can be kept; what is not is said", arguments: [0.5, 1, 600, 601])
  func keptLength(seconds: Double) throws {
    let line = Data("{\"keep\":{\"seconds\":\(seconds)}}".utf8)
    guard !(1...600 ~= seconds) else {
      #expect(try PlayerCommand(line: line) == .keep(seconds: seconds))
      return
    }
    let failure = try #require(throws: Failure.self) { _ = try PlayerCommand(line: line) }
    #expect(failure.code == "rememberedLength" && failure.message.contains("From 1 s to 10 min"), "\(failure)")
  }

  @Test("The end of a recording is waited for longer than other answers")
  func patience() throws {
    let served = Served(try PlayerSocket(at: address), after: 6)
    defer { served.end() }
    #expect(try PlayerConnection.oldest(at: address, project).send(.keep(seconds: 1)).processID == 1)
  }

  @Test("What waits for a recording's end is given more than the player's own 20 s, and nothing else is")
  func patienceOfCommands() {
    let long: [PlayerCommand] = [.keep(seconds: 1), .cancelRecording]
    #expect(long.allSatisfy { $0.patience > 20 })
    let short: [PlayerCommand] = [
      .start, .stop, .locate(flicks: 0), .record(false), .endPunch, .status, .counts, .quit,
    ]
    #expect(short.allSatisfy { $0.patience == PlayerCommand.usualPatience })
  }

  private static let extremes = [
    "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "4611686018427387904", "4611686018427387905", "1099511627776", "1099511627777", "-1099511627777", "1e308", "-1e308",
    "1e999", "0.5", "null", "true", "\"\"", "\"1\"", "[]", "{}", "[[1]]",
  ]

  /// A line for each command with each number, and lines that are none.
  private static let lines: [[UInt8]] = {
    var lines: [String] = []
    for value in extremes {
      lines += [
        "{\"locateBars\":{\"_0\":\(value)}}", "{\"locate\":{\"flicks\":\(value)}}", "{\"status\":\(value)}", value,
        "{\"keep\":{\"seconds\":\(value)}}",
      ]
      for end in extremes { lines.append("{\"loop\":{\"startFlicks\":\(value),\"endFlicks\":\(end)}}") }
    }
    for name in ["start", "stop", "toggle", "endLoop", "toggleLoop", "status", "nothing", ""] {
      lines += [
        "{\"\(name)\":{}}", "{\"\(name)\":{\"x\":1}}", "{\"\(name)\":null}", "{\"\(name)\":[]}", "\"\(name)\"",
        "{\"\(name)\":{}} x", "{\"\(name)\"", "{\"\(name)\":{},\"stop\":{}}",
      ]
    }
    lines += [
      "", " ", "\r", "{}", "[]", String(repeating: "[", count: 4_000), String(repeating: "{\"a\":", count: 800),
      String(repeating: "{\"locate\":", count: 400), "{\"locate\":{}}", "{\"locate\":{\"flicks\":1,\"flicks\":2}}",
      "{\"locate\":{\"flicks\":\(String(repeating: "9", count: 4_000))}}", "\u{0}", "\u{FEFF}{\"status\":{}}",
    ]
    let binary: [[UInt8]] = [[0], [0xff, 0xfe], Array(repeating: 0x80, count: 500), Array(0...9), Array(11...255)]
    return lines.map { Array($0.utf8) } + binary
  }()

  @Test("Whatever a line holds, it is answered, and no number leaves its range")
  func fuzz() throws {
    let served = Served(try PlayerSocket(at: address))
    defer { served.end() }
    let rude = try Rude(address)
    for line in Self.lines {
      rude.write(line + [UInt8(ascii: "\n")])
      let answer = try #require(rude.answer(), "\(String(decoding: line.prefix(100), as: UTF8.self))")
      let answers = ["\"status\"", "unknownCommand", "beyondTimeline", "rememberedLength"]
      #expect(answers.contains { answer.contains($0) }, "\(answer)")
    }
    for command in served.commands {
      switch command {
      case .locate(let flicks): #expect(0...(1 << 62) ~= flicks)
      case .locateBars(let count): #expect(-(1 << 40)...(1 << 40) ~= count)
      case .loop(let start, let end): #expect(0...(1 << 62) ~= start && 0...(1 << 62) ~= end)
      case .keep(let seconds): #expect(1...600 ~= seconds)
      case .quit: Issue.record("quit was not requested")
      default: break
      }
    }
    #expect(served.commands.contains(.locateBars(1 << 40)) && served.commands.contains(.locate(flicks: 1 << 62)))
  }

  @Test("Random bytes, parts of lines and lines of a megabyte are survived")
  func noise() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let served = Served(try PlayerSocket(at: address))
    defer { served.end() }
    for round in 0..<60 {
      let rude = try Rude(address)
      var bytes = Self.lines.randomElement(using: &random) ?? []
      switch round % 4 {
      case 0:
        bytes = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 1: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      case 2: bytes = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
      default: break
      }
      rude.write(bytes)
      #expect(try PlayerConnection.oldest(at: address, project).send(.status).processID == 1, "seed \(seed)")
    }
  }
}
