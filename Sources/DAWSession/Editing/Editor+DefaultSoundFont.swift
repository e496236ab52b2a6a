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
    return try InstalledSoundFont.all().first.map { try soundFont(at: $0.path, isCopied: false) }
  }

  /// The row of the SoundFont that somebody chose, by its file or by the name of an installed one.
  /// - Throws: `Failure` where there is none, or it is broken.
  func soundFont(chosenBy choice: SoundFontChoice) throws -> SoundFontID {
    let path = try InstalledSoundFont.path(of: choice)
    // What cannot be played is better refused now than at the bounce; without FluidSynth nobody can tell.
    do throws(InstrumentError) {
      _ = try SoundFontLibrary.presets(path: path)
    } catch {
      switch error {
      case .libraryUnavailable, .settingRefused, .noSynthesizer: break
      default: throw InstalledSoundFont.refusal(path, error)
      }
    }
    return try soundFont(at: path, isCopied: choice.isCopied)
  }

  /// The row of a SoundFont; the same bytes are the same row, and one that was linked becomes the project's own where it is
  /// copied.
  /// - Parameter path: absolute.
  private func soundFont(at path: String, isCopied: Bool) throws -> SoundFontID {
    guard isCopied else {
      let digest = try sha256(ofFile: path)
      if let known = try view.soundFont(withHash: digest.sha256) { return known.id }
      let font = SoundFont(id: try newSoundFontID(), location: folder.location(of: path, digest))
      try apply(.addSoundFont(font))
      return font.id
    }
    let copy = try incoming.newCopyPath()
    let digest = try copyAndHash(from: path, to: copy)
    let known = try view.soundFont(withHash: digest.sha256)
    if let known, !known.location.isLinked, folder.state(of: known.location) == .asRecorded { return known.id }
    let place = MediaLocation(path: incoming.keep(copy: copy, as: (path as NSString).lastPathComponent), digest)
    let font = SoundFont(id: try known?.id ?? newSoundFontID(), location: place)
    try apply(known == nil ? .addSoundFont(font) : .setSoundFont(font))
    return font.id
  }
}
