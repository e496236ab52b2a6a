import DAWMedia
import DAWTime

/// Why a stream cannot continue. Anything rendered from the plan so far is not valid.
public enum StreamError: Error, Equatable {
  /// The file cannot be opened or read: `reason` is the system's message.
  case unreadable(path: String, reason: String)
  /// The file ends before the frames that the plan needs.
  case cutShort(path: String, frame: FileFrame)
  /// The instrument cannot be made.
  case instrument(path: String, reason: String)
  /// More regions sound at once than there are streams.
  case tooManyRegions(limit: Int)
  /// More instruments play at once than there are streams for.
  case tooManyInstruments(limit: Int)
  /// Frames are requested before enough earlier ones were released to make room.
  case tooFarAhead(frame: TimelineFrame)
  /// What one pass leaves to the next cannot be kept on disk.
  case spool(AudioFileWriteError)
  /// Another thread stopped the rendering.
  case stopped
}

extension StreamError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "'\(path)' cannot be read: \(reason)."
    case .cutShort(let path, let frame):
      "'\(path)' ends at or before frame \(frame); it was longer when the plan was made. Has it changed?"
    case .instrument(let path, let reason):
      "No instrument can be made from '\(path)': \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)."
    case .tooManyRegions(let limit):
      "More than \(limit) regions sound at once, the most that can be read at a time; the last of them are silent."
    case .tooManyInstruments(let limit):
      "More than \(limit) instruments play at once, the most that there is room for; the others are silent."
    case .tooFarAhead(let frame): "Frame \(frame) of an instrument was requested before it can be rendered."
    case .spool(let error): "\(error)"
    case .stopped: "The rendering was stopped."
    }
  }
}
