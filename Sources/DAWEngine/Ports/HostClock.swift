/// What drives the engine in time, seen by those who work ahead of it: JACK, or a test's own. Any thread.
public protocol HostClock: Sendable {
  /// Frames of the host's clock in a second.
  var sampleRate: Double { get }
  /// The host's clock now.
  var microseconds: UInt64 { get }
  /// When a frame's block begins, as near as is known; for frames of the near past and future. 0 where nothing is known yet.
  func microseconds(ofHostFrame frame: UInt64) -> UInt64
  /// What is written at a frame is heard so many frames later.
  var playbackLatencyFrames: Int { get }
  /// What the transport was doing in the newest block.
  func record() -> TransportRecord
}
