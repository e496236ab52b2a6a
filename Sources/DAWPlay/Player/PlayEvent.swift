import DAWErrors

/// What happens while a project plays, for whoever shows it.
public enum PlayEvent: Sendable {
  /// The client is there, and plays.
  case opened(PlayOpening)
  /// The transport stops, starts, or has been sent elsewhere.
  case transport(PlayerStatus)
  /// What is shown all the time; often.
  case position(PlayerStatus)
  /// An edit is heard.
  case edited(PlayEdit)
  /// The file of the project is another one now, as where a backup was put in its place, and that is heard.
  case replaced(revision: Int64)
  /// Something is not as it should be, and what is done about it.
  case problem(Failure)
  /// What was wrong with the project or its media is not any more.
  case mended
  /// The server was late so often, since the player began.
  case xruns(Int)
  /// Frames that were silent because the disk or an instrument was late, since the player began.
  case late(frames: Int64)
  /// Frames in a cycle of the server.
  case bufferSize(Int)
  /// Frames from our ports to the loudspeaker.
  case latency(Int)
  case freewheel(Bool)
  /// Whether anything listens to the master.
  case connections(isHeard: Bool)
  /// The server went away; it is tried again, or not.
  case serverLost(isTriedAgain: Bool)
  case reconnected(PlayOpening)
  case ended(PlayEnd)
}

/// How a player came to be.
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
  /// Why pages of ours may have to be read from disk in a cycle; `nil` where none has to.
  public var memoryProblem: String?
  /// Whether cycles have real-time priority.
  public var isRealtime: Bool
}

/// Edits that are heard from now on.
public struct PlayEdit: Equatable, Sendable {
  /// Of the newest.
  public var revision: Int64
  /// What the newest did; empty where the journal does not say.
  public var summary: String
  public var author: String
  /// How many there are.
  public var count: Int
  /// Milliseconds from when the newest was made until it left the ports; `nil` where the server called for nothing.
  public var delay: Int64?
}

/// Why a player ended.
public enum PlayEnd: String, Sendable {
  /// Somebody said so.
  case quit
  /// It came to `--to`.
  case reachedEnd
  /// Ctrl-C, SIGTERM or SIGHUP.
  case interrupted
}
