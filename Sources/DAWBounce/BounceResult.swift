import DAWEngine
import DAWErrors
import DAWMedia

/// The result of a bounce.
public struct BounceResult: Hashable, Sendable {
  public var frameCount: Int64
  /// The peak of the engine's output, linear.
  public var peak: Float
  /// Samples of the engine's output beyond full scale; integer formats clip them.
  public var clippedSampleCount: Int64
  /// Samples that were NaN or infinite and replaced by 0, in sources and at the output.
  public var invalidSampleCount: Int64
  /// Frames of the tail, part of `frameCount`.
  public var tailFrameCount: Int64 = 0
  /// The peak, linear, right after the end.
  public var peakAfterEnd: Float = 0
}

/// Why a bounce has failed.
public enum BounceError: Error {
  /// A file or an instrument of the plan failed.
  case stream(StreamError)
  /// Writing failed.
  case sink(AudioFileWriteError)
  case cancelled
}

extension BounceError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }
  public var message: String { report.message }

  private var report: (kind: ErrorKind, code: String, message: String) {
    switch self {
    case .cancelled, .stream(.stopped): (.interrupted, "interrupted", "Interrupted. Nothing was written.")
    case .sink(let error), .stream(.spool(let error)): (error.kind, error.code, error.message)
    case .stream(let error):
      switch error {
      case .unreadable: (.io, "io", "\(error) Nothing was written.")
      case .cutShort: (.invalid, "changed", "\(error) Nothing was written.")
      case .instrument: (.unavailable, "instrumentFailed", "\(error) Nothing was written.")
      // A bounce asks in order, and has no such limits.
      case .stopped, .spool, .tooManyRegions, .tooManyInstruments, .tooFarAhead: (.internal, "internal", "\(error)")
      }
    }
  }
}
