import DAWTime

/// Where a medium's bytes are, and how they are known again.
public struct MediaLocation: Hashable, Sendable, Codable {
  /// Relative to the project's folder for what lies inside it; absolute for what is linked.
  public var path: String
  /// For what is linked: relative to the project's folder, tried first.
  public var relativePath: String?
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case: a medium's identity.
  public var sha256: String
  public var byteCount: Int64
  /// In nanoseconds since 1970. Where size or time differ when a linked file is opened, the hash decides.
  public var modificationTime: Int64

  public init(path: String, relativePath: String? = nil, sha256: String, byteCount: Int64, modificationTime: Int64) {
    self.path = path
    self.relativePath = relativePath
    self.sha256 = sha256
    self.byteCount = byteCount
    self.modificationTime = modificationTime
  }

  public var isLinked: Bool { path.hasPrefix("/") }
}

/// An audio file that regions play.
public struct AudioFile: Hashable, Sendable, Codable, Identifiable {
  public var id: AudioFileID
  public var location: MediaLocation
  /// Authoritative; `duration` is rounded down where the rate is an odd one.
  public var frames: FrameCount
  public var sampleRate: SampleRate
  public var channelCount: Int
  /// For people: "WAV, 24-bit PCM".
  public var format: String

  public init(
    id: AudioFileID, location: MediaLocation, frames: FrameCount, sampleRate: SampleRate, channelCount: Int,
    format: String
  ) {
    self.id = id
    self.location = location
    self.frames = frames
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.format = format
  }

  public var duration: FlickCount {
    let flicks = Int128(frames.frames) * Int128(FlickCount.perSecond) / Int128(max(1, sampleRate.hertz))
    return FlickCount(flicks: Int64(clamping: flicks))
  }
}

extension AudioFile: Entity {
  public static let kindCode: UInt8 = 4
  public static let noun = "audio file"
}

/// A SoundFont that MIDI tracks play with.
public struct SoundFont: Hashable, Sendable, Codable, Identifiable {
  public var id: SoundFontID
  public var location: MediaLocation

  public init(id: SoundFontID, location: MediaLocation) {
    self.id = id
    self.location = location
  }
}

extension SoundFont: Entity {
  public static let kindCode: UInt8 = 5
  public static let noun = "SoundFont"
}
