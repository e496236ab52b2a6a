import DAWErrors
import DAWMedia
import DAWProject
import DAWTime

/// An event of a player, for display.
public enum PlayEvent: Sendable {
  /// The JACK client is open and plays.
  case opened(PlayOpening)
  /// The transport stopped, started or located.
  case transport(PlayerStatus)
  /// The current status, many times a second.
  case position(PlayerStatus)
  /// New edits are heard.
  case edited(PlayEdit)
  /// The project file was replaced, for example by a backup, and the new one is heard.
  case replaced(revision: Int64)
  /// A problem that does not end the player.
  case problem(Failure)
  /// The last problem of the project or its media is solved.
  case recovered
  /// A file that could not be read can be again, and is heard.
  case fileRecovered(path: String)
  /// Number of xruns since the player started.
  case xruns(Int)
  /// Silent frames since the player started, because the disk or an instrument was late.
  case late(frames: Int64)
  /// Frames in a cycle of the server.
  case bufferSize(Int)
  /// Playback latency from our ports, in frames.
  case latency(Int)
  case freewheel(Bool)
  /// Whether the master's ports are connected.
  case connections(isHeard: Bool)
  /// The JACK server is gone; `isTriedAgain`: the player waits for a new one.
  case serverLost(isTriedAgain: Bool)
  case reconnected(PlayOpening)
  /// The first frame of a recording has come in.
  /// - Parameter folder: the name of its folder.
  case recordingBegan(folder: String, tracks: [String])
  /// Frames of what is recorded are missing.
  case gap(GapCause, frames: Int)
  /// A track's disk works again after it had failed.
  case recordingResumed(track: String)
  /// The project's disk has no room; what comes in on a track is written into a folder of `--spill`.
  /// - Parameter folder: its path.
  case recordingSpills(track: String, folder: String)
  /// A recording is complete, and in the project.
  case recorded(RecordedTakes)
  /// The process was stopped, by Ctrl-Z, and goes on.
  case resumed(PlayOpening)
  case ended(PlayEnd)
}

/// The setup of a player's JACK client.
public struct PlayOpening: Equatable, Sendable {
  /// As JACK has it.
  public var clientName: String
  /// Hertz.
  public var sampleRate: Int
  /// Frames.
  public var bufferSize: Int
  /// Ports that the master is connected with.
  public var connectedPorts: [String]
  public var revision: Int64
  /// Why memory could not be locked, so that a cycle may wait for a page; `nil` when it is locked.
  public var memoryProblem: String?
  /// Whether cycles have real-time priority.
  public var isRealtime: Bool
}

/// Edits that are now heard.
public struct PlayEdit: Equatable, Sendable {
  /// The revision of the newest edit.
  public var revision: Int64
  /// Summary of the newest edit; empty when the journal has none.
  public var summary: String
  public var author: String
  /// Number of edits.
  public var count: Int
  /// Milliseconds from when the newest was made until it left the ports; `nil` where the server called for nothing.
  public var delay: Int64?
}

/// Why a player ended.
public enum PlayEnd: String, Sendable {
  /// The user or another process asked for it.
  case quit
  /// The playhead reached `--to`.
  case reachedEnd
  /// Ctrl-C, SIGTERM or SIGHUP, or the reader of the events has gone away.
  case interrupted
}
