/// A producer that is told what to play while it plays. Used by one thread at a time, never the audio thread.
public protocol EventPlayer: StreamProducer {
  /// Takes one more event.
  /// - Parameter event: its frame counts the frames that this producer makes, from 0; not before an earlier event's. It
  ///   takes effect where the next quantum begins, or at once where it comes late.
  func play(_ event: MIDIEvent)

  /// Frames by which it has to know events before the frames that it makes, beyond the quantum that they fall into; ≥ 0.
  var eventLeadFrames: Int { get }
}

extension EventPlayer {
  public var eventLeadFrames: Int { 0 }
}
