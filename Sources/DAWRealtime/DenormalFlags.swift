import CRealtimeCheck

/// A thread's handling of denormal numbers, those below 2⁻¹²⁶ (−758 dBFS).
///
/// Every thread that runs a plan flushes them to zero: they are up to a hundred times slower on some processors, and a
/// plan must give the same bits on every thread.
public struct DenormalFlags: Sendable {
  private let flags: UInt64

  /// Any thread, also the audio thread: flushes denormals until `restore`.
  /// - Returns: the earlier state, for `restore`.
  @_noLocks public static func flush() -> DenormalFlags { DenormalFlags(flags: daw_denormals_flush()) }

  /// Any thread: computes with denormals until `restore`, as IEEE 754 has it and libraries expect.
  /// - Returns: the earlier state, for `restore`.
  @_noLocks public static func keep() -> DenormalFlags {
    let flags = daw_denormals_flush()
    daw_denormals_restore(0)
    return DenormalFlags(flags: flags)
  }

  @_noLocks private init(flags: UInt64) { self.flags = flags }

  /// The same thread: restores the state before `flush` or `keep`.
  @_noLocks public func restore() { daw_denormals_restore(flags) }
}
