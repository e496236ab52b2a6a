import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWEngine

/// Consecutive notes, and a log of the events sent to the instrument.
final class Tune: Sendable {
  let told = Mutex<[MIDIEvent]>([])

  func plan(_ notes: [(key: UInt8, frames: Range<TimelineFrame>)]) -> RenderPlan {
    var events: [MIDIEvent] = []
    for note in notes {
      events.append(MIDIEvent(frame: note.frames.lowerBound, status: 0x90, data1: note.key, data2: 100))
      events.append(MIDIEvent(frame: note.frames.upperBound, status: 0x80, data1: note.key, data2: 0))
    }
    events.sort { ($0.frame, $0.status) < ($1.frame, $1.status) }
    let instrument = InstrumentPlan(
      soundFontPath: "", soundFontHash: "", bank: 0, program: 0, sampleRate: SampleRate(hertz: 48_000), events: events)
    return RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [],
      instruments: [PlannedInstrument(trackID: 7, plan: instrument)], regions: [],
      steps: [
        .clear(StripID(0), buffer: 0), .playInstrument(StripID(7), 0, into: 1),
        .mix(
          Connection(from: StripID(7), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.5),
          right: .constant(0.25)),
        .output(StripID(0), buffer: 0, left: .unity, right: .unity),
      ], bufferCount: 2, endFrame: 100_000)
  }

  func stage(
    seed: UInt64, blockFrames: ClosedRange<Int> = 1...2_048, _ change: (inout LiveOptions) -> Void = { _ in }
  ) -> LiveStage {
    let stage = LiveStage(
      seed: seed, blockFrames: blockFrames, change,
      makeProducer: { [self] plan in
        PulseInstrument(plan.events) { event in self.told.withLock { $0.append(event) } }
      })
    stage.driver.framesBetweenWaits = 2_000
    return stage
  }
}

@Test(arguments: [1...2_048, 64...64, 1...7])
func anInstrumentPlayedFromTheStartIsTheBounceToTheBit(blockFrames: ClosedRange<Int>) throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let notes = (0..<200).map { index in
    let start = TimelineFrame(index * 100) + Int.random(in: 0...99, using: &random)
    return (UInt8(index % 100 + 1), start..<(start + Int.random(in: 1...3_000, using: &random)))
  }
  let tune = Tune()
  let stage = tune.stage(seed: seed, blockFrames: blockFrames)
  let plan = tune.plan(notes)
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(plan, 20_000)), "seed \(seed)")
}

@Test func anInstrumentThatGoesRoundItsWindowIsTheBounceToTheBit() throws {
  let seed = Seed.current()
  let tune = Tune()
  // No block ends where the window does, so the pieces of a block come from its end and its beginning.
  let stage = tune.stage(seed: seed, blockFrames: 1_000...1_000)
  let count = InstrumentStream.capacity + 10_000
  let plan = tune.plan([(60, 0..<TimelineFrame(count))])
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(count)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(plan, count)), "seed \(seed)")
}

@Test func anInstrumentPlaysThroughLoopsWithoutHangingNotes() throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed)
  // One note within the loop, one cut by the loop's end.
  stage.engine.publish(tune.plan([(60, 1_000..<2_000), (62, 5_500..<9_000)]))
  #expect(stage.engine.send(.loop(first: 0, end: 6_000)))
  stage.driver.playBlock(1)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(18_000)
  let told = tune.told.withLock { $0 }.filter { $0.frame < 18_000 }
  let expected = (0..<3).flatMap { pass -> [MIDIEvent] in
    let start = TimelineFrame(pass * 6_000)
    let cut = pass == 0 ? [] : [MIDIEvent(frame: start, status: 0x80, data1: 62, data2: 0)]
    return cut + [
      MIDIEvent(frame: start + 1_000, status: 0x90, data1: 60, data2: 100),
      MIDIEvent(frame: start + 2_000, status: 0x80, data1: 60, data2: 0),
      MIDIEvent(frame: start + 5_500, status: 0x90, data1: 62, data2: 100),
    ]
  }
  #expect(told == expected)
  #expect(stage.engine.record.lateFrameCount == 0)
}

@Test func aLoopBringsBackWhatTheInstrumentHadBeforeAProgramChange() throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed)
  var plan = tune.plan([(60, 1_000..<2_000)])
  plan.instruments[0].plan.program = 5
  plan.instruments[0].plan.events += [
    MIDIEvent(frame: 3_000, status: 0xc0, data1: 48, data2: 0),
    MIDIEvent(frame: 3_000, status: 0xb0, data1: 7, data2: 30),
  ]
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 500, end: 6_500)))
  stage.driver.playBlock(1)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(12_000)
  let told = tune.told.withLock { $0 }
  func sent(_ frame: TimelineFrame) -> [[UInt8]] {
    told.filter { $0.frame == frame }.map { [$0.status, $0.data1, $0.data2] }
  }
  let own: [[UInt8]] = [[0xb0, 0, 0], [0xb0, 32, 0], [0xc0, 5, 0], [0xb0, 7, 100]]
  let changed: [[UInt8]] = [[0xc0, 48, 0], [0xb0, 7, 30]]
  #expect(sent(0) == own && sent(3_000) == changed)
  #expect(sent(6_500) == own && sent(9_000) == changed)
  // What sets nothing stays as it is.
  let plain = tune.plan([(60, 1_000..<2_000)])
  #expect(plain.withOwnSettings.instruments[0].plan.sequence === plain.instruments[0].plan.sequence)
}

@Test func anEditEndsWhatItRemovesAndGoesOn() throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed, blockFrames: 64...64)
  stage.engine.publish(tune.plan([(60, 0..<50_000), (64, 0..<50_000)]))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(4_096)
  tune.told.withLock { $0 = [] }
  stage.engine.publish(tune.plan([(60, 0..<50_000), (67, 20_000..<30_000)]))
  stage.driver.play(40_000)
  let told = tune.told.withLock { $0 }
  #expect(told.first?.status == 0x80 && told.first?.data1 == 64, "the note that is gone ends at once")
  #expect((told.first?.frame ?? .max) < 12_000)
  #expect(told.dropFirst().map(\.data1) == [67, 67], "and the other sounds on, in the same instrument")
  #expect(stage.engine.record.lateFrameCount == 0)
}

@Test func anInstrumentThatComesWhileItRollsIsThereInTime() throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed)
  var silent = tune.plan([])
  silent.instruments = []
  silent.steps = [.clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: .unity, right: .unity)]
  stage.engine.publish(silent)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  stage.engine.publish(tune.plan([(60, 0..<50_000)]))
  stage.driver.play(5_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(stage.driver.left.suffix(1_000).allSatisfy { $0 > 0 }, "the note that sounds across is struck")
  #expect(tune.told.withLock { $0.map(\.data1) } == [60])
}

@Test func tooManyInstrumentsAreReported() throws {
  let tune = Tune()
  var plan = tune.plan([(60, 0..<50_000)])
  plan.instruments.append(PlannedInstrument(trackID: 8, plan: plan.instruments[0].plan))
  plan.steps.insert(
    contentsOf: [
      .playInstrument(StripID(8), 1, into: 1),
      .mix(
        Connection(from: StripID(8), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.5),
        right: .constant(0.25)),
    ], at: plan.steps.count - 1)
  let stage = tune.stage(seed: 1) { $0.instrumentCount = 1 }
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.takeProblems() == [.tooManyInstruments(limit: 1)])
  #expect(stage.engine.send(.start))
  stage.driver.play(5_000)
  #expect(stage.driver.left.contains { $0 != 0 }, "the first one plays")
  #expect(stage.engine.takeProblems().isEmpty, "it is said once")
}

/// An instrument that blocks in its first frames until the gate is opened.
private final class HesitantInstrument: EventPlayer {
  final class Gate: Sendable {
    let entered = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)
    let gone = DispatchSemaphore(value: 0)
  }
  private let gate: Gate
  private var hasWaited = false

  init(_ gate: Gate) { self.gate = gate }

  deinit { gate.gone.signal() }

  func play(_ event: MIDIEvent) {}

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    if !hasWaited {
      gate.entered.signal()
      gate.opened.wait()
      hasWaited = true
    }
    left.update(repeating: 99, count: frameCount)
    right.update(repeating: 99, count: frameCount)
  }
}

@Test func anInstrumentThatIsGoneWhileItRendersDisturbsNoOther() throws {
  let seed = Seed.current()
  let gate = HesitantInstrument.Gate()
  let stage = LiveStage(
    seed: seed, blockFrames: 1...2_048, { $0.instrumentThreadCount = 2 },
    makeProducer: { plan -> any EventPlayer in
      if plan.program == 0 { HesitantInstrument(gate) } else { PulseInstrument(plan.events) }
    })
  stage.driver.framesBetweenWaits = 2_000
  // Its thread must not block forever, even if the test fails.
  defer { gate.opened.signal() }
  func plan(program: Int) -> RenderPlan {
    var plan = Tune().plan([(60, 0..<50_000)])
    plan.instruments[0].plan.program = program
    return plan
  }
  stage.engine.publish(plan(program: 0))
  gate.entered.wait()
  // No block is processed, so each plan is freed when the next one is published, and its instrument with it.
  stage.engine.publish(plan(program: 1))
  let last = plan(program: 2)
  stage.engine.publish(last)
  stage.engine.waitForStreams()
  gate.opened.signal()
  gate.gone.wait()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(last, 20_000)), "seed \(seed)")
}
