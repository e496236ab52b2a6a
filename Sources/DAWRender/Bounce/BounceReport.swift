import DAWBounce
import DAWMedia
import DAWModel
import DAWTime

/// The result of a bounce. For stems, the numbers are those of the mix.
public struct BounceReport: Equatable, Sendable {
  /// The path of the file, or of the folder of stems; `nil` for standard output.
  public var path: String?
  public var format: AudioFileFormat
  /// Frames of the file, at its sample rate.
  public var frameCount: Int64
  /// Where on the timeline the file begins.
  public var start: FlickPosition
  /// Frames of tail at the project's rate: after the range, or added to its start.
  public var tailFrameCount: Int64 = 0
  /// Statistics of the samples in the file, before they are rounded to integers.
  public var statistics: SignalStatistics
  /// The loudness of the file; `nil` where it was not measured.
  public var loudness: Loudness?
  /// dB, where the file was normalised.
  public var gainLevel: Double?
  /// Number of samples clipped by the format.
  public var clippedSampleCount: Int64
  /// Number of samples of files that were not finite, replaced by silence.
  public var invalidSampleCount: Int64
  public var panLaw: PanLaw
  public var revision: Int64
  /// The length over the time that all the work took.
  public var timesRealTime: Double
  /// For each instrument track that is heard: whether it was rendered or taken from the cache.
  public var renders: [TrackRender] = []
  /// One for each track; empty where no stems were asked for.
  public var stems: [StemReport] = []
  /// Chapters in the file.
  public var chapterCount = 0
  /// Warnings, as sentences.
  public var warnings: [String]
  /// The names of the warnings that have one.
  public var problems: [BounceProblem] = []

  public var duration: Double { Double(frameCount) / Double(format.sampleRate.hertz) }
  /// dBFS; −∞ for silence.
  public var peakLevel: Double { statistics.peakLevel }
}

/// One track's file.
public struct StemReport: Equatable, Sendable {
  public var track: TrackID
  public var name: String
  public var path: String
  public var statistics: SignalStatistics
  public var clippedSampleCount: Int64
  /// The digest of the engine's samples, where a manifest was asked for.
  var digest: SampleDigest?
}
