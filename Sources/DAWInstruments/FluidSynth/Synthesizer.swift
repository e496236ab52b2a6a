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
  private let font: OpaquePointer
  private let fontID: Int32
  /// What the track itself plays with.
  private let ownBank: Int32
  private let ownProgram: Int32
  private let isPercussion: Bool
  /// Of each channel, what bank select has said so far; `nil` where it has said nothing.
  private var banks = [Bank](repeating: Bank(), count: 16)
  /// Of each channel.
  private var dataEntries = [DataEntry](repeating: DataEntry(), count: 16)
  private let systemExclusive: [[UInt8]]
  private let effects: InstrumentEffects

  private struct Bank {
    /// By CC 0.
    var coarse: Int32?
    /// By CC 32.
    var fine: Int32?
  }

  /// Loads all of the SoundFont, and gives every channel its preset. Instances in one process share the samples.
  /// - Parameters:
  ///   - soundFont: path of an existing file.
  ///   - bank: 0 … 16,383: the SoundFont's own number, or where it has no such bank, as bank select MSB × 128 + LSB.
  ///   - program: 0 … 127.
  ///   - isPercussion: whether only channel 10 plays, so that the program is a drum kit's number.
  ///   - sampleRate: 8,000 … 96,000 Hz.
  ///   - systemExclusive: what events mean by their `bytesIndex`.
  /// - Throws: every case but `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`, `rateUnsupported`.
  init(
    soundFont: String, bank: Int, program: Int, isPercussion: Bool = false, sampleRate: Int,
    systemExclusive: [[UInt8]] = [],
    effects: InstrumentEffects = .none
  ) throws(InstrumentError) {
    let library = try FluidSynthLibrary.shared()
    let settings = try SynthesizerSettings(library: library, sampleRate: sampleRate, effects: effects)
    guard let pointer = library.serially({ library.functions.new_fluid_synth(settings.pointer) }) else {
      throw .noSynthesizer
    }
    let id = library.serially { library.functions.fluid_synth_sfload(pointer, soundFont, 1) }
    guard id != FLUID_FAILED, let font = library.functions.fluid_synth_get_sfont_by_id(pointer, id) else {
      library.serially { library.functions.delete_fluid_synth(pointer) }
      throw .soundFontBroken(path: soundFont)
    }
    self.library = library
    self.settings = settings
    self.pointer = pointer
    self.font = font
    fontID = id
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
    openSends()
  }

  deinit { library.serially { library.functions.delete_fluid_synth(pointer) } }

  /// Takes effect with the next quantum. What FluidSynth does not accept, data bytes above 127 for one, is left out.
  func apply(_ event: MIDIEvent) {
    let (channel, first, second) = (Int32(event.status & 0x0f), Int32(event.data1), Int32(event.data2))
    switch event.status & 0xf0 {
    case 0x80: _ = library.functions.fluid_synth_noteoff(pointer, channel, first)
    case 0x90: _ = library.functions.fluid_synth_noteon(pointer, channel, first, second)
    case 0xa0: _ = library.functions.fluid_synth_key_pressure(pointer, channel, first, second)
    case 0xb0 where first == 0: banks[Int(channel)].coarse = second
    case 0xb0 where first == 32: banks[Int(channel)].fine = second
    case 0xb0 where [6, 38].contains(first) || (98...101).contains(first):
      for message in dataEntries[Int(channel)].take(event.data1, event.data2) {
        _ = library.functions.fluid_synth_cc(pointer, channel, message.number, message.value)
      }
    case 0xb0:
      // Reset all controllers: FluidSynth forgets what parameters were, too.
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
    openSends()
  }

  /// What each channel sends to a reverb or a chorus that is on, until controller 91 or 93 says something else: as General
  /// MIDI 2 has it for a reverb. FluidSynth begins with nothing, so that a chorus could not be heard at all.
  private static let usualSend: Int32 = 40

  private func openSends() {
    for channel in 0..<Int32(16) {
      if effects.reverb != nil { _ = library.functions.fluid_synth_cc(pointer, channel, 91, Self.usualSend) }
      if effects.chorus != nil { _ = library.functions.fluid_synth_cc(pointer, channel, 93, Self.usualSend) }
    }
  }

  /// Whether something may ring on when no voice sounds.
  var ringsOn: Bool { effects.ringsOn }

  /// Whether anything sounds, or rings on.
  var isSounding: Bool { library.functions.fluid_synth_get_active_voice_count(pointer) > 0 }

  /// - Parameters:
  ///   - frameCount: a multiple of `quantum`.
  ///   - left: room for as many samples, full scale ±1; overwritten.
  ///   - right: likewise.
  func render(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    _ = library.functions.fluid_synth_write_float(pointer, Int32(frameCount), left, 0, 1, right, 0, 1)
  }

  /// Every melodic channel gets the track's preset. Channel 10 gets the kit of that number where the preset is a drum kit
  /// or nothing else plays, else the standard kit; in a SoundFont without kits it is a channel like the others.
  /// - Returns: `false` where the SoundFont has no such preset; nothing has changed then.
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

  /// A number above those of SoundFonts is one of MIDI, by its coarse half; where there is no such variation, bank 0 has
  /// the sound that it is one of.
  private var ownBanks: [Int32] { ownBank < Self.percussionBank ? [ownBank] : [ownBank, ownBank >> 7, 0] }

  /// A program change: of the bank that was selected, which SoundFonts number as MIDI does, or by its coarse half alone, as
  /// General MIDI songs expect; of the track's own where none was; else of bank 0. On channel 10 it is a drum kit's number.
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
