import CRealtimeCheck

/// The one wait that the audio thread knows: while the host freewheels, and streams are not there.
enum Pause {
  /// 5 s, in pauses of 200 µs.
  static var mostInABlock: Int { @_noLocks get { 25_000 } }

  @_noLocks static func sleep() { daw_freewheel_pause() }
}
