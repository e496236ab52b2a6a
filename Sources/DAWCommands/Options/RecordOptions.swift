import ArgumentParser
import DAWErrors
import DAWMedia
import DAWModel
import DAWPlay
import DAWProject
import DAWTime
import Foundation

/// What `record` adds to the options of `play`.
struct RecordOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Record only this range. (default: as long as it rolls)", valueName: "a..b"),
    transform: TypedRange.init(typed:))
  var punch: TypedRange?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play this long before recording begins.", valueName: "duration"),
    transform: TypedDistance.init(typed:))
  var preroll: TypedDistance?

  @Option(
    help: ArgumentHelp(
      "Place what comes in where it was heard, corrected by the latencies both ways, or where it was captured.",
      valueName: "heard|captured"))
  var align = RecordAlignment.heard

  @Option(
    help: ArgumentHelp("Whether regions under a take sound along with it, or are cut away.", valueName: "mix|replace"))
  var over = TakePlacement.Over.mix

  @Option(
    help: ArgumentHelp("The samples of the files.", valueName: "24|16|32f"), completion: .list(["24", "16", "32f"]),
    transform: Self.encoding)
  var bits = SampleEncoding.int24

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The length of a file, 1s to 3600s. (default: 30s)", valueName: "duration"),
    transform: TypedDistance.init(typed:))
  var segment: TypedDistance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep the latest input in memory for this long, 1s to 600s, for 'transport keep'. (default: nothing)",
      valueName: "duration"),
    transform: TypedDistance.init(typed:))
  var remember: TypedDistance?

  @Option(
    help: ArgumentHelp("Go on in this folder, which must exist, when the project's disk is full.", valueName: "folder"),
    completion: .directory)
  var spill: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Leave this much of the disk free. (default: 500M)", valueName: "size"),
    transform: Self.size)
  var minFree: Int64 = 500 << 20

  @Flag(help: "Make takes, but use none of them; 'daw use-take' does later.")
  var noRegions = false

  @Option(help: ArgumentHelp("What the recording is called.", valueName: "text"))
  var title = ""

  @Flag(help: "Check the tracks, the ports, the rate, the disk and the folder, and record nothing.")
  var dryRun = false

  /// - Throws: `Failure` for what the timeline has not, and for a title that no recording may have.
  func request(playhead: Playhead, in timeline: Timeline) throws -> RecordRequest {
    func place(_ typed: TypedPosition) -> PlayRequest.Place {
      { try typed.flicks(in: $0.with(playhead: playhead.position)) }
    }
    var record = RecordRequest()
    record.punch = punch.map { (place($0.start), place($0.end)) }
    if let preroll { record.preroll = { timeline, place in try preroll.start(before: place, in: timeline) } }
    record.alignment = align
    record.placement.over = over
    record.encoding = bits
    if let segment {
      record.segmentSeconds = try segment.flicks(in: timeline, from: .zero).seconds
      guard RecordRequest.acceptedSegmentSeconds.contains(record.segmentSeconds) else {
        throw Failure(
          .invalid, code: "segmentLength", "A file of a recording holds 1 s to 1 h of sound. Nothing is recorded.",
          hint: "'--segment 30s' is usual.")
      }
    }
    if let remember {
      record.rememberSeconds = try remember.flicks(in: timeline, from: .zero).seconds
      guard RecordRequest.acceptedRememberSeconds.contains(record.rememberSeconds) else {
        throw Failure(
          .invalid, code: "rememberedLength", "From 1 s to 10 min can be remembered. Nothing is recorded.",
          hint: "'--remember 60s' is usual; a minute takes 11.5 MB of memory for each input at 48,000 Hz.")
      }
    }
    // What is recorded names its files there by this path, wherever they are looked for later.
    record.spill = spill.map { $0.isEmpty ? $0 : EditContext.path($0, in: FileManager.default.currentDirectoryPath) }
    record.leastFreeBytes = minFree
    record.placement.isHeard = !noRegions
    try Self.requireTitle(title)
    record.title = title
    return record
  }

  /// Before anything is recorded that could not be put into the project under this title.
  /// - Throws: `Failure`.
  private static func requireTitle(_ title: String) throws {
    let note = RecordingNote(id: RecordingNoteID(rawValue: 1), title: title)
    do throws(RuleViolation) { try note.validate() } catch { throw Failure(error) }
  }

  private static func encoding(_ text: String) throws -> SampleEncoding {
    switch text {
    case "16": return .int16
    case "24": return .int24
    case "32f": return .float32
    default: throw Unreadable(text, "the samples of a recording are 16, 24 or 32f.")
    }
  }

  private static func size(_ text: String) throws -> Int64 {
    guard let bytes = CacheLimit.bytes(text) else {
      throw Unreadable(text, "a size is a number of bytes, or one with K, M, G or T: 500M, 4G.")
    }
    return bytes
  }
}

extension TypedDistance {
  /// The position this long before another; not before the start of the timeline.
  fileprivate func start(before place: FlickPosition, in timeline: Timeline) throws -> FlickPosition {
    guard isMusical else { return max(.zero, place - (try flicks(in: timeline, from: place))) }
    let tick = timeline.tempoMap.ticks(at: place)
    return timeline.tempoMap.flicks(at: max(.zero, tick - (try ticksBack(in: timeline, from: tick))))
  }
}

extension RecordAlignment: ExpressibleByArgument {}
extension TakePlacement.Over: ExpressibleByArgument {}
