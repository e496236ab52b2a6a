import DAWBounce
import DAWEngine
import DAWTestSupport
import DAWTime
import Foundation

/// Random plans with effects, over files that are there: a render is kept only of files that can be examined.
struct EffectPlans {
  let folder: TemporaryFolder
  /// Buffers: the master, two buses, a strip that is listened to, the others in turn, one behind a fader, a side chain.
  private enum Buffer { static let (master, buses, listened, strip, post, key) = (0, [1, 2], 3, 4, 5, 6) }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.write([1, 2, 3], to: name) }
  }

  /// Strips of instruments and recordings into buses and the master, with effects on all of these.
  /// - Parameter chance: of an effect, in ten, where there may be one.
  func plan(strips: Int, frames: Int = 9_000, chance: Int = 6, seed: UInt64) -> RenderPlan {
    var random = SeededGenerator(seed: seed)
    var plan = testPlan()
    plan.instruments = []
    plan.regions = []
    plan.steps = []
    plan.bufferCount = 7
    plan.endFrame = TimelineFrame(frames)
    for index in plan.sources.indices { plan.sources[index].path = folder.path(["a", "b"][index]) }
    plan.steps = [Buffer.master, 1, 2].map { .clear(StripID(Int64($0)), buffer: $0) }
    addRegions(to: &plan, StripID(3), Buffer.listened, frames, using: &random)
    addEffects(to: &plan, StripID(3), Buffer.listened, .mono, chance, isListening: false, using: &random)
    for number in 0..<strips {
      let strip = StripID(Int64(number + 10))
      var width = ChannelWidth.mono
      if number.isMultiple(of: 2) {
        addInstrument(to: &plan, strip, frames, using: &random)
        width = .stereo
      } else {
        addRegions(to: &plan, strip, Buffer.strip, frames, using: &random)
      }
      if number.isMultiple(of: 3) {
        let shape = StripShape(
          trim: .constant(0.5), invertsLeft: true, stereoWidth: width == .mono ? nil : .constant(0.3))
        plan.steps.append(.shape(strip, buffer: Buffer.strip, width: width, shape))
      }
      width = addEffects(to: &plan, strip, Buffer.strip, width, chance, isListening: true, using: &random)
      if number % 4 == 1 {
        let post = StripID(strip.trackID, .postFader)
        plan.steps.append(.clear(post, buffer: Buffer.post))
        mix(&plan, strip, Buffer.strip, width, into: Buffer.post, using: &random)
        addEffects(to: &plan, post, Buffer.post, .stereo, 10, isListening: true, using: &random)
        mix(&plan, post, Buffer.post, .stereo, into: Buffer.master, using: &random)
      } else {
        for target in 0...2 where target == number % 3 || Bool.random(using: &random) {
          mix(&plan, strip, Buffer.strip, width, into: target, using: &random)
        }
      }
    }
    mix(&plan, StripID(3), Buffer.listened, .mono, into: Buffer.master, using: &random)
    for bus in Buffer.buses {
      addEffects(to: &plan, StripID(Int64(bus)), bus, .stereo, chance, isListening: true, using: &random)
      if bus == 1 { mix(&plan, StripID(1), 1, .stereo, into: 2, using: &random) }
      mix(&plan, StripID(Int64(bus)), bus, .stereo, into: Buffer.master, using: &random)
    }
    addEffects(to: &plan, StripID(0), Buffer.master, .stereo, chance, isListening: true, using: &random)
    plan.steps.append(.output(StripID(0), buffer: Buffer.master, left: .constant(0.9), right: .unity))
    return plan
  }

  private func addInstrument(
    to plan: inout RenderPlan, _ strip: StripID, _ frames: Int, using random: inout SeededGenerator
  ) {
    var instrument = testPlan().instruments[0]
    instrument.trackID = strip.trackID
    instrument.plan.program = plan.instruments.count
    instrument.plan.events = (0..<4).map { _ in
      MIDIEvent(
        frame: TimelineFrame(.random(in: 0..<frames, using: &random)), status: 0x90, data1: 60,
        data2: .random(in: 1...127, using: &random))
    }.sorted { $0.frame < $1.frame }
    plan.steps.append(.playInstrument(strip, plan.instruments.count, into: Buffer.strip))
    plan.instruments.append(instrument)
  }

  private func addRegions(
    to plan: inout RenderPlan, _ strip: StripID, _ buffer: Int, _ frames: Int, using random: inout SeededGenerator
  ) {
    let first = plan.regions.count
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let lower = TimelineFrame(Int.random(in: 0..<frames, using: &random))
      plan.regions.append(
        PlannedRegion(
          regionID: Int64(plan.regions.count), source: .random(in: 0...1, using: &random),
          frames: lower..<lower + Int.random(in: 1...frames, using: &random), anchor: lower - 100, channels: .one(0),
          gain: control(using: &random)))
    }
    plan.steps.append(.sumRegions(strip, first..<plan.regions.count, into: buffer, width: .mono))
  }

  private func mix(
    _ plan: inout RenderPlan, _ strip: StripID, _ buffer: Int, _ width: ChannelWidth, into target: Int,
    using random: inout SeededGenerator
  ) {
    plan.steps.append(
      .mix(
        Connection(from: strip, to: StripID(Int64(target))), buffer, width: width, into: target,
        left: control(using: &random), right: control(using: &random)))
  }

  private func control(using random: inout SeededGenerator) -> Control {
    guard Int.random(in: 0..<3, using: &random) == 0 else { return .constant(.random(in: 0.1...1, using: &random)) }
    return .curves(gain: 0.5, [curve(0...1, using: &random)])
  }

  private func curve(_ range: ClosedRange<Double>, using random: inout SeededGenerator) -> Curve {
    let first = TimelineFrame(Int.random(in: 0..<3_000, using: &random))
    return Curve([
      Curve.Point(first, .random(in: range, using: &random), .sCurve),
      Curve.Point(first + .random(in: 1...4_000, using: &random), .random(in: range, using: &random)),
    ])
  }

  /// - Returns: the strip's width behind them.
  @discardableResult
  private func addEffects(
    to plan: inout RenderPlan, _ strip: StripID, _ buffer: Int, _ width: ChannelWidth, _ chance: Int, isListening: Bool,
    using random: inout SeededGenerator
  ) -> ChannelWidth {
    var width = width
    for _ in 0..<2 where Int.random(in: 0..<10, using: &random) < chance {
      let kind = EffectKind.allCases.randomElement(using: &random) ?? .eq
      if kind.needsStereo, width == .mono {
        guard buffer != Buffer.listened else { continue }
        plan.steps.append(.widen(strip, buffer: buffer, gain: 0.7))
        width = .stereo
      }
      var key: Int?
      if isListening, kind == .compressor || kind == .gate, Bool.random(using: &random) {
        let id = StripID(strip.trackID, .key(Int64(plan.inserts.count)))
        key = Buffer.key
        plan.steps.append(.clear(id, buffer: Buffer.key))
        mix(&plan, StripID(3), Buffer.listened, .mono, into: Buffer.key, using: &random)
      }
      plan.steps.append(.insert(strip, plan.inserts.count, buffer: buffer, width: width, key: key))
      plan.inserts.append(insert(kind, id: Int64(plan.inserts.count), using: &random))
    }
    return width
  }

  private func insert(_ kind: EffectKind, id: Int64, using random: inout SeededGenerator) -> PlannedInsert {
    let looksAhead = kind == .limiter || kind == .compressor
    let setup = EffectSetup(
      kind: kind, sampleRate: 48_000, lookAhead: looksAhead ? .random(in: 1...10, using: &random) : 0)
    var parameters = kind.defaults.map(PlannedInsert.Parameter.constant)
    if kind == .eq {
      for band in 0..<3 {
        parameters[5 * band] = .constant(1)
        parameters[5 * band + 2] = .curve(curve(-9...9, using: &random))
      }
    }
    if kind == .delay { parameters[0] = .constant(.random(in: 1...40, using: &random)) }
    let share: Control = Int.random(in: 0..<4, using: &random) == 0 ? .constant(0.5) : .unity
    return PlannedInsert(effectID: id, setup: setup, parameters: parameters, share: share)
  }
}

/// Counts what is opened and made.
final class CountingStudio: Sendable {
  private let counts = Monitor((instruments: 0, readers: 0))

  var made: Int { counts.update { $0.instruments } }
  var opened: Int { counts.update { $0.readers } }

  func bouncer(_ cache: RenderCache?) -> Bouncer {
    Bouncer(
      cache: cache,
      makeProducer: { [counts] plan in
        counts.update { $0.instruments += 1 }
        return FakeInstrument(plan)
      },
      openReader: { [counts] (source) throws(StreamError) in
        counts.update { $0.readers += 1 }
        return FakeReader(source)
      })
  }
}
