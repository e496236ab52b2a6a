import CFluidSynth
import DAWEngine

/// The settings of a synthesizer; they must outlive it.
final class SynthesizerSettings {
  let pointer: OpaquePointer
  private let library: FluidSynthLibrary

  /// - Parameter sampleRate: 8,000 … 96,000 Hz.
  /// - Throws: `noSynthesizer`, `settingRefused`.
  init(
    library: FluidSynthLibrary, sampleRate: Int, effects: InstrumentEffects = .none
  ) throws(InstrumentError) {
    guard let pointer = library.functions.new_fluid_settings() else { throw .noSynthesizer }
    self.pointer = pointer
    self.library = library

    try set("synth.sample-rate", toNumber: Double(sampleRate))

    // For reproducible samples, and no lock or allocation while rendering: each instance is used by one thread, and all
    // samples are loaded in advance.
    try set("synth.threadsafe-api", toInteger: 0)
    try set("synth.cpu-cores", toInteger: 1)
    try set("synth.dynamic-sample-loading", toInteger: 0)

    // Off, unless the track has effects.
    try set("synth.reverb.active", toInteger: effects.reverb == nil ? 0 : 1)
    if let reverb = effects.reverb {
      try set("synth.reverb.room-size", toNumber: reverb.roomSize)
      try set("synth.reverb.damp", toNumber: reverb.damping)
      try set("synth.reverb.width", toNumber: reverb.width)
      try set("synth.reverb.level", toNumber: reverb.level)
    }
    try set("synth.chorus.active", toInteger: effects.chorus == nil ? 0 : 1)
    if let chorus = effects.chorus {
      try set("synth.chorus.nr", toInteger: Int32(chorus.voiceCount))
      try set("synth.chorus.level", toNumber: chorus.level)
      try set("synth.chorus.speed", toNumber: chorus.speed)
      try set("synth.chorus.depth", toNumber: chorus.depth)
    }

    // A stereo note takes two voices or more, and each has a release; with FluidSynth's default of 256 voices a dense
    // track under the sustain pedal loses notes. An idle voice costs 10 kB of memory and no time.
    try set("synth.polyphony", toInteger: Self.polyphony)

    // FluidSynth's default gain, with which a full mix of sixteen channels stays below full scale.
    try set("synth.gain", toNumber: 0.2 * effects.gain)

    // The audio thread does not read the samples, so they need not be locked into memory.
    try set("synth.lock-memory", toInteger: 0)
  }

  deinit { library.functions.delete_fluid_settings(pointer) }

  /// Voices that can sound at once.
  static let polyphony: Int32 = 512

  private func set(_ name: String, toInteger value: Int32) throws(InstrumentError) {
    guard library.functions.fluid_settings_setint(pointer, name, value) == FLUID_OK else {
      throw .settingRefused(name: name, version: library.version)
    }
  }

  private func set(_ name: String, toNumber value: Double) throws(InstrumentError) {
    guard library.functions.fluid_settings_setnum(pointer, name, value) == FLUID_OK else {
      throw .settingRefused(name: name, version: library.version)
    }
  }
}
