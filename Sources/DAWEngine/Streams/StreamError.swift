/// Why a stream could not go on. What was made of the plan until then is of no use.
public enum StreamError: Error, Hashable {
  /// The file cannot be opened: `reason` is the system's word.
  case unreadable(path: String, reason: String)
  /// The file ends before the frames that the plan expects.
  case cutShort(path: String, frame: Int64)
  /// The instrument cannot be made.
  case instrument(path: String, reason: String)
  /// More regions sound at once than there are streams.
  case tooManyRegions(limit: Int)
  /// More instruments play at once than there are streams for.
  case tooManyInstruments(limit: Int)
  /// Frames are asked for before so many earlier ones were let go of that there is room.
  case tooFarAhead(frame: Int64)
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
    case .tooManyRegions(let limit):
      "More than \(limit) regions sound at once or are about to, which is as many as are read at a time: the last of them "
        + "are left out."
    case .tooManyInstruments(let limit):
      "More than \(limit) instruments play at once, which is as many as there is room for: the others are left out."
    case .tooFarAhead(let frame): "Frame \(frame) of an instrument is asked for too early."
    case .stopped: "The work was stopped."
    }
  }
}
