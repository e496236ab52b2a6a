import DAWMedia
import DAWModel
import DAWTime

/// What of a project is bounced, to where, and how.
public struct BounceRequest: Sendable {
  public enum Destination: Equatable, Sendable {
    /// `Bounces/NAME.wav`, numbered where it exists.
    case automatic
    case file(String)
    case standardOutput
  }

  public var destination = Destination.automatic
  /// An existing file is replaced.
  public var overwrites = false
  /// `nil`: by the destination's ending, else WAV.
  public var container: AudioFileFormat.Container?
  /// `nil`: 24-bit, or what is nearest in the format.
  public var encoding: SampleEncoding?
  /// `nil`: from 0.
  public var from: (@Sendable (ProjectSettings) throws -> FlickPosition)?
  /// `nil`: to the end of the last region.
  public var to: (@Sendable (ProjectSettings) throws -> FlickPosition)?
  /// Behind the end; `nil`: 2 s where an instrument sounds, else none. Measured from the range's end.
  public var tail: (@Sendable (ProjectSettings, FlickPosition) throws -> FlickCount)?
  /// Tracks as they are called, heard as if soloed; empty: as the project has it.
  public var tracks: [String] = []
  /// Begins tracks with memory at `from` instead of at 0: faster, and not equal to the same range of the whole.
  public var startsCold = false
  /// The failures that are allowed, by name.
  public var allowed: Set<BounceProblem> = []
  /// Frames rendered at a time. Changes no bit.
  public var blockFrames = 4096
  /// Threads that render; `nil`: as many as there are processors. Changes no bit.
  public var threadCount: Int?
  /// A manifest is written beside the file, with the words of a command that ask for the same again; `nil`: none is.
  public var manifestArguments: [String]?
  /// How the engine goes about it. Changes no bit.
  public var engine = EngineChoices()

  public init() {}
}

/// Why a bounce would lie: refused by its name unless that is allowed.
public enum BounceProblem: String, CaseIterable, Sendable {
  /// Nothing between the beginning and the end.
  case empty
  /// Nothing is heard: all is muted, soloed away or silent.
  case silent
  /// A medium is not there, or cannot be read.
  case missing
  /// A medium holds other bytes than those that the project recorded.
  case changed
}

/// What a bounce was.
public struct BounceReport: Equatable, Sendable {
  /// `nil` for standard output.
  public var path: String?
  public var format: AudioFileFormat
  public var frameCount: Int64
  /// On the timeline.
  public var start: FlickPosition
  /// dBFS of the engine's own samples; −∞ for silence.
  public var peakLevel: Double
  /// Samples that the format had to cut.
  public var clippedSampleCount: Int64
  /// Samples of files that were no finite numbers, and taken as silence.
  public var invalidSampleCount: Int64
  public var panLaw: PanLaw
  public var revision: Int64
  /// The length over the time that rendering took.
  public var timesRealTime: Double
  /// Of each instrument track that is heard, whether it was rendered or taken from the cache.
  public var renders: [TrackRender] = []
  /// What was done, but should be known, in sentences.
  public var warnings: [String]

  public var duration: Double { Double(frameCount) / Double(format.sampleRate.hertz) }
}
