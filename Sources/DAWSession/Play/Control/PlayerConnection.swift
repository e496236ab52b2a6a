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
      kind.flatMap(Failure.Kind.init(rawValue:)) ?? .internal, code: code ?? "internal",
      message ?? "The player gave no answer.", hint: hint)
  }
}

/// The way from another process to a player.
final class PlayerConnection {
  private let socket: Int32
  /// Of the player.
  let processID: pid_t?

  /// Seconds that a player is waited for.
  private static let patience = 5

  /// - Throws: `POSIXCode` where nobody listens.
  init(to address: PlayerAddress) throws(POSIXCode) {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw POSIXCode(errno) }
    var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    do throws(POSIXCode) {
      try address.withSocketAddress { pointer, length throws(POSIXCode) in
        guard connect(number, pointer, length) == 0 else { throw POSIXCode(errno) }
      }
    } catch {
      close(number)
      throw error
    }
    socket = number
    processID = PeerCredentials(of: number)?.process
  }

  deinit { close(socket) }

  /// - Throws: `Failure`.
  func send(_ command: PlayerCommand) throws -> PlayerStatus {
    var bytes = Array(try JSONEncoder().encode(command)) + [UInt8(ascii: "\n")]
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw silence() }
    var answer: [UInt8] = []
    bytes = [UInt8](repeating: 0, count: 4_096)
    while answer.last != UInt8(ascii: "\n") {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw silence() }
      answer += bytes.prefix(count)
    }
    return try JSONDecoder().decode(PlayerAnswer.self, from: Data(answer)).get()
  }

  private func silence() -> Failure {
    Failure(
      .unavailable, code: "playerIsSilent", "The player did not answer.",
      hint: "It may have ended just now, or be busy; 'daw transport status' asks again.")
  }
}

extension Session {
  /// Tells the player of this project what to do.
  /// - Returns: what it does then.
  /// - Throws: `Failure`; `noPlayer` where none is running.
  public func tellPlayer(_ command: PlayerCommand) throws -> PlayerStatus {
    let connection: PlayerConnection
    do {
      connection = try PlayerConnection(to: PlayerAddress(of: folder, cacheFolder: cacheFolder))
    } catch {
      let isStale = error.number == ECONNREFUSED
      throw Failure(
        .unavailable, code: "noPlayer",
        "Nothing plays '\(folder.name)'\(isStale ? ": the player that did was ended by force" : "").",
        hint: "'daw play' starts a player.")
    }
    return try connection.send(command)
  }
}
