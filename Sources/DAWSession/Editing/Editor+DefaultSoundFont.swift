import DAWModel
import DAWStore

extension Editor {
  /// The SoundFont that a new MIDI track plays with: the one that most of the project's tracks have, or else the system's
  /// default, recorded with its hash. `nil` where none is installed; the bounce then says so.
  func defaultSoundFont() throws -> SoundFontID? {
    let used = try view.tracks().compactMap { $0.instrument?.soundFont }
    if let first = used.first { return first }
    return nil
  }
}
