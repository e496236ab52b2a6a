import DAWInstruments
import Foundation

/// A SoundFont of this machine.
public struct InstalledSoundFont: Encodable, Sendable {
  /// Its file's name without the ending, by which it can be called.
  public var name: String
  /// Absolute, without links.
  public var path: String
  public var byteCount: Int64

  /// What is in the system's folders, the one that is taken by default first.
  public static func all() -> [InstalledSoundFont] {
    SoundFontLibrary.installed().map { path in
      let file = (path as NSString).lastPathComponent
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return InstalledSoundFont(
        name: (file as NSString).deletingPathExtension, path: path,
        byteCount: (attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// The absolute path of what somebody chose: a file, or an installed one by its name, with or without the ending; case
  /// does not matter.
  /// - Throws: `Failure` where it is neither.
  public static func path(of choice: SoundFontChoice) throws -> String {
    let path = URL(fileURLWithPath: choice.path).standardizedFileURL.path
    if !FileManager.default.fileExists(atPath: path), !choice.name.contains("/") {
      let wanted = choice.name.lowercased()
      let found = all().first { font in
        font.name.lowercased() == wanted || (font.path as NSString).lastPathComponent.lowercased() == wanted
      }
      if let found { return found.path }
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        .noInput, code: "fileNotFound",
        "There is no file '\(path)', and no installed SoundFont '\(choice.name)'. Nothing was changed.",
        hint: "'daw list-soundfonts' shows those that are installed.")
    }
    guard SoundFontLibrary.isSoundFont(path: path) else { throw refusal(path, .notASoundFont(path: path)) }
    return path
  }

  static func refusal(_ path: String, _ error: InstrumentError) -> Failure {
    switch error {
    case .soundFontBroken:
      Failure(
        .invalid, code: "badSoundFont",
        "The SoundFont '\(path)' is damaged or cut short: FluidSynth cannot load it. Nothing was changed.",
        hint: "Fetch it again, or choose another: 'daw list-soundfonts'.")
    default:
      Failure(
        .invalid, code: "notASoundFont", "'\(path)' is no SoundFont. Nothing was changed.",
        hint: "SoundFonts (.sf2, .sf3) are in Debian's packages timgm6mb-soundfont and fluid-soundfont-gm.")
    }
  }

  /// What a SoundFont holds, in order of bank and program.
  /// - Throws: `Failure`.
  public static func presets(of choice: SoundFontChoice) throws -> [PresetEntry] {
    try failing {
      let path = try path(of: choice)
      do throws(InstrumentError) {
        return try SoundFontLibrary.presets(path: path).map {
          PresetEntry(bank: $0.bank, program: $0.program, name: $0.name)
        }
      } catch {
        if case .soundFontBroken = error { throw refusal(path, error) }
        throw error
      }
    }
  }
}

/// A sound of a SoundFont, in a listing.
public struct PresetEntry: Encodable, Sendable {
  /// 128 holds the drum kits.
  public var bank: Int
  public var program: Int
  public var name: String
}
