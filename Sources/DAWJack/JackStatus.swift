import CJack
import Synchronization

/// Events and values reported by JACK's callbacks. They set atomics: some run under the rules of a signal handler,
/// others while the audio thread waits for them. Only that of the capture latencies takes a lock, which is held for as
/// long as it takes to ask for them; it never runs on the audio thread.
public final class JackStatus: @unchecked Sendable {
  // Unchecked, because a port's handle is not Sendable.
  /// Frames in a cycle; 0 while unknown.
  let bufferSize = Atomic<Int>(0)
  /// Hertz; 0 while unknown.
  let sampleRate = Atomic<Int>(0)
  /// Late cycles, except while freewheeling.
  let xrunCount = Atomic<Int>(0)
  let freewheels = Atomic(false)
  /// When freewheeling ended last, microseconds of JACK's clock.
  let freewheelEnd = Atomic<UInt64>(0)
  /// Frames from the master output to the loudspeaker, the longest path.
  let playbackLatency = Atomic<Int>(0)
  /// Raised by each connection or disconnection of one of our ports.
  let connectionChangeCount = Atomic<Int>(0)
  let isLost = Atomic(false)

  /// Frames from the outside world to each of our audio inputs, the longest path.
  private let captureLatencies = Mutex(InputLatencies())

  private struct InputLatencies: @unchecked Sendable {
    // Unchecked, because a port's handle is not Sendable.
    var ports: [OpaquePointer] = []
    var frames: [Int] = []
  }

  private let functions: cjack
  private let masterPorts: [OpaquePointer]

  init(_ library: JackLibrary, masterPorts: [OpaquePointer]) {
    functions = library.functions
    self.masterPorts = masterPorts
  }

  /// The current values.
  public var snapshot: Snapshot {
    Snapshot(
      bufferSize: bufferSize.load(ordering: .relaxed), sampleRate: sampleRate.load(ordering: .relaxed),
      xrunCount: xrunCount.load(ordering: .relaxed), isFreewheeling: freewheels.load(ordering: .relaxed),
      playbackLatency: playbackLatency.load(ordering: .relaxed),
      connectionChangeCount: connectionChangeCount.load(ordering: .relaxed), isLost: isLost.load(ordering: .acquiring))
  }

  /// The values at one time.
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
    /// Whether the server has ended or has disconnected the client.
    public var isLost: Bool
  }

  // MARK: Callbacks

  /// The return from freewheeling takes so long that the server reports late cycles; they are ignored for this time.
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

  /// Seconds of the greatest latency that is believed. A stop waits for what is on its way: a server or a client that
  /// says 2³² frames would hold it up for a day.
  private static let longestLatency = 10

  private func latency(of port: OpaquePointer, _ mode: jack_latency_callback_mode_t) -> Int {
    var range = jack_latency_range_t()
    functions.jack_port_get_latency_range(port, mode, &range)
    let rate = sampleRate.load(ordering: .relaxed)
    return min(Int(range.max), Self.longestLatency * (rate > 0 ? rate : 48_000))
  }

  func playbackLatencyChanged() {
    let longest = masterPorts.map { latency(of: $0, JackPlaybackLatency) }.max() ?? 0
    playbackLatency.store(longest, ordering: .relaxed)
  }

  /// Asks for the latencies of all inputs again.
  func captureLatencyChanged() {
    captureLatencies.withLock { latencies in
      latencies.frames = latencies.ports.map { latency(of: $0, JackCaptureLatency) }
    }
  }

  /// Control thread: replaces the inputs. New ones have the latency 0 until the server reports another, as it does when
  /// they are connected.
  func setInputs(_ ports: [OpaquePointer]) {
    captureLatencies.withLock { latencies in
      // Ports that stay keep theirs: the server reports only changes.
      let known = Dictionary(zip(latencies.ports, latencies.frames)) { $1 }
      latencies.ports = ports
      latencies.frames = ports.map { known[$0] ?? 0 }
    }
  }

  var inputLatencies: [Int] { captureLatencies.withLock { $0.frames } }

  func connectionChanged(_ a: jack_port_id_t, _ b: jack_port_id_t, of client: OpaquePointer) {
    for id in [a, b] {
      if let port = functions.jack_port_by_id(client, id), functions.jack_port_is_mine(client, port) != 0 {
        connectionChangeCount.add(1, ordering: .relaxed)
      }
    }
  }
}
