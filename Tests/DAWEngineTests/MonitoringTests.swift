import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// Two tracks with a region each; track 1 hears its input, which goes through a trim, perhaps an effect, and the fader.
private struct MonitoredSong {
  var monitoring = InputMonitoring.input
  var gain: Float = 0.75
  /// Frames of look-ahead of a limiter on track 1 that is bypassed; `nil` for none.
  var lookAhead: Double?
  var hasRegion = true
  var regionGain: Float = 1
  var masterGain = Control.unity

  static let trim: Float = 0.5
  static let otherGain: Float = 0.625

  func plan(_ mix: SineMix) -> RenderPlan {
    let (strip, other, master) = (StripID(1), StripID(2), StripID(0))
    var plan = mix.plan(SineMix.Song())
    plan.bufferCount = 3
    func region(_ id: Int64, _ source: Int) -> PlannedRegion {
      PlannedRegion(
        regionID: id, source: source, frames: mix.frames, anchor: 0, channels: .one(0), gain: .constant(regionGain))
    }
    plan.regions = hasRegion ? [region(10, 0), region(11, 1)] : [region(11, 1)]
    plan.steps = [
      .clear(master, buffer: 0), .sumRegions(strip, 0..<plan.regions.count - 1, into: 1, width: .mono),
    ]
    if monitoring != .off {
      plan.steps.append(.monitor(strip, PlannedMonitoring(monitoring), buffer: 1, width: .mono))
    }
    plan.steps.append(.shape(strip, buffer: 1, width: .mono, StripShape(trim: .constant(Self.trim))))
    if let lookAhead {
      let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: lookAhead)
      plan.inserts = [
        PlannedInsert(
          effectID: 7, setup: setup, parameters: EffectKind.limiter.defaults.map { .constant($0) },
          share: .constant(0))
      ]
      plan.steps.append(.insert(strip, 0, buffer: 1, width: .mono, key: nil))
    }
    plan.steps += [
      .mix(
        Connection(from: strip, to: master), 1, width: .mono, into: 0, left: .constant(gain),
        right: .constant(gain / 2)),
      .sumRegions(other, plan.regions.count - 1..<plan.regions.count, into: 2, width: .mono),
      .mix(
        Connection(from: other, to: master), 2, width: .mono, into: 0, left: .constant(Self.otherGain),
        right: .constant(0)),
      .output(master, buffer: 0, left: masterGain, right: masterGain),
    ]
    return plan
  }
}

/// Noise that says which frame of the host it belongs to.
private func noise(_ frame: HostFrame) -> Float {
  Float(Int16(truncatingIfNeeded: frame.number &* 40_503 &+ frame.number >> 7)) / 32_768
}

/// An engine whose track 1 has an input.
private final class MonitoringStage {
  let stage: LiveStage
  let mix: SineMix
  let regions: [[Float]]
  let ring: CaptureRing
  let firstHostFrame: HostFrame
  private let sample: (HostFrame) -> Float

  init(seed: UInt64, _ blockFrames: ClosedRange<Int>, _ sample: @escaping (HostFrame) -> Float = noise) throws {
    mix = try SineMix(frameCount: 60_000, hertz: [90, 70])
    regions = try mix.samples()
    stage = LiveStage(seed: seed, blockFrames: blockFrames)
    ring = CaptureRing(channelCount: 1, frameCount: 1 << 18)
    self.sample = sample
    stage.driver.capture = (ring, { frame, _ in sample(frame) })
    stage.driver.inputTracks = [1: [0]]
    firstHostFrame = stage.driver.hostFrame
  }

  func publish(_ song: MonitoredSong) { stage.engine.publish(song.plan(mix)) }

  /// - Returns: the output's frame at which the timeline's frame 0 is played.
  func roll() -> Int {
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    while stage.engine.record.state != .rolling {
      stage.waitForStreams()
      stage.driver.playBlock(1)
    }
    return stage.driver.frameCount - stage.engine.record.nextFrame.number
  }

  func input(_ index: Int) -> Float { index < 0 ? 0 : sample(firstHostFrame + index) }

  /// - Parameter expected: the left sample at a frame of the output.
  func check(_ expected: (Int) -> Float, _ what: String, from first: Int = 0) {
    let wrong = (first..<stage.driver.frameCount).first { stage.driver.left[$0].bitPattern != expected($0).bitPattern }
    guard let wrong else { return }
    Issue.record("\(what): frame \(wrong) is \(stage.driver.left[wrong]), not \(expected(wrong))")
  }
}

/// A share that goes in 256 frames to where it is to be.
private struct ExpectedFade {
  var place: Int
  mutating func next(towards target: Bool) -> Float {
    defer { place += target ? min(1, 256 - place) : max(-1, -place) }
    return Float(place) / 256
  }
}

@Suite struct MonitoringTests {
  static let sizes = [1...1, 64...64, 1...300, 1...4_096]

  @Test(arguments: sizes, [InputMonitoring.input, .auto])
  func inputIsHeardWhileStopped(blockFrames: ClosedRange<Int>, monitoring: InputMonitoring) throws {
    let stage = try MonitoringStage(seed: Seed.current(), blockFrames)
    stage.publish(MonitoredSong(monitoring: monitoring, hasRegion: blockFrames.upperBound != 300))
    stage.stage.driver.play(1_000)
    stage.check(
      { 0 + stage.input($0) * (Float(min(256, $0)) / 256) * MonitoredSong.trim * 0.75 }, "\(blockFrames)")
  }

  @Test(arguments: sizes) func inputIsHeardInPlaceOfTheRegions(blockFrames: ClosedRange<Int>) throws {
    let stage = try MonitoringStage(seed: Seed.current(), blockFrames)
    stage.publish(MonitoredSong())
    stage.stage.driver.play(400)
    let start = stage.roll()
    stage.stage.driver.play(6_000)
    stage.check(
      {
        let heard = 0 + stage.input($0) * (Float(min(256, $0)) / 256) * MonitoredSong.trim * 0.75
        return $0 < start ? heard : heard + stage.regions[1][$0 - start] * MonitoredSong.otherGain
      }, "\(blockFrames)")
  }

  @Test(arguments: sizes) func autoIsHeardWhileItRecords(blockFrames: ClosedRange<Int>) throws {
    let stage = try MonitoringStage(seed: Seed.current(), blockFrames)
    stage.publish(MonitoredSong(monitoring: .auto))
    #expect(stage.stage.engine.send(.record(first: 1_000, end: 3_100)))
    stage.stage.driver.play(400)
    let start = stage.roll()
    stage.stage.driver.play(5_000)
    let end = stage.stage.driver.frameCount
    var auto = ExpectedFade(place: 256)
    let shares = (0..<end).map { index in
      auto.next(towards: index < start || (1_000..<3_100).contains(index - start))
    }
    stage.check(
      {
        let share = shares[$0]
        let faded = Float(min(256, $0)) / 256
        let region = $0 < start ? 0 : stage.regions[0][$0 - start]
        let strip = region * (1 - share) + stage.input($0) * (share * faded)
        let heard = 0 + strip * MonitoredSong.trim * 0.75
        return $0 < start ? heard : heard + stage.regions[1][$0 - start] * MonitoredSong.otherGain
      }, "\(blockFrames)")
  }

  @Test(arguments: sizes) func inputHasTheLatencyOfItsEffectsAlone(blockFrames: ClosedRange<Int>) throws {
    let stage = try MonitoringStage(seed: Seed.current(), blockFrames)
    let song = MonitoredSong(lookAhead: 5)
    stage.publish(song)
    let latency = song.plan(stage.mix).latency
    #expect(latency > 0)
    stage.stage.driver.play(1_000)
    let start = stage.roll()
    stage.stage.driver.play(3_000)
    stage.check(
      {
        let place = $0 - latency
        let heard = 0 + stage.input(place) * (Float(min(256, max(0, place))) / 256) * MonitoredSong.trim * 0.75
        return $0 < start ? heard : heard + stage.regions[1][$0 - start] * MonitoredSong.otherGain
      }, "\(blockFrames)")
  }

  @Test(arguments: sizes, [nil, 5]) func inputIsHeardThroughStopsAndLocates(
    blockFrames: ClosedRange<Int>, lookAhead: Double?
  ) throws {
    let stage = try MonitoringStage(seed: Seed.current(), blockFrames)
    let song = MonitoredSong(lookAhead: lookAhead)
    stage.publish(song)
    let latency = song.plan(stage.mix).latency
    stage.stage.driver.play(1_000)
    /// Frames of the output, the timeline's frame 0 in the output, and how many of them have faded.
    var heard: [(frames: Range<Int>, origin: Int)] = []
    var playhead = 0
    for target in [nil, 9_000, nil, 2_000] as [TimelineFrame?] {
      let origin: Int
      if stage.stage.engine.record.state == .stopped {
        origin = stage.roll()
      } else {
        #expect(stage.stage.driver.play(until: .rolling))
        origin = stage.stage.driver.frameCount - stage.stage.engine.record.nextFrame.number
      }
      stage.stage.driver.play(2_000)
      heard.append((origin + playhead..<stage.stage.driver.frameCount, origin))
      playhead = target?.number ?? stage.stage.engine.record.nextFrame.number
      #expect(stage.stage.engine.send(target.map { .locate($0) } ?? .stop))
      stage.stage.driver.play(target == nil ? 1_500 : 256)
      #expect(stage.stage.engine.record.state != .rolling)
    }
    stage.check(
      { index in
        let place = index - latency
        let input = 0 + stage.input(place) * (Float(min(256, max(0, place))) / 256) * MonitoredSong.trim * 0.75
        guard let passage = heard.last(where: { $0.frames.lowerBound <= index }) else { return input }
        let faded = max(0, index - passage.frames.upperBound)
        if faded >= 256 { return input }
        let region = stage.regions[1][index - passage.origin] * (1 - Float(faded) * (1 / 256))
        return input + region * MonitoredSong.otherGain
      }, "\(blockFrames)")
  }

  @Test func anEditWhileStoppedGoesInALine() throws {
    let stage = try MonitoringStage(seed: Seed.current(), 1...100)
    stage.publish(MonitoredSong(gain: 0.25))
    stage.stage.driver.play(1_000)
    stage.publish(MonitoredSong(gain: 0.75))
    stage.stage.driver.play(1_000)
    stage.check(
      {
        let share = Float(min(256, max(0, $0 - 1_000))) / 256
        let gain: Float = $0 < 1_256 ? 0.25 + 0.5 * share : 0.75
        return 0 + stage.input($0) * MonitoredSong.trim * gain
      }, "gain", from: 256)
    let number = stage.stage.engine.record.planNumber
    stage.publish(MonitoredSong(monitoring: .off))
    // It is offered once another thread has collected the first plan.
    while stage.stage.engine.record.planNumber == number { stage.stage.driver.playBlock(1) }
    stage.stage.driver.play(1_000)
    #expect(stage.stage.driver.left.suffix(700).allSatisfy { $0 == 0 })
  }

  @Test func samplesThatAreNoNumbersAreSilent() throws {
    let stage = try MonitoringStage(seed: Seed.current(), 64...64) { $0.number % 100 == 0 ? .nan : 0.5 }
    stage.publish(MonitoredSong(lookAhead: 2))
    stage.stage.driver.play(2_000)
    #expect(stage.stage.driver.left.allSatisfy { $0.isFinite })
    #expect(stage.stage.driver.left.contains { $0 > 0.1 })
    #expect(stage.stage.engine.record.invalidSampleCount == 20)
  }

  @Test func withoutAnInputTheRegionsAreSilentAllTheSame() throws {
    let stage = try MonitoringStage(seed: Seed.current(), 64...64)
    stage.stage.driver.inputTracks = [:]
    stage.publish(MonitoredSong())
    let start = stage.roll()
    stage.stage.driver.play(2_000)
    stage.check(
      { $0 < start ? 0 : 0 + stage.regions[1][$0 - start] * MonitoredSong.otherGain }, "no input")
  }

  @Test func whatIsRecordedIsWhatArrived() throws {
    let stage = try MonitoringStage(seed: Seed.current(), 1...500)
    stage.publish(MonitoredSong(lookAhead: 5))
    _ = stage.roll()
    stage.stage.driver.play(3_000)
    var index = 0
    while let run = stage.ring.takeRun(isLast: true) {
      let piece = stage.ring.samples(ofChannel: 0, at: run.index, frameCount: run.frameCount)
      for place in 0..<piece.count where piece.pointer[place] != stage.input(index + place) {
        Issue.record("frame \(index + place) is another")
        return
      }
      index += piece.count
      stage.ring.release(run)
    }
    #expect(index == stage.stage.driver.frameCount)
  }

  /// Where a slow sine comes in, any step is the engine's. The regions are silent, since they begin without a fade.
  @Test(arguments: [1...64, 256...256, 1...2_000])
  func nothingThatIsDoneMakesAClick(blockFrames: ClosedRange<Int>) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let sine = Signal.sine(frequency: 60, rate: 48_000, frames: 1 << 18, amplitude: 0.1)
    let stage = try MonitoringStage(seed: seed, blockFrames) { sine[$0.number % (1 << 18)] }
    let lane = Control.curves(gain: 1, [Curve([Curve.Point(5_000, 1), Curve.Point(25_000, 0.2)])])
    stage.publish(MonitoredSong(regionGain: 0))
    var log: [String] = []
    for _ in 0..<40 {
      stage.stage.waitForStreams()
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        log.append("start")
        #expect(stage.stage.engine.send(.start))
      case 1:
        log.append("stop")
        #expect(stage.stage.engine.send(.stop))
      case 2:
        log.append("locate")
        #expect(stage.stage.engine.send(.locate(TimelineFrame(Int.random(in: 0..<30_000, using: &random)))))
      case 3:
        let first = stage.stage.engine.record.nextFrame + Int.random(in: -500..<2_000, using: &random)
        log.append("record \(first)")
        #expect(stage.stage.engine.send(.record(first: first, end: first + Int.random(in: 0..<3_000, using: &random))))
      default:
        let song = MonitoredSong(
          monitoring: [.off, .input, .auto].randomElement(using: &random) ?? .auto,
          gain: .random(in: 0.2...1, using: &random), lookAhead: [nil, 1, 5].randomElement(using: &random) ?? nil,
          hasRegion: Bool.random(using: &random), regionGain: 0,
          masterGain: Bool.random(using: &random) ? lane : .unity)
        log.append("\(song)")
        stage.publish(song)
      }
      log.append("at \(stage.stage.driver.frameCount)")
      stage.stage.driver.play(Int.random(in: 1...2_500, using: &random))
    }
    let left = stage.stage.driver.left
    #expect((left.max() ?? 0) > 0.005)
    let step = zip(left, left.dropFirst()).enumerated().first { abs($0.1.0 - $0.1.1) > 0.004 }
    #expect(step == nil, "seed \(seed): frame \(step?.offset ?? 0), \(log)")
  }
}
