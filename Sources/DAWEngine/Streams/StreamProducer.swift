/// Renders a stream's frames in order from events of its own, as an instrument does: a stage without inputs.
public protocol StreamProducer: StageProducer {
  /// Renders the next frames, from timeline frame 0 on, as `StageProducer` asks.
  /// - Parameters:
  ///   - frameCount: at least 1.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  /// - Throws: why it cannot continue; the frames are not valid then.
  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) throws

  /// Whether all further frames are silent; `false` if unknown.
  var hasEnded: Bool { get }
}

extension StreamProducer {
  public var hasEnded: Bool { false }

  public func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    try produce(frameCount: frameCount, left: left, right: right)
  }
}

/// A producer that is sent events while it renders. Used by one thread at a time, never the audio thread.
public protocol EventPlayer: StreamProducer {
  /// Sends one event.
  /// - Parameter event: in order of frame, which counts this producer's frames from 0. It takes effect at the start
  ///   of the next quantum, or at once if it is late.
  func play(_ event: MIDIEvent)

  /// How many frames before a quantum its events have to be sent; ≥ 0.
  var eventLeadFrames: Int { get }
}

extension EventPlayer {
  public var eventLeadFrames: Int { 0 }
}
