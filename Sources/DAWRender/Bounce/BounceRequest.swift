import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// A request for a bounce: the range, the output and the options.
public struct BounceRequest: Sendable {
  /// Where the output goes.
  public enum Destination: Equatable, Sendable {
    /// `Bounces/NAME.wav`, numbered where it exists.
    case automatic
    /// A file, or for stems a folder, by the user's own path.
    case file(String)
    /// A file in a folder of the project.
    case within(Place)
    case standardOutput

    /// The output path; `nil` when the bounce chooses it, or writes no file.
    var place: Place? {
      switch self {
      case .automatic, .standardOutput: nil
      case .file(let path): Place(path: URL(fileURLWithPath: path).standardizedFileURL.path)
      case .within(let place): place
      }
    }
  }

  /// The tail after the end of the range. Regions that start after the end are not heard in it.
  public enum Tail: Sendable {
    /// 2 s if an instrument plays, else none.
    case standard
    /// Measured from the range's end.
    case distance(@Sendable (Timeline, FlickPosition) throws -> FlickCount)
    /// Until all is below −90 dBFS, at most 30 s.
    case untilQuiet
    /// No tail: it is added to the start, so that the range is a seamless loop. Tracks with state begin at the
    /// range, as with `startsCold`, so that an earlier tail is not in it twice.
    case loop
  }

  public var destination = Destination.automatic
  /// An existing file, or folder of stems, is replaced.
  public var overwrites = false
  /// Each track into a file of its own, in a folder; their sum is the mix before the master's effects.
  public var writesStems = false
  /// `nil`: by the destination's ending, else `usualContainer`.
  public var container: AudioFileFormat.Container?
  /// The container when neither `container` nor the file's extension gives one.
  public var usualContainer = AudioFileFormat.Container.wave
  /// `nil`: 24-bit, or the nearest that the format has.
  public var encoding: SampleEncoding?
  /// `nil`: the project's, or what the format can hold.
  public var sampleRate: SampleRate?
  /// The quality of Vorbis and AAC; `nil`: the usual one of the format.
  public var quality: LossyQuality?
  /// One channel, the mean of both sides.
  public var isMono = false
  public var dither = Dither.none
  /// Integrated loudness, loudness range and true peak are measured.
  public var measuresLoudness = false
  /// The target level, reached by one gain for the whole file.
  public var normalization: NormalizationTarget?
  /// True-peak ceiling, dBTP ≤ 0: a gain that exceeds it is refused. `nil`: −1 for a loudness, none for a peak.
  public var ceiling: Double?
  /// Whether a limiter keeps true peaks below the ceiling, instead of a refusal.
  public var isLimited = false
  /// Metadata of a WAV.
  public var description = BounceDescription()
  /// Tags of a compressed file.
  public var tags = BounceTags()
  /// `nil`: from 0.
  public var from: (@Sendable (Timeline) throws -> FlickPosition)?
  /// `nil`: to the end of the last region.
  public var to: (@Sendable (Timeline) throws -> FlickPosition)?
  public var tail = Tail.standard
  /// Names of the tracks to hear, as if soloed; empty: all that the project plays.
  public var tracks: [String] = []
  /// MIDI tracks with an external output are played by their instruments as well.
  public var playsExternalTracks = false
  /// Starts tracks with state at `from` instead of 0: faster, but not equal to the same range of a whole bounce.
  public var startsCold = false
  /// Sends tracks that start at `from` the earlier state: programs, controllers, held notes.
  public var chases = true
  /// Problems to allow and warnings to omit.
  public var allowed: Set<BounceProblem> = []
  /// Frames rendered at a time. Changes no bit.
  public var blockFrames = 16_384
  /// Threads that render; `nil`: as many as there are processors. Changes no bit.
  public var threadCount: Int?
  /// Arguments that repeat this bounce, for the manifest written next to the file; `nil`: no manifest.
  public var manifestArguments: [String]?
  /// Engine options. They do not change the samples.
  public var engine = EngineChoices()

  public init() {}

  /// Seconds of the file that is rendered again by its manifest, which may ask for anything; `nil`: there is none.
  var earlierSeconds: Int?

  /// Folder for new conversions of media; `nil`: the cache is used.
  var convertsInto: Place?

  var mediaCare: MediaCare {
    convertsInto.map { .converting(into: $0) } ?? (manifestArguments == nil ? .trusting : .hashing)
  }

  /// Whether tracks with state start at the range.
  var beginsCold: Bool { if case .loop = tail { true } else { startsCold } }
}

/// Chunks of a WAV that describe it.
public struct BounceDescription: Hashable, Sendable {
  /// A Broadcast Wave extension, loudness included.
  public var hasExtension = false
  /// An iXML chunk.
  public var hasXML = false
  /// The markers of the range, as cue points with labels.
  public var hasMarkers = false
  /// `nil`: the project's name.
  public var text: String?
  public var originator = "daw"

  public init() {}

  public var isEmpty: Bool { !hasExtension && !hasXML && !hasMarkers }
}
