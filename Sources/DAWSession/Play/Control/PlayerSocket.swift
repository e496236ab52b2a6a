import Foundation

/// The socket at which a player listens, one line of JSON for each command and one for each answer. Used by the player's
/// control thread, which never waits for anybody here.
final class PlayerSocket {
  private let address: PlayerAddress
  /// −1 when it is closed.
  private var listener: Int32
  private let identity: (device: dev_t, inode: ino_t)
  private var connections: [Int32: [UInt8]] = [:]

  /// A line that is longer is no command.
  private static let longestLine = 4_096
  private static let mostConnections = 16

  /// - Throws: `Failure`; `playerIsRunning` where another process plays this project already.
  init(at address: PlayerAddress) throws {
    self.address = address
    do {
      try Self.prepareFolder(address)
      if let other = try? PlayerConnection(to: address) {
        throw Failure(
          .tryAgain, code: "playerIsRunning",
          "Process \(other.processID.map { "\($0)" } ?? "?") plays this project already; it is the one that 'daw transport' reaches."
        )
      }
      listener = try Self.listen(at: address)
    } catch let code as POSIXCode {
      throw Failure(.io, code: "controlSocket", "'daw transport' cannot reach this player: \(address.path): \(code).")
    }
    var status = stat()
    identity = stat(address.path, &status) == 0 ? (status.st_dev, status.st_ino) : (0, 0)
  }

  deinit { close() }

  /// What to wait for until something can be read.
  var descriptors: [Int32] { listener >= 0 ? [listener] + connections.keys : [] }

  /// Takes in whoever has come, and answers each command that is complete.
  func serve(_ answer: (PlayerCommand) -> PlayerAnswer) {
    while connections.count < Self.mostConnections {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      if Self.isOurs(connection) { connections[connection] = [] } else { Glibc.close(connection) }
    }
    for connection in connections.keys where !read(from: connection, answer) {
      connections[connection] = nil
      Glibc.close(connection)
    }
  }

  func close() {
    guard listener >= 0 else { return }
    for connection in connections.keys { Glibc.close(connection) }
    connections = [:]
    var status = stat()
    // Another player may have taken the name in the meantime.
    if stat(address.path, &status) == 0, (status.st_dev, status.st_ino) == identity { unlink(address.path) }
    Glibc.close(listener)
    listener = -1
  }

  /// - Returns: false when the connection is over.
  private func read(from connection: Int32, _ answer: (PlayerCommand) -> PlayerAnswer) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    while true {
      let count = recv(connection, &bytes, bytes.count, 0)
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      connections[connection, default: []] += bytes.prefix(count)
      while let line = takeLine(of: connection) {
        guard reply(to: connection, line, answer) else { return false }
      }
      if connections[connection, default: []].count > Self.longestLine { return false }
    }
  }

  private func takeLine(of connection: Int32) -> [UInt8]? {
    guard let end = connections[connection]?.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = connections[connection].map { Array($0[..<end]) }
    connections[connection]?.removeSubrange(...end)
    return line
  }

  private func reply(to connection: Int32, _ line: [UInt8], _ answer: (PlayerCommand) -> PlayerAnswer) -> Bool {
    let reply: PlayerAnswer
    if let command = try? JSONDecoder().decode(PlayerCommand.self, from: Data(line)) {
      reply = answer(command)
    } else {
      reply = PlayerAnswer(
        failure: Failure(.usage, code: "unknownCommand", "The player does not know this command. Nothing was changed."))
    }
    guard let text = try? JSONEncoder().encode(reply) else { return false }
    let bytes = Array(text) + [UInt8(ascii: "\n")]
    // One answer fits into any socket's buffer; who does not read is left.
    return send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  // MARK: Opening

  /// A folder that is made for the sockets belongs to this user alone, and nobody else may enter it.
  private static func prepareFolder(_ address: PlayerAddress) throws {
    guard mkdir(address.folder, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw POSIXCode(errno) }
    var status = stat()
    guard stat(address.folder, &status) == 0 else { throw POSIXCode(errno) }
    guard status.st_uid == geteuid() || status.st_mode & 0o022 == 0 else { throw POSIXCode(EACCES) }
  }

  /// Under a name of its own first, which then replaces what a killed player has left: there is no moment without one.
  private static func listen(at address: PlayerAddress) throws(POSIXCode) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { throw POSIXCode(errno) }
    let name = ".\(address.name).\(getpid())"
    unlink(address.folder + "/" + name)
    do throws(POSIXCode) {
      // Before it has a name, so that there is no moment in which others could connect.
      guard fchmod(listener, 0o600) == 0 else { throw POSIXCode(errno) }
      try address.withSocketAddress(name: name) { pointer, length throws(POSIXCode) in
        guard bind(listener, pointer, length) == 0, Glibc.listen(listener, 8) == 0 else { throw POSIXCode(errno) }
      }
      guard rename(address.folder + "/" + name, address.path) == 0 else { throw POSIXCode(errno) }
    } catch {
      unlink(address.folder + "/" + name)
      Glibc.close(listener)
      throw error
    }
    return listener
  }

  /// Whether a connection is from this user, or from root.
  private static func isOurs(_ connection: Int32) -> Bool {
    guard let peer = PeerCredentials(of: connection) else { return false }
    return peer.user == geteuid() || peer.user == 0
  }
}

/// Who is at the other end of a local socket, as the system vouches for.
struct PeerCredentials {
  var process: pid_t
  var user: uid_t

  init?(of connection: Int32) {
    // struct ucred, which Glibc's module leaves out: process, user, group.
    var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    process = credentials.0
    user = credentials.1
  }
}
