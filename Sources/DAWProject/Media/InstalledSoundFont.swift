import DAWErrors
import DAWInstruments
import DAWModel
import DAWStore
import Foundation

/// A SoundFont of this machine.
public struct InstalledSoundFont: Sendable {
  /// Its file's name without the ending, by which it can be called.
  public var name: String
  /// Absolute, without links.
  public var path: String
  public var byteCount: Int64

  /// What is in the system's folders, the one that is taken by default first.
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
        .invalid, code: "badSoundFont",
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
  /// What a choice means.
  enum Found {
    /// Absolute.
    case file(String)
    case own(SoundFont)
    /// Absolute.
    case installed(String)
  }

  /// A file, or else one of the project's by its name, or else an installed one by its; with the ending or without, case
  /// does not matter.
  /// - Parameter project: `nil` where there is none.
  /// - Throws: `Failure` where it is none of them.
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

  /// Without folders and ending.
  static func name(ofFile path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }
}
