import DAWMedia

/// An audio file as the engine reads it: at the project's rate, and unchanged while the plan lives.
public struct AudioSource: Equatable, Sendable {
  /// Absolute.
  public var path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits.
  public var sha256: String
  public var frameCount: Int64
  /// At least 1.
  public var channelCount: Int
  public var content: Content

  public enum Content: Equatable, Sendable {
    /// Samples of equal size, interleaved: read as they lie in the file.
    case plain(PCMLayout)
    /// Anything else: a library decodes it to 32-bit float. Without its facts the file is looked at once more when it is
    /// opened, which may mean to decode all of it.
    case decoded(AudioFileFacts?)
  }

  public init(path: String, sha256: String, frameCount: Int64, channelCount: Int, content: Content) {
    self.path = path
    self.sha256 = sha256
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.content = content
  }

  /// A file that has been looked at.
  public init(path: String, sha256: String, facts: AudioFileFacts) {
    self.init(
      path: path, sha256: sha256, frameCount: facts.frames.frames, channelCount: facts.channelCount,
      content: facts.pcmLayout.map { .plain($0) } ?? .decoded(facts))
  }

  /// What a stream of this source carries.
  public var streamEncoding: SampleEncoding {
    switch content {
    case .plain(let layout): layout.encoding
    case .decoded: .float32
    }
  }

  /// Of one frame, all channels, in a stream.
  public var bytesPerFrame: Int { channelCount * streamEncoding.bytesPerSample }
}
