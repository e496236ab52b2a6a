import DAWErrors

/// Why an audio file cannot be read.
public enum AudioFileError: Error, Equatable, Sendable {
  case missing(path: String)
  /// - Parameter kind: "a folder", "a named pipe", …
  case notAFile(path: String, kind: String)
  case noPermission(path: String)
  /// A file of 0 bytes.
  case empty(path: String)
  /// Not a known format.
  case unrecognized(path: String)
  /// Of a known format, but damaged. - Parameter reason: the decoder's message.
  case damaged(path: String, reason: String)
  /// Of a format that neither libsndfile nor ffmpeg reads. - Parameter reason: ffmpeg's.
  case undecodable(path: String, reason: String)
  /// A valid file without a frame.
  case noFrames(path: String)
  /// - Parameter channelCount: outside `AudioFileFacts.acceptedChannelCounts`.
  case channelCount(path: String, found: Int)
  /// - Parameter found: hertz, outside `AudioFileFacts.acceptedRates`.
  case sampleRate(path: String, found: Int)
  /// Fewer frames than when the file was first examined.
  case endsEarly(path: String, atFrame: Int64, expectedFrames: Int64)
  /// The file was modified while it was being read.
  case changedWhileRead(path: String)
  case system(path: String, failure: SystemCallFailure)

  /// The file that the error is about.
  public var path: String {
    switch self {
    case .missing(let path), .noPermission(let path), .empty(let path), .unrecognized(let path), .noFrames(let path),
      .changedWhileRead(let path):
      path
    case .notAFile(let path, _), .damaged(let path, _), .undecodable(let path, _), .channelCount(let path, _),
      .sampleRate(let path, _),
      .endsEarly(let path, _, _), .system(let path, _):
      path
    }
  }
}

extension AudioFileError {
  /// This error about another file: the one of which the file that was read is a copy.
  package func of(_ path: String) -> AudioFileError {
    switch self {
    case .missing: .missing(path: path)
    case .notAFile(_, let kind): .notAFile(path: path, kind: kind)
    case .noPermission: .noPermission(path: path)
    case .empty: .empty(path: path)
    case .unrecognized: .unrecognized(path: path)
    case .damaged(_, let reason): .damaged(path: path, reason: reason)
    case .undecodable(_, let reason): .undecodable(path: path, reason: reason)
    case .noFrames: .noFrames(path: path)
    case .channelCount(_, let found): .channelCount(path: path, found: found)
    case .sampleRate(_, let found): .sampleRate(path: path, found: found)
    case .endsEarly(_, let frame, let expected): .endsEarly(path: path, atFrame: frame, expectedFrames: expected)
    case .changedWhileRead: .changedWhileRead(path: path)
    case .system(_, let failure): .system(path: path, failure: failure)
    }
  }
}

extension AudioFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let path): "No file at '\(path)'. Check the path's spelling."
    case .notAFile(let path, let kind): "'\(path)' is \(kind), not an audio file. Name a file."
    case .noPermission(let path): "'\(path)' may not be read. Give yourself permission with 'chmod u+r' or copy it."
    case .empty(let path): "'\(path)' is empty: 0 bytes. Fetch or record it again."
    case .unrecognized(let path):
      "'\(path)' is not in an audio format that is known. Convert it to WAV or FLAC; formats are those of libsndfile."
    case .damaged(let path, let reason):
      "'\(path)' is damaged or in a format that cannot be read (\(reason)). Fetch it again, or convert it to WAV or FLAC."
    case .undecodable(let path, let reason):
      "'\(path)' is damaged, or in a format that neither libsndfile nor ffmpeg reads (\(reason)). Fetch it again, or convert "
        + "it to WAV or FLAC."
    case .noFrames(let path): "'\(path)' holds no sound: 0 frames. Fetch or record it again."
    case .channelCount(let path, let found):
      "'\(path)' has \(found) channels; \(AudioFileFacts.acceptedChannelCounts.inWords) can be read. Convert it."
    case .sampleRate(let path, let found):
      "'\(path)' is at \(found) Hz; \(AudioFileFacts.acceptedRates.inWords) Hz can be read. Convert it."
    case .endsEarly(let path, let frame, let expected):
      "'\(path)' ends or breaks off at frame \(frame) of \(expected). Fetch it again, or import it anew as it is."
    case .changedWhileRead(let path):
      "'\(path)' was written to while it was being read. Wait until its program is done, then try again."
    case .system(let path, let failure): "'\(path)' cannot be read (\(failure)). Check the disk, then try again."
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var inWords: String { "\(lowerBound) … \(upperBound)" }
}

extension AudioFileError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }

  private var report: (kind: ErrorKind, code: String) {
    switch self {
    case .missing: (.noInput, "fileNotFound")
    case .notAFile: (.noInput, "notAFile")
    case .noPermission: (.noInput, "noPermission")
    case .system: (.io, "io")
    case .changedWhileRead: (.tryAgain, "changedWhileRead")
    case .empty, .unrecognized, .damaged, .undecodable, .noFrames, .channelCount, .sampleRate, .endsEarly:
      (.invalid, "invalidAudioFile")
    }
  }
}
