import DAWMedia
import DAWTime

/// An audio file at the project's rate, which does not change while the plan is in use.
public struct AudioSource: Equatable, Sendable {
  /// Absolute.
  public var path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits.
  public var sha256: String
  public var frameCount: Int64
  /// At least 1.
  public var channelCount: Int
  public var content: Content

  /// How the samples are read.
  public enum Content: Equatable, Sendable {
    /// Interleaved PCM, read from the file without a decoder.
    case plain(PCMLayout)
    /// Read as 32-bit float by `AudioFileReader`: decoded by a library, or a take's segments. Without facts, the file
    /// is examined again when it is opened, which may decode all of it.
    case decoded(AudioFileFacts?)
  }

  public init(path: String, sha256: String, frameCount: Int64, channelCount: Int, content: Content) {
    self.path = path
    self.sha256 = sha256
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.content = content
  }

  /// From a file's facts.
  public init(path: String, sha256: String, facts: AudioFileFacts) {
    self.init(
      path: path, sha256: sha256, frameCount: facts.frames.frames, channelCount: facts.channelCount,
      content: facts.pcmLayout.map { .plain($0) } ?? .decoded(facts))
  }

  /// Whether a library has to decode it.
  public var isDecoded: Bool { if case .decoded(let facts) = content { facts?.isDecoded ?? true } else { false } }

  /// The first frame behind its last one.
  public var end: FileFrame { FileFrame(Int(frameCount)) }

  /// The encoding of samples in a stream of this source.
  public var streamEncoding: SampleEncoding {
    switch content {
    case .plain(let layout): layout.encoding
    case .decoded: .float32
    }
  }

  /// Bytes per frame of all channels, in a stream.
  public var bytesPerFrame: Int { channelCount * streamEncoding.bytesPerSample }
}
