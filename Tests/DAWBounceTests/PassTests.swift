import DAWBounce
import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite struct PassTests {
  private static let range: Range<TimelineFrame> = 500..<30_500

  /// Instruments and files on strips that feed the master and buses, in random order.
  private static func plan(instruments: Int, seed: UInt64) -> RenderPlan {
    var random = SeededGenerator(seed: seed)
    var plan = testPlan()
    plan.instruments = (0..<instruments).map { number in
      var plan = testPlan().instruments[0].plan
      plan.program = number
      plan.events = (0..<5).map { _ in
        MIDIEvent(
          frame: .random(in: 0..<30_000, using: &random), status: 0x90, data1: 60,
          data2: .random(in: 1...127, using: &random))
      }.sorted { $0.frame < $1.frame }
      return PlannedInstrument(trackID: Int64(number), plan: plan, isParked: number == 3)
    }
    // Buffer 0 is the master, 1 and 2 are buses, 3 a strip that is read again at the end, 4 the other strips.
    let buses = [StripID(100), StripID(101)]
    plan.steps = [
      .clear(StripID(0), buffer: 0), .clear(buses[0], buffer: 1), .clear(buses[1], buffer: 2),
      .sumRegions(StripID(102), 0..<2, into: 3, width: .mono),
    ]
    func mix(_ strip: StripID, _ buffer: Int, _ width: ChannelWidth = .stereo, into target: Int) {
      plan.steps.append(
        .mix(
          Connection(from: strip, to: StripID(Int64(target))), buffer, width: width, into: target,
          left: .constant(.random(in: -1...1, using: &random)), right: .constant(.random(in: 0...1, using: &random))))
    }
    for number in 0..<instruments where number != 3 {
      let strip = StripID(Int64(number))
      plan.steps.append(.playInstrument(strip, number, into: 4))
      if number.isMultiple(of: 3) {
        plan.steps.append(
          .shape(
            strip, buffer: 4, width: .stereo,
            StripShape(trim: .constant(0.5), invertsLeft: true, stereoWidth: .constant(0.3))))
      }
      for target in 0...2 where Bool.random(using: &random) { mix(strip, 4, into: target) }
      if number == instruments / 2 { mix(StripID(102), 3, .mono, into: 1) }
    }
    mix(StripID(102), 3, .mono, into: 2)
    plan.steps.append(.shape(buses[0], buffer: 1, width: .stereo, StripShape(invertsLeft: true)))
    mix(buses[0], 1, into: 2)
    mix(buses[0], 1, into: 0)
    mix(buses[1], 2, into: 0)
    plan.steps.append(.output(StripID(0), buffer: 0, left: .constant(0.9), right: .unity))
    plan.bufferCount = 5
    return plan
  }

  private static func bounce(_ plan: RenderPlan, _ options: BounceOptions) throws -> [[UInt32]] {
    let sink = MemorySink()
    let result = try bouncer.bounce(plan, to: sink, options: options)
    #expect(result.frameCount == Int64(range.count))
    return sink.bits
  }

  @Test(arguments: [1, 2, 5, 11], [1, 3])
  func passesDoNotChangeABit(limit: Int, threadCount: Int) throws {
    let seed = Seed.current()
    let folder = try TemporaryFolder()
    let plan = Self.plan(instruments: 12, seed: seed)
    let whole = try Self.bounce(plan, BounceOptions(range: Self.range))
    for blockFrames in [333, 4_096, PlacedFrames.maximumFrames] {
      let options = BounceOptions(
        range: Self.range, blockFrames: blockFrames, threadCount: threadCount, instrumentLimit: limit,
        spoolFolder: Place(path: folder.path("Cache")))
      #expect(try Self.bounce(plan, options) == whole, "blocks of \(blockFrames), seed \(seed)")
    }
    #expect(try folder.names() == ["Cache"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("Cache")).isEmpty)
  }

  @Test(arguments: [1, 2, 5], [1, 2])
  func passesWithEffectsDoNotChangeABit(limit: Int, threadCount: Int) throws {
    let seed = Seed.current()
    let plans = try EffectPlans()
    let plan = plans.plan(strips: 8, seed: seed)
    for range in [0..<9_000, 2_500..<7_300] as [Range<TimelineFrame>] {
      for startsCold in [false, true] {
        func bounce(_ options: BounceOptions) throws -> [[UInt32]] {
          let sink = MemorySink()
          _ = try bouncer.bounce(plan, to: sink, options: options)
          return sink.bits
        }
        let whole = try bounce(BounceOptions(range: range, startsCold: startsCold))
        let options = BounceOptions(
          range: range, startsCold: startsCold, blockFrames: [1_000, PlacedFrames.maximumFrames][limit % 2],
          threadCount: threadCount, instrumentLimit: limit, spoolFolder: Place(path: plans.folder.path("Cache")))
        #expect(try bounce(options) == whole, "\(range), cold \(startsCold), seed \(seed)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: plans.folder.path("Cache")).isEmpty)
  }

  @Test func aPassHasNoMoreStagesThanTheLimit() throws {
    let plans = try EffectPlans()
    for seed: UInt64 in 0..<20 {
      let plan = plans.plan(strips: 12, chance: 9, seed: seed)
      let passes = plan.passes(atMost: 2, stages: 3)
      #expect(passes.count > 3)
      #expect(passes.reduce(0) { $0 + $1.plan.instruments.count } == plan.instruments.count)
      #expect(passes.reduce(0) { $0 + $1.plan.inserts.count } == plan.inserts.count)
      for pass in passes {
        #expect(pass.plan.instruments.count <= 2, "seed \(seed)")
        // The strip that a pass begins with has two parts at most, and the buses and the master come with the last one.
        let parts = pass.plan.staged(givenCount: pass.streams.count).parts.count
        #expect(parts <= 3 || pass.kept.isEmpty && parts <= 6, "seed \(seed)")
      }
    }
  }

  @Test func instrumentsOfStripsWithEffectsAreInMemoryInOnePassAlone() throws {
    let plans = try EffectPlans()
    let alive = Monitor((now: 0, most: 0, made: 0))
    let counting = Bouncer(
      makeProducer: { CountedInstrument(FakeInstrument($0), alive) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    let options = BounceOptions(
      range: 0..<9_000, threadCount: 2, instrumentLimit: 2, spoolFolder: Place(path: plans.folder.path("Cache")))
    _ = try counting.bounce(plans.plan(strips: 14, chance: 9, seed: 4), to: MemorySink(), options: options)
    let found = alive.update { $0 }
    #expect(found.now == 0 && found.most <= 2 && found.made == 7)
  }

  @Test func noMoreInstrumentsThanTheLimitAreInMemory() throws {
    let folder = try TemporaryFolder()
    let alive = Monitor((now: 0, most: 0, made: 0))
    let counting = Bouncer(
      makeProducer: { CountedInstrument(FakeInstrument($0), alive) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    let options = BounceOptions(
      range: Self.range, threadCount: 2, instrumentLimit: 3, spoolFolder: Place(path: folder.path("Cache")))
    _ = try counting.bounce(Self.plan(instruments: 12, seed: 1), to: MemorySink(), options: options)
    let found = alive.update { $0 }
    // One of the twelve is parked.
    #expect(found.now == 0 && found.most <= 3 && found.made == 11)
  }

  @Test(arguments: [1, 5], [1, 3])
  func directOutsAreTakenInThePassThatCompletesThem(limit: Int, threadCount: Int) throws {
    let seed = Seed.current()
    let folder = try TemporaryFolder()
    var plan = Self.plan(instruments: 12, seed: seed)
    for (place, step) in plan.steps.enumerated().reversed() {
      guard case .playInstrument(let strip, let number, let buffer) = step else { continue }
      let out = StripID(strip.trackID, .directOut)
      plan.steps.insert(
        .mix(
          Connection(from: strip, to: out), buffer, width: .stereo, into: 5 + number, left: .constant(0.5),
          right: .unity), at: place + 1)
      plan.steps.insert(.clear(out, buffer: 5 + number), at: place)
      plan.directOuts.append(DirectOut(trackID: strip.trackID, buffer: 5 + number))
    }
    plan.bufferCount = 5 + 12
    // Buses, to which every pass adds.
    plan.directOuts += [DirectOut(trackID: 100, buffer: 1), DirectOut(trackID: 101, buffer: 2)]
    let alive = Monitor((now: 0, most: 0, made: 0))
    let counting = Bouncer(
      makeProducer: { CountedInstrument(FakeInstrument($0), alive) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    func bounce(_ options: BounceOptions) throws -> (mix: [[UInt32]], outs: [Int64: [[UInt32]]], sinks: Int) {
      var sinks: [(tracks: [Int64], sink: WideSink)] = []
      let mix = MemorySink()
      _ = try counting.bounce(
        plan, to: mix,
        directOuts: { tracks in
          let sink = WideSink(channelCount: 2 * tracks.count)
          sinks.append((tracks, sink))
          return sink
        }, options: options)
      var outs: [Int64: [[UInt32]]] = [:]
      for (tracks, sink) in sinks {
        for (place, track) in tracks.enumerated() {
          outs[track] = bits(Array(sink.channels[2 * place..<2 * place + 2]))
        }
      }
      return (mix.bits, outs, sinks.count)
    }
    let whole = try bounce(BounceOptions(range: Self.range))
    #expect(whole.sinks == 1 && whole.outs.count == 13)
    #expect(whole.outs.values.allSatisfy { $0.allSatisfy { $0.count == Self.range.count } })
    #expect(try whole.mix == Self.bounce(plan, BounceOptions(range: Self.range)))
    alive.update { $0 = (0, 0, 0) }
    let passed = try bounce(
      BounceOptions(
        range: Self.range, blockFrames: 4_096, threadCount: threadCount, instrumentLimit: limit,
        spoolFolder: Place(path: folder.path("Cache"))))
    #expect(passed.mix == whole.mix && passed.outs == whole.outs, "seed \(seed)")
    let found = alive.update { $0 }
    #expect(passed.sinks > 1 && found.now == 0 && found.most <= limit)
  }

  @Test func whereNothingCanBeKeptThereIsOnePass() throws {
    let plan = Self.plan(instruments: 6, seed: 2)
    let whole = try Self.bounce(plan, BounceOptions(range: Self.range))
    for place in [nil, Place(path: "/proc/none")] {
      let options = BounceOptions(range: Self.range, instrumentLimit: 1, spoolFolder: place)
      #expect(try Self.bounce(plan, options) == whole)
    }
  }

  @Test(arguments: [1, 2])
  func aBounceThatEndsEarlyLeavesNothing(threadCount: Int) throws {
    let folder = try TemporaryFolder()
    let options = BounceOptions(
      range: Self.range, blockFrames: 1_000, threadCount: threadCount, instrumentLimit: 2,
      spoolFolder: Place(path: folder.path("Cache")))
    let sink = MemorySink()
    var done: Int64 = 0
    #expect {
      try bouncer.bounce(
        Self.plan(instruments: 9, seed: 3), to: sink, options: options, progress: { done = $0 },
        isCancelled: { done > 16_000 })
    } throws: { if case BounceError.cancelled = $0 { true } else { false } }
    #expect(sink.isCancelled && sink.left.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("Cache")).isEmpty)
  }
}

/// Keeps what it gets, side by side.
private final class WideSink: AudioFileSink {
  let format: AudioFileFormat
  private(set) var channels: [[Float]]
  var frameCount: Int64 { Int64(channels.first?.count ?? 0) }
  var clippedSampleCount: Int64 { 0 }

  init(channelCount: Int) {
    format = AudioFileFormat(
      container: .wave, encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: channelCount)
    channels = Array(repeating: [], count: channelCount)
  }

  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) {
    let count = channels.count
    for index in 0..<frameCount * count { channels[index % count].append(samples[index]) }
  }

  func append(planar sides: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int) {
    for (channel, side) in sides.enumerated() {
      channels[channel] += UnsafeBufferPointer(start: side, count: frameCount)
    }
  }

  func finish() {}
  func cancel() {}
}

/// Counts the instruments that are alive.
private final class CountedInstrument: StreamProducer {
  private let producer: FakeInstrument
  private let alive: Monitor<(now: Int, most: Int, made: Int)>

  init(_ producer: FakeInstrument, _ alive: Monitor<(now: Int, most: Int, made: Int)>) {
    self.producer = producer
    self.alive = alive
    alive.update { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.made + 1) }
  }

  deinit { alive.update { $0.now -= 1 } }

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    producer.produce(frameCount: frameCount, left: left, right: right)
  }
}
