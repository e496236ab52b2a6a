import CFluidSynth
import DAWEngine

/// One FluidSynth instance with one SoundFont: takes events between quanta, and renders whole quanta. One thread at a time.
final class Synthesizer {
  /// What FluidSynth computes at once, in frames. An event takes effect where a quantum begins.
  static let quantum = 64

  /// MIDI's channel 10, the percussion of General MIDI.
  private static let percussionChannel: Int32 = 9
  /// The bank that holds drum kits.
  private static let percussionBank: Int32 = 128

  private let library: FluidSynthLibrary
  private let settings: SynthesizerSettings
  private let pointer: OpaquePointer

  /// Loads all of the SoundFont, and gives every channel its preset. Instances in one process share the samples.
  /// - Parameters:
  ///   - soundFont: path of an existing file.
  ///   - bank: 0 … 16,383, the SoundFont's own number.
  ///   - program: 0 … 127.
  ///   - sampleRate: 8,000 … 96,000 Hz.
  /// - Throws: every case but `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`, `rateUnsupported`.
  init(soundFont: String, bank: Int, program: Int, sampleRate: Int) throws(InstrumentError) {
    let library = try FluidSynthLibrary.shared()
    let settings = try SynthesizerSettings(library: library, sampleRate: sampleRate)
    guard let pointer = library.serially({ library.functions.new_fluid_synth(settings.pointer) }) else {
      throw .noSynthesizer
    }
    self.library = library
    self.settings = settings
    self.pointer = pointer

    let id = library.serially { library.functions.fluid_synth_sfload(pointer, soundFont, 1) }
    guard id != FLUID_FAILED, let font = library.functions.fluid_synth_get_sfont_by_id(pointer, id) else {
      throw .soundFontBroken(path: soundFont)
    }
    try selectPresets(font: font, id: id, path: soundFont, bank: bank, program: program)
  }

  deinit { library.serially { library.functions.delete_fluid_synth(pointer) } }

  /// Takes effect with the next quantum. What FluidSynth does not accept, data bytes above 127 for one, is left out.
  func apply(_ event: MIDIEvent) {
    let (channel, first, second) = (Int32(event.status & 0x0f), Int32(event.data1), Int32(event.data2))
    switch event.status & 0xf0 {
    case 0x80: _ = library.functions.fluid_synth_noteoff(pointer, channel, first)
    case 0x90: _ = library.functions.fluid_synth_noteon(pointer, channel, first, second)
    case 0xa0: _ = library.functions.fluid_synth_key_pressure(pointer, channel, first, second)
    case 0xb0: _ = library.functions.fluid_synth_cc(pointer, channel, first, second)
    case 0xc0: _ = library.functions.fluid_synth_program_change(pointer, channel, first)
    case 0xd0: _ = library.functions.fluid_synth_channel_pressure(pointer, channel, first)
    case 0xe0: _ = library.functions.fluid_synth_pitch_bend(pointer, channel, first | second << 7)
    default: break
    }
  }

  /// Whether anything sounds, or rings on.
  var isSounding: Bool { library.functions.fluid_synth_get_active_voice_count(pointer) > 0 }

  /// - Parameters:
  ///   - frameCount: a multiple of `quantum`.
  ///   - left: room for as many samples, full scale ±1; overwritten.
  ///   - right: likewise.
  func render(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    _ = library.functions.fluid_synth_write_float(pointer, Int32(frameCount), left, 0, 1, right, 0, 1)
  }

  /// Every melodic channel gets the preset. Channel 10 gets the kit of that number where the preset is a drum kit, else the
  /// standard kit; in a SoundFont without kits it is a channel like the others.
  private func selectPresets(
    font: OpaquePointer, id: Int32, path: String, bank: Int, program: Int
  ) throws(InstrumentError) {
    guard let bankNumber = Int32(exactly: bank), let number = Int32(exactly: program),
      library.functions.fluid_sfont_get_preset(font, bankNumber, number) != nil
    else {
      let nearest = nearest(to: bank, program, in: presets(of: font))
      throw .presetMissing(path: path, bank: bank, program: program, nearest: nearest)
    }
    let kit = bankNumber == Self.percussionBank ? number : 0
    let hasKit = library.functions.fluid_sfont_get_preset(font, Self.percussionBank, kit) != nil
    for channel in 0..<Int32(16) {
      let isPercussion = channel == Self.percussionChannel && hasKit
      _ = library.functions.fluid_synth_program_select(
        pointer, channel, id, isPercussion ? Self.percussionBank : bankNumber, isPercussion ? kit : number)
    }
  }

  private func presets(of font: OpaquePointer) -> [SoundFontPreset] {
    var presets: [SoundFontPreset] = []
    library.functions.fluid_sfont_iteration_start(font)
    while let preset = library.functions.fluid_sfont_iteration_next(font) {
      presets.append(
        SoundFontPreset(
          bank: Int(library.functions.fluid_preset_get_banknum(preset)),
          program: Int(library.functions.fluid_preset_get_num(preset)),
          name: library.functions.fluid_preset_get_name(preset).map { String(cString: $0) } ?? ""))
    }
    return presets
  }

  /// The same program of other banks first, then the closest programs of the bank, then the rest.
  private func nearest(to bank: Int, _ program: Int, in presets: [SoundFontPreset]) -> [SoundFontPreset] {
    func distance(_ preset: SoundFontPreset) -> (Int, Int, Int) {
      if preset.program == program { return (0, preset.bank, 0) }
      if preset.bank == bank { return (1, abs(preset.program - program), preset.program) }
      return (2, preset.bank, preset.program)
    }
    return Array(presets.sorted { distance($0) < distance($1) }.prefix(4))
  }
}
