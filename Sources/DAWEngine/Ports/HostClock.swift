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

extension HostClock {
  /// The frame nearest to a time of the host's clock, in microseconds.
  /// - Returns: `nil` while the host does not know its frames' times.
  public func hostFrame(at microseconds: Double) -> HostFrame? {
    var frame = record().hostFrame
    // From the newest block first; then from nearby, where the host's estimate is as good as it gets.
    for _ in 0..<2 {
      let time = self.microseconds(ofHostFrame: frame)
      let distance = (microseconds - Double(time)) * sampleRate / 1e6
      guard time > 0, distance.magnitude < 1e15, frame.number.magnitude < 1 << 60 else { return nil }
      frame = max(0, frame + Int(distance.rounded()))
    }
    return frame
  }
}
