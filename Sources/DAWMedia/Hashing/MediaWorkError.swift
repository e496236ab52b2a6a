import DAWErrors

/// Why a copy, a conversion or a peak scan failed. No incomplete file is left, and no existing file is changed.
public enum MediaWorkError: Error, Equatable, Sendable {
  case reading(AudioFileError)
  case writing(AudioFileWriteError)
  /// The progress closure returned false.
  case cancelled
  /// Resampling failed. - Parameter reason: soxr's message.
  case resampling(path: String, reason: String)
}

extension MediaWorkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .reading(let error): error.description
    case .writing(let error): error.description
    case .cancelled: "Interrupted; incomplete files were removed."
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
