import DAWErrors
import DAWProject
import Foundation

/// What a player answers to a command.
struct PlayerAnswer: Codable {
  var status: PlayerStatus?
  var kind: String?
  var code: String?
  var message: String?
  var hint: String?

  init(status: PlayerStatus) { self.status = status }

  init(failure: Failure) {
    kind = failure.kind.rawValue
    code = failure.code
    message = failure.message
    hint = failure.hint
  }

  /// - Throws: `Failure` where the player refused.
  func get() throws -> PlayerStatus {
    if let status { return status }
    throw Failure(
      kind.flatMap(ErrorKind.init(rawValue:)) ?? .internal, code: code ?? "internal",
      message ?? "The player gave no answer.", hint: hint)
  }
}

/// A connection from another process to a player.
final class PlayerConnection {
  private let socket: Int32
  /// The player's process.
  let processID: pid_t

  /// - Parameter credentials: reads the peer's credentials.
  /// - Throws: `POSIXCode`, `ECONNREFUSED` where the player was killed; `Failure` for another user's process.
  init(
    to name: String, in folder: PlayerFolder,
    credentials: (Int32) -> PeerCredentials? = { PeerCredentials(of: $0) }
  ) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw POSIXCode(errno) }
    Self.setPatience(PlayerCommand.usualPatience, of: socket)
    let peer: PeerCredentials
    do {
      try folder.withAddress(of: name) { [socket] pointer, length throws(POSIXCode) in
        guard connect(socket, pointer, length) == 0 else { throw POSIXCode(errno) }
      }
      guard let found = credentials(socket), found.isTrusted else {
        throw Failure(
          .unavailable, code: "foreignPlayer", "Another user's process listens in the place of this project's player.",
          hint: "Remove what is in the folder that 'daw transport' uses, and start 'daw play' again.")
      }
      peer = found
    } catch {
      close(socket)
      throw error
    }
    processID = peer.process
  }

  deinit { close(socket) }

  /// - Parameter seconds: to wait for the player to take something, or to answer.
  private static func setPatience(_ seconds: Int, of socket: Int32) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// - Throws: `Failure`.
  func send(_ command: PlayerCommand) throws -> PlayerStatus {
    Self.setPatience(command.patience, of: socket)
    var bytes = Array(try JSONEncoder().encode(command)) + [UInt8(ascii: "\n")]
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Self.silence() }
    var answer: [UInt8] = []
    bytes = [UInt8](repeating: 0, count: 4_096)
    while answer.last != UInt8(ascii: "\n") {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.silence() }
      answer += bytes.prefix(count)
    }
    return try JSONDecoder().decode(PlayerAnswer.self, from: Data(answer)).get()
  }

  static func silence() -> Failure {
    Failure(
      .unavailable, code: "playerNotResponding", "The player did not answer.",
      hint: "It may have ended just now, or be busy; 'daw transport status' asks again.")
  }
}

extension Session {
  /// Sends a command to the player of this project.
  /// - Returns: its status after the command.
  /// - Throws: `Failure`; `playerNotRunning` when there is none.
  public func sendToPlayer(_ command: PlayerCommand) throws -> PlayerStatus {
    try failing {
      let address = PlayerAddress(of: folder, cacheFolder: folder.sharedCacheFolder.path)
      return try PlayerConnection.oldest(at: address, folder).send(command)
    }
  }
}

extension PlayerConnection {
  /// The oldest running player of this project.
  /// - Throws: `Failure`; `playerNotRunning` when there is none.
  static func oldest(at address: PlayerAddress, _ project: ProjectFolder) throws -> PlayerConnection {
    var wasKilled = false
    do {
      let folder = try PlayerFolder(at: address.folder, isMade: false)
      for name in folder.sockets(address.prefix) {
        do {
          return try PlayerConnection(to: name, in: folder)
        } catch let code as POSIXCode {
          // One that ends just now is gone when it is looked for.
          guard code.number == ECONNREFUSED || code.number == ENOENT else { throw silence() }
          wasKilled = wasKilled || code.number == ECONNREFUSED
        }
      }
    } catch is POSIXCode {
      // There is no such folder.
    }
    throw Failure(
      .unavailable, code: "playerNotRunning",
      "Nothing plays '\(project.name)'\(wasKilled ? ": the player that did was ended by force" : "").",
      hint: "'daw play' starts a player.")
  }
}
