import DAWErrors
import Foundation

/// The socket at which a player listens, one line of JSON for each command and one for each answer. Used by the
/// player's control thread, which never waits for another process here.
final class PlayerSocket {
  /// Of another player of this project, which 'daw transport' reaches as long as it lives.
  let earlierPlayer: pid_t?
  private let folder: PlayerFolder
  private let name: String
  private let credentials: (Int32) -> PeerCredentials?
  /// −1 when it is closed.
  private var listener: Int32
  /// Whose command is answered next comes first.
  private var connections: [Connection] = []

  private struct Connection {
    let socket: Int32
    /// What has come and has not been read as a command.
    var bytes: [UInt8] = []
    /// When it came, or last gave a command.
    var lastCommand = ContinuousClock.now

    var lineEnd: Int? { bytes.firstIndex(of: UInt8(ascii: "\n")) }
  }

  /// A line that is longer is no command.
  private static let longestLine = 4_096
  /// Where there are as many, the one that has been idle longest makes way for a new one.
  static let mostConnections = 16
  /// A connection that gives no command for so long is closed.
  private let patience: Duration

  /// - Parameter credentials: who is at the other end of a connection.
  /// - Throws: `Failure`; there is no socket then.
  init(
    at address: PlayerAddress, patience: Duration = .seconds(10),
    credentials: @escaping (Int32) -> PeerCredentials? = { PeerCredentials(of: $0) }
  ) throws {
    self.patience = patience
    self.credentials = credentials
    do {
      folder = try PlayerFolder(at: address.folder, isMade: true)
      var earlier: pid_t?
      for name in folder.sockets(address.prefix) {
        do {
          let connection = try PlayerConnection(to: name, in: folder)
          earlier = earlier ?? connection.processID
        } catch let code as POSIXCode where code.number == ECONNREFUSED {
          // A killed player's.
          folder.remove(name)
        } catch {}
      }
      earlierPlayer = earlier
      name = "\(address.prefix)\(String(UInt32.random(in: 1 << 28...UInt32.max), radix: 16)).socket"
      listener = try Self.listen(in: folder, name)
    } catch let code as POSIXCode {
      throw Failure(
        .io, code: "controlSocketFailed", "'daw transport' cannot reach this player: \(address.folder): \(code).")
    }
  }

  deinit { close() }

  /// What to wait for until something can be read.
  var descriptors: [Int32] { listener >= 0 ? [listener] + connections.map(\.socket) : [] }

  /// Whether a command has come that is not answered yet.
  var hasCommand: Bool { connections.contains { $0.lineEnd != nil } }

  /// Takes in what has come, and answers one command, those of all connections in turn.
  /// - Parameter isCalled: whether there is something to read from a descriptor of `descriptors`.
  func serve(isCalled: Bool = true, _ answer: (PlayerCommand) -> PlayerAnswer) {
    if isCalled { acceptNew() }
    for index in connections.indices.reversed() where !receive(&connections[index]) {
      Glibc.close(connections.remove(at: index).socket)
    }
    guard let index = connections.firstIndex(where: { $0.lineEnd != nil }) else { return }
    var connection = connections.remove(at: index)
    if reply(to: &connection, answer) { connections.append(connection) } else { Glibc.close(connection.socket) }
  }

  func close() {
    guard listener >= 0 else { return }
    for connection in connections { Glibc.close(connection.socket) }
    connections = []
    folder.remove(name)
    Glibc.close(listener)
    listener = -1
  }

  private func acceptNew() {
    // So many at a time: each is read from before it can be the one that has been idle longest.
    for _ in 0..<Self.mostConnections {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { return }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      _ = fcntl(socket, F_SETFL, O_NONBLOCK)
      guard credentials(socket)?.isTrusted == true else {
        Glibc.close(socket)
        continue
      }
      if connections.count >= Self.mostConnections,
        let idle = connections.indices.min(by: { connections[$0].lastCommand < connections[$1].lastCommand })
      {
        Glibc.close(connections.remove(at: idle).socket)
      }
      connections.append(Connection(socket: socket))
    }
  }

  /// Reads what there is, as far as there is room for it.
  /// - Returns: false when the connection is over.
  private func receive(_ connection: inout Connection) -> Bool {
    let room = Self.longestLine + 1 - connection.bytes.count
    if room > 0 {
      var bytes = [UInt8](repeating: 0, count: room)
      let count = recv(connection.socket, &bytes, room, 0)
      // A client that closes its writing end after the command still gets an answer.
      if count == 0, connection.lineEnd == nil { return false }
      if count < 0, errno != EAGAIN, errno != EINTR { return false }
      if count > 0 { connection.bytes += bytes.prefix(count) }
    }
    if connection.lineEnd != nil { return true }
    return connection.bytes.count <= Self.longestLine && .now - connection.lastCommand < patience
  }

  /// Answers the first line that has come.
  /// - Returns: false when the connection is over.
  private func reply(to connection: inout Connection, _ answer: (PlayerCommand) -> PlayerAnswer) -> Bool {
    guard let end = connection.lineEnd else { return true }
    let line = connection.bytes[..<end]
    connection.bytes.removeSubrange(...end)
    connection.lastCommand = .now
    let reply: PlayerAnswer
    do { reply = answer(try PlayerCommand(line: Data(line))) } catch { reply = PlayerAnswer(failure: Failure(error)) }
    guard let text = try? JSONEncoder().encode(reply) else { return false }
    let bytes = Array(text) + [UInt8(ascii: "\n")]
    // One answer fits into any socket's buffer; a client that does not read is disconnected.
    return send(connection.socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Under a hidden name first: a socket that can be seen is listened at, and one that refuses is a killed player's.
  private static func listen(in folder: PlayerFolder, _ name: String) throws(POSIXCode) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { throw POSIXCode(errno) }
    do throws(POSIXCode) {
      // Before it has a name, so that there is no moment in which others could connect.
      guard fchmod(listener, 0o600) == 0 else { throw POSIXCode(errno) }
      try folder.withAddress(of: ".\(name)") { pointer, length throws(POSIXCode) in
        guard bind(listener, pointer, length) == 0, Glibc.listen(listener, 8) == 0 else { throw POSIXCode(errno) }
      }
      try folder.rename(".\(name)", to: name)
    } catch {
      folder.remove(".\(name)")
      Glibc.close(listener)
      throw error
    }
    return listener
  }
}
