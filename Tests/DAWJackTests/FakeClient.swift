import CFakeJack
import CJack
import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWJack

/// A client of a library without a server, and the engine that it plays.
final class FakeClient {
  let engine: LiveEngine
  let library: JackLibrary
  let handle: OpaquePointer
  let client: JackClient

  init(followsTransport: Bool = false) throws {
    // The real one first, for the tests that use it: what the audio thread calls is the same for both.
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

  /// - Returns: how many of its callbacks were called.
  @discardableResult
  func cycle(_ frameCount: UInt32 = 256) -> Int { Int(fake_jack_cycle(handle, frameCount)) }

  /// Cycles, streams waited for before each, until something holds, a thousand at most.
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

  /// The MIDI that a port sent in the last cycle, as status, first and second byte.
  func messages(of name: String) throws -> [[UInt8]] {
    let port = try port(name)
    return (0..<fake_jack_event_count(port)).map { index in
      let event = fake_jack_event(port, index)
      return [event.bytes.0, event.bytes.1, event.bytes.2]
    }
  }

  /// A plan that sounds of nothing but its number, on a MIDI port: a controller every 32 frames.
  static func plan(_ value: UInt8) -> (plan: RenderPlan, ports: [PlannedPort]) {
    let events = (0..<4_096).map { MIDIEvent(frame: 32 * Int64($0), status: 0xb0, data1: 20, data2: value) }
    let plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
      steps: [.clear(buffer: 0), .output(buffer: 0, left: .unity, right: .unity)], bufferCount: 1, endFrame: 131_072)
    return (plan, [PlannedPort(slot: 7, name: "Keys", events: events)])
  }

  /// Gives the ports what a plan has for them, before the plan.
  func announce(_ value: UInt8) throws {
    var ports = JackClient.TrackPorts()
    ports.midi = Self.plan(value).ports
    ports.planNumber = UInt64(value)
    try client.publish(ports)
  }
}
