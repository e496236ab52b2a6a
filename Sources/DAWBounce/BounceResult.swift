import DAWEngine
import DAWErrors
import DAWMedia
import DAWTime
import Glibc

/// What a bounce was.
public struct BounceResult: Hashable, Sendable {
  public var frameCount: Int64
  public var sampleRate: SampleRate
  /// The greatest magnitude of the engine's own samples, linear.
  public var peak: Float
  /// The engine's samples beyond full scale; an integer format cuts them.
  public var clippedSampleCount: Int64
  /// Samples that were taken as silence because they were no finite numbers, in files and at the output.
  public var invalidSampleCount: Int64
  public var elapsed: Duration
  /// Frames, among `frameCount`, of what rings on behind the range.
  public var tailFrameCount: Int64 = 0
  /// The greatest magnitude, linear, of what came right behind the end and was left out.
  public var peakBehindEnd: Float = 0

  /// dBFS, −∞ for silence.
  public var peakLevel: Double { 20 * log10(Double(peak)) }

  /// The length in seconds over the time it took.
  public var timesRealTime: Double {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    return seconds > 0 ? Double(frameCount) / Double(sampleRate.hertz) / seconds : .infinity
  }
}

public enum BounceError: Error {
  /// A file or an instrument of the plan.
  case stream(StreamError)
  /// The file that is written.
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
    case .sink(let error): (error.kind, error.code, error.message)
    case .stream(let error):
      switch error {
      case .unreadable: (.io, "io", "\(error) Nothing was written.")
      case .cutShort: (.invalid, "changed", "\(error) Nothing was written.")
      case .instrument: (.unavailable, "instrument", "\(error) Nothing was written.")
      // A bounce asks in order, and has no such limits.
      case .stopped, .tooManyRegions, .tooManyInstruments, .tooFarAhead: (.internal, "internal", "\(error)")
      }
    }
  }
}
