/// An audio file as the engine reads it: at the project's rate, and unchanged while the plan lives.
public struct AudioSource: Hashable, Sendable {
  /// Absolute.
  public var path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits.
  public var sha256: String
  public var frameCount: Int64
  /// At least 1.
  public var channelCount: Int
  public var encoding: Encoding

  public enum Encoding: Hashable, Sendable {
    /// Samples of equal size, interleaved, from `offset` bytes into the file on: read as they are.
    case pcm(SampleFormat, offset: Int64)
    /// Anything else: a library decodes it to 32-bit float.
    case decoded
  }

  public init(path: String, sha256: String, frameCount: Int64, channelCount: Int, encoding: Encoding) {
    self.path = path
    self.sha256 = sha256
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.encoding = encoding
  }

  /// What a stream of this source carries.
  public var streamFormat: SampleFormat {
    switch encoding {
    case .pcm(let format, _): format
    case .decoded: .float32
    }
  }

  /// Of one frame, all channels, in a stream.
  public var bytesPerFrame: Int { channelCount * streamFormat.bytesPerSample }
}
