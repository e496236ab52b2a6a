import DAWEngine
import DAWModel

/// The media of a project as they have been prepared for the engine: audio files at the project's rate, SoundFonts that
/// are there.
public struct MediaTable: Sendable {
  /// A copy at the project's rate where the file itself is at another one.
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
