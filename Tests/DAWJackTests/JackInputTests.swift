import CFakeJack
import CJack
import DAWEngine
import Testing

@testable import DAWJack

/// The ports of inputs that change while a client runs.
@Suite struct JackInputTests {
  private let fake: FakeClient

  init() throws {
    fake = try FakeClient()
    fake.engine.publish(FakeClient.plan(1).plan)
  }

  private func set(_ names: [String], midi: [String], from source: String? = nil) throws {
    func inputs(_ names: [String]) -> [JackClient.Input] {
      names.map { JackClient.Input(name: $0, source: source) }
    }
    try fake.client.setInputs(
      inputs(names), ring: CaptureRing(channelCount: names.count, frameCount: 4_096), midi: inputs(midi),
      messages: midi.isEmpty ? nil : MIDICapture(inputCount: midi.count))
    // What is not used any more goes when the audio thread has taken up the others.
    fake.cycle()
    fake.client.connectInputs()
  }

  private func isThere(_ name: String) -> Bool { fake_jack_port(fake.handle, name) != nil }

  @Test func anInputThatStaysKeepsItsPortWithWhatTheUserHasConnected() throws {
    try set(["Vox in_1"], midi: ["Keys in"])
    try fake.client.activate()
    fake.cycle()
    let (vox, keys) = (try fake.port("Vox in_1"), try fake.port("Keys in"))
    // The fake keeps a connection with the port that is named first.
    #expect(fake.library.functions.jack_connect(fake.handle, "fake:Vox in_1", "synth:out") == 0)
    try set(["Bass in_1", "Vox in_1"], midi: ["Keys in"])
    #expect(try fake.port("Vox in_1") == vox && fake.port("Keys in") == keys && isThere("Bass in_1"))
    #expect(fake.client.connections(of: vox) == ["synth:out"])
    #expect(!isThere("Vox in_1 2") && fake.client.captureLatencies.count == 3)
    try set(["Vox in_1"], midi: [])
    #expect(try fake.port("Vox in_1") == vox && !isThere("Bass in_1") && !isThere("Keys in"))
  }

  @Test func anInputFromElsewhereGetsAPortOfItsOwn() throws {
    try fake.client.activate()
    try set(["Vox in_1"], midi: [])
    let vox = try fake.port("Vox in_1")
    for source in ["synth:out", "synth:other"] {
      try fake.client.setInputs(
        [JackClient.Input(name: "Vox in_1", source: source)], ring: CaptureRing(channelCount: 1, frameCount: 4_096))
      // At once: the port that goes has given up the name.
      #expect(try fake.port("Vox in_1") != vox && !isThere("Vox in_1 2"))
    }
    fake.cycle()
    fake.client.connectInputs()
    #expect(isThere("Vox in_1") && !isThere("leaving 1") && !isThere("leaving 2"))
  }

  @Test func aTrackThatIsRenamedKeepsItsPortsWithWhatTheUserHasConnected() throws {
    try fake.client.activate()
    func set(_ tracks: [(id: Int64, name: String)]) throws {
      let inputs = tracks.flatMap { id, name in
        (0..<2).map { JackClient.Input(name: "\(name) in_\($0 + 1)", track: id, number: $0) }
      }
      try fake.client.setInputs(
        inputs, ring: CaptureRing(channelCount: inputs.count, frameCount: 4_096),
        midi: [JackClient.Input(name: "\(tracks[0].name) in", track: tracks[0].id)],
        messages: MIDICapture(inputCount: 1))
      fake.cycle()
      fake.client.connectInputs()
    }
    try set([(1, "Vox"), (2, "Bass")])
    let (vox, bass, notes) = (try fake.port("Vox in_1"), try fake.port("Bass in_2"), try fake.port("Vox in"))
    #expect(fake.library.functions.jack_connect(fake.handle, "fake:Vox in_1", "synth:out") == 0)
    // They exchange their names, and one gets a new one.
    try set([(1, "Bass"), (2, "Vox")])
    #expect(try fake.port("Bass in_1") == vox && fake.port("Vox in_2") == bass && fake.port("Bass in") == notes)
    try set([(1, "Choir"), (2, "Vox")])
    #expect(try fake.port("Choir in_1") == vox && fake.port("Vox in_2") == bass && fake.port("Choir in") == notes)
    #expect(fake.client.connections(of: vox) == ["synth:out"] && !isThere("Bass in_1"))
  }

  @Test func anInputThatComesBackIsConnectedToWhatTheUserHadConnected() throws {
    try fake.client.activate()
    func set(_ tracks: [Int64], from source: String? = nil) throws {
      try fake.client.setInputs(
        tracks.map { JackClient.Input(name: "Track \($0) in_1", source: source, track: $0) },
        ring: CaptureRing(channelCount: tracks.count, frameCount: 4_096))
      fake.cycle()
      fake.client.connectInputs()
    }
    func connections(_ track: Int64) throws -> [String] {
      fake.client.connections(of: try fake.port("Track \(track) in_1"))
    }
    try set([1, 2])
    #expect(fake.library.functions.jack_connect(fake.handle, "synth:out", "fake:Track 1 in_1") == 0)
    // The track is disarmed, and armed again.
    try set([2])
    #expect(!isThere("Track 1 in_1"))
    try set([1, 2])
    #expect(try connections(1) == ["synth:out"] && connections(2) == [])
    // It has another source for a while.
    try set([1, 2], from: "synth:other")
    #expect(try connections(1) == ["synth:other"] && connections(2) == ["synth:other"])
    try set([1, 2])
    #expect(try connections(1) == ["synth:out"] && connections(2) == [])
  }

  @Test func aCycleWhoseFrameWasMisreadIsSaidBeforeTheMessagesOfTheNextOne() throws {
    let messages = MIDICapture(inputCount: 1)
    try fake.client.setInputs(
      [], ring: CaptureRing(channelCount: 0, frameCount: 4_096), midi: [JackClient.Input(name: "Keys in")],
      messages: messages)
    try fake.client.activate()
    fake.cycle()
    let keys = try fake.port("Keys in")
    let note: [UInt8] = [0x90, 60, 1]
    // The server has counted its next cycle; then it is the next one's turn.
    for ahead: UInt32 in [256, 0 &- 256] {
      fake_jack_miss(fake.handle, ahead)
      #expect(fake_jack_receive(keys, 10, note, 3) == 0)
      fake.cycle()
    }
    let (first, correction, next) = (messages.readArrival(), messages.readArrival(), messages.readArrival())
    guard case .message(let early)? = first, case .message(let late)? = next else {
      Issue.record("\(String(describing: first)), \(String(describing: next))")
      return
    }
    #expect(early.hostFrame == late.hostFrame)
    #expect(correction == .misread(from: early.hostFrame.advanced(by: -10), by: 256))
  }

  /// A take is put where it belongs by the latency with which it begins.
  @Test func theLatencyThatIsSaidWhenAnInputIsConnectedIsKnown() throws {
    try fake.client.activate()
    let input = JackClient.Input(name: "Vox in_1", source: "fake:out_1")
    try fake.client.setInputs([input], ring: CaptureRing(channelCount: 1, frameCount: 4_096))
    #expect(fake.client.captureLatencies == [Int(FAKE_JACK_LATENCY)])
  }

  /// A stop waits for what is on its way.
  @Test func noLatencyIsLongerThanTenSeconds() {
    var functions = fake.library.functions
    functions.jack_port_get_latency_range = { _, _, range in range?.pointee.max = .max }
    let status = JackStatus(JackLibrary(functions: functions), masterPorts: [fake.handle])
    status.setInputs([fake.handle])
    status.captureLatencyChanged()
    status.playbackLatencyChanged()
    #expect(status.inputLatencies == [480_000] && status.snapshot.playbackLatency == 480_000)
  }
}
