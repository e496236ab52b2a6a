import DAWProject
import Foundation
import Synchronization

/// Watches this user's players for late cycles and late sound, so that other work can make room for them.
public final class LatePlayers: Sendable {
  private struct Counts: Equatable {
    var xruns: Int
    var lateFrames: Int64
  }

  private struct State {
    var lastLook: Date?
    var counts: [String: Counts] = [:]
    var lastLate: Date?
  }

  private let folder: String
  private let state = Mutex(State())

  /// Seconds for which a player counts as late once it was.
  static let memory = 5.0
  /// Seconds between looks.
  static let interval = 1.0

  /// - Parameter session: where there is no folder for the players of all projects, those of this one are watched.
  public convenience init(near session: Session) {
    self.init(folder: PlayerAddress(of: session.folder, cacheFolder: session.folder.sharedCacheFolder.path).folder)
  }

  init(folder: String) { self.folder = folder }

  /// Whether a player was late just now. May take seconds where a player does not answer.
  public func isAnyLate(at now: Date = Date()) -> Bool {
    state.withLock { state in
      if state.lastLook.map({ now.timeIntervalSince($0) >= Self.interval }) ?? true {
        state.lastLook = now
        let counts = look()
        // A player that is new has been late before, perhaps; that is past.
        if counts.contains(where: { name, counts in state.counts[name].map { $0 != counts } ?? false }) {
          state.lastLate = now
        }
        state.counts = counts
      }
      return state.lastLate.map { now.timeIntervalSince($0) < Self.memory } ?? false
    }
  }

  private func look() -> [String: Counts] {
    guard let folder = try? PlayerFolder(at: folder, isMade: false) else { return [:] }
    var counts: [String: Counts] = [:]
    for name in folder.sockets(PlayerAddress.beginning) {
      guard let status = try? PlayerConnection(to: name, in: folder).send(.counts) else { continue }
      counts[name] = Counts(xruns: status.xruns, lateFrames: status.lateFrames)
    }
    return counts
  }
}
