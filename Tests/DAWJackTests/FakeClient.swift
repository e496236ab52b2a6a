import CFakeJack
import CJack
import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWJack

/// A client of a fake library without a server, and its engine.
final class FakeClient {
  let engine: LiveEngine
  let library: JackLibrary
  let handle: OpaquePointer
  let client: JackClient

  init(followsTransport: Bool = false) throws {
    // The real library first, for tests that use it: the audio thread calls both by the same table.
    _ = try? JackLibrary.shared()
    library = JackLibrary(functions: fake_jack_functions())
    engine = LiveEngine(LiveOptions(sampleRate: 48_000), makeProducer: { _ in throw StreamError.stopped })
    handle = try #require(fake_jack_client())
    let options = JackClient.Options(
      name: "fake", sampleRate: SampleRate(hertz: 48_000), followsTransport: followsTransport)
    client = try JackClient(options, engine: engine, table: nil, library: library, handle: handle)
  }

  deinit {
    fake_jack_freeze(handle, 0)
    client.close()
    engine.shutDown()
  }

  /// Runs cycles.
  /// - Returns: how many callbacks were called.
  @discardableResult
  func cycle(_ frameCount: UInt32 = 256) -> Int { Int(fake_jack_cycle(handle, frameCount)) }

  /// Runs cycles, waiting for streams before each, until a condition holds; at most a thousand.
  @discardableResult
  func cycle(until condition: () -> Bool) -> Bool {
    for _ in 0..<1_000 {
      if condition() { return true }
      engine.waitForStreams(seconds: LiveDriver.patience)
      cycle()
    }
    return condition()
  }

  func port(_ name: String) throws -> OpaquePointer { try #require(fake_jack_port(handle, name)) }

  /// The MIDI that a port sent in the last cycle: status, first and second data byte.
  func messages(of name: String) throws -> [[UInt8]] {
    let port = try port(name)
    return (0..<fake_jack_event_count(port)).map { index in
      let event = fake_jack_event(port, index)
      return [event.bytes.0, event.bytes.1, event.bytes.2]
    }
  }

  /// A plan that sends its number on a MIDI port, as a controller every 32 frames.
  static func plan(_ value: UInt8) -> (plan: RenderPlan, ports: [PlannedPort]) {
    let events = (0..<4_096).map { MIDIEvent(frame: TimelineFrame(32 * $0), status: 0xb0, data1: 20, data2: value) }
    let plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
      steps: [.clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: .unity, right: .unity)],
      bufferCount: 1, endFrame: 131_072)
    return (plan, [PlannedPort(trackID: 7, name: "Keys", events: events)])
  }

  /// Publishes the ports' tables, then the plan.
  func announce(_ value: UInt8) throws {
    var ports = JackClient.TrackPorts()
    ports.midi = Self.plan(value).ports
    ports.planNumber = UInt64(value)
    try client.publish(ports)
  }
}
