import DAWErrors

/// Why an instrument cannot play. Nothing was rendered, and nothing stays allocated.
public enum InstrumentError: Error, Equatable, Sendable {
  /// FluidSynth is not installed, or is too old. `reason` is the dynamic linker's message.
  case libraryUnavailable(reason: String)
  /// FluidSynth does not accept a setting that is needed for reproducible renders.
  case settingRefused(name: String, version: String)
  /// FluidSynth could not make a synthesizer, usually for lack of memory.
  case noSynthesizer
  case soundFontMissing(path: String)
  /// The file exists and cannot be opened. `reason` is the system's message.
  case soundFontUnreadable(path: String, reason: String)
  /// The file has no SoundFont header.
  case notASoundFont(path: String)
  /// The file has a SoundFont header, but is damaged.
  case soundFontBroken(path: String)
  /// `nearest`: up to four similar presets of the SoundFont.
  case presetMissing(path: String, bank: Int, program: Int, nearest: [SoundFontPreset])
  /// The rate is neither supported by FluidSynth nor twice a supported one.
  case rateUnsupported(hertz: Int)
}

extension InstrumentError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .libraryUnavailable(let reason):
      "FluidSynth, which plays the MIDI tracks, cannot be loaded: \(reason). "
        + "Install it with 'sudo apt install libfluidsynth3'."
    case .settingRefused(let name, let version):
      "FluidSynth \(version) does not accept the setting '\(name)', without which a render would not give the same bits "
        + "every time. Install version 2.1 or later, 'sudo apt install libfluidsynth3'."
    case .noSynthesizer: "FluidSynth could not start a synthesizer. Free some memory and try again."
    case .soundFontMissing(let path):
      "No SoundFont at '\(path)'. Put the file back, choose another for the track, or install one with "
        + "'sudo apt install timgm6mb-soundfont'."
    case .soundFontUnreadable(let path, let reason):
      "The SoundFont '\(path)' cannot be opened: \(reason). Make the file readable, or choose another for the track."
    case .notASoundFont(let path):
      "'\(path)' is not a SoundFont (.sf2 or .sf3). Choose another file for the track."
    case .soundFontBroken(let path):
      "The SoundFont '\(path)' is damaged or cut short: FluidSynth cannot load it. Fetch it again, or choose another for "
        + "the track."
    case .presetMissing(let path, let bank, let program, let nearest):
      "The SoundFont '\(path)' has no program \(program) in bank \(bank). "
        + (nearest.isEmpty
          ? "It has no presets at all; choose another SoundFont."
          : "It has, for instance: \(nearest.map(\.description).joined(separator: ", ")). Choose one for the track.")
    case .rateUnsupported(let hertz):
      "FluidSynth cannot play at \(hertz) Hz: it takes 8,000 … 96,000 Hz, or twice that in even numbers. Choose one of "
        + "the project rates."
    }
  }
}

extension InstrumentError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }
  public var message: String { "\(self) Nothing was written." }

  private var report: (kind: ErrorKind, code: String) {
    switch self {
    case .libraryUnavailable, .settingRefused: (.unavailable, "fluidSynthUnavailable")
    case .noSynthesizer: (.io, "outOfMemory")
    case .soundFontMissing, .soundFontUnreadable: (.noInput, "missing")
    case .notASoundFont, .soundFontBroken: (.invalid, "invalidSoundFont")
    case .presetMissing: (.invalid, "instrumentPresetNotFound")
    case .rateUnsupported: (.invalid, "unsupportedSampleRate")
    }
  }
}
