import DAWInstruments

extension Failure {
  init(_ error: InstrumentError) {
    let kind: Kind =
      switch error {
      case .libraryUnavailable, .settingRefused: .unavailable
      case .noSynthesizer: .io
      case .soundFontMissing, .soundFontUnreadable: .noInput
      case .notASoundFont, .soundFontBroken, .presetMissing, .rateUnsupported: .invalid
      }
    let code =
      switch error {
      case .libraryUnavailable, .settingRefused: "fluidsynth"
      case .noSynthesizer: "memory"
      case .soundFontMissing, .soundFontUnreadable: "missing"
      case .notASoundFont, .soundFontBroken: "badSoundFont"
      case .presetMissing: "presetMissing"
      case .rateUnsupported: "rateUnsupported"
      }
    self.init(kind, code: code, "\(error) Nothing was written.")
  }
}
