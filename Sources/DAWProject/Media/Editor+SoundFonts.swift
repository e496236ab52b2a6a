import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Editor {
  /// The SoundFont that a new MIDI track plays with: what the project's other tracks have, or else the system's default,
  /// which is recorded with its hash. `nil` where none is installed; the bounce then says so.
  package func defaultSoundFont() throws -> SoundFontID? {
    if let used = try view.firstSoundFontOfTracks() { return used }
    return try InstalledSoundFont.all().first.map { try importSoundFont(at: $0.path, isLinked: true) }
  }

  /// The row of the SoundFont that somebody chose: a file, one of the project's by its name, or an installed one by its.
  /// - Throws: `Failure` where there is none, or it cannot be played.
  func soundFont(chosenBy choice: SoundFontChoice) throws -> SoundFontID {
    switch try choice.found(in: view) {
    case .file(let path):
      try refuseBroken(path)
      return try importSoundFont(at: path, isLinked: choice.storage == .linked)
    case .installed(let path):
      try refuseBroken(path)
      return try importSoundFont(at: path, isLinked: choice.storage != .copied)
    case .own(let font):
      guard let path = folder.find(font.location) else {
        throw Failure(
          .noInput, code: "missing", "The SoundFont '\(font.location.path)' is missing. Nothing was changed.",
          hint: "'daw check' says how to mend it.")
      }
      try refuseBroken(path)
      // What is linked can still be taken in.
      return choice.storage == .copied ? try importSoundFont(at: path, isLinked: false) : font.id
    }
  }

  /// What cannot be played is better refused now than at the bounce; without FluidSynth only the file's structure tells.
  private func refuseBroken(_ path: String) throws {
    do throws(InstrumentError) {
      _ = try SoundFontLibrary.presets(path: path)
    } catch {
      switch error {
      case .libraryUnavailable, .settingRefused, .noSynthesizer: break
      default: throw InstalledSoundFont.refusal(path, error)
      }
    }
  }

  /// The row of a SoundFont, as for an audio file: the same bytes are the same row; bytes that were lost are put back by
  /// that, and those of a linked file copied.
  /// - Parameters:
  ///   - path: absolute.
  ///   - isLinked: leaves the file where it is.
  private func importSoundFont(at path: String, isLinked: Bool) throws -> SoundFontID {
    let arrival = try incoming.bytes(of: IncomingFile(path: path, isLinked: isLinked, kind: .soundFont))
    let known = try view.soundFont(withHash: arrival.digest.sha256)
    if let known, isAtHand(known.location), arrival.copy == nil || !known.location.isLinked { return known.id }
    let name = (path as NSString).lastPathComponent
    let location =
      try arrival.copy.map { MediaLocation(path: try incoming.keep(copy: $0, as: name), arrival.digest) }
      ?? folder.location(of: path, arrival.digest)
    let font = SoundFont(id: try known?.id ?? newSoundFontID(), location: location)
    try apply(known == nil ? .addSoundFont(font) : .setSoundFont(font))
    return font.id
  }
}
