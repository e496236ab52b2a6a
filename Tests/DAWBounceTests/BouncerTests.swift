import DAWBounce
import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

private let whole = BounceOptions(range: 0..<42_000)

@Test(arguments: [64, 333, 1_023, 4_096, 65_536], [1, 2, 5])
func blockSizeAndThreadsDoNotChangeABit(blockFrames: Int, threadCount: Int) throws {
  let options = BounceOptions(range: whole.range, blockFrames: blockFrames, threadCount: threadCount)
  #expect(try bounced(options) == bounced(whole))
}

/// Threads that write their blocks into the file themselves.
@Test(arguments: [1, 2, 5], [PlacedFrames.maximumFrames, 1_000])
func threadsThatWriteThemselvesChangeNoByte(threadCount: Int, blockFrames: Int) throws {
  let folder = try TemporaryFolder()
  let format = AudioFileFormat(
    container: .wave, encoding: .int24, sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
  // Not from the song's start, so that the file's frames differ from the timeline's.
  let range: Range<TimelineFrame> = 1_001..<42_000
  func file(_ name: String, _ options: BounceOptions) throws -> ([UInt8], BounceResult, SignalStatistics) {
    let sink = AnalysisStage(next: try audioFileSink(at: Place(path: folder.path(name)), format: format))
    let result = try bouncer.bounce(testPlan(), to: sink, options: options)
    #expect(sink.frameCount == Int64(range.count))
    return (try folder.bytes(of: name), result, sink.statistics)
  }
  let alone = try file("alone.wav", BounceOptions(range: range))
  let together = try file(
    "together.wav", BounceOptions(range: range, blockFrames: blockFrames, threadCount: threadCount))
  #expect(together.0 == alone.0)
  #expect(together.1.peak == alone.1.peak && together.1.clippedSampleCount == alone.1.clippedSampleCount)
  #expect(together.2 == alone.2)

  let broken = BounceOptions(range: range, blockFrames: blockFrames, threadCount: threadCount)
  let sink = try audioFileSink(at: Place(path: folder.path("broken.wav")), format: format)
  #expect {
    try bouncer.bounce(testPlan(brokenSource: true), to: sink, options: broken)
  } throws: { if case BounceError.stream(.cutShort("/broken", _)) = $0 { true } else { false } }
  #expect(try folder.names() == ["alone.wav", "together.wav"])
}

@Test(arguments: [1, 17])
func tinyBlocksDoNotChangeABit(blockFrames: Int) throws {
  let range: Range<TimelineFrame> = 19_000..<19_800
  let options = BounceOptions(range: range, blockFrames: blockFrames, threadCount: 2)
  #expect(try bounced(options) == bounced(BounceOptions(range: range)))
}

@Test(arguments: [1, 2])
func aRangeEqualsItsCutInstrumentsIncluded(threadCount: Int) throws {
  let range: Range<TimelineFrame> = 10_001..<33_333
  let cut = try bounced(whole).map { Array($0[range.lowerBound.number..<range.upperBound.number]) }
  #expect(try bounced(BounceOptions(range: range, threadCount: threadCount)) == cut)
  #expect(try bounced(BounceOptions(range: range, startsCold: true, threadCount: threadCount)) != cut)
}

@Test func theResultHasTheCountsOfWhatWasWritten() throws {
  let sink = MemorySink()
  let result = try bouncer.bounce(testPlan(), to: sink, options: whole)
  #expect(result.frameCount == 42_000)
  #expect(sink.left.count == 42_000)
  #expect(result.peak == (sink.left + sink.right).map(abs).max())
  #expect(result.clippedSampleCount == (sink.left + sink.right).count { abs($0) > 1 })
  #expect(result.invalidSampleCount == 0)
  #expect(sink.isFinished && !sink.isCancelled)
}

@Test func overflowingSamplesAreSilentAndCounted() throws {
  var plan = testPlan()
  plan.steps[plan.steps.count - 1] = .output(
    StripID(0), buffer: 0, left: .constant(.greatestFiniteMagnitude), right: .unity)
  plan.steps[6] = .mix(
    Connection(from: StripID(3), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(1_000), right: .unity)
  let sink = MemorySink()
  let result = try bouncer.bounce(plan, to: sink, options: whole)
  #expect(result.invalidSampleCount > 0)
  #expect(sink.left.allSatisfy { $0.isFinite })
}

@Test func silenceIsPlusZero() throws {
  let sink = MemorySink()
  let result = try bouncer.bounce(testPlan(), to: sink, options: BounceOptions(range: 0..<50))
  #expect(result.peak == 0)
  #expect(sink.bits.allSatisfy { $0.allSatisfy { $0 == 0 } })
}

@Test(arguments: [1, 2])
func aCancelledBounceLeavesNothing(threadCount: Int) throws {
  let sink = MemorySink()
  var written: Int64 = 0
  let options = BounceOptions(range: whole.range, blockFrames: 1_000, threadCount: threadCount)
  #expect {
    try bouncer.bounce(
      testPlan(), to: sink, options: options, progress: { written = $0 }, isCancelled: { written >= 7_000 })
  } throws: { if case BounceError.cancelled = $0 { true } else { false } }
  #expect(written == 7_000)
  #expect(sink.isCancelled && !sink.isFinished)
}

@Test(arguments: [1, 2])
func aFailureIsNamedAndTheSinkCancelled(threadCount: Int) throws {
  let options = BounceOptions(range: whole.range, blockFrames: 1_000, threadCount: threadCount)
  let broken = MemorySink()
  #expect {
    try bouncer.bounce(testPlan(brokenSource: true), to: broken, options: options)
  } throws: { if case BounceError.stream(.cutShort("/broken", _)) = $0 { true } else { false } }
  #expect(broken.isCancelled && !broken.isFinished)

  let full = MemorySink(capacity: 20_000)
  #expect {
    try bouncer.bounce(testPlan(), to: full, options: options)
  } throws: { if case BounceError.sink(.exists("/full")) = $0 { true } else { false } }
  #expect(full.isCancelled && !full.isFinished)

  let mute = Bouncer(
    makeProducer: { _ in throw CocoaError(.fileNoSuchFile) },
    openReader: { (source) throws(StreamError) in FakeReader(source) })
  let sink = MemorySink()
  #expect { try mute.bounce(testPlan(), to: sink, options: options) } throws: {
    if case BounceError.stream(.instrument("/gm.sf2", _)) = $0 { true } else { false }
  }
  #expect(sink.isCancelled)
}

@Test func chasingKeepsSettingsAndStrikesSoundingNotes() {
  func event(_ frame: TimelineFrame, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> MIDIEvent {
    MIDIEvent(frame: frame, status: status, data1: data1, data2: data2)
  }
  var plan = testPlan().instruments[0].plan
  plan.events = [
    event(0, 0xb0, 7, 10), event(64, 0xb0, 7, 90), event(64, 0xc0, 5, 0), event(128, 0x90, 60, 80),
    event(128, 0x90, 64, 80), event(256, 0x80, 64, 0), event(640, 0x90, 67, 70), event(704, 0x80, 60, 0),
  ]
  #expect(
    plan.begun(at: 650).events == [
      event(0, 0xb0, 7, 90), event(0, 0xc0, 5, 0), event(0, 0x90, 60, 80), event(0, 0x90, 67, 70),
      event(64, 0x80, 60, 0),
    ])
  #expect(plan.begun(at: 0) == plan)
  #expect(plan.begun(at: 650, chases: false).events == [event(0, 0x90, 67, 70), event(64, 0x80, 60, 0)])
}

@Test func chasingKeepsBanksRegisteredParametersAndSystemExclusiveMessages() {
  func event(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, at frame: TimelineFrame = 0) -> MIDIEvent {
    MIDIEvent(frame: frame, status: status, data1: data1, data2: data2)
  }
  var plan = testPlan().instruments[0].plan
  plan.systemExclusive = [[0xf0, 1, 0xf7], [0xf0, 0x7e, 0x7f, 9, 1, 0xf7]]
  plan.events = [
    event(0xb0, 7, 5), MIDIEvent(frame: 0, bytesIndex: 0), MIDIEvent(frame: 0, bytesIndex: 1), event(0xb0, 0, 1),
    event(0xb0, 32, 2), event(0xc0, 9, 0), event(0xb0, 101, 0), event(0xb0, 100, 0), event(0xb0, 6, 12),
    event(0xe0, 0, 127), event(0xd0, 3, 0), event(0xb0, 0, 4, at: 64), event(0x90, 60, 80, at: 640),
  ]
  let chased = plan.begun(at: 640)
  #expect(
    chased.events == [
      MIDIEvent(frame: 0, bytesIndex: 0), MIDIEvent(frame: 0, bytesIndex: 1), event(0xb0, 0, 1), event(0xb0, 32, 2),
      event(0xc0, 9, 0), event(0xb0, 101, 0), event(0xb0, 100, 0), event(0xb0, 6, 12), event(0xe0, 0, 127),
      event(0xd0, 3, 0), event(0xb0, 0, 4), event(0x90, 60, 80),
    ])
  #expect(chased.begun(at: 0) == chased)
}
