import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Editor {
  /// The SoundFont of a new MIDI track: that of the project's other tracks, or else the system's default, which is
  /// recorded with its hash. `nil` if none is installed; the bounce reports that.
  package func defaultSoundFont() throws -> SoundFontID? {
    if let used = try view.firstSoundFontOfTracks() { return used }
    return try InstalledSoundFont.all().first.map { try importSoundFont(at: $0.path, isLinked: true) }
  }

  /// The row of a SoundFont that the user named: a file, one of the project's by name, or an installed one by name.
  /// - Throws: `Failure` if there is none, or it cannot be played.
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
          hint: "'daw check' says how to fix it.")
      }
      try refuseBroken(path)
      // A linked file can still be copied into the project.
      return choice.storage == .copied ? try importSoundFont(at: path, isLinked: false) : font.id
    }
  }

  /// Refuses a file that cannot be played. Without FluidSynth, only its structure is checked.
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

  /// The row of a SoundFont. As for audio files, equal bytes are one row; a missing file is restored, and a linked one
  /// copied.
  /// - Parameters:
  ///   - path: absolute.
  ///   - isLinked: whether the file stays where it is.
  private func importSoundFont(at path: String, isLinked: Bool) throws -> SoundFontID {
    let arrival = try incoming.bytes(of: IncomingFile(path: path, isLinked: isLinked, kind: .soundFont))
    let known = try view.soundFont(withHash: arrival.digest.sha256)
    if let known, isAtHand(known.location), arrival.copy == nil || !known.location.isLinked { return known.id }
    if arrival.copy == nil { try incoming.requireThere(path) }
    let name = (path as NSString).lastPathComponent
    let location =
      try arrival.copy.map { MediaLocation(path: try incoming.keep(copy: $0, as: name), arrival.digest) }
      ?? folder.location(of: path, arrival.digest)
    let font = SoundFont(id: try known?.id ?? newID(of: SoundFont.self), location: location)
    try apply(known == nil ? .add(font) : .set(font))
    return font.id
  }

  /// Lets the project have a medium again whose file was found elsewhere.
  func restore(_ file: IncomingFile) throws {
    switch file.kind {
    case .audio: _ = try importAudioFile(at: file.path, isLinked: file.isLinked)
    case .soundFont: _ = try importSoundFont(at: file.path, isLinked: file.isLinked)
    }
  }
}
