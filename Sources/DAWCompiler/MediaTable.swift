import DAWEngine
import DAWModel

/// A project's media, prepared for the engine: audio files at the project's rate, and existing SoundFonts.
public struct MediaTable: Sendable {
  /// The file, or a copy converted to the project's rate.
  public var audioFiles: [AudioFileID: AudioSource]
  public var soundFonts: [SoundFontID: PreparedSoundFont]

  public init(audioFiles: [AudioFileID: AudioSource] = [:], soundFonts: [SoundFontID: PreparedSoundFont] = [:]) {
    self.audioFiles = audioFiles
    self.soundFonts = soundFonts
  }
}

public struct PreparedSoundFont: Hashable, Sendable {
  /// Absolute.
  public var path: String
  /// 64 hexadecimal digits.
  public var sha256: String

  public init(path: String, sha256: String) {
    self.path = path
    self.sha256 = sha256
  }
}
