import DAWTestSupport

@testable import DAWEngine

extension RenderPlan {
  /// The plan with effects on some of its strips, before their first connection: of any kind, moving or not, bypassed
  /// or not, with a latency or a side chain or without.
  /// - Parameter kinds: those that may be added.
  func withRandomEffects(
    _ kinds: [EffectKind] = EffectKind.allCases, at rate: Int = 48_000, using random: inout SeededGenerator
  ) -> RenderPlan {
    var plan = self
    plan.steps = []
    var widths: [Int: ChannelWidth] = [:]
    var finished: [Int] = []
    for var step in steps {
      switch step {
      case .clear(_, let buffer), .playInstrument(_, _, let buffer): widths[buffer] = .stereo
      case .sumRegions(_, _, let buffer, let width): widths[buffer] = width
      case .mix(let connection, let source, _, let target, let left, let right):
        if !finished.contains(source) {
          plan.addEffects(to: connection.source, source, &widths, finished, kinds, rate, using: &random)
          finished.append(source)
        }
        step = .mix(connection, source, width: widths[source] ?? .stereo, into: target, left: left, right: right)
      case .output(let id, let buffer, _, _):
        plan.addEffects(to: id, buffer, &widths, finished, kinds, rate, using: &random)
      default: break
      }
      plan.steps.append(step)
    }
    return plan
  }

  private mutating func addEffects(
    to strip: StripID, _ buffer: Int, _ widths: inout [Int: ChannelWidth], _ finished: [Int], _ kinds: [EffectKind],
    _ rate: Int, using random: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let insert = PlannedInsert.random(id: Int64(inserts.count + 1), kinds, rate, using: &random)
      if insert.setup.kind.needsStereo, widths[buffer] == .mono {
        steps.append(.widen(strip, buffer: buffer, gain: Float(0.5).squareRoot()))
        widths[buffer] = .stereo
      }
      var key: Int?
      if insert.setup.kind == .compressor || insert.setup.kind == .gate, Bool.random(using: &random),
        let source = finished.randomElement(using: &random)
      {
        let id = StripID(strip.trackID, .key(insert.effectID))
        key = bufferCount
        bufferCount += 1
        let way = Connection(from: StripID(Int64(source)), to: id, .key(insert.effectID))
        steps += [
          .clear(id, buffer: bufferCount - 1),
          .mix(
            way, source, width: widths[source] ?? .stereo, into: bufferCount - 1, left: .unity, right: .unity),
        ]
      }
      steps.append(
        .insert(strip, inserts.count, buffer: buffer, width: widths[buffer] ?? .stereo, key: key))
      inserts.append(insert)
    }
  }
}

extension PlannedInsert {
  /// With some of its parameters anywhere in their ranges.
  static func random(
    id: Int64, _ kinds: [EffectKind], _ rate: Int, using random: inout SeededGenerator
  ) -> PlannedInsert {
    let kind = kinds.randomElement(using: &random) ?? .eq
    let looksAhead = kind == .limiter || kind == .compressor && Bool.random(using: &random)
    let setup = EffectSetup(
      kind: kind, sampleRate: rate, lookAhead: looksAhead ? .random(in: 1...10, using: &random) : 0)
    let parameters = zip(kind.defaults, kind.ranges).map { value, range -> Parameter in
      Bool.random(using: &random) ? .constant(value) : .constant(.random(in: range, using: &random).rounded())
    }
    let shares: [Control] = [
      .unity, .unity, .constant(0), .constant(0.5),
      .curves(
        gain: 1, [Curve([Curve.Point(1_000, 1), Curve.Point(1_256, 0), Curve.Point(2_000, 0), Curve.Point(2_256, 1)])]),
    ]
    var insert = PlannedInsert(
      effectID: id, setup: setup, parameters: parameters, share: shares.randomElement(using: &random) ?? .unity)
    for (index, range) in kind.ranges.enumerated() {
      if case .constant(let value) = insert.parameters[index], range.contains(value) { continue }
      insert.parameters[index] = .constant(kind.defaults[index])
    }
    return insert
  }
}
