import DAWErrors

/// Why a copy, a conversion or the making of peaks did not come to its end. No file with the final name is left, and none
/// that was there is changed.
public enum MediaWorkError: Error, Equatable, Sendable {
  case reading(AudioFileError)
  case writing(AudioFileWriteError)
  /// The caller's progress closure said so.
  case cancelled
  /// The resampler refused. - Parameter reason: soxr's own words.
  case resampling(path: String, reason: String)
}

extension MediaWorkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .reading(let error): error.description
    case .writing(let error): error.description
    case .cancelled: "Interrupted; what was half done has been removed."
    case .resampling(let path, let reason): "'\(path)' cannot be converted to another rate (\(reason))."
    }
  }
}

extension MediaWorkError: DAWError {
  public var kind: ErrorKind { cause?.kind ?? .interrupted }
  public var code: String { cause?.code ?? "interrupted" }

  private var cause: (any DAWError)? {
    switch self {
    case .reading(let error): error
    case .writing(let error): error
    case .cancelled, .resampling: nil
    }
  }
}
