import DAWTime

/// What is odd about an audio file that can be read all the same.
public enum AudioFileWarning: Hashable, Sendable {
  /// The header promises more than there is: the file was cut short. What is there is taken.
  case shorterThanPromised(promised: FrameCount, found: FrameCount)
  /// The header gives no length, as where a recorder was not stopped properly: it is taken from the file's length.
  case lengthNotWritten(found: FrameCount)
  /// The decoder complained before the end; what came out until then is taken.
  case breaksOff(found: FrameCount, reason: String)
  /// Samples that are infinite or not a number; they are read as silence.
  case notFinite(sampleCount: Int64)
}

extension AudioFileWarning: CustomStringConvertible {
  public var description: String {
    switch self {
    case .shorterThanPromised(let promised, let found):
      "the header promises \(promised.frames) frames, the file holds \(found.frames)"
    case .lengthNotWritten(let found):
      "the header gives no length (a recording that was not closed?); the file holds \(found.frames) frames"
    case .breaksOff(let found, let reason): "it breaks off after \(found.frames) frames (\(reason))"
    case .notFinite(let count): "\(count) samples are infinite or not a number, and are read as silence"
    }
  }
}
