import DAWBounce
import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

@Suite struct TailTests {
  private static let blocks = [1, 777, 4_096, 1 << 20]

  /// 10,000 frames of sound; a tail that falls below −90 dBFS 30,000 frames later; an echo within a second of that; and
  /// another echo more than a second later, which is not awaited.
  private static let samples: [Float] = (0..<250_000).map { frame in
    switch frame {
    case ..<10_000: 0.5
    case ..<40_000: 0.01
    case 80_000: -4e-5
    case 200_000: 0.5
    default: 3e-5
    }
  }

  private func append(_ samples: [Float], to gate: TailGate, block: Int) throws {
    var frame = 0
    while frame < samples.count, !gate.isEnough {
      let count = min(block, samples.count - frame)
      let frames: [Float] = samples[frame..<frame + count].flatMap { [$0, Float(0)] }
      try gate.append(interleaved: frames, frameCount: count)
      frame += count
    }
  }

  @Test("A tail ends after its last frame above -90 dBFS that is followed by a second of quiet", arguments: blocks)
  func untilQuiet(block: Int) throws {
    let sink = MemorySink()
    let gate = TailGate(range: 10_000, length: .untilQuiet(atMost: 240_000), next: sink)
    try append(Self.samples, to: gate, block: block)
    #expect(gate.isEnough)
    #expect(sink.left == Array(Self.samples[...80_000]))
    #expect(gate.passedFrames == 80_001)
    #expect(gate.peakAfterEnd == 0)
  }

  @Test("An echo is awaited that comes after more than a second of quiet", arguments: blocks)
  func lateEcho(block: Int) throws {
    let sink = MemorySink()
    let gate = TailGate(range: 10_000, length: .untilQuiet(atMost: 240_000), longestEcho: 72_000, next: sink)
    try append(Self.samples, to: gate, block: block)
    #expect(sink.left == Array(Self.samples[...200_000]))
  }

  @Test("The longest echo of a plan is that of all delays on a way to the output")
  func longestEcho() {
    func delay(_ id: Int64, _ time: PlannedInsert.Parameter) -> PlannedInsert {
      var parameters = EffectKind.delay.defaults.map(PlannedInsert.Parameter.constant)
      parameters[0] = time
      return PlannedInsert(
        effectID: id, setup: EffectSetup(kind: .delay, sampleRate: 48_000), parameters: parameters)
    }
    func connection(_ source: Int64, _ target: Int64) -> Connection {
      Connection(from: StripID(source), to: StripID(target))
    }
    var plan = testPlan()
    (plan.instruments, plan.regions, plan.directOuts, plan.bufferCount) = ([], [], [], 3)
    plan.inserts = [
      delay(1, .constant(1_500)), delay(2, .curve(Curve([.init(0, 10), .init(9, 2_000), .init(20, 30)]))),
      delay(3, .constant(3_000)),
    ]
    plan.steps = [
      .clear(StripID(0), buffer: 0), .clear(StripID(1), buffer: 1), .clear(StripID(2), buffer: 2),
      .insert(StripID(2), 0, buffer: 2, width: .stereo, key: nil),
      .mix(connection(2, 1), 2, width: .stereo, into: 1, left: .unity, right: .unity),
      .insert(StripID(1), 1, buffer: 1, width: .stereo, key: nil),
      .mix(connection(1, 0), 1, width: .stereo, into: 0, left: .unity, right: .unity),
      .clear(StripID(3), buffer: 2), .insert(StripID(3), 2, buffer: 2, width: .stereo, key: nil),
      .mix(connection(3, 0), 2, width: .stereo, into: 0, left: .unity, right: .unity),
      .output(StripID(0), buffer: 0, left: .unity, right: .unity),
    ]
    #expect(plan.longestEcho == 3_500 * 48)
    plan.inserts[1] = delay(2, .constant(1_400))
    #expect(plan.longestEcho == 3_000 * 48)
    #expect(testPlan().longestEcho == 0)
  }

  @Test("A tail is cut at its limit, and the peak after it is reported", arguments: blocks)
  func atItsLimit(block: Int) throws {
    let sink = MemorySink()
    let gate = TailGate(range: 10_000, length: .untilQuiet(atMost: 20_000), next: sink)
    try append(Self.samples, to: gate, block: block)
    #expect(sink.left == Array(Self.samples[..<30_000]))
    #expect(gate.peakAfterEnd == 0.01)
  }

  @Test("A fixed tail has its exact length", arguments: blocks)
  func fixed(block: Int) throws {
    for (length, peak): (Int64, Float) in [(29_000, 0.01), (30_000, 3e-5)] {
      let sink = MemorySink()
      let gate = TailGate(range: 10_000, length: .fixed(length), next: sink)
      try append(Self.samples, to: gate, block: block)
      #expect(gate.isEnough)
      #expect(sink.left == Array(Self.samples[..<(10_000 + Int(length))]))
      #expect(gate.peakAfterEnd == peak)
    }
  }

  @Test(
    "A loop's tail is added to its start, for as many rounds as it lasts", arguments: [3_000, 16_384, 40_000, 100_000])
  func loop(loopFrames: Int) throws {
    let folder = try TemporaryFolder()
    let format = MemorySink().format
    let samples = Signal.noise(seed: Seed.current(), frames: 100_000, channels: 2)
    let spool = try SampleSpool(folder: Place(root: folder.path), format: format)
    try spool.append(interleaved: samples, frameCount: 100_000)
    try spool.finish()
    let sink = MemorySink()
    try Replay(spool, loopFrames: Int64(loopFrames)).play(into: sink, progress: { _, _ in true })
    var expected = Array(samples[..<(2 * loopFrames)])
    for index in 2 * loopFrames..<samples.count { expected[index % (2 * loopFrames)] += samples[index] }
    let left = stride(from: 0, to: 2 * loopFrames, by: 2).map { expected[$0] }
    let right = stride(from: 1, to: 2 * loopFrames, by: 2).map { expected[$0] }
    #expect(sink.left == left)
    #expect(sink.right == right)
  }

  @Test("A plan cut off at a frame is the same before it; notes and pedals are released at it")
  func endingPlan() {
    var plan = testPlan()
    plan.instruments[0].plan.events = [
      MIDIEvent(frame: 0, status: 0x90, data1: 60, data2: 90), MIDIEvent(frame: 64, status: 0x91, data1: 61, data2: 90),
      MIDIEvent(frame: 128, status: 0xb1, data1: 66, data2: 127),
      MIDIEvent(frame: 128, status: 0xb1, data1: 64, data2: 127),
      MIDIEvent(frame: 128, status: 0xb2, data1: 66, data2: 127),
      MIDIEvent(frame: 192, status: 0xb2, data1: 66, data2: 0),
      MIDIEvent(frame: 192, status: 0x80, data1: 60, data2: 0),
      MIDIEvent(frame: 9_984, status: 0x90, data1: 62, data2: 90),
      MIDIEvent(frame: 10_048, status: 0x90, data1: 63, data2: 9),
    ]
    let ended = plan.ending(at: 10_000)
    #expect(
      ended.instruments[0].plan.events == plan.instruments[0].plan.events.dropLast() + [
        MIDIEvent(frame: 10_048, status: 0x80, data1: 62, data2: 64),
        MIDIEvent(frame: 10_048, status: 0x81, data1: 61, data2: 64),
        MIDIEvent(frame: 10_048, status: 0xb1, data1: 64, data2: 0),
        MIDIEvent(frame: 10_048, status: 0xb1, data1: 66, data2: 0),
      ])
    #expect(ended.regions.allSatisfy { $0.frames.upperBound <= 10_000 || $0.frames.isEmpty })
    #expect(zip(ended.regions, plan.regions).allSatisfy { $0.frames == $1.frames.clamped(to: 0..<10_000) })
    #expect(testPlan().ending(at: TimelineFrame(1 << 40)).regions == testPlan().regions)
  }

  @Test("A port of a plan cut off at a frame has the note-offs of what sounds there, and of nothing else")
  func endingPort() {
    var plan = testPlan()
    plan.ports = [
      PlannedPort(
        trackID: 1, name: "Keys",
        events: [
          MIDIEvent(frame: 0, status: 0x90, data1: 60, data2: 90),
          MIDIEvent(frame: 64, status: 0x91, data1: 60, data2: 90),
          MIDIEvent(frame: 128, status: 0x80, data1: 60, data2: 1),
          MIDIEvent(frame: 10_000, status: 0x90, data1: 61, data2: 90),
          MIDIEvent(frame: 10_001, status: 0x80, data1: 61, data2: 2),
          MIDIEvent(frame: 20_000, status: 0x81, data1: 60, data2: 3),
          MIDIEvent(frame: 30_000, status: 0x91, data1: 60, data2: 90),
          MIDIEvent(frame: 40_000, status: 0x81, data1: 60, data2: 4),
        ])
    ]
    let events = plan.ports[0].events
    #expect(
      plan.ending(at: 10_000).ports[0].events
        == events.prefix(3) + [MIDIEvent(frame: 10_000, status: 0x81, data1: 60, data2: 3)])
    #expect(plan.ending(at: 50_000).ports[0].events == events)
  }

  @Test("A plan cut off at a frame gives the same bits before it", arguments: [1, 2])
  func endingBits(threadCount: Int) throws {
    let options = BounceOptions(range: 0..<20_000, threadCount: threadCount)
    let (whole, ended) = (MemorySink(), MemorySink())
    _ = try bouncer.bounce(testPlan(), to: whole, options: options)
    _ = try bouncer.bounce(testPlan().ending(at: 20_000), to: ended, options: options)
    #expect(whole.bits == ended.bits)
  }

  @Test("A bounce that is ended early stops, and its sink is finished", arguments: [1, 2])
  func enough(threadCount: Int) throws {
    let sink = MemorySink()
    let result = try bouncer.bounce(
      testPlan(), to: sink, options: BounceOptions(range: 0..<42_000, blockFrames: 1_000, threadCount: threadCount),
      isEnough: { sink.frameCount >= 7_000 })
    #expect(sink.isFinished && !sink.isCancelled)
    #expect(sink.frameCount == 7_000 && result.frameCount == 7_000)
  }
}
