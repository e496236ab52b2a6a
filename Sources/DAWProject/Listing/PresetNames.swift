import DAWInstruments

/// What SoundFonts call their programs.
public struct PresetNames: Sendable {
  private var names: [String: [SoundFontProgram: String]] = [:]

  public init() {}

  /// - Parameter soundFont: its path, as the project's JSON has it.
  public subscript(soundFont: String, bank bank: Int, program program: Int) -> String? {
    names[soundFont]?[SoundFontProgram(bank: bank, program: program)]
  }

  fileprivate mutating func add(_ soundFont: String, _ presets: [SoundFontProgram: String]) {
    names[soundFont] = presets
  }
}

extension Session {
  /// Those of an installed SoundFont.
  /// - Parameter path: absolute.
  public static func presetNames(ofInstalled path: String) -> PresetNames {
    var names = PresetNames()
    names.add(path, SoundFontLibrary.presetNames(path: path))
    return names
  }

  /// Reads the SoundFonts' tables of presets; those that cannot be read have no names.
  /// - Parameter paths: relative to the project's folder, or absolute.
  public func presetNames(ofSoundFonts paths: [String]) -> PresetNames {
    Set(paths).reduce(into: PresetNames()) { names, path in
      names.add(path, SoundFontLibrary.presetNames(path: folder.absolute(path)))
    }
  }
}
