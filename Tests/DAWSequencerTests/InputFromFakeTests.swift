import CALSA
import DAWEngine
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWSequencer

/// What arrives, with libasound, without a sequencer.
extension FailingPortTests {
  private struct Inputs {
    let host = FakeHost()
    let input: SequencerInput
    private(set) var losses: [MIDILoss] = []

    init(_ count: Int = 2, failingNames: Set<String> = []) throws {
      input = try SequencerInput(
        clientName: "daw test", inputCount: count, library: FakeSequencer.library(failingNames: failingNames))
      input.set((0..<count).map { SequencerInput.Port(number: $0, name: "Track \($0) in") })
      input.start(following: host)
    }

    func receive(_ events: [FakeSequencer.Incoming]) { FakeSequencer.state.withLock { $0.incoming += events } }

    /// Waits until the thread has read all that arrives, and ends it.
    mutating func read() -> [CapturedMessage] {
      #expect(FakeSequencer.wait { FakeSequencer.state.withLock { $0.incoming.isEmpty } })
      input.stop()
      var read: [CapturedMessage] = []
      while let message = input.messages.read() { read.append(message) }
      while let loss = input.messages.readLoss() { losses.append(loss) }
      return read
    }

    /// Waits until all ports are there.
    func hasPorts(_ count: Int) -> Bool {
      FakeSequencer.wait { FakeSequencer.state.withLock { $0.ports.count == count } }
    }

    /// How far a message is from a time of the queue, milliseconds.
    func distance(_ message: CapturedMessage, to stamp: Int64) -> Double {
      let begin = FakeSequencer.state.withLock { $0.begin }
      return Double(host.microseconds(ofHostFrame: message.hostFrame)) / 1_000 - Double(begin + stamp) / 1e6
    }
  }

  @Test func whatArrivesIsAtTheFramesOfItsStamps() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    #expect(FakeSequencer.state.withLock { $0.settingCount } == 2, "the kernel stamps what arrives at both")
    // So that none is before the host's first frame.
    usleep(60_000)
    let start = FakeSequencer.now() - FakeSequencer.state.withLock { $0.begin }
    let stamps = (0..<50).map { start - 40_000_000 + Int64($0) * 700_001 }
    inputs.receive(
      stamps.enumerated().map { index, stamp in
        FakeSequencer.Incoming(port: Int32(1 + index % 2), bytes: [0x90, UInt8(index), 80], stamp: stamp)
      })
    let read = inputs.read()
    #expect(read.map(\.bytes) == (0..<50).map { [0x90, UInt8($0), 80] })
    #expect(read.map(\.input) == (0..<50).map { $0 % 2 })
    for (message, stamp) in zip(read, stamps) { #expect(abs(inputs.distance(message, to: stamp)) < 1) }
    #expect(inputs.losses == [])
    #expect(inputs.input.status.receivedCount == 50)
    #expect(inputs.input.status.problem == nil)
  }

  @Test func whatHasNoStampIsThereWhenItIsRead() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    let before = inputs.host.microseconds
    inputs.receive([FakeSequencer.Incoming(port: 1, bytes: [0xc0, 5])])
    let read = inputs.read()
    let after = inputs.host.microseconds
    #expect(read.map(\.bytes) == [[0xc0, 5]])
    let time = read.first.map { inputs.host.microseconds(ofHostFrame: $0.hostFrame) } ?? 0
    #expect(before - 100...after + 100 ~= time)
  }

  @Test func partsOfTwoSendersDoNotMix() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    let parts: [(source: UInt8, bytes: [UInt8])] = [
      (100, [0xf0, 1]), (101, [0xf0, 11]), (100, [2]), (101, [0x90, 60, 1]), (101, [12, 0xf7]), (100, [3, 0xf7]),
    ]
    inputs.receive(parts.map { FakeSequencer.Incoming(port: 2, source: $0.source, bytes: $0.bytes, stamp: 1_000) })
    #expect(inputs.read().map(\.bytes) == [[0x90, 60, 1], [0xf0, 1, 2, 3, 0xf7]])
    // Its sender has cut it by a note.
    #expect(inputs.losses.map(\.count) == [1])
    #expect(inputs.losses.map(\.input) == [1])
  }

  @Test func anOverrunIsReportedOnEachInputBetweenWhatWasReadAndNow() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    let stamp = FakeSequencer.now() - FakeSequencer.state.withLock { $0.begin }
    inputs.receive([
      FakeSequencer.Incoming(port: 1, bytes: [0x90, 60, 1], stamp: stamp),
      FakeSequencer.Incoming(port: 1, bytes: [0xf0, 1], stamp: stamp),
      FakeSequencer.Incoming(result: -ENOSPC),
      FakeSequencer.Incoming(port: 1, bytes: [2, 0xf7], stamp: stamp + 1_000),
      FakeSequencer.Incoming(port: 1, bytes: [0x80, 60, 1], stamp: stamp + 2_000),
    ])
    let read = inputs.read()
    #expect(read.map(\.bytes) == [[0x90, 60, 1], [0x80, 60, 1]], "half a message is none")
    #expect(inputs.input.status.overrunCount == 1)
    #expect(inputs.losses.map(\.input) == [0, 1])
    for loss in inputs.losses {
      #expect(loss.count == 1)
      #expect(loss.first <= loss.last)
      #expect(inputs.host.microseconds(ofHostFrame: loss.last) <= inputs.host.microseconds + 100)
      #expect(read.first.map { loss.last >= $0.hostFrame } == true)
    }
  }

  @Test func aSequencerThatFailsIsReported() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    inputs.receive([FakeSequencer.Incoming(result: -ENODEV)])
    #expect(inputs.read() == [])
    #expect(inputs.input.status.problem?.description.contains("could not read what arrives") == true)
  }

  @Test func anInputWhosePortCannotBeMadeIsNamedAndTheOthersReceive() throws {
    var inputs = try Inputs(300, failingNames: ["Track 1 in"])
    #expect(FakeSequencer.wait { !inputs.input.status.failures.isEmpty })
    #expect(Set(inputs.input.status.failures.keys) == Set([1] + Array(254...299)))
    #expect(inputs.input.status.failures[299] == .tooManyPorts)
    inputs.receive([FakeSequencer.Incoming(port: 2, bytes: [0x90, 60, 1], stamp: 0)])
    #expect(inputs.read().map(\.input) == [2])
  }

  @Test func portsAreThoseAskedFor() throws {
    var inputs = try Inputs(3)
    #expect(inputs.hasPorts(4))
    inputs.input.set([SequencerInput.Port(number: 2, name: "Keys in")])
    #expect(inputs.hasPorts(2))
    inputs.input.set([])
    #expect(inputs.hasPorts(1))
    // For a port that is not there any more.
    inputs.receive([FakeSequencer.Incoming(port: 3, bytes: [0x90, 60, 1], stamp: 0)])
    #expect(inputs.read() == [])
    #expect(inputs.input.status.connections == [:])
  }

  @Test func aPortIsConnectedToItsSendersWhenItIsMadeAndNotAgain() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    let senders = [SequencerAddress(client: 20, port: 0), SequencerAddress(client: 128, port: 3)]
    // The first has its port, the other gets one.
    let ports = [0, 2].map { SequencerInput.Port(number: $0, name: "Track \($0) in", senders: senders) }
    inputs.input.set(ports)
    #expect(FakeSequencer.wait { FakeSequencer.state.withLock { $0.senders[2] } == senders })
    inputs.input.set(ports.reversed())
    #expect(inputs.read() == [])
    #expect(FakeSequencer.state.withLock { $0.senders[1] } == nil)
    #expect(FakeSequencer.state.withLock { $0.senders[2] } == senders)
  }

  @Test func whatIsPassedOnIsEndedWhenItIsNotAnyMore() throws {
    var inputs = try Inputs()
    #expect(inputs.hasPorts(3))
    let (first, second) = (SequencerAddress(client: 14, port: 0), SequencerAddress(client: 128, port: 3))
    func monitor(_ monitors: [SequencerAddress]) {
      inputs.input.set([SequencerInput.Port(number: 0, name: "Keys in", monitors: monitors)])
    }
    func receive(_ bytes: [UInt8]...) {
      inputs.receive(bytes.map { FakeSequencer.Incoming(port: 1, bytes: $0, stamp: 1_000) })
    }
    func isSent(_ expected: [String]) -> Bool {
      FakeSequencer.wait {
        let sent = FakeSequencer.state.withLock { $0.sent }
        return sent.map { "\($0.destination) \($0.type) \($0.channel) \($0.note)" } == expected
      }
    }
    let (on, off) = (SND_SEQ_EVENT_NOTEON.rawValue, SND_SEQ_EVENT_NOTEOFF.rawValue)
    var expected: [String] = []
    func expects(_ more: String...) throws {
      expected += more
      try #require(isSent(expected))
    }
    monitor([first, second])
    #expect(inputs.hasPorts(2))
    receive([0x91, 60, 80], [0x91, 62, 80], [0x81, 62, 0])
    expected = [(on, 60), (on, 62), (off, 62)].flatMap { ["14:0 \($0) 1 \($1)", "128:3 \($0) 1 \($1)"] }
    #expect(isSent(expected))
    monitor([first])
    try expects("128:3 \(off) 1 60")
    inputs.receive([FakeSequencer.Incoming(result: -ENOSPC)])
    try expects("14:0 \(off) 1 60")
    receive([0x91, 64, 80])
    try expects("14:0 \(on) 1 64")
    monitor([])
    try expects("14:0 \(off) 1 64")
    receive([0x91, 65, 80])
    #expect(FakeSequencer.wait { FakeSequencer.state.withLock { $0.incoming.isEmpty } })
    // The ports are there, so what arrives from here on comes behind the change.
    inputs.input.set([
      SequencerInput.Port(number: 0, name: "Keys in", monitors: [second]),
      SequencerInput.Port(number: 1, name: "Other in"),
    ])
    #expect(inputs.hasPorts(3))
    // Sustain and sostenuto.
    receive([0xb2, 64, 127], [0xb2, 66, 127], [0x92, 66, 80])
    let control = SND_SEQ_EVENT_CONTROLLER.rawValue
    try expects("128:3 \(control) 2 0", "128:3 \(control) 2 0", "128:3 \(on) 2 66")
    let read = inputs.read()
    try expects("128:3 \(off) 2 66", "128:3 \(control) 2 0", "128:3 \(control) 2 0")
    #expect(read.count == 8)
  }

  @Test func whatArrivesBeforeTheHostKnowsItsFramesIsCounted() throws {
    let host = HostileHost()
    host.change { $0.begin = nil }
    let input = try SequencerInput(clientName: "daw test", inputCount: 1, library: FakeSequencer.library())
    input.set([SequencerInput.Port(number: 0, name: "Keys in")])
    FakeSequencer.state.withLock { $0.incoming = [.init(bytes: [0x90, 60, 1], stamp: 5), .init(result: -ENOSPC)] }
    input.start(following: host)
    #expect(FakeSequencer.wait { input.status.overrunCount == 1 })
    input.stop()
    #expect(input.messages.read() == nil)
    #expect(input.messages.readLoss()?.count == 2)
    #expect(input.status.problem == nil)
  }
}

@Test func eventsAreTheBytesThatTheyWereMadeOf() throws {
  for status in UInt8(0x80)..<0xf0 {
    let hasOne = status & 0xe0 == 0xc0
    for (data1, data2) in [(UInt8(0), UInt8(127)), (127, 0), (1, 64)] {
      let message = MIDIEvent(frame: 0, status: status, data1: data1, data2: hasOne ? 0 : data2)
      let event = try #require(snd_seq_event_t(message, from: 0, on: 0, at: 0))
      #expect(event.messages == [[status, data1] + (hasOne ? [] : [data2])])
    }
  }
}

@Test func eventsOfSeveralMessagesAndOfNoneAreKnown() {
  func messages(_ type: snd_seq_event_type, _ number: UInt32, _ value: Int32) -> [[UInt8]] {
    var event = snd_seq_event_t()
    event.type = snd_seq_event_type_t(type.rawValue)
    event.data.control.channel = 3
    event.data.control.param = number
    event.data.control.value = value
    return event.messages
  }
  #expect(messages(SND_SEQ_EVENT_CONTROL14, 7, 12_345) == [[0xb3, 7, 96], [0xb3, 39, 57]])
  #expect(messages(SND_SEQ_EVENT_CONTROL14, 64, 127) == [[0xb3, 64, 127]])
  let value: [[UInt8]] = [[0xb3, 6, 2], [0xb3, 38, 1]]
  #expect(messages(SND_SEQ_EVENT_REGPARAM, 5, 257) == [[0xb3, 101, 0], [0xb3, 100, 5]] + value)
  #expect(messages(SND_SEQ_EVENT_NONREGPARAM, 130, 257) == [[0xb3, 99, 1], [0xb3, 98, 2]] + value)
  // Any program may send any number.
  #expect(messages(SND_SEQ_EVENT_PITCHBEND, 0, .max) == [[0xe3, 127, 127]])
  #expect(messages(SND_SEQ_EVENT_PITCHBEND, 0, .min) == [[0xe3, 0, 0]])
  for number in [UInt32.max, 128, 0] {
    for value in [Int32.max, .min, -1, 128] {
      for type in [
        SND_SEQ_EVENT_CONTROLLER, SND_SEQ_EVENT_CONTROL14, SND_SEQ_EVENT_REGPARAM, SND_SEQ_EVENT_NONREGPARAM,
        SND_SEQ_EVENT_PGMCHANGE, SND_SEQ_EVENT_CHANPRESS,
      ] {
        #expect(messages(type, number, value).allSatisfy { $0.dropFirst().allSatisfy { $0 < 128 } })
      }
    }
  }
  for type in [SND_SEQ_EVENT_CLOCK, SND_SEQ_EVENT_SENSING, SND_SEQ_EVENT_NOTE, SND_SEQ_EVENT_USR0] {
    #expect(messages(type, 1, 1) == [])
  }
  var empty = snd_seq_event_t()
  empty.type = snd_seq_event_type_t(SND_SEQ_EVENT_SYSEX.rawValue)
  #expect(empty.messages == [])
}

@Test(arguments: 0..<50) func aTimeHasItsFrameWhateverTheClocksDo(number: Int) {
  let seed = Seed.current() &+ UInt64(number)
  var random = SeededGenerator(seed: seed)
  let host = HostileHost()
  for _ in 0..<200 {
    let frame = HostFrame(Int.random(in: 0...100_000_000_000, using: &random))
    let time = host.microseconds(ofHostFrame: frame)
    host.change { $0.now = time &+ UInt64.random(in: 0...2_000_000, using: &random) }
    let found = host.hostFrame(at: Double(time))
    #expect(found.map { abs($0 - frame) <= 1 } == true, "seed \(seed)")
  }
  for _ in 0..<200 {
    host.change { state in
      state.now = UInt64.random(in: 0...UInt64.max, using: &random)
      state.begin = [nil, 0, -1e18, 1e18, .infinity].randomElement(using: &random) ?? nil
      state.sampleRate = [0, 48_000, .nan, .infinity, -1].randomElement(using: &random) ?? 0
      state.record = TransportRecord()
      state.record?.hostFrame = [.min, .max, -5, 1_000].randomElement(using: &random) ?? 0
    }
    let time = [0, .nan, -1e300, 1e18, 1e9].randomElement(using: &random) ?? 0
    if let found = host.hostFrame(at: time) { #expect(found >= 0, "seed \(seed)") }
  }
}
