import CFluidSynth

extension FluidSynthLibrary {
  /// All presets of a loaded SoundFont, in FluidSynth's order.
  func presets(of font: OpaquePointer) -> [SoundFontPreset] {
    var presets: [SoundFontPreset] = []
    functions.fluid_sfont_iteration_start(font)
    while let preset = functions.fluid_sfont_iteration_next(font) {
      presets.append(
        SoundFontPreset(
          bank: Int(functions.fluid_preset_get_banknum(preset)), program: Int(functions.fluid_preset_get_num(preset)),
          name: functions.fluid_preset_get_name(preset).map { String(cString: $0) } ?? ""))
    }
    return presets
  }
}

extension SoundFontLibrary {
  /// The presets of a SoundFont, in order of bank and program.
  /// - Throws: `InstrumentError`.
  public static func presets(path: String) throws(InstrumentError) -> [SoundFontPreset] {
    try check(path: path)
    let library = try FluidSynthLibrary.shared()
    let settings = try SynthesizerSettings(library: library, sampleRate: 48_000)
    guard let pointer = library.serially({ library.functions.new_fluid_synth(settings.pointer) }) else {
      throw .noSynthesizer
    }
    defer { library.serially { library.functions.delete_fluid_synth(pointer) } }
    let id = library.serially { library.functions.fluid_synth_sfload(pointer, path, 0) }
    guard id != FLUID_FAILED, let font = library.functions.fluid_synth_get_sfont_by_id(pointer, id) else {
      throw .soundFontBroken(path: path)
    }
    return library.presets(of: font).sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }
}

extension SoundFontPreset {
  /// The nearest presets, at most four: the same program of other banks first, then the closest programs of the bank,
  /// then the rest.
  static func nearest(to bank: Int, _ program: Int, in presets: [SoundFontPreset]) -> [SoundFontPreset] {
    func distance(_ preset: SoundFontPreset) -> (Int, Int, Int) {
      if preset.program == program { return (0, preset.bank, 0) }
      if preset.bank == bank { return (1, abs(preset.program - program), preset.program) }
      return (2, preset.bank, preset.program)
    }
    return Array(presets.sorted { distance($0) < distance($1) }.prefix(4))
  }
}
