import CRealtimeCheck

/// The only wait of the audio thread: while the host freewheels and streams are late.
enum Pause {
  /// 5 s, in pauses of 200 µs.
  static var limitPerBlock: Int { @_noLocks get { 25_000 } }

  @_noLocks static func sleep() { daw_freewheel_pause() }
}
