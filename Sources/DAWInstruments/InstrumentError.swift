import DAWErrors

/// Why an instrument cannot play. Nothing was rendered, and nothing is kept.
public enum InstrumentError: Error, Equatable, Sendable {
  /// FluidSynth is not installed, or is too old. `reason` is the dynamic linker's.
  case libraryUnavailable(reason: String)
  /// FluidSynth does not take a setting that the promise of equal bits rests on.
  case settingRefused(name: String, version: String)
  /// FluidSynth could not make a synthesizer; memory is the usual reason.
  case noSynthesizer
  case soundFontMissing(path: String)
  /// There is a file, and it cannot be opened. `reason` is the system's.
  case soundFontUnreadable(path: String, reason: String)
  /// The file does not begin as a SoundFont does.
  case notASoundFont(path: String)
  /// The file begins as a SoundFont, and FluidSynth cannot load it.
  case soundFontBroken(path: String)
  /// `nearest`: up to four presets that the SoundFont does have.
  case presetMissing(path: String, bank: Int, program: Int, nearest: [SoundFontPreset])
  /// The rate is neither one of FluidSynth's own nor twice one of them.
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
    case .libraryUnavailable, .settingRefused: (.unavailable, "fluidsynth")
    case .noSynthesizer: (.io, "memory")
    case .soundFontMissing, .soundFontUnreadable: (.noInput, "missing")
    case .notASoundFont, .soundFontBroken: (.invalid, "badSoundFont")
    case .presetMissing: (.invalid, "presetMissing")
    case .rateUnsupported: (.invalid, "rateUnsupported")
    }
  }
}
