import DAWTime

/// What is odd about an audio file that can be read all the same.
public enum AudioFileWarning: Hashable, Sendable {
  /// The header promises more than there is: the file was cut short. What is there is taken.
  case shorterThanPromised(promised: FrameCount, found: FrameCount)
  /// The header gives no length, as where a recorder was not stopped properly: it is taken from the file's length.
  case lengthNotWritten(found: FrameCount)
  /// The decoder complained before the end; what came out until then is taken.
  case breaksOff(found: FrameCount, reason: String)
  /// Sound lies behind the end of what is read: where files were joined end to end only the first is taken, and of an MP3
  /// that does not say its length as much as is guessed from its first frames.
  case moreFollows(found: FrameCount, sampleRate: SampleRate)
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
    case .moreFollows(let found, let rate):
      "only its first \(Self.seconds(found, rate)) s are read, though more sound follows (joined files, or an MP3 that "
        + "does not say its length). To have all of it: ffmpeg -i IN OUT.wav"
    case .notFinite(let count): "\(count) samples are infinite or not a number, and are read as silence"
    }
  }

  /// To the millisecond.
  private static func seconds(_ frames: FrameCount, _ rate: SampleRate) -> Double {
    (Double(frames.frames) / Double(rate.hertz) * 1_000).rounded() / 1_000
  }
}
