import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Editor {
  /// The SoundFont that a new MIDI track plays with: what the project's other tracks have, or else the system's default,
  /// which is recorded with its hash. `nil` where none is installed; the bounce then says so.
  func defaultSoundFont() throws -> SoundFontID? {
    if let used = try view.tracks().lazy.compactMap({ $0.instrument?.soundFont }).first { return used }
    return try SoundFontLibrary.installed().first.map { try soundFont(at: $0) }
  }

  /// The row of a SoundFont, which stays where it is.
  /// - Parameter path: absolute.
  /// - Throws: `Failure`.
  func soundFont(at typedPath: String) throws -> SoundFontID {
    let path = URL(fileURLWithPath: typedPath).standardizedFileURL.path
    guard SoundFontLibrary.isSoundFont(path: path) else {
      throw Failure(
        .invalid, code: "notASoundFont", "'\(path)' is no SoundFont. Nothing was changed.",
        hint: "SoundFonts (.sf2, .sf3) are in Debian's packages timgm6mb-soundfont and fluid-soundfont-gm.")
    }
    let digest = try sha256(ofFile: path)
    if let known = try view.soundFont(withHash: digest.sha256) { return known.id }
    let font = SoundFont(id: try newSoundFontID(), location: folder.location(of: path, digest))
    try apply(.addSoundFont(font))
    return font.id
  }
}
