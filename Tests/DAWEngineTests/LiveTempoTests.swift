import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

@Test(arguments: [2.0, 0.5, 1.25, 0.75])
func aTempoEditTellsAnInstrumentEachNoteOnceAndAtItsPlace(slope: Double) throws {
  let seed = Seed.current()
  let tune = Tune()
  let stage = tune.stage(seed: seed, blockFrames: 1...700)
  // Not near the boundaries between the mapping's pieces, where rounding may go either way.
  var notes: [(key: UInt8, frames: Range<TimelineFrame>)] = []
  for key in UInt8(1)...110 {
    let start = TimelineFrame(Int(key) * 1_024 + 128)
    notes.append((key, start..<start + 512))
  }
  let moved = { (frame: TimelineFrame) in TimelineFrame(Int((Double(frame.number) * slope).rounded())) }
  let after = notes.map { (key: $0.key, frames: moved($0.frames.lowerBound)..<moved($0.frames.upperBound)) }
  stage.engine.publish(tune.plan(notes))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  stage.engine.publish(tune.plan(after), moved: moved)
  stage.driver.play(30_000)
  let record = stage.engine.record
  #expect(record.nextFrame == moved(20_000) + 30_000)
  #expect(record.lateFrameCount == 0)
  let told = tune.told.withLock { $0 }
  let struck = told.filter(\.beginsNote)
  #expect(struck.map(\.data1) == Array(1...UInt8(struck.count)), "seed \(seed): each once, and in order")
  #expect(struck.count > 20)
  let ended = told.filter(\.endsNote).map(\.data1)
  #expect(ended == Array(1...UInt8(ended.count)), "seed \(seed)")
  #expect(struck.count - ended.count <= 1, "seed \(seed): no two notes sound at once")
  // After the events sent before the edit, each event is at the frame where it is heard.
  let offset = record.nextFrame.number - record.rolledFrame.number
  let placed = struck.filter { $0.frame > 32_000 }
  #expect(placed.count > 5)
  for message in placed {
    let note = try #require(after.first { $0.key == message.data1 })
    #expect(message.frame == note.frames.lowerBound - offset, "seed \(seed), key \(note.key)")
  }
}

@Test func tempoEditsBeforeTheNextBlockAllMoveThePlayhead() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 700_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 0, end: 100_000)))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  let before = stage.engine.record
  stage.engine.publish(plan) { TimelineFrame(2 * $0.number) }
  stage.engine.publish(plan) { TimelineFrame(3 * $0.number) }
  // The tempo edit is not lost if another edit comes before the next block.
  stage.engine.publish(plan)
  stage.driver.play(10_000)
  var record = stage.engine.record
  #expect(record.nextFrame == TimelineFrame(6 * before.nextFrame.number + 10_000), "seed \(seed)")
  #expect(record.loop == 0..<600_000)
  // An edit that has been taken up is not applied again.
  stage.engine.publish(plan)
  stage.driver.play(1_000)
  stage.engine.publish(plan) { TimelineFrame($0.number / 2) }
  stage.driver.play(1_000)
  #expect(stage.engine.record.nextFrame == TimelineFrame((record.nextFrame.number + 1_000) / 2 + 1_000), "seed \(seed)")
  record = stage.engine.record
  #expect(record.loop == 0..<300_000)
  #expect(record.lateFrameCount == 0)
}

@Test func aPlayheadThatWrapsBeforeATempoEditIsTakenUpKeepsItsPlace() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 10_000, end: 100_000)))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(95_000)
  // Half the tempo from a place within the loop on: what comes before stays where it is.
  let moved = { (frame: TimelineFrame) in
    TimelineFrame(frame.number < 50_000 ? frame.number : 2 * frame.number - 50_000)
  }
  stage.engine.publish(plan, moved: moved) { _ in stage.driver.play(20_000) }
  #expect(stage.engine.record.nextFrame == 25_000, "seed \(seed): the plan is not taken up yet")
  stage.driver.play(1_000)
  let record = stage.engine.record
  #expect(record.nextFrame == 26_000, "seed \(seed)")
  #expect(record.loop == 10_000..<150_000)
}

@Test func aPlayheadAtTheLastFrameOfALoopStaysInItWhateverATempoEditRounds() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 10_000, end: 100_000)))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(99_999)
  // Both the last frame and the loop's end become frame 50,000.
  stage.engine.publish(plan, moved: { TimelineFrame(($0.number + 1) / 2) })
  stage.driver.play(1_001)
  let record = stage.engine.record
  #expect(record.loop == 5_000..<50_000)
  #expect(record.wrapCount == 1 && record.nextFrame == 6_000, "seed \(seed)")
  #expect(record.lateFrameCount == 0, "seed \(seed): the plan before wraps to its own loop's start")
}

@Test(arguments: [false, true])
func whatIsCommandedRightBeforeATempoEditIsMappedWithIt(isRolling: Bool) throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.locate(300_000)))
  stage.driver.play(100)
  stage.waitForStreams()
  if isRolling { #expect(stage.engine.send(.start)) }
  stage.driver.play(1_000)
  #expect(stage.engine.send(.locate(100_000)))
  #expect(stage.engine.send(.loop(first: 250_000, end: 350_000)))
  // Half the tempo from a place between the two.
  let isMapped = Monitor(false)
  let moved = { @Sendable (frame: TimelineFrame) -> TimelineFrame in
    isMapped.update { $0 = true }
    return TimelineFrame(frame.number < 200_000 ? frame.number : 2 * frame.number - 200_000)
  }
  let isPublished = Monitor(false)
  let engine = stage.engine
  Thread {
    engine.publish(plan, moved: moved)
    isPublished.update { $0 = true }
  }.start()
  // A mapping that does not wait for the commands is made before they are performed.
  _ = isMapped.wait(atMost: 0.2, for: { $0 ? true : nil })
  // The fade-out before the locate, too.
  stage.driver.play(400)
  #expect(isPublished.wait(atMost: LiveDriver.patience, for: { $0 ? true : nil }) == true)
  stage.driver.play(1_000)
  let record = stage.engine.record
  #expect(record.planNumber == 2, "seed \(seed)")
  #expect(record.nextFrame == TimelineFrame(100_000 + record.rolledFrame.number), "seed \(seed)")
  #expect(record.loop == 300_000..<500_000, "seed \(seed)")
}
