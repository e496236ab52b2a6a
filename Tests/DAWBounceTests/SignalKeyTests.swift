import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWBounce

/// What changes the key of a strip's render, and what does not.
@Suite struct SignalKeyTests {
  private let plans: EffectPlans

  init() throws { plans = try EffectPlans() }

  /// The keys of a plan's strips with effects, by strip.
  private func keys(_ plan: RenderPlan) throws -> [StripID: RenderKey] {
    let keys = SignalKeys(
      plan, streams: [], restored: [:], instruments: plan.instruments.map { RenderKey($0.plan, renderer: "a").digest },
      content: SourceContent.init)
    let parts = try plan.staged().parts.map { part in
      (part.strip, try #require(keys.ofSteps[part.lastStep]).renderKey(sampleRate: 48_000, renderer: "b"))
    }
    return Dictionary(uniqueKeysWithValues: parts)
  }

  /// Each number and each switch of a plan that decides on a sample, changed; with what it is.
  private static func mutations(of plan: RenderPlan) -> [(String, (inout RenderPlan) -> Void)] {
    var mutations: [(String, (inout RenderPlan) -> Void)] = []
    for index in plan.sources.indices {
      mutations.append(("hash of source \(index)", { $0.sources[index].sha256 += "0" }))
    }
    for index in plan.instruments.indices {
      mutations.append(("program of instrument \(index)", { $0.instruments[index].plan.program += 50 }))
      mutations.append(("event of instrument \(index)", { $0.instruments[index].plan.events[0].data2 ^= 1 }))
    }
    for index in plan.regions.indices {
      let changes: [(String, (inout PlannedRegion) -> Void)] = [
        ("first frame", { $0.frames = $0.frames.lowerBound + 1..<$0.frames.upperBound + 1 }),
        ("last frame", { $0.frames = $0.frames.lowerBound..<$0.frames.upperBound + 1 }),
        ("anchor", { $0.anchor -= 1 }), ("source", { $0.source = 1 - $0.source }),
        ("channel", { $0.channels = .mean(0, 0) }), ("gain", { $0.gain.mutate() }),
      ]
      for (name, change) in changes { mutations.append(("\(name) of region \(index)", { change(&$0.regions[index]) })) }
    }
    for index in plan.inserts.indices {
      let changes: [(String, (inout PlannedInsert) -> Void)] = [
        ("kind", { $0.setup.kind = $0.setup.kind == .eq ? .gate : .eq }), ("rate", { $0.setup.sampleRate += 1 }),
        ("look-ahead", { $0.setup.lookAhead += 0.25 }), ("size", { $0.setup.size += 0.25 }),
        ("first parameter", { $0.parameters[0].mutate() }),
        ("last parameter", { $0.parameters[$0.parameters.count - 1].mutate() }), ("share", { $0.share.mutate() }),
      ]
      for (name, change) in changes { mutations.append(("\(name) of effect \(index)", { change(&$0.inserts[index]) })) }
    }
    for index in plan.steps.indices {
      for place in 0..<5 {
        var step = plan.steps[index]
        step.mutate(place)
        guard step != plan.steps[index] else { continue }
        mutations.append(("number \(place) of step \(index), \(plan.steps[index])", { $0.steps[index] = step }))
      }
    }
    return mutations
  }

  /// Which strips hear a change is found by another way than that of the keys: see `Upstream`.
  @Test func eachFieldChangesTheKeysOfTheStripsThatHearItAndNoOthers() throws {
    let seed = Seed.current()
    let plan = plans.plan(strips: 5, chance: 7, seed: seed)
    let before = try keys(plan)
    let upstream = Upstream(plan)
    for (name, mutate) in Self.mutations(of: plan) {
      var changed = plan
      mutate(&changed)
      let after = try keys(changed)
      for (strip, key) in before {
        #expect((after[strip] != key) == upstream.isHeard(changed, by: strip), "\(name) and \(strip), seed \(seed)")
      }
    }
  }

  @Test func namesIDsNumbersAndOtherStripsDoNotMatter() throws {
    let seed = Seed.current()
    let plan = plans.plan(strips: 6, seed: seed)
    let before = try keys(plan)
    #expect(before.count > 2, "seed \(seed)")
    var renamed = plan
    for index in plan.regions.indices { renamed.regions[index].regionID += 1_000 }
    for index in plan.inserts.indices { renamed.inserts[index].effectID += 1_000 }
    for index in plan.instruments.indices {
      renamed.instruments[index].trackID += 1_000
      renamed.instruments[index].plan.soundFontPath = "/elsewhere.sf2"
    }
    // Another buffer for each, sources and instruments in another order, and another fader.
    renamed.sources = plan.sources.reversed()
    for index in plan.regions.indices { renamed.regions[index].source = 1 - plan.regions[index].source }
    renamed.instruments.reverse()
    renamed.steps = plan.steps.map { step in
      if case .playInstrument(let strip, let index, let buffer) = step {
        return Step.playInstrument(strip, plan.instruments.count - 1 - index, into: buffer).inBuffers { $0 + 3 }
      }
      if case .output(let strip, let buffer, _, _) = step {
        return Step.output(strip, buffer: buffer, left: .constant(0.1), right: .constant(0.2)).inBuffers { $0 + 3 }
      }
      return step.inBuffers { $0 + 3 }
    }
    renamed.bufferCount += 3
    renamed.endFrame += 1
    #expect(try keys(renamed) == before, "seed \(seed)")
  }

  /// The plan without one of its strips: what does not hear the strip keeps its key.
  @Test func anUnrelatedStripChangesNoKey() throws {
    let seed = Seed.current()
    let plan = plans.plan(strips: 6, seed: seed)
    let before = try keys(plan)
    for part in plan.staged().parts {
      let alone = plan.endingWith(part.lastStep)
      let key = try keys(alone)[part.strip]
      #expect(key == before[part.strip], "\(part.strip), seed \(seed)")
    }
  }

  /// What a strip does before its effect and behind it is not the same.
  @Test func theOrderOfStepsMatters() throws {
    var plan = plans.plan(strips: 0, chance: 0, seed: 1)
    let strip = StripID(7)
    let insert = PlannedInsert(
      effectID: 1, setup: EffectSetup(kind: .compressor, sampleRate: 48_000),
      parameters: EffectKind.compressor.defaults.map { .constant($0) })
    plan.inserts = [insert]
    let steps: [Step] = [
      .shape(strip, buffer: 1, width: .stereo, StripShape(trim: .constant(0.5))),
      .insert(strip, 0, buffer: 1, width: .stereo, key: nil),
      .mix(Connection(from: StripID(3), to: strip), 3, width: .mono, into: 1, left: .unity, right: .unity),
    ]
    var keys: Set<RenderKey> = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      plan.steps =
        [
          .clear(strip, buffer: 1), .sumRegions(StripID(3), 0..<1, into: 3, width: .mono),
        ] + order.map { steps[$0] } + [.output(strip, buffer: 1, left: .unity, right: .unity)]
      keys.insert(try #require(try self.keys(plan)[strip]))
    }
    #expect(keys.count == 6)
  }

  /// A field that is added to what a key is made of has to be added to the key.
  @Test func noFieldIsForgotten() throws {
    func fields(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    let setup = EffectSetup(kind: .eq, sampleRate: 1)
    let curve = Curve([Curve.Point(0, 1)])
    #expect(fields(setup) == ["kind", "sampleRate", "lookAhead", "size"])
    #expect(
      fields(PlannedInsert(effectID: 1, setup: setup, parameters: [])) == ["effectID", "setup", "parameters", "share"])
    #expect(fields(curve) == ["points", "scale", "smoothsJumps"])
    #expect(fields(curve.points[0]) == ["frame", "value", "argument", "shape"])
    #expect(fields(StripShape()) == ["trim", "invertsLeft", "invertsRight", "stereoWidth"])
    #expect(
      fields(PlannedRegion(regionID: 1, source: 0, frames: 0..<1, anchor: 0, channels: .one(0)))
        == ["regionID", "source", "frames", "anchor", "channels", "gain"])
    #expect(fields(testPlan().sources[0]) == ["path", "sha256", "frameCount", "channelCount", "content"])
  }
}

/// What is upstream of each strip, found in the simplest way: the plan is divided again and looked through.
private struct Upstream {
  private let plan: RenderPlan

  init(_ plan: RenderPlan) { self.plan = plan }

  /// Whether the part of a changed plan that ends with a strip is another one.
  func isHeard(_ changed: RenderPlan, by strip: StripID) -> Bool {
    guard let before = Self.alone(plan, strip), let after = Self.alone(changed, strip) else { return true }
    return before.steps != after.steps || before.regions != after.regions || before.inserts != after.inserts
      || before.instruments != after.instruments || heardSources(before) != heardSources(after)
  }

  private func heardSources(_ plan: RenderPlan) -> [String] { plan.regions.map { plan.sources[$0.source].sha256 } }

  private static func alone(_ plan: RenderPlan, _ strip: StripID) -> RenderPlan? {
    plan.staged().parts.first { $0.strip == strip }.map { plan.endingWith($0.lastStep) }
  }
}

extension Control {
  fileprivate mutating func mutate() {
    switch self {
    case .constant(let gain): self = .constant(gain.nextUp)
    case .product(var factors):
      for index in factors.indices {
        if case .curve(var curve) = factors[index] {
          curve.points[1].frame += 1
          factors[index] = .curve(curve)
        }
      }
      self = .product(factors)
    case .ofPlanBefore, .passage: break
    }
  }
}

extension PlannedInsert.Parameter {
  fileprivate mutating func mutate() {
    switch self {
    case .constant(let value): self = .constant(value.nextUp)
    case .curve(var curve):
      curve.points[0].value = curve.points[0].value.nextUp
      self = .curve(curve)
    case .passage: break
    }
  }
}

extension Step {
  /// Changes one of what decides on samples, by its number; nothing if there are not so many.
  fileprivate mutating func mutate(_ place: Int) {
    switch self {
    case .shape(let strip, let buffer, let width, var shape):
      switch place {
      case 0: shape.trim.mutate()
      case 1: shape.invertsLeft.toggle()
      case 2: shape.invertsRight.toggle()
      case 3: shape.stereoWidth = shape.stereoWidth == nil ? .constant(0.5) : nil
      default: break
      }
      self = .shape(strip, buffer: buffer, width: place == 4 ? width.other : width, shape)
    case .widen(let strip, let buffer, let gain):
      self = .widen(strip, buffer: buffer, gain: place == 0 ? gain.nextUp : gain)
    case .insert(let strip, let index, let buffer, let width, let key):
      self = .insert(
        strip, index, buffer: buffer, width: place == 0 ? width.other : width, key: place == 1 ? nil : key)
    case .mix(let connection, let source, let width, let target, var left, var right):
      if place == 0 { left.mutate() }
      if place == 1 { right.mutate() }
      self = .mix(
        connection, source, width: place == 2 ? width.other : width, into: target, left: left, right: right)
    case .sumRegions(let strip, let range, let buffer, let width):
      self = .sumRegions(strip, range, into: buffer, width: place == 0 ? width.other : width)
    case .clear, .playInstrument, .monitor, .delay, .output: break
    }
  }
}

extension ChannelWidth {
  fileprivate var other: ChannelWidth { self == .mono ? .stereo : .mono }
}
