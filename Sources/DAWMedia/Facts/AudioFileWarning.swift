import DAWTime

/// An irregularity of an audio file that can be read nevertheless.
public enum AudioFileWarning: Hashable, Sendable {
  /// The header's length is greater than the file's: the file is truncated. The frames that exist are read.
  case shorterThanPromised(promised: FrameCount, found: FrameCount)
  /// The header has no length, as when a recorder was not stopped properly; the file's length is used.
  case lengthNotWritten(found: FrameCount)
  /// Decoding failed before the end, or the end of an Ogg stream is missing; the frames before that are read.
  case breaksOff(found: FrameCount, reason: String)
  /// There is sound after the end of what is read: of concatenated files only the first is read; of an MP3 without a
  /// length in its header, an estimate from its first frames.
  /// - Parameter joinedAt: the byte at which another FLAC file begins; `nil` for other formats.
  case moreFollows(found: FrameCount, sampleRate: SampleRate, joinedAt: Int64? = nil)
  /// NaN or infinite samples; they are read as 0.
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
    case .moreFollows(let found, let rate, let place?):
      // What ffmpeg makes of the whole lacks some thousand frames at the seam.
      "only its first \(Self.seconds(found, rate)) s are read, though another FLAC file is joined to it. To have that as "
        + "a file of its own: tail -c +\(place + 1) IN > OUT.flac"
    case .moreFollows(let found, let rate, nil):
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
