import DAWErrors
import DAWTestSupport
import Foundation
import Testing

@testable import DAWPlay
@testable import DAWProject

/// A player that says what it is told to say.
private final class TalkingPlayer: @unchecked Sendable {
  // Unchecked: only the thread uses the socket; the rest is behind the lock.
  private let socket: PlayerSocket
  private let lock = NSLock()
  private var isEnding = false
  private var status = PlayerStatus()
  private var commands: Set<String> = []
  private let ended = DispatchSemaphore(value: 0)

  init(_ address: PlayerAddress) throws {
    socket = try PlayerSocket(at: address)
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isEnding }) {
        socket.serve { command in
          lock.withLock {
            commands.insert("\(command)")
            return PlayerAnswer(status: status)
          }
        }
        usleep(200)
      }
      socket.close()
      ended.signal()
    }
  }

  func say(_ change: (inout PlayerStatus) -> Void) { lock.withLock { change(&status) } }
  var asked: Set<String> { lock.withLock { commands } }

  func end() {
    lock.withLock { isEnding = true }
    ended.wait()
  }
}

@Suite("Players that are late")
struct LatePlayersTests {
  @Test("A player is late while its counts grow, and for 5 s after; what it counted before is past")
  func late() throws {
    let folder = try TemporaryFolder()
    func address(_ name: String) -> PlayerAddress {
      PlayerAddress(
        of: ProjectFolder(path: folder.path(name)), cacheFolder: folder.path,
        environment: ["XDG_RUNTIME_DIR": folder.path])
    }
    let players = LatePlayers(folder: address("A").folder)
    var now = Date(timeIntervalSinceReferenceDate: 0)
    func isLate(after seconds: Double) -> Bool {
      now += seconds
      return players.isAnyLate(at: now)
    }
    #expect(!isLate(after: 0))
    // Of whatever project.
    let first = try TalkingPlayer(address("A"))
    let second = try TalkingPlayer(address("B"))
    defer { second.end() }
    first.say { $0.xruns = 7 }
    #expect(!isLate(after: 1) && !isLate(after: 1))
    second.say { $0.xruns = 1 }
    // It asks each second, not more often.
    #expect(!isLate(after: 0.5))
    #expect(isLate(after: 0.5) && isLate(after: 4.9))
    #expect(!isLate(after: 0.2))
    first.say { $0.lateFrames = 64 }
    #expect(isLate(after: 1) && isLate(after: 4))
    first.say { $0.lateFrames = 128 }
    #expect(isLate(after: 1) && isLate(after: 4.5))
    #expect(!isLate(after: 0.6))
    // The peaks are left to those who look at them.
    #expect(first.asked == ["counts"])
    first.end()
    #expect(!isLate(after: 1))
  }
}
