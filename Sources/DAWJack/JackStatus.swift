import CJack
import Synchronization

/// What JACK's callbacks have told, for whoever shows it. Each callback only sets numbers here: some run under the rules of
/// a signal handler, others while the audio thread waits for them.
public final class JackStatus: @unchecked Sendable {
  // Unchecked, because a port's handle is not Sendable.
  /// Frames in a cycle; 0 until the server has said.
  let bufferSize = Atomic<Int>(0)
  /// Hertz; 0 until the server has said.
  let sampleRate = Atomic<Int>(0)
  /// Late cycles, without those of freewheeling.
  let xrunCount = Atomic<Int>(0)
  let freewheels = Atomic(false)
  /// JACK's clock, in microseconds, when freewheeling ended last.
  let freewheelEnd = Atomic<UInt64>(0)
  /// Frames from our output to the loudspeaker, the longest way.
  let playbackLatency = Atomic<Int>(0)
  /// Grows with each connection made or cut at one of our ports.
  let connectionChangeCount = Atomic<Int>(0)
  let isLost = Atomic(false)

  private let functions: cjack
  private let masterPorts: [OpaquePointer]

  init(_ library: JackLibrary, masterPorts: [OpaquePointer]) {
    functions = library.functions
    self.masterPorts = masterPorts
  }

  /// All of it, as it is now.
  public var snapshot: Snapshot {
    Snapshot(
      bufferSize: bufferSize.load(ordering: .relaxed), sampleRate: sampleRate.load(ordering: .relaxed),
      xrunCount: xrunCount.load(ordering: .relaxed), isFreewheeling: freewheels.load(ordering: .relaxed),
      playbackLatency: playbackLatency.load(ordering: .relaxed),
      connectionChangeCount: connectionChangeCount.load(ordering: .relaxed), isLost: isLost.load(ordering: .acquiring))
  }

  public struct Snapshot: Equatable, Sendable {
    /// Frames.
    public var bufferSize: Int
    /// Hertz.
    public var sampleRate: Int
    public var xrunCount: Int
    public var isFreewheeling: Bool
    /// Frames.
    public var playbackLatency: Int
    public var connectionChangeCount: Int
    /// The server is gone, or has thrown us out.
    public var isLost: Bool
  }

  // MARK: What the callbacks say

  /// Going back from freewheeling to the clock takes so long that the server reports it as late cycles.
  private static let quietMicroseconds: UInt64 = 1_000_000

  func xrunHappened() {
    let end = freewheelEnd.load(ordering: .relaxed)
    if freewheels.load(ordering: .relaxed) || (end > 0 && functions.jack_get_time() < end + Self.quietMicroseconds) {
      return
    }
    xrunCount.add(1, ordering: .relaxed)
  }

  func freewheelChanged(to isOn: Bool) {
    if !isOn, freewheels.load(ordering: .relaxed) { freewheelEnd.store(functions.jack_get_time(), ordering: .relaxed) }
    freewheels.store(isOn, ordering: .relaxed)
  }

  func playbackLatencyChanged() {
    var longest = 0
    for port in masterPorts {
      var range = jack_latency_range_t()
      functions.jack_port_get_latency_range(port, JackPlaybackLatency, &range)
      longest = max(longest, Int(range.max))
    }
    playbackLatency.store(longest, ordering: .relaxed)
  }

  func connectionChanged(_ a: jack_port_id_t, _ b: jack_port_id_t, of client: OpaquePointer) {
    for id in [a, b] {
      if let port = functions.jack_port_by_id(client, id), functions.jack_port_is_mine(client, port) != 0 {
        connectionChangeCount.add(1, ordering: .relaxed)
      }
    }
  }
}
