import DAWEngine
import DAWModel

/// A project's media, prepared for the engine: audio files at the project's rate, and existing SoundFonts.
public struct MediaTable: Sendable {
  /// The file, or a copy converted to the project's rate.
  public var audioFiles: [AudioFileID: AudioSource]
  /// Copies from the last frame to the first, of files that regions play reversed.
  public var reversedFiles: [AudioFileID: AudioSource]
  public var soundFonts: [SoundFontID: PreparedSoundFont]

  public init(
    audioFiles: [AudioFileID: AudioSource] = [:], reversedFiles: [AudioFileID: AudioSource] = [:],
    soundFonts: [SoundFontID: PreparedSoundFont] = [:]
  ) {
    self.audioFiles = audioFiles
    self.reversedFiles = reversedFiles
    self.soundFonts = soundFonts
  }

  /// `nil` if the file has not been prepared in this direction.
  package subscript(file: PlayedFile) -> AudioSource? {
    get { file.isReversed ? reversedFiles[file.id] : audioFiles[file.id] }
    set {
      if file.isReversed { reversedFiles[file.id] = newValue } else { audioFiles[file.id] = newValue }
    }
  }
}

/// A SoundFont's file, which exists.
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
