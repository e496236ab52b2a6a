import CFluidSynth
import Synchronization

/// SoundFonts that are loaded and not in use, for the next instruments: to load one takes several times as long as all
/// else that an instrument needs. FluidSynth counts the users of a SoundFont's samples without a lock, so one that is
/// in use is not shared. Any thread.
public final class SoundFontPool: Sendable {
  private let shared = Mutex<[String: [Font]]>([:])

  /// FluidSynth's SoundFont, used by one instance at a time.
  private struct Font: @unchecked Sendable {
    var pointer: OpaquePointer
  }

  public init() {}

  /// FluidSynth deletes a SoundFont only together with an instance.
  deinit {
    let fonts = shared.withLock { $0.values.flatMap { $0 } }
    guard !fonts.isEmpty, let library = try? FluidSynthLibrary.shared(),
      let settings = try? SynthesizerSettings(library: library, sampleRate: 48_000)
    else { return }
    library.serially {
      guard let last = library.functions.new_fluid_synth(settings.pointer) else { return }
      for font in fonts { _ = library.functions.fluid_synth_add_sfont(last, font.pointer) }
      library.functions.delete_fluid_synth(last)
    }
  }

  /// - Parameter path: of the SoundFont.
  /// - Returns: `nil` if none is free.
  func take(_ path: String) -> OpaquePointer? { shared.withLock { $0[path]?.popLast()?.pointer } }

  /// - Parameter font: belongs to no instance any more.
  func give(_ font: OpaquePointer, _ path: String) {
    let font = Font(pointer: font)
    shared.withLock { $0[path, default: []].append(font) }
  }
}
