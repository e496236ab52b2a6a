import DAWMedia
import DAWProject
import DAWTime

/// What a player records, and how.
public struct RecordRequest: Sendable {
  /// What happens to regions that lie where a take is put.
  public enum Over: String, Sendable, CaseIterable {
    /// They sound together.
    case mix
    /// They are cut away under it.
    case replace
  }

  /// Where recording begins and ends on the timeline; `nil`: as long as the transport rolls.
  public var punch: (start: PlayRequest.Place, end: PlayRequest.Place)?
  /// How far before `punch`, or before the place where it begins, playback starts.
  public var preroll: (@Sendable (Timeline, FlickPosition) throws -> FlickPosition)?
  public var alignment = RecordAlignment.heard
  public var over = Over.mix
  public var encoding = SampleEncoding.int24
  /// Seconds in a file, ≥ 1.
  public var segmentSeconds = 30.0
  /// A folder to go on in where the project's file system is full.
  public var spill: String?
  /// Bytes that are left free on the project's file system.
  public var leastFreeBytes: Int64 = 500_000_000
  /// Puts no regions on the timeline.
  public var withoutRegions = false
  public var title = ""
  /// Whether what comes in is recorded from the first start on, rather than when `daw transport record on` says so.
  public var startsOn = true

  public init() {}

  public static let acceptedSegmentSeconds = 1.0...3_600.0
}

/// A track that is armed, and where it gets its sound.
struct ArmedTrack: Hashable, Sendable {
  var trackID: Int64
  var name: String
  /// The full names of the ports it is connected to, one for each channel; `nil` where the user connects it.
  var sources: [String?]
  /// Frames; positive moves what is recorded later.
  var recordOffset: Int

  var channelCount: Int { sources.count }

  /// What our ports are called: `Vox in_1`.
  var portNames: [String] { sources.indices.map { "\(name) in_\($0 + 1)" } }
}
