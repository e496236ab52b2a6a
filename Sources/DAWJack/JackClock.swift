import DAWEngine
import DAWTime
import Synchronization

/// JACK's clock and the engine's transport, for threads that schedule ahead. It outlives a client: without one, time
/// continues and the transport is stopped.
public final class JackClock: HostClock {
  public let sampleRate: Double
  private let library: JackLibrary
  private let engine: LiveEngine
  private let client = Mutex<JackClient?>(nil)

  /// - Throws: `JackError.libraryUnavailable`.
  public init(engine: LiveEngine) throws(JackError) {
    library = try JackLibrary.shared()
    self.engine = engine
    sampleRate = Double(engine.options.sampleRate)
  }

  /// Control thread: sets the client whose clock is used; `nil` before a client is closed.
  public func follow(_ client: JackClient?) { self.client.withLock { $0 = client } }

  public var microseconds: UInt64 { library.functions.jack_get_time() }

  public func microseconds(ofHostFrame frame: HostFrame) -> UInt64 {
    client.withLock { client in
      if let client { return client.microseconds(ofHostFrame: frame) }
      let distance = Double(frame - engine.record.hostFrame) / sampleRate * 1_000_000
      return UInt64(max(0, Double(microseconds) + distance))
    }
  }

  public var playbackLatencyFrames: Int { client.withLock { $0?.status.snapshot.playbackLatency ?? 0 } }

  public func record() -> TransportRecord {
    var record = engine.record
    if client.withLock({ $0 == nil }) { record.state = .stopped }
    return record
  }
}
