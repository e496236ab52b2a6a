/// What a running player can be told, by a key or from another process.
public enum PlayerCommand: Codable, Equatable, Sendable {
  case start
  case stop
  /// Starts where it stands still, else stops.
  case toggle
  /// The playhead goes to a place, in flicks from the start of the timeline.
  case locate(flicks: Int64)
  /// The playhead goes so many bars forwards, or back to the last bar line and then further.
  case locateBars(Int64)
  /// Plays this over and over, in flicks from the start of the timeline.
  case loop(startFlicks: Int64, endFlicks: Int64)
  /// Plays on at the loop's end.
  case endLoop
  /// Ends the loop, or begins the last one again.
  case toggleLoop
  case status
  /// Ends the player.
  case quit
}
