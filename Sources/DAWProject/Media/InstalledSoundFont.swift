import DAWErrors
import DAWInstruments
import DAWModel
import DAWStore
import Foundation

/// A SoundFont installed on this machine.
public struct InstalledSoundFont: Sendable {
  /// The file's name without its extension.
  public var name: String
  /// Absolute, without symbolic links.
  public var path: String
  public var byteCount: Int64

  /// The SoundFonts in the system's folders, the default first.
  public static func all() -> [InstalledSoundFont] {
    SoundFontLibrary.installed().map { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return InstalledSoundFont(
        name: SoundFontChoice.name(ofFile: path), path: path,
        byteCount: (attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  static func refusal(_ path: String, _ error: InstrumentError) -> Failure {
    switch error {
    case .soundFontBroken:
      Failure(
        .invalid, code: "invalidSoundFont",
        "The SoundFont '\(path)' is damaged or cut short: FluidSynth cannot load it. Nothing was changed.",
        hint: "Fetch it again, or choose another: 'daw list-soundfonts'.")
    case .soundFontMissing, .soundFontUnreadable:
      Failure(
        .noInput, code: "fileNotFound", "The SoundFont '\(path)' cannot be read. Nothing was changed.",
        hint: "Look at its permissions, or choose another: 'daw list-soundfonts'.")
    default:
      Failure(
        .invalid, code: "notASoundFont", "'\(path)' is no SoundFont. Nothing was changed.",
        hint: "SoundFonts (.sf2, .sf3) are in Debian's packages timgm6mb-soundfont and fluid-soundfont-gm.")
    }
  }
}

extension SoundFontChoice {
  /// What a reference resolves to.
  enum Found {
    /// Absolute.
    case file(String)
    case own(SoundFont)
    /// Absolute.
    case installed(String)
  }

  /// Resolves the reference: a file, or else one of the project's SoundFonts by name, or else an installed one by name.
  /// The extension may be left off; case does not matter.
  /// - Parameter project: `nil` if there is none.
  /// - Throws: `Failure` if it is none of these.
  func found(in view: ProjectView?) throws -> Found {
    let file = URL(fileURLWithPath: path).standardizedFileURL.path
    if FileManager.default.fileExists(atPath: file) { return try checked(file) }
    let own = try view?.soundFonts().filter { isNamed($0.location.path) } ?? []
    if let font = own.first, own.count == 1 { return .own(font) }
    guard own.isEmpty else {
      throw Failure(
        .invalid, code: "ambiguous",
        "'\(name)' means more than one SoundFont: \(own.map { "'\($0.location.path)'" }.joined(separator: "; ")). "
          + "Nothing was changed.", hint: "Name the file.")
    }
    if let font = InstalledSoundFont.all().first(where: { isNamed($0.path) }) { return .installed(font.path) }
    let near = nearest(
      to: name,
      among: try InstalledSoundFont.all().map(\.name)
        + (view?.soundFonts().map { Self.name(ofFile: $0.location.path) } ?? []))
    throw Failure(
      .noInput, code: "fileNotFound",
      "There is no file '\(file)', and neither the project nor this machine has a SoundFont '\(name)'. "
        + "Nothing was changed.",
      hint: (near.first.map { "Did you mean '\($0)'? " } ?? "") + "'daw list-soundfonts' shows what there is.")
  }

  private func checked(_ file: String) throws -> Found {
    guard SoundFontLibrary.isSoundFont(path: file) else {
      throw InstalledSoundFont.refusal(file, .notASoundFont(path: file))
    }
    return .file(file)
  }

  private func isNamed(_ path: String) -> Bool {
    let wanted = name.lowercased()
    return wanted == Self.name(ofFile: path).lowercased() || wanted == (path as NSString).lastPathComponent.lowercased()
      || wanted == path.lowercased()
  }

  /// Without folders and extension.
  static func name(ofFile path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }
}
