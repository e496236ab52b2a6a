import DAWBounce
import DAWEngine
import DAWTime
import Testing

/// What acts on the signal that comes out of an effect that looks ahead.
@Suite struct LookAheadTests {
  /// A recording through an effect, or through none.
  private static func heard(_ insert: PlannedInsert?) throws -> [Float] {
    var plan = testPlan()
    plan.instruments = []
    plan.regions = [
      PlannedRegion(regionID: 1, source: 0, frames: 0..<12_000, anchor: 0, channels: .one(0), gain: .constant(0.1))
    ]
    plan.steps = [
      .clear(StripID(0), buffer: 0), .sumRegions(StripID(1), 0..<1, into: 1, width: .mono),
      .mix(Connection(from: StripID(1), to: StripID(0)), 1, width: .mono, into: 0, left: .unity, right: .unity),
      .output(StripID(0), buffer: 0, left: .unity, right: .unity),
    ]
    plan.endFrame = 12_000
    if let insert {
      plan.inserts = [insert]
      plan.steps.insert(.insert(StripID(1), 0, buffer: 1, width: .mono, key: nil), at: 2)
    }
    let sink = MemorySink()
    _ = try bouncer.bounce(plan, to: sink, options: BounceOptions(range: 0..<12_000))
    return sink.left
  }

  @Test(arguments: ["makeUp", "mix", "bypass"])
  func aLaneMovesAtItsPoints(parameter: String) throws {
    func value(_ name: String, _ constant: Double) -> PlannedInsert.Parameter {
      guard name == parameter else { return .constant(constant) }
      return .curve(Curve([Curve.Point(0, 0, .hold), Curve.Point(8_000, constant)]))
    }
    // Nothing is lowered, and all made up by 12 dB. The look-ahead is no whole number of stretches between knots.
    let values: [String: Double] = ["ratio": 1, "makeUp": 12, "mix": 1]
    let parameters = zip(EffectKind.compressor.parameterNames, EffectKind.compressor.defaults).map {
      value($0, values[$0] ?? $1)
    }
    let share = Control.curves(gain: 1, [Curve([Curve.Point(8_000, 0), Curve.Point(8_064, 1)])])
    let insert = PlannedInsert(
      effectID: 1, setup: EffectSetup(kind: .compressor, sampleRate: 48_000, lookAhead: 3.3), parameters: parameters,
      share: parameter == "bypass" ? share : .unity)
    #expect(insert.latency == 159)
    let (plain, heard) = (try Self.heard(nil), try Self.heard(insert))
    // A knot before the point, and one behind the 64 frames of a jump.
    #expect(heard[..<7_984] == plain[..<7_984])
    #expect(zip(heard, plain).dropFirst(8_080).allSatisfy { abs($0 - 3.981_07 * $1) < 1e-4 })
    #expect(plain[8_080...].contains { abs($0) > 0.04 })
  }
}
