import CFakeJack
import CJack
import DAWEngine
import DAWRealtime
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWJack

/// The client's callbacks and ports, tested without a server.
@Suite struct JackClientTests {
  @Test func aPortSendsTheEventsOfThePlanHeardInThatCycle() throws {
    let fake = try FakeClient()
    fake.engine.publish(FakeClient.plan(1).plan)
    try fake.announce(1)
    try fake.client.activate()
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { fake.engine.record.state == .rolling })
    for next in UInt8(2)...6 {
      // The ports' tables are published well before the plan.
      try fake.announce(next)
      for _ in 0..<3 {
        fake.cycle()
        #expect(try fake.messages(of: "Keys").allSatisfy { $0 == [0xb0, 20, next - 1] })
      }
      fake.engine.publish(FakeClient.plan(next).plan)
      let isHeard = fake.cycle {
        let messages = (try? fake.messages(of: "Keys")) ?? []
        #expect(messages.allSatisfy { $0[2] == UInt8(fake.engine.record.planNumber) }, "\(messages)")
        return fake.engine.record.planNumber == UInt64(next)
      }
      #expect(isHeard)
    }
  }

  /// A limiter runs 246 frames ahead of a start, which is then within a cycle, or at its end.
  @Test(arguments: [64, 246, 256, 1_000] as [UInt32])
  func behindEffectsThatRunAheadEachEventIsSentOnceAtItsFrame(frameCount: UInt32) throws {
    let fake = try FakeClient()
    var plan = FakeClient.plan(1).plan
    let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: 5)
    plan.inserts = [
      PlannedInsert(effectID: 1, setup: setup, parameters: EffectKind.limiter.defaults.map { .constant($0) })
    ]
    plan.steps.insert(.insert(StripID(0), 0, buffer: 0, width: .stereo, key: nil), at: 1)
    #expect(plan.latency == 246)
    let frames = [0, 5, 100, 240, 300, 990]
    var ports = JackClient.TrackPorts()
    ports.midi = [
      PlannedPort(
        trackID: 7, name: "Keys",
        events: frames.enumerated().map { number, frame in
          MIDIEvent(frame: TimelineFrame(frame), status: 0x90, data1: UInt8(60 + number), data2: 80)
        })
    ]
    ports.planNumber = 1
    try fake.client.publish(ports)
    fake.engine.publish(plan)
    try fake.client.activate()
    let port = try fake.port("Keys")
    #expect(fake.engine.send(.start))
    var sent: [(frame: HostFrame, status: UInt8, pitch: UInt8)] = []
    var start: HostFrame?
    for _ in 0..<1_000 where fake.engine.record.nextFrame < 1_500 {
      fake.engine.waitForStreams(seconds: LiveDriver.patience)
      fake.cycle(frameCount)
      let record = fake.engine.record
      if record.state == .rolling { start = start ?? record.hostFrame + record.frameCount - record.rolledFrame.number }
      for index in 0..<fake_jack_event_count(port) {
        let event = fake_jack_event(port, index)
        sent.append((record.hostFrame + Int(event.time), event.bytes.0, event.bytes.1))
      }
    }
    let first = try #require(start)
    #expect(sent.map { $0.frame - first } == frames)
    #expect(sent.allSatisfy { $0.status == 0x90 })
    #expect(sent.map(\.pitch) == frames.indices.map { UInt8(60 + $0) })
  }

  @Test func tablesOfAnUnheardPlanAreReplacedInTheSameCycle() throws {
    let fake = try FakeClient()
    fake.engine.publish(FakeClient.plan(1).plan)
    try fake.announce(1)
    try fake.client.activate()
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { fake.engine.record.state == .rolling })
    try fake.announce(2)
    fake.cycle()
    // The tables are taken by now. Their plan is superseded before the next cycle.
    try fake.announce(3)
    fake.engine.publish(FakeClient.plan(2).plan)
    fake.engine.publish(FakeClient.plan(3).plan)
    let isHeard = fake.cycle {
      let messages = (try? fake.messages(of: "Keys")) ?? []
      #expect(messages.allSatisfy { $0[2] == UInt8(fake.engine.record.planNumber) }, "\(messages)")
      return fake.engine.record.planNumber == 3
    }
    #expect(isHeard)
    #expect(try fake.messages(of: "Keys").contains([0xb0, 20, 3]))
  }

  @Test func aTrackThatReturnsHasItsConnectionsAgain() throws {
    let fake = try FakeClient()
    var with = JackClient.TrackPorts()
    with.directOuts = [(trackID: 5, name: "Noise")]
    with.midi = [PlannedPort(trackID: 7, name: "Keys", events: [])]
    try fake.client.publish(with)
    try fake.client.activate()
    func connect(_ name: String, _ target: String) {
      #expect(fake.library.functions.jack_connect(fake.handle, "fake:\(name)", target) == 0)
    }
    connect("Noise_1", "mixer:in_3")
    connect("Keys", "synth:midi")
    var without = JackClient.TrackPorts()
    without.directOuts = [(trackID: 6, name: "Noise")]
    try fake.client.publish(without)
    #expect(fake_jack_connection_count(try fake.port("Noise_1")) == 0, "another track of that name has its own")
    with.directOuts.append((trackID: 6, name: "Other"))
    try fake.client.publish(with)
    var again: [String?] = []
    for name in ["Noise_1", "Noise_2", "Keys", "Other_1"] {
      again.append(fake_jack_connection(try fake.port(name)).map { String(cString: $0) })
    }
    #expect(again == ["mixer:in_3", nil, "synth:midi", nil])
  }

  /// What others hear of a port is what its buffer holds, also where nobody writes to it any more.
  @Test func theAudioPortsOfARemovedTrackAreFilledUntilTheyGo() throws {
    let fake = try FakeClient()
    var ports = JackClient.TrackPorts()
    ports.directOuts = [(trackID: 5, name: "Noise")]
    try fake.client.publish(ports)
    try fake.client.activate()
    fake.cycle()
    let samples = UnsafeMutablePointer(mutating: fake_jack_samples(try fake.port("Noise_1")))
    try fake.client.publish(JackClient.TrackPorts())
    fake.client.removeRetiredPorts()
    fake.cycle()
    // As the last block of what faded.
    samples[0] = 1
    fake.cycle()
    #expect(samples[0] == 0)
    let deadline = ContinuousClock.now + .seconds(LiveDriver.patience)
    while fake_jack_port(fake.handle, "Noise_1") != nil, ContinuousClock.now < deadline {
      fake.client.removeRetiredPorts()
      fake.cycle()
      usleep(5_000)
    }
    #expect(fake_jack_port(fake.handle, "Noise_1") == nil && fake_jack_port(fake.handle, "Noise_2") == nil)
  }

  /// The library states 320 bytes, of which JACK2 keeps 256.
  @Test func longNamesOfPortsStayDistinct() throws {
    let fake = try FakeClient()
    let long = String(repeating: "€", count: 100)
    var ports = JackClient.TrackPorts()
    ports.directOuts = [(trackID: 5, name: long + "a"), (trackID: 6, name: long + "b")]
    try fake.client.publish(ports)
    // 256 bytes, but for the client's name and the endings.
    let cut = String(repeating: "€", count: 78)
    for ending in ["_1", "_2", " 2_1", " 2_2"] { _ = try fake.port(cut + ending) }
    #expect(fake.client.portName("a:" + long).utf8.count <= 236)
  }

  @Test func aPortIsNamedByTheLastPlanAlsoBehindOneForWhichThereWereTooFewPorts() throws {
    let fake = try FakeClient()
    func publish(_ names: [String]) throws {
      var ports = JackClient.TrackPorts()
      for (index, name) in names.enumerated() { ports.directOuts.append((trackID: Int64(index + 1), name: name)) }
      try fake.client.publish(ports)
    }
    try publish(["Bass"])
    let bass = try fake.port("Bass_1")
    // The fake has 32 ports.
    #expect(throws: JackError.self) { try publish(["Low"] + (1...20).map { "Track \($0)" }) }
    #expect(try fake.port("Low_1") == bass)
    try publish(["Bass", "Low"])
    #expect(try fake.port("Bass_1") == bass && fake.port("Low_1") != bass)
  }

  @Test func portsThatCannotBeRegisteredKeepNoOtherFromFollowingThePlan() throws {
    let fake = try FakeClient()
    fake.engine.publish(FakeClient.plan(1).plan)
    try fake.announce(1)
    try fake.client.activate()
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { fake.engine.record.state == .rolling })
    var ports = JackClient.TrackPorts()
    for number in 1...20 { ports.directOuts.append((trackID: Int64(100 + number), name: "Track \(number)")) }
    ports.midi = FakeClient.plan(2).ports
    ports.planNumber = 2
    // The fake has 32 ports: two of the master, that of the keys, and 14 pairs with one left over.
    #expect(throws: JackError.port(name: "Track 15_2")) { try fake.client.publish(ports) }
    _ = try fake.port("Track 14_2")
    #expect(fake_jack_port(fake.handle, "Track 15_1") == nil)
    fake.engine.publish(FakeClient.plan(2).plan)
    #expect(fake.cycle { fake.engine.record.planNumber == 2 })
    #expect(try fake.messages(of: "Keys").contains([0xb0, 20, 2]))
    ports.directOuts.removeLast(6)
    try fake.client.publish(ports)
  }

  @Test func closingTimesOutIfTheServerHangs() throws {
    let fake = try FakeClient()
    try fake.client.activate()
    fake_jack_freeze(fake.handle, 1)
    #expect(!fake.client.close(atMost: 0.05))
    #expect(fake_jack_is_closed(fake.handle) == 0)
    #expect(fake.client.close(), "it is not tried again")
    let other = try FakeClient()
    try other.client.activate()
    #expect(other.client.close())
    #expect(fake_jack_is_closed(other.handle) == 1)
  }

  /// As JACK2 counts: the new size for the last cycle of the old one.
  @Test func aShorterBufferIsNoStepBackOfTheHostsFrames() throws {
    let fake = try FakeClient()
    try fake.client.activate()
    var expected: HostFrame?
    func cycle(_ frameCount: UInt32) {
      fake.cycle(frameCount)
      let record = fake.engine.record
      #expect(record.frameCount == Int(frameCount) && record.hostFrame == expected ?? record.hostFrame)
      expected = record.hostFrame + record.frameCount
    }
    for size: UInt32 in [1_024, 256, 64] {
      cycle(size)
      cycle(size)
      fake_jack_miss(fake.handle, size / 4 &- size)
      cycle(size / 4)
    }
    // A server that counts what was.
    cycle(256)
    cycle(64)
    // What is missed is missed.
    fake_jack_miss(fake.handle, 100)
    expected = expected.map { $0 + 100 }
    cycle(64)
  }

  @Test func aLateCycleAtTheEndOfTheServersCountIsNoSecondWrap() throws {
    let fake = try FakeClient()
    try fake.client.activate()
    fake_jack_miss(fake.handle, 4_294_966_768 - 1_000)
    var frames: [HostFrame] = []
    func cycle() {
      fake.cycle()
      frames.append(fake.engine.record.hostFrame)
    }
    cycle()
    // Two cycles late: the server's count has wrapped already when the client asks for it.
    fake_jack_miss(fake.handle, 512)
    cycle()
    // In time again, and that is before the wrap.
    fake_jack_miss(fake.handle, UInt32.max - 511)
    cycle()
    cycle()
    #expect(frames == [4_294_966_768, 4_294_967_536, 4_294_967_280, 4_294_967_536])
  }

  @Test func aFrameOfTheEngineHasTheTimeOfTheServersOwn() throws {
    let fake = try FakeClient()
    try fake.client.activate()
    /// The server's frame at which the next cycle begins.
    var next: UInt32 = 1_000
    func cycle(_ frameCount: UInt32) {
      fake.cycle(frameCount)
      let time = fake.client.microseconds(ofHostFrame: fake.engine.record.hostFrame)
      #expect(time == UInt64(next) * UInt64(FAKE_JACK_MICROSECONDS), "\(frameCount)")
      next += frameCount
    }
    for size: UInt32 in [1_024, 256, 64] {
      cycle(size)
      fake_jack_miss(fake.handle, size / 4 &- size)
      next -= size - size / 4
      cycle(size / 4)
      cycle(size / 4)
    }
  }

  @Test func onlyACycleThatIsShorterAndBeginsWithinTheOneBeforeIsAStepBack() {
    for passed: UInt32 in [0, 256, 1_023] { #expect(countStepsBack(from: 1_024, to: 256, passed)) }
    for passed: UInt32 in [1_024, 5_000, .max] { #expect(!countStepsBack(from: 1_024, to: 256, passed)) }
    // As long, longer, and the first.
    for old: UInt32 in [256, 64, 0] { #expect(!countStepsBack(from: old, to: 256, 0)) }
  }

  @Test func cyclesThatWereMissedAreNoLocate() throws {
    let fake = try rolling()
    let before = fake.engine.record
    fake_jack_miss(fake.handle, 768)
    fake.cycle()
    let record = fake.engine.record
    #expect(record.locateNumber == before.locateNumber)
    #expect(record.frame == before.nextFrame + 768)
    #expect(record.rolledFrame == before.rolledFrame + 768 + 256)
    // The same step of the transport alone is a locate.
    fake_jack_transport(fake.handle, JackTransportRolling, UInt32(record.nextFrame.number) + 768)
    fake.cycle()
    #expect(fake.cycle { fake.engine.record.state == .rolling })
    #expect(fake.engine.record.locateNumber > before.locateNumber)
    #expect(fake.engine.record.nextFrame == TimelineFrame(Int(fake_jack_position(fake.handle).frame)))
  }

  @Test func leavingJacksTransportStopsWhileItRollsOn() throws {
    let fake = try rolling()
    fake.client.leaveTransport()
    #expect(fake.engine.send(.stop))
    fake.cycle(64)
    #expect(fake.engine.record.state == .stopping)
    fake.cycle(256)
    #expect(fake.engine.record.state == .stopped)
    fake.cycle()
    #expect(fake.engine.record.state == .stopped)
  }

  /// A client that follows JACK's rolling transport.
  private func rolling() throws -> FakeClient {
    let fake = try FakeClient(followsTransport: true)
    fake.engine.publish(FakeClient.plan(1).plan)
    try fake.client.activate()
    fake_jack_transport(fake.handle, JackTransportStarting, 4_800)
    #expect(fake.cycle { fake_jack_was_ready(fake.handle) != 0 })
    fake_jack_transport(fake.handle, JackTransportRolling, 4_800)
    fake.cycle()
    #expect(fake.engine.record.state == .rolling && fake.engine.record.frame == 4_800)
    return fake
  }

  @Test func theTimebaseGivesEachPositionItsBeat() throws {
    let fake = try FakeClient()
    fake.engine.publish(FakeClient.plan(1).plan)
    var ports = JackClient.TrackPorts()
    ports.planNumber = 1
    ports.beats = BeatTable(
      map: TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour), rate: SampleRate(hertz: 48_000), end: 480_000)
    try fake.client.publish(ports)
    #expect(fake.client.becomeTimebaseMaster())
    try fake.client.activate()
    fake_jack_transport(fake.handle, JackTransportStopped, 5 * 24_000)
    fake.cycle()
    fake.cycle()
    let position = fake_jack_position(fake.handle)
    #expect(position.bar == 2 && position.beat == 2 && position.tick == 0)
  }

  /// Runs cycles with all callbacks of JACK's thread: sync, process, MIDI, timebase.
  /// - Returns: how many callbacks were called.
  private func runEverything(plants: Bool) throws -> Int {
    let fake = try FakeClient(followsTransport: true)
    fake.engine.publish(FakeClient.plan(1).plan)
    try fake.announce(1)
    #expect(fake.client.becomeTimebaseMaster())
    try fake.client.activate()
    if plants { fake_jack_plant_malloc(fake.handle) }
    fake_jack_transport(fake.handle, JackTransportStarting, 0)
    var called = (0..<10).reduce(0) { count, _ in count + fake.cycle() }
    fake_jack_transport(fake.handle, JackTransportRolling, 0)
    called += (0..<10).reduce(0) { count, _ in count + fake.cycle() }
    #expect(try !fake.messages(of: "Keys").isEmpty)
    return called
  }

  @Test func jacksThreadRunsEverything() throws {
    #expect(try runEverything(plants: ProcessInfo.processInfo.environment["DAW_PLANT"] == "jack") == 50)
  }

  @Test(.enabled(if: RealtimeWatch.isPossible), arguments: [nil, "jack"])
  func jacksThreadCallsNeitherLibraryNorKernel(plant: String?) throws {
    let (status, counts) = try RealtimeWatch.run("JackClientTests.jacksThreadRunsEverything", plant: plant)
    #expect(status == 0)
    #expect(counts["blocks"] == 50, "every callback is watched")
    #expect((counts["malloc"] ?? 0) == (plant == nil ? 0 : counts["free"]))
    #expect((counts["malloc"] ?? 0) > 0 || plant == nil)
    if plant == nil { #expect(counts.filter { $0.value > 0 && !["blocks", "unwatched"].contains($0.key) }.isEmpty) }
  }
}
