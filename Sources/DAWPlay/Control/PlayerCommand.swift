import DAWErrors
import Foundation

/// A command to a running player, from a key or another process.
public enum PlayerCommand: Codable, Equatable, Sendable {
  case start
  case stop
  /// Starts when stopped, else stops.
  case toggle
  /// The playhead goes to a place, in flicks from the start of the timeline.
  case locate(flicks: Int64)
  /// The playhead goes so many bars forwards, or back to the last bar line and then further.
  case locateBars(Int64)
  /// The playhead goes to the end of the last region.
  case locateEnd
  /// Plays this over and over, in flicks from the start of the timeline.
  case loop(startFlicks: Int64, endFlicks: Int64)
  /// Plays on at the loop's end.
  case endLoop
  /// Ends the loop, or begins the last one again.
  case toggleLoop
  /// Switches recording on or off, while it rolls or not.
  case record(Bool)
  /// Ends the recording under way and throws its running pass away; recording is off.
  case cancelRecording
  /// Makes a take of what came in last.
  case keep(seconds: Double)
  /// Only this is recorded, in flicks from the start of the timeline.
  case punch(startFlicks: Int64, endFlicks: Int64)
  /// All is recorded.
  case endPunch
  case status
  /// As `status`, for a program that only counts: the peaks stay for those who look at them.
  case counts
  /// Ends the player.
  case quit
}

extension PlayerCommand {
  /// Flicks from the start of the timeline to the last place that a player can be sent to: more than 200 years.
  static let places: ClosedRange<Int64> = 0...(1 << 62)
  /// As many bars as a tempo map has.
  static let bars: ClosedRange<Int64> = -(1 << 40)...(1 << 40)

  /// Whether it leads to a place, or sets a range of them.
  var hasPlaces: Bool {
    switch self {
    case .locate, .locateBars, .locateEnd, .loop, .toggleLoop, .punch: true
    default: false
    }
  }

  /// Seconds to wait for the answer to most commands.
  static let usualPatience = 5

  /// How long to wait for the answer, in seconds. For a recording that is ended the player waits as well, up to twenty
  /// until its files are complete, and then for the project.
  var patience: Int {
    switch self {
    case .keep, .cancelRecording: 60
    default: Self.usualPatience
    }
  }

  /// A command of another process, as one line of JSON.
  /// - Throws: `Failure` for an unknown command or a number out of range.
  init(line: Data) throws {
    guard let command = try? JSONDecoder().decode(Self.self, from: line) else {
      throw Failure(.usage, code: "unknownCommand", "The player does not know this command. Nothing was changed.")
    }
    if case .keep(let seconds) = command, !RecordRequest.acceptedRememberSeconds.contains(seconds) {
      throw Failure(
        .invalid, code: "rememberedLength", "From 1 s to 10 min can be kept. Nothing was changed.",
        hint: "'daw transport keep 30s' keeps the last half minute.")
    }
    let isWithinReach =
      switch command {
      case .locate(let flicks): Self.places ~= flicks
      case .locateBars(let count): Self.bars ~= count
      case .loop(let start, let end), .punch(let start, let end): Self.places ~= start && Self.places ~= end
      case .record, .cancelRecording, .keep, .endPunch, .start, .stop, .toggle, .locateEnd, .endLoop, .toggleLoop,
        .status, .counts, .quit:
        true
      }
    guard isWithinReach else {
      throw Failure(
        .invalid, code: "beyondTimeline",
        "That place is not on the timeline, which goes from 0 to 2⁶² flicks. Nothing was changed.")
    }
    self = command
  }
}
