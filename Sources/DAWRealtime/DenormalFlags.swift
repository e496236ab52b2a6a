import CRealtimeCheck

/// How this thread treats denormal numbers, those below 2⁻¹²⁶ (−758 dBFS).
///
/// Every thread that runs a plan flushes them to zero: they would be up to a hundred times slower on some processors,
/// and a plan must give the same bits on every thread.
public struct DenormalFlags: Sendable {
  private let flags: UInt64

  /// Any thread, the audio thread included: flushes from here on.
  /// - Returns: what `restore` needs.
  @_noLocks public static func flush() -> DenormalFlags { DenormalFlags(flags: daw_denormals_flush()) }

  /// Any thread: computes with denormals from here on, as the standard has it and as libraries expect it.
  /// - Returns: what `restore` needs.
  @_noLocks public static func keep() -> DenormalFlags {
    let flags = daw_denormals_flush()
    daw_denormals_restore(0)
    return DenormalFlags(flags: flags)
  }

  @_noLocks private init(flags: UInt64) { self.flags = flags }

  /// The same thread: as it was before `flush` or `keep`.
  @_noLocks public func restore() { daw_denormals_restore(flags) }
}
