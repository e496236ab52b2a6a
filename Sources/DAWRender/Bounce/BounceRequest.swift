import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// What of a project is bounced, to where, and how.
public struct BounceRequest: Sendable {
  public enum Destination: Equatable, Sendable {
    /// `Bounces/NAME.wav`, numbered where it exists.
    case automatic
    /// A file, or for stems a folder, by the user's own path.
    case file(String)
    /// The same in a folder that is ours.
    case within(Place)
    case standardOutput

    /// Where that is; `nil` where it is for the bounce to find, or no file.
    var place: Place? {
      switch self {
      case .automatic, .standardOutput: nil
      case .file(let path): Place(path: URL(fileURLWithPath: path).standardizedFileURL.path)
      case .within(let place): place
      }
    }
  }

  /// What rings on behind the end. What begins there is never heard in it.
  public enum Tail: Sendable {
    /// 2 s where an instrument sounds, else none.
    case standard
    /// Measured from the range's end.
    case distance(@Sendable (Timeline, FlickPosition) throws -> FlickCount)
    /// Until all is below −90 dBFS, at most 30 s.
    case untilQuiet
    /// None: what rings on is added to the start, so that the range is a seamless loop. Tracks with memory begin at the
    /// range, as with `startsCold`, so that what rings in from before is not in it twice.
    case loop
  }

  public var destination = Destination.automatic
  /// An existing file, or folder of stems, is replaced.
  public var overwrites = false
  /// Each track into a file of its own, in a folder; their sum is the mix to the last rounding.
  public var writesStems = false
  /// `nil`: by the destination's ending, else `usualContainer`.
  public var container: AudioFileFormat.Container?
  /// Where neither `container` nor an ending says it.
  public var usualContainer = AudioFileFormat.Container.wave
  /// `nil`: 24-bit, or what is nearest in the format.
  public var encoding: SampleEncoding?
  /// `nil`: the project's, or what the format can hold.
  public var sampleRate: SampleRate?
  /// One channel, the mean of both sides.
  public var isMono = false
  public var dither = Dither.none
  /// Integrated loudness, loudness range and true peak are measured.
  public var measuresLoudness = false
  /// The level that the file is brought to, by one gain for all of it.
  public var normalization: NormalizationTarget?
  /// dBTP ≤ 0: a gain that leads above is refused. `nil`: −1 for a loudness, none for a peak.
  public var ceiling: Double?
  /// What the file says of itself.
  public var description = BounceDescription()
  /// `nil`: from 0.
  public var from: (@Sendable (Timeline) throws -> FlickPosition)?
  /// `nil`: to the end of the last region.
  public var to: (@Sendable (Timeline) throws -> FlickPosition)?
  public var tail = Tail.standard
  /// Tracks as they are called, heard as if soloed; empty: as the project has it.
  public var tracks: [String] = []
  /// MIDI tracks that have an output of their own, outside, are played by their instruments as well.
  public var playsExternalTracks = false
  /// Begins tracks with memory at `from` instead of at 0: faster, and not equal to the same range of the whole.
  public var startsCold = false
  /// Tells tracks that begin at `from` what came before: programs, controllers, notes that sound across.
  public var chases = true
  /// The failures that are allowed, and the warnings that are left out, by name.
  public var allowed: Set<BounceProblem> = []
  /// Frames rendered at a time. Changes no bit.
  public var blockFrames = 16_384
  /// Threads that render; `nil`: as many as there are processors. Changes no bit.
  public var threadCount: Int?
  /// A manifest is written beside the file, with the words of a command that ask for the same again; `nil`: none is.
  public var manifestArguments: [String]?
  /// How the engine goes about it. Changes no bit.
  public var engine = EngineChoices()

  public init() {}

  /// What was made of media is converted again into this folder, rather than taken from the cache.
  var convertsInto: Place?

  var mediaCare: MediaCare {
    convertsInto.map { .converting(into: $0) } ?? (manifestArguments == nil ? .trusting : .hashing)
  }

  /// Whether tracks with memory begin at the range.
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
