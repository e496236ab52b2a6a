import DAWProject
import DAWStore
import DAWTime
import Synchronization

/// Where a project's player is, for `@playhead`. The player is asked once, so that all positions of an edit agree.
public final class Playhead: Sendable {
  private let session: Session
  private let answer = Mutex<FlickPosition?>(nil)

  public init(of session: Session) { self.session = session }

  /// - Throws: `Failure`; `playerNotRunning` when there is none.
  public func position() throws -> FlickPosition {
    try answer.withLock { answer in
      if let answer { return answer }
      let position = FlickPosition(flicks: try session.sendToPlayer(.status).flicks)
      answer = position
      return position
    }
  }
}

extension Session {
  /// What the positions of a command that edits nothing are resolved by.
  public func timeline(of view: ProjectView) throws -> Timeline {
    try Timeline(view, playhead: Playhead(of: self).position)
  }
}
