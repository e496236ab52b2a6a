import DAWTime

/// The clock that drives the engine, for threads that schedule ahead of it: JACK's, or a test's. Any thread.
public protocol HostClock: Sendable {
  /// Frames of the host's clock in a second.
  var sampleRate: Double { get }
  /// The host's clock now.
  var microseconds: UInt64 { get }
  /// When a host frame begins, estimated for frames of the near past and future; 0 while unknown.
  func microseconds(ofHostFrame frame: HostFrame) -> UInt64
  /// Frames between writing a frame and hearing it.
  var playbackLatencyFrames: Int { get }
  /// The transport's state in the newest block.
  func record() -> TransportRecord
}
