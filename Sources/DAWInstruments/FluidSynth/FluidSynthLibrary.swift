import CFluidSynth
import Foundation

/// The FluidSynth library, opened once per process, on first use by a control or worker thread.
///
/// Immutable, hence `@unchecked Sendable`.
final class FluidSynthLibrary: @unchecked Sendable {
  let functions: cfluidsynth

  /// FluidSynth 2.3 initialises global tables and counts the references of a SoundFont's samples without a lock, so
  /// instances are made and deleted one at a time.
  private let lifetimes = NSLock()

  private static let opened: Result<FluidSynthLibrary, InstrumentError> = open()

  private init(functions: cfluidsynth) { self.functions = functions }

  /// - Throws: `InstrumentError.libraryUnavailable`.
  static func shared() throws(InstrumentError) -> FluidSynthLibrary { try opened.get() }

  /// FluidSynth's version, such as `2.3.1`.
  var version: String { functions.fluid_version_str().map { String(cString: $0) } ?? "of unknown version" }

  /// Runs `body`, which makes or deletes an instance or loads a SoundFont, exclusively.
  func serially<Result>(_ body: () -> Result) -> Result { lifetimes.withLock(body) }

  private static func open() -> Result<FluidSynthLibrary, InstrumentError> {
    var problem: UnsafePointer<CChar>?
    guard let functions = cfluidsynth_open(&problem)?.pointee else {
      return .failure(.libraryUnavailable(reason: problem.map { String(cString: $0) } ?? "no reason given"))
    }
    // By default it logs to standard error. Errors are reported by return values.
    for level in 0..<Int32(LAST_LOG_LEVEL.rawValue) { _ = functions.fluid_set_log_function(level, nil, nil) }
    return .success(FluidSynthLibrary(functions: functions))
  }
}
