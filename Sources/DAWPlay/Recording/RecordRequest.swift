import DAWErrors
import DAWMedia
import DAWProject
import DAWTime
import Foundation

/// What a player records, and how.
public struct RecordRequest: Sendable {
  /// Where recording begins and ends on the timeline; `nil`: as long as the transport rolls.
  public var punch: (start: PlayRequest.Place, end: PlayRequest.Place)?
  /// How far before `punch`, or before the place where it begins, playback starts.
  public var preroll: (@Sendable (Timeline, FlickPosition) throws -> FlickPosition)?
  public var alignment = RecordAlignment.heard
  public var encoding = SampleEncoding.int24
  /// Seconds in a file, ≥ 1.
  public var segmentSeconds = 30.0
  /// A folder to go on in where the project's file system is full.
  public var spill: String?
  /// Bytes that are left free on the project's file system.
  public var leastFreeBytes: Int64 = 500_000_000
  /// What came in so long ago, in seconds, can still be kept; 0: nothing.
  public var rememberSeconds = 0.0
  public var placement = TakePlacement()
  public var title = ""

  public init() {}

  /// Each time round a loop becomes a take: shorter ones would come to thousands of takes in a minute.
  static let shortestLoop = FlickCount.milliseconds(100)

  /// - Parameters:
  ///   - length: of a loop.
  ///   - tolerance: by so much it may have been rounded down.
  ///   - state: the last sentence of the message.
  /// - Returns: why the loop is not recorded; `nil` for one that can be.
  static func refusal(
    ofLoop length: FlickCount, within tolerance: FlickCount = .zero, state: String, hint: String
  ) -> Failure? {
    guard length + tolerance < shortestLoop else { return nil }
    let milliseconds = String(format: "%.4g", length.seconds * 1_000)
    return Failure(
      .invalid, code: "invalidRange",
      "The loop lasts \(milliseconds) ms. Each time round becomes a take, and one of less than 100 ms is not recorded. "
        + state, hint: hint)
  }

  public static let acceptedSegmentSeconds = 1.0...3_600.0
  public static let acceptedRememberSeconds = 1.0...600.0

  /// - Parameter played: where playback begins where nothing of this moves it, and where it, or its loop, ends, `nil`
  ///   for nowhere; `nil` where commands are to say that.
  /// - Throws: `Failure` for a range that is empty, not on the timeline, or never played.
  func validate(in timeline: Timeline, played: (start: FlickPosition, end: FlickPosition?)?) throws {
    let (range, moved) = try range(from: nil, in: timeline)
    guard punch != nil, let range, let played else { return }
    let start = moved ?? played.start
    guard range.upperBound <= start || played.end.map({ $0 <= range.lowerBound }) == true else { return }
    let end = played.end.map { " to \($0.seconds) s" } ?? ""
    throw Failure(
      .invalid, code: "invalidRange",
      "\(range.lowerBound.seconds) s to \(range.upperBound.seconds) s are to be recorded, and are never played: "
        + "playback goes from \(start.seconds) s\(end).",
      hint: "Let it begin before the end of '--punch', and end behind its start.")
  }

  /// What is recorded, and where playback begins.
  /// - Parameters:
  ///   - from: where it is to begin where there is no punch range.
  ///   - to: where it is to end where there is none; what rings on behind it is not recorded.
  ///   - countsIn: whether a count-in is played before that, which is not recorded either.
  /// - Returns: `punch` is `nil` where everything is recorded, `start` where nothing moves the start.
  /// - Throws: `Failure`.
  func range(
    from: PlayRequest.Place?, to: PlayRequest.Place? = nil, countsIn: Bool = false, in timeline: Timeline
  ) throws -> (punch: Range<FlickPosition>?, start: FlickPosition?) {
    var range: Range<FlickPosition>?
    if let punch {
      let (start, end) = (try punch.start(timeline), try punch.end(timeline))
      guard start >= .zero, start < end else {
        throw Failure(
          .invalid, code: "invalidRange",
          "What is recorded goes from \(start.seconds) s to \(end.seconds) s: that is no range of the timeline.",
          hint: "Give the earlier place first, at or after 0: --punch 5.1.0..9.1.0.")
      }
      range = start..<end
    }
    guard preroll != nil || to != nil || countsIn else { return (range, nil) }
    let place = try range?.lowerBound ?? from?(timeline) ?? .zero
    let start = try preroll.map { max(.zero, try $0(timeline, place)) }
    let first = preroll != nil || countsIn ? place : .zero
    let end = try to?(timeline) ?? FlickPosition(flicks: PlayerCommand.places.upperBound)
    return (range ?? first..<max(first, end), start)
  }
}
