import CFluidSynth
import Foundation

/// FluidSynth as this process has it: opened once, at the first use, on whichever control or worker thread comes first.
///
/// The functions are fixed from then on, hence `@unchecked Sendable`.
final class FluidSynthLibrary: @unchecked Sendable {
  let functions: cfluidsynth

  /// FluidSynth 2.3 makes the tables of its first synthesizer, and counts the users of a SoundFont's samples, without
  /// a lock of its own; so instances come and go one at a time.
  private let lifetimes = NSLock()

  private static let opened: Result<FluidSynthLibrary, InstrumentError> = open()

  private init(functions: cfluidsynth) { self.functions = functions }

  /// - Throws: `InstrumentError.libraryUnavailable`.
  static func shared() throws(InstrumentError) -> FluidSynthLibrary { try opened.get() }

  /// As FluidSynth writes it: `2.3.1`.
  var version: String { functions.fluid_version_str().map { String(cString: $0) } ?? "of unknown version" }

  /// Runs what makes or ends an instance, or loads a SoundFont, while no other thread does.
  func serially<Result>(_ body: () -> Result) -> Result { lifetimes.withLock(body) }

  private static func open() -> Result<FluidSynthLibrary, InstrumentError> {
    var problem: UnsafePointer<CChar>?
    guard let functions = cfluidsynth_open(&problem)?.pointee else {
      return .failure(.libraryUnavailable(reason: problem.map { String(cString: $0) } ?? "no reason given"))
    }
    // It would write to standard error, which belongs to our own messages. What goes wrong is told by return values.
    for level in 0..<Int32(LAST_LOG_LEVEL.rawValue) { _ = functions.fluid_set_log_function(level, nil, nil) }
    return .success(FluidSynthLibrary(functions: functions))
  }
}
