/// Why a stream could not go on. What was made of the plan until then is of no use.
public enum StreamError: Error, Hashable {
  /// The file cannot be opened: `reason` is the system's word.
  case unreadable(path: String, reason: String)
  /// The file ends before the frames that the plan expects.
  case cutShort(path: String, frame: Int64)
  /// The instrument cannot be made.
  case instrument(path: String, reason: String)
  /// Somebody else ended the work.
  case stopped
}

extension StreamError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "'\(path)' cannot be read: \(reason)."
    case .cutShort(let path, let frame):
      "'\(path)' ends at or before frame \(frame), though it was longer when the plan was made. Has it changed?"
    case .instrument(let path, let reason):
      "No instrument can be made of '\(path)': \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)."
    case .stopped: "The work was stopped."
    }
  }
}
