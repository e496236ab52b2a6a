import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWBounce

/// Renders are kept under a key that holds `EngineArithmetic.version`, but not the arithmetic. So this has a digest of
/// what each part of it computes from fixed input. Where one is another, the samples of every project that uses it are
/// others: raise the version, and put the digests here that the failure names.
@Suite struct ArithmeticVersionTests {
  private static let version = 4
  private static let digests = [
    "16-bit PCM": "809e2fcc80645485",
    "24-bit PCM": "6e73b689b88a9067",
    "32-bit PCM": "ad6a82efbef7a38a",
    "32-bit float": "ad6a82efbef7a38a",
    "64-bit float": "52e76fdac8cde0fc",
    "8-bit PCM": "d53af933380a01a0",
    "compressor mono at rest": "78d22e0d8ec65d03",
    "compressor mono moving": "9106588df0e48297",
    "compressor stereo at rest": "c74e37856f8eb296",
    "compressor stereo moving": "3bb11105b44df1e6",
    "delay stereo at rest": "e5a59ceb956c70e4",
    "delay stereo moving": "3751ec1971852b48",
    "eq mono at rest": "8ccd2767d4d8890f",
    "eq mono moving": "97f5d9e4a66579c3",
    "eq stereo at rest": "c8edcfa9206455d5",
    "eq stereo moving": "989cd0353c45ff7e",
    "gate mono at rest": "a883d53eb8828dfd",
    "gate mono moving": "161f081f2d19e077",
    "gate stereo at rest": "ea57423c40dc3968",
    "gate stereo moving": "cf1295443702021e",
    "latency": "ba0ad05b7f119cf5",
    "limiter mono at rest": "22615f9fcf092d5f",
    "limiter mono moving": "ea8c4d893a2757be",
    "limiter stereo at rest": "967e64e03dcf9b99",
    "limiter stereo moving": "b093749236931b2c",
    "mean": "1c99da408fe0f286",
    "mono": "a236959a6c98e6b8",
    "reverb stereo at rest": "3706f082ed5cc882",
    "reverb stereo moving": "66e99bf9e1e11169",
    "scale left(DAWEngine.Curve.PanLaw.balance0dB)": "cd8fb9321937380f",
    "scale left(DAWEngine.Curve.PanLaw.compromiseMinus4_5dB)": "52999fc04cea7ce4",
    "scale left(DAWEngine.Curve.PanLaw.constantPowerMinus3dB)": "153423e5db9be3d8",
    "scale left(DAWEngine.Curve.PanLaw.linearMinus6dB)": "abada522a32dc2d5",
    "scale linear": "1dbed2615f386b98",
    "scale logarithmic": "93c06205358b98b3",
    "scale right(DAWEngine.Curve.PanLaw.balance0dB)": "d5036ce5cdc3d82d",
    "scale right(DAWEngine.Curve.PanLaw.compromiseMinus4_5dB)": "44d7a0ecb88b7a6a",
    "scale right(DAWEngine.Curve.PanLaw.constantPowerMinus3dB)": "6298cae2f0365e3c",
    "scale right(DAWEngine.Curve.PanLaw.linearMinus6dB)": "2222be01ead24ada",
    "shape equalPower": "dd0b02e8c290052f",
    "shape exponential": "647f560b4bac2c5a",
    "shape hold": "8d3b804f4a621b99",
    "shape linear": "af87d9b8fbf88080",
    "shape mirroredEqualPower": "10407076608c17e0",
    "shape mirroredExponential": "1739aaad23587f81",
    "shape sCurve": "01888343e715548e",
    "shape": "750693304272afee",
    "sudden": "8bc2c93851e54155",
    "sum": "759a0efd45767f6c",
    "widen": "ad3f72905b69dc2f",
  ]

  private static let frameCount: Int64 = 5_000

  @Test func theVersionIsThatOfTheDigests() { #expect(EngineArithmetic.version == Self.version) }

  @Test(arguments: EffectKind.allCases)
  func effects(kind: EffectKind) throws {
    // Each parameter once at rest and once moving through its range, mono where the effect can be.
    for width in [ChannelWidth.mono, .stereo] where width == .stereo || !kind.needsStereo {
      for isMoving in [false, true] {
        let parameters = zip(kind.defaults, kind.ranges).enumerated().map { index, parameter in
          let (value, range) = parameter
          if kind == .eq, index % 5 == 0 { return PlannedInsert.Parameter.constant(Double(index / 5 % 8)) }
          if kind == .eq, index % 5 == 2 { return .constant(Double(index / 5) - 3.5) }
          // Short enough to be heard.
          if kind == .delay, index == 0 { return .constant(20) }
          let isChoice = range == 0...1 && value == value.rounded() || kind == .delay && index == 1
          guard isMoving, !isChoice else { return .constant(value) }
          let end = value + (range.upperBound - value) * 0.25
          return .curve(Curve([Curve.Point(500, value), Curve.Point(4_000, end)]))
        }
        let setup = EffectSetup(kind: kind, sampleRate: 48_000, lookAhead: 1.5, size: 0.8)
        let insert = PlannedInsert(
          effectID: 1, setup: setup, parameters: parameters, share: isMoving ? Self.moving : .unity)
        try expect(
          "\(kind) \(width) \(isMoving ? "moving" : "at rest")",
          plan(width) { plan in
            plan.inserts = [insert]
            // From below every threshold to above.
            plan.regions[0].gain = .curves(
              gain: 2, [Curve([Curve.Point(100, 0.001, .exponential), Curve.Point(3_000, 1)])])
            plan.steps.insert(.insert(StripID(1), 0, buffer: 1, width: width, key: nil), at: 2)
          })
      }
    }
  }

  @Test func curves() throws {
    let shapes: [Curve.Shape] = [
      .hold, .linear, .equalPower, .mirroredEqualPower, .exponential, .mirroredExponential, .sCurve,
    ]
    let laws: [Curve.PanLaw] = [.constantPowerMinus3dB, .linearMinus6dB, .compromiseMinus4_5dB, .balance0dB]
    let scales: [Curve.Scale] = [.linear, .logarithmic] + laws.map { .left($0) } + laws.map { .right($0) }
    for shape in shapes {
      try expect("shape \(shape)", gain(Curve([Curve.Point(300, 0.1, shape), Curve.Point(4_000, 0.9)])))
    }
    for scale in scales {
      let points = [
        Curve.Point(300, 0.25, argument: -2, .sCurve), Curve.Point(2_000, 0.5, argument: -1, .linear),
        Curve.Point(2_000, 1, argument: 0, .linear), Curve.Point(4_000, 0.5, argument: -1, .linear),
      ].map { point in
        guard case .left = scale else { return point }
        return Curve.Point(point.frame, point.value, argument: point.argument / 2, point.shape)
      }
      try expect("scale \(scale)", gain(Curve(points, scale: scale)))
    }
    try expect("sudden", gain(Curve([Curve.Point(300, 0.1, .hold), Curve.Point(4_000, 0.9)], smoothsJumps: false)))
  }

  private func gain(_ curve: Curve) -> RenderPlan {
    plan(.stereo) { $0.regions[0].gain = .curves(gain: 0.7, [curve]) }
  }

  private static let moving = Control.curves(
    gain: 1, [Curve([Curve.Point(0, 1), Curve.Point(2_000, 0.5), Curve.Point(4_000, 1)])])

  @Test func strips() throws {
    let shape = StripShape(trim: Self.moving, invertsLeft: true, stereoWidth: .constant(0.3))
    try expect("shape", plan(.stereo) { $0.steps.insert(.shape(StripID(1), buffer: 1, width: .stereo, shape), at: 2) })
    try expect(
      "widen",
      plan(.mono) { plan in
        plan.steps.insert(.widen(StripID(1), buffer: 1, gain: 0.7), at: 2)
        plan.steps[3] = .mix(
          Connection(from: StripID(1), to: StripID(0)), 1, width: .stereo, into: 0, left: .unity, right: .unity)
      })
    try expect("mean", plan(.mono) { $0.regions[0].channels = .mean(0, 1) })
    try expect("mono", plan(.mono) { _ in })
    try expect(
      "sum",
      plan(.stereo) { plan in
        plan.regions.append(plan.regions[0])
        plan.regions[1].anchor = -77
        plan.steps[1] = .sumRegions(StripID(1), 0..<2, into: 1, width: .stereo)
      })
    // A way without latency meets one with some.
    try expect(
      "latency",
      plan(.stereo) { plan in
        let setup = EffectSetup(kind: .compressor, sampleRate: 48_000, lookAhead: 3)
        plan.inserts = [
          PlannedInsert(
            effectID: 1, setup: setup, parameters: EffectKind.compressor.defaults.map { .constant($0) },
            share: .constant(0.5))
        ]
        plan.bufferCount = 3
        let connection = Connection(from: StripID(1), to: StripID(2))
        plan.steps.insert(
          contentsOf: [
            .clear(StripID(2), buffer: 2),
            .mix(connection, 1, width: .stereo, into: 2, left: .constant(0.5), right: Self.moving),
            .insert(StripID(2), 0, buffer: 2, width: .stereo, key: 1),
            .mix(
              Connection(from: StripID(2), to: StripID(0)), 2, width: .stereo, into: 0, left: .unity, right: .unity),
          ], at: 2)
      })
  }

  @Test(arguments: SampleEncoding.allCases)
  func encodings(encoding: SampleEncoding) throws {
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = []
    for index in 0..<2 * Int(Self.frameCount) {
      let value = FakeReader.sample(FileFrame(index / 2), index % 2)
      switch encoding {
      case .float32: withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
      case .float64: withUnsafeBytes(of: (Double(value) * 1.1).bitPattern.littleEndian) { bytes += $0 }
      default:
        let number = Int32(Double(value) * 0x1p31)
        withUnsafeBytes(of: number.littleEndian) { bytes += $0.suffix(encoding.bytesPerSample) }
      }
    }
    let path = try folder.write(bytes, to: "samples")
    try expect(
      "\(encoding)",
      plan(.stereo) { plan in
        plan.sources[0].path = path
        plan.sources[0].content = .plain(PCMLayout(dataOffset: 0, encoding: encoding, channelCount: 2))
        plan.sources[0].frameCount = Self.frameCount
        plan.regions[0].frames = 0..<TimelineFrame(Int(Self.frameCount))
        plan.regions[0].gain = .constant(0.7)
      })
  }

  /// One region on one strip, changed.
  private func plan(_ width: ChannelWidth, _ change: (inout RenderPlan) -> Void) -> RenderPlan {
    var plan = testPlan()
    plan.instruments = []
    plan.sources[0].channelCount = 2
    plan.regions = [
      PlannedRegion(
        regionID: 1, source: 0, frames: 100..<4_500, anchor: 0, channels: width == .mono ? .one(1) : .two(0, 1),
        gain: .constant(0.8))
    ]
    plan.steps = [
      .clear(StripID(0), buffer: 0), .sumRegions(StripID(1), 0..<1, into: 1, width: width),
      .mix(
        Connection(from: StripID(1), to: StripID(0)), 1, width: width, into: 0, left: .constant(0.7),
        right: .constant(0.6)),
      .output(StripID(0), buffer: 0, left: .constant(0.9), right: .unity),
    ]
    plan.bufferCount = 2
    change(&plan)
    return plan
  }

  private func expect(_ name: String, _ plan: RenderPlan) throws {
    let sink = MemorySink()
    let digesting = DigestingSink(into: sink, format: sink.format)
    _ = try bouncer.bounce(plan, to: digesting, options: BounceOptions(range: 0..<TimelineFrame(Int(Self.frameCount))))
    let found = String(digesting.digest.sha256.prefix(16))
    #expect(sink.left.contains { $0 != 0 }, "\(name) is silent")
    #expect(
      found == Self.digests[name],
      "The arithmetic of '\(name)' has changed. Raise EngineArithmetic.version, and write here: \"\(name)\": \"\(found)\","
    )
  }
}
