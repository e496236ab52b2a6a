import CFluidSynth
import DAWEngine

/// A FluidSynth instance with one SoundFont: takes events between quanta and renders whole quanta. One thread at a
/// time.
final class Synthesizer {
  /// Frames that FluidSynth renders at once. Events take effect at the start of a quantum.
  static let quantum = 64

  /// MIDI's channel 10, the percussion of General MIDI.
  private static let percussionChannel: Int32 = 9
  /// The bank that holds drum kits.
  private static let percussionBank: Int32 = 128

  private let library: FluidSynthLibrary
  private let settings: SynthesizerSettings
  private let pointer: OpaquePointer
  private let font: OpaquePointer
  private let fontID: Int32
  private let soundFont: String
  /// Takes the SoundFont back.
  private let fonts: SoundFontPool?
  /// The track's own preset.
  private let ownBank: Int32
  private let ownProgram: Int32
  private let isPercussion: Bool
  /// For each channel, the bank selected so far; `nil` for none.
  private var banks = [Bank](repeating: Bank(), count: 16)
  /// For each channel, its parameters.
  private var dataEntries = [DataEntry](repeating: DataEntry(), count: 16)
  private let systemExclusive: [[UInt8]]
  private let effects: InstrumentEffects

  private struct Bank {
    /// By CC 0.
    var coarse: Int32?
    /// By CC 32.
    var fine: Int32?
  }

  /// Loads the whole SoundFont and selects every channel's preset. Instances in one process share the samples.
  /// - Parameters:
  ///   - soundFont: path of an existing file.
  ///   - bank: 0 … 16,383: a bank of the SoundFont or, if it has none of this number, bank select MSB × 128 + LSB.
  ///   - program: 0 … 127.
  ///   - isPercussion: whether only channel 10 plays, so that `program` is a drum kit's number.
  ///   - sampleRate: 8,000 … 96,000 Hz.
  ///   - systemExclusive: system exclusive messages, by the events' `bytesIndex`.
  ///   - fonts: SoundFonts that are loaded already.
  /// - Throws: all cases except `soundFontMissing`, `soundFontUnreadable`, `notASoundFont` and `rateUnsupported`.
  init(
    soundFont: String, bank: Int, program: Int, isPercussion: Bool = false, sampleRate: Int,
    systemExclusive: [[UInt8]] = [],
    effects: InstrumentEffects = .none, fonts: SoundFontPool? = nil
  ) throws(InstrumentError) {
    let library = try FluidSynthLibrary.shared()
    let settings = try SynthesizerSettings(library: library, sampleRate: sampleRate, effects: effects)
    guard let pointer = library.serially({ library.functions.new_fluid_synth(settings.pointer) }) else {
      throw .noSynthesizer
    }
    let id = library.serially {
      if let loaded = fonts?.take(soundFont) { return library.functions.fluid_synth_add_sfont(pointer, loaded) }
      return library.functions.fluid_synth_sfload(pointer, soundFont, 1)
    }
    guard id != FLUID_FAILED, let font = library.functions.fluid_synth_get_sfont_by_id(pointer, id) else {
      library.serially { library.functions.delete_fluid_synth(pointer) }
      throw .soundFontBroken(path: soundFont)
    }
    self.library = library
    self.settings = settings
    self.pointer = pointer
    self.font = font
    fontID = id
    self.soundFont = soundFont
    self.fonts = fonts
    self.systemExclusive = systemExclusive
    self.effects = effects
    ownBank = Int32(clamping: bank)
    ownProgram = Int32(clamping: program)
    self.isPercussion = isPercussion
    guard selectOwnPresets() else {
      throw .presetMissing(
        path: soundFont, bank: bank, program: program,
        nearest: SoundFontPreset.nearest(to: bank, program, in: library.presets(of: font)))
    }
    setSendLevels()
  }

  deinit {
    library.serially {
      if fonts != nil { _ = library.functions.fluid_synth_remove_sfont(pointer, font) }
      library.functions.delete_fluid_synth(pointer)
    }
    fonts?.give(font, soundFont)
  }

  /// Applies an event from the next quantum on. Events that FluidSynth does not accept, such as data bytes above 127,
  /// are ignored.
  func apply(_ event: MIDIEvent) {
    let (channel, first, second) = (Int32(event.status & 0x0f), Int32(event.data1), Int32(event.data2))
    switch event.status & 0xf0 {
    case 0x80: _ = library.functions.fluid_synth_noteoff(pointer, channel, first)
    case 0x90: _ = library.functions.fluid_synth_noteon(pointer, channel, first, second)
    case 0xa0: _ = library.functions.fluid_synth_key_pressure(pointer, channel, first, second)
    case 0xb0 where first == 0: banks[Int(channel)].coarse = second
    case 0xb0 where first == 32: banks[Int(channel)].fine = second
    case 0xb0 where [6, 38].contains(first) || (98...101).contains(first):
      for message in dataEntries[Int(channel)].handle(event.data1, event.data2) {
        _ = library.functions.fluid_synth_cc(pointer, channel, message.number, message.value)
      }
    case 0xb0:
      // Reset all controllers: FluidSynth resets parameters as well.
      if first == 121 { dataEntries[Int(channel)] = DataEntry() }
      _ = library.functions.fluid_synth_cc(pointer, channel, first, second)
    case 0xc0: selectProgram(first, channel)
    case 0xd0: _ = library.functions.fluid_synth_channel_pressure(pointer, channel, first)
    case 0xe0: _ = library.functions.fluid_synth_pitch_bend(pointer, channel, first | second << 7)
    case 0xf0 where event.isSystemExclusive: apply(systemExclusive: Int(event.bytesIndex))
    default: break
    }
  }

  /// Tunings, and resets, after which every channel has the track's preset again.
  private func apply(systemExclusive index: Int) {
    guard systemExclusive.indices.contains(index), case let bytes = systemExclusive[index], bytes.count > 2,
      bytes.first == 0xf0, bytes.last == 0xf7
    else { return }
    bytes.withUnsafeBytes { buffer in
      let body = buffer.dropFirst().dropLast()
      UnsafeRawBufferPointer(rebasing: body).withMemoryRebound(to: CChar.self) { body in
        _ = library.functions.fluid_synth_sysex(pointer, body.baseAddress, Int32(body.count), nil, nil, nil, 0)
      }
    }
    guard bytes.isReset else { return }
    banks = [Bank](repeating: Bank(), count: 16)
    dataEntries = [DataEntry](repeating: DataEntry(), count: 16)
    _ = selectOwnPresets()
    setSendLevels()
  }

  /// FluidSynth's default is 0, so a chorus would not be heard.
  private func setSendLevels() {
    let level = Int32(InstrumentEffects.sendLevel)
    for channel in 0..<Int32(16) {
      if effects.reverb != nil { _ = library.functions.fluid_synth_cc(pointer, channel, 91, level) }
      if effects.chorus != nil { _ = library.functions.fluid_synth_cc(pointer, channel, 93, level) }
    }
  }

  /// Whether reverb or chorus may ring on after the last voice.
  var ringsOn: Bool { effects.ringsOn }

  /// Whether a voice is active.
  var isSounding: Bool { library.functions.fluid_synth_get_active_voice_count(pointer) > 0 }

  /// Renders frames.
  /// - Parameters:
  ///   - frameCount: a multiple of `quantum`.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  func render(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    _ = library.functions.fluid_synth_write_float(pointer, Int32(frameCount), left, 0, 1, right, 0, 1)
  }

  /// Selects the track's preset on every melodic channel. Channel 10 gets the drum kit of that number if the preset is
  /// a drum kit or only channel 10 plays, else the standard kit; in a SoundFont without kits it is a melodic channel.
  /// - Returns: `false` if the SoundFont has no such preset; nothing is changed then.
  private func selectOwnPresets() -> Bool {
    let hasKits = hasPreset(Self.percussionBank, 0)
    let found = ownBanks.first { hasPreset($0, ownProgram) } ?? (isPercussion && hasKits ? 0 : nil)
    guard let bank = found else { return false }
    let isKit = bank == Self.percussionBank || isPercussion
    let kit = isKit && hasPreset(Self.percussionBank, ownProgram) ? ownProgram : 0
    for channel in 0..<Int32(16) {
      let isKitChannel = channel == Self.percussionChannel && hasPreset(Self.percussionBank, kit)
      select(channel, isKitChannel ? Self.percussionBank : bank, isKitChannel ? kit : ownProgram)
    }
    return true
  }

  /// The SoundFont banks to try for the track's bank: a number from 128 on may be a MIDI bank, of which the MSB is
  /// tried, and then bank 0, of whose sounds it is a variation.
  private var ownBanks: [Int32] { ownBank < Self.percussionBank ? [ownBank] : [ownBank, ownBank >> 7, 0] }

  /// Handles a program change. The bank is the one selected, as MSB × 128 + LSB or by its MSB alone, as General MIDI
  /// files expect; without a selection the track's own; else bank 0. On channel 10 the program is a drum kit's number.
  /// A program that the SoundFont does not have changes nothing.
  private func selectProgram(_ program: Int32, _ channel: Int32) {
    let bank = banks[Int(channel)]
    var candidates: [Int32] = []
    if channel == Self.percussionChannel, hasPreset(Self.percussionBank, 0) {
      if !hasPreset(Self.percussionBank, program) { return select(channel, Self.percussionBank, 0) }
      candidates = [Self.percussionBank]
    } else if bank.coarse == nil, bank.fine == nil {
      candidates = ownBanks + [0]
    } else {
      candidates = [(bank.coarse ?? 0) << 7 | (bank.fine ?? 0), bank.coarse ?? 0, 0]
    }
    if let bank = candidates.first(where: { hasPreset($0, program) }) { select(channel, bank, program) }
  }

  private func hasPreset(_ bank: Int32, _ program: Int32) -> Bool {
    library.functions.fluid_sfont_get_preset(font, bank, program) != nil
  }

  private func select(_ channel: Int32, _ bank: Int32, _ program: Int32) {
    _ = library.functions.fluid_synth_program_select(pointer, channel, fontID, bank, program)
  }
}
