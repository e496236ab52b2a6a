import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Glibc
import Testing

@testable import DAWBounce

@Suite struct StripCacheTests {
  private let plans: EffectPlans
  private let cache: TemporaryFolder
  private let studio = CountingStudio()

  init() throws {
    plans = try EffectPlans()
    cache = try TemporaryFolder()
  }

  private static let megabyte: Int64 = 1 << 20
  private static let range: Range<TimelineFrame> = 0..<9_000

  private func bounce(
    _ plan: RenderPlan, _ options: BounceOptions = BounceOptions(range: range), limit: Int64 = 64 * megabyte,
    isEnough: @escaping (Int64) -> Bool = { _ in false }
  ) throws -> (bits: [[UInt32]], uses: [RenderUse]) {
    let renders = RenderCache(of: plan, in: Place(root: cache.path), byteLimit: limit, renderer: "a")
    let sink = MemorySink()
    var done: Int64 = 0
    defer { renders.finish() }
    _ = try studio.bouncer(renders).bounce(
      plan, to: sink, options: options, progress: { done = $0 }, isEnough: { isEnough(done) })
    return (sink.bits, renders.outcomes())
  }

  /// A bounce without the cache.
  private func rendered(
    _ plan: RenderPlan, _ options: BounceOptions = BounceOptions(range: range),
    isEnough: @escaping (Int64) -> Bool = { _ in false }
  ) throws -> [[UInt32]] {
    let sink = MemorySink()
    var done: Int64 = 0
    _ = try CountingStudio().bouncer(nil).bounce(
      plan, to: sink, options: options, progress: { done = $0 }, isEnough: { isEnough(done) })
    return sink.bits
  }

  /// A plan that every stage of can be kept of, and that ends with an effect.
  private func plan(strips: Int = 4, seed: UInt64) -> RenderPlan {
    var plan = plans.plan(strips: strips, seed: seed)
    let ending = plan.steps.removeLast()
    let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: 2)
    plan.steps.append(.insert(StripID(0), plan.inserts.count, buffer: 0, width: .stereo, key: nil))
    plan.inserts.append(
      PlannedInsert(effectID: 999, setup: setup, parameters: EffectKind.limiter.defaults.map { .constant($0) }))
    plan.steps.append(ending)
    return plan
  }

  // MARK: The same bits

  @Test(arguments: [1, 2], [777, 4_096, 65_536])
  func aSecondBounceOpensNothingAndGivesTheSameBits(threadCount: Int, blockFrames: Int) throws {
    let seed = Seed.current()
    let plan = plan(seed: seed)
    let options = BounceOptions(range: Self.range, blockFrames: blockFrames, threadCount: threadCount)
    let expected = try rendered(plan, options)
    let first = try bounce(plan, options)
    #expect(first.bits == expected, "seed \(seed)")
    #expect(first.uses.allSatisfy { $0.outcome == .rendered(.notCached) || $0.outcome == .rendered(.cheap) })
    let (made, opened) = (studio.made, studio.opened)
    let second = try bounce(plan, options)
    #expect(second.bits == expected, "seed \(seed)")
    // The master's render is all that is read.
    #expect(second.uses == [RenderUse(kind: .strip, trackID: 0, outcome: .reused)], "seed \(seed)")
    #expect(studio.made == made && studio.opened == opened, "seed \(seed)")
  }

  @Test func onlyTheChangedStripAndWhatHearsItAreRendered() throws {
    // Four recordings with a compressor each, and a limiter on the master.
    let plan = fourStrips()
    let expected = try bounce(plan).bits
    var changed = plan
    changed.inserts[2].parameters[0] = .constant(-30)
    let opened = studio.opened
    let found = try bounce(changed)
    #expect(
      found.uses == [
        RenderUse(kind: .strip, trackID: 10, outcome: .reused), RenderUse(kind: .strip, trackID: 11, outcome: .reused),
        RenderUse(kind: .strip, trackID: 12, outcome: .rendered(.changed([.stripEffects]))),
        RenderUse(kind: .strip, trackID: 13, outcome: .reused),
        RenderUse(kind: .strip, trackID: 0, outcome: .rendered(.changed([.stripEffects]))),
      ])
    #expect(studio.opened == opened + 1)
    #expect(found.bits == (try rendered(changed)))
    #expect(found.bits != expected)
    #expect(try bounce(plan).bits == expected)
  }

  private func fourStrips(last: EffectKind = .limiter) -> RenderPlan {
    var plan = plans.plan(strips: 0, chance: 0, seed: 1)
    plan.regions = []
    plan.steps = [.clear(StripID(0), buffer: 0)]
    for number in 0..<4 {
      let strip = StripID(Int64(number + 10))
      plan.regions.append(
        PlannedRegion(
          regionID: Int64(number), source: 1, frames: 0..<9_000, anchor: TimelineFrame(-number), channels: .two(0, 1)))
      plan.steps += [
        .sumRegions(strip, number..<number + 1, into: 1, width: .stereo),
        .insert(strip, number, buffer: 1, width: .stereo, key: nil),
        .mix(
          Connection(from: strip, to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.3),
          right: .constant(0.2)),
      ]
      plan.inserts.append(
        PlannedInsert(
          effectID: Int64(number), setup: EffectSetup(kind: .compressor, sampleRate: 48_000),
          parameters: EffectKind.compressor.defaults.map { .constant($0) }))
    }
    plan.steps += [
      .insert(StripID(0), 4, buffer: 0, width: .stereo, key: nil),
      .output(StripID(0), buffer: 0, left: .unity, right: .unity),
    ]
    plan.inserts.append(
      PlannedInsert(
        effectID: 5, setup: EffectSetup(kind: last, sampleRate: 48_000, lookAhead: 5),
        parameters: last.defaults.map { .constant($0) }))
    return plan
  }

  @Test func randomEditsWithTheCacheOrWithoutGiveTheSameBits() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for song in 0..<3 {
      var plan = plans.plan(strips: 5, seed: seed &+ UInt64(song))
      for edit in 0..<6 {
        change(&plan, using: &random)
        let lower = TimelineFrame(Int.random(in: 0..<6_000, using: &random))
        let options = BounceOptions(
          range: lower..<lower + Int.random(in: 1..<6_000, using: &random),
          blockFrames: [300, 4_096, 65_536].randomElement(using: &random) ?? 1,
          threadCount: .random(in: 1...2, using: &random),
          instrumentLimit: [nil, 1, 2].randomElement(using: &random) ?? nil,
          spoolFolder: Place(path: plans.folder.path("Spool")))
        #expect(try bounce(plan, options).bits == rendered(plan, options), "seed \(seed), song \(song), edit \(edit)")
      }
    }
  }

  private func change(_ plan: inout RenderPlan, using random: inout SeededGenerator) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where !plan.inserts.isEmpty:
      let index = Int.random(in: plan.inserts.indices, using: &random)
      plan.inserts[index].share = .constant(.random(in: 0.1...1, using: &random))
    case 1: plan.regions[0].gain = .constant(.random(in: 0.1...1, using: &random))
    case 2: plan.instruments[0].plan.program += 1
    default: break
    }
  }

  /// What looks ahead hears what is behind the end, and a longer bounce hears more of what was kept of a shorter one.
  @Test func anyEndGivesTheSameBits() throws {
    let seed = Seed.current()
    let plan = plan(strips: 3, seed: seed)
    for end: TimelineFrame in [4_000, 4_095, 4_097, 4_300, 8_192, 8_190, 9_100] {
      for blockFrames in [512, 4_096] {
        let options = BounceOptions(range: 1_000..<end, blockFrames: blockFrames)
        #expect(try bounce(plan, options).bits == rendered(plan, options), "end \(end), seed \(seed)")
      }
    }
  }

  @Test(arguments: [1, 2])
  func aBounceThatEndsEarlyKeepsWhatItRendered(threadCount: Int) throws {
    let plan = fourStrips()
    let options = BounceOptions(
      range: 0..<60_000, certainEnd: 9_000, blockFrames: 1_024, threadCount: threadCount)
    let isEnough: (Int64) -> Bool = { $0 > 20_000 }
    let expected = try rendered(plan, options, isEnough: isEnough)
    #expect(try bounce(plan, options, isEnough: isEnough).bits == expected)
    let second = try bounce(plan, options, isEnough: isEnough)
    #expect(second.bits == expected)
    #expect(second.uses == [RenderUse(kind: .strip, trackID: 0, outcome: .reused)])
    // What rings on a little longer is there too.
    let opened = studio.opened
    let longer = try rendered(plan, options) { $0 > 24_000 }
    #expect(try bounce(plan, options) { $0 > 24_000 }.bits == longer)
    #expect(studio.opened == opened)
    // Another end of the same bounce: what is missing is rendered, and kept for the next time.
    let whole = try rendered(plan, options)
    #expect(try bounce(plan, options).bits == whole)
    #expect(studio.opened > opened)
    let openedForWhole = studio.opened
    #expect(try bounce(plan, options).bits == whole)
    #expect(studio.opened == openedForWhole)
    // A shorter one leaves the longer renders as they are.
    _ = try bounce(plan, options, isEnough: isEnough)
    #expect(try bounce(plan, options).bits == whole)
    #expect(studio.opened == openedForWhole)
  }

  @Test func aColdStartIsNotKept() throws {
    let plan = plan(seed: 3)
    let options = BounceOptions(range: 3_000..<9_000, startsCold: true)
    for _ in 0..<2 { #expect(try bounce(plan, options).bits == rendered(plan, options)) }
    #expect(try cache.names().isEmpty)
  }

  // MARK: What is kept

  @Test func whatIsCheapIsNotKept() throws {
    var plan = fourStrips()
    // Read without a decoder.
    let layout = PCMLayout(dataOffset: 0, encoding: .int16, channelCount: 2)
    try plans.folder.write((0..<400_000).map { UInt8($0 % 251) }, to: "b")
    plan.sources[1].content = .plain(layout)
    for index in 0..<4 {
      plan.inserts[index] = PlannedInsert(
        effectID: Int64(index), setup: EffectSetup(kind: .eq, sampleRate: 48_000),
        parameters: EffectKind.eq.defaults.map { .constant($0) })
    }
    let uses = try bounce(plan).uses
    #expect(uses.map(\.outcome) == Array(repeating: .rendered(.cheap), count: 4) + [.rendered(.notCached)])
    #expect(try cache.names().count == 1)
  }

  @Test func aFileThatCannotBeExaminedIsNotKept() throws {
    var plan = fourStrips()
    plan.sources[1].path = "/nowhere"
    #expect(try bounce(plan).uses.isEmpty)
    #expect(try cache.names().isEmpty)
  }

  @Test func aMonoStripTakesHalfTheSpace() throws {
    var plan = fourStrips()
    let stereo = try sizes(plan)
    for index in plan.steps.indices {
      switch plan.steps[index] {
      case .sumRegions(let strip, let range, let buffer, _):
        plan.steps[index] = .sumRegions(strip, range, into: buffer, width: .mono)
      case .insert(let strip, let insert, 1, _, _):
        plan.steps[index] = .insert(strip, insert, buffer: 1, width: .mono, key: nil)
      case .mix(let connection, let source, _, let target, let left, let right):
        plan.steps[index] = .mix(connection, source, width: .mono, into: target, left: left, right: right)
      default: break
      }
    }
    for index in plan.regions.indices { plan.regions[index].channels = .one(0) }
    let mono = try sizes(plan)
    // The master's alone is stereo.
    #expect(mono.filter { $0 == stereo[0] }.count == 1)
    #expect(mono.filter { $0 < stereo[0] * 2 / 3 }.count == 4)
    #expect(try bounce(plan).bits == rendered(plan))
  }

  private func sizes(_ plan: RenderPlan) throws -> [Int] {
    for name in try cache.names() { try FileManager.default.removeItem(atPath: cache.path(name)) }
    _ = try bounce(plan)
    return try cache.names().map { try cache.bytes(of: $0).count }
  }

  @Test func aFileThatIsChangedInPlaceGivesNoOldSound() throws {
    let plan = fourStrips()
    _ = try bounce(plan)
    let path = plans.folder.path("b")
    var before = stat()
    #expect(stat(path, &before) == 0)
    // As many bytes, and the old time.
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, [9, 9, 9] as [UInt8], 3, 0) == 3)
    var times = [before.st_atim, before.st_mtim]
    #expect(futimens(file, &times) == 0)
    close(file)
    let uses = try bounce(plan).uses
    #expect(uses.count == 5)
    #expect(uses.allSatisfy { $0.outcome == .rendered(.changed([.regions])) })
  }

  @Test func rendersBeyondTheLimitMakeRoomForTheOthers() throws {
    let plan = fourStrips()
    // All of them grow at once. A render of 9,000 frames has three blocks of 32 KiB.
    let options = BounceOptions(range: Self.range, blockFrames: 1_000)
    for _ in 0..<3 {
      #expect(try bounce(plan, options, limit: 2 * 3 * 32_768).bits == rendered(plan))
      #expect((1...2).contains(try cache.names().count))
    }
  }

  // MARK: Files that are not what they should be

  @Test func aDamagedFileIsDetectedWhereverItIsDamaged() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let plan = plan(strips: 3, seed: seed)
    let expected = try rendered(plan)
    for round in 0..<10 {
      _ = try bounce(plan)
      // All of them, so that those that are read are among them.
      for name in try cache.names() {
        var bytes = try cache.bytes(of: name)
        switch round % 3 {
        case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        case 1: bytes[Int.random(in: 0..<400, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes[Int.random(in: 4_096..<bytes.count, using: &random)] ^= 0x55
        }
        try cache.write(bytes, to: name)
      }
      let options = BounceOptions(range: Self.range, blockFrames: 2_000, threadCount: 1 + round % 2)
      #expect(try bounce(plan, options).bits == expected, "seed \(seed), round \(round)")
    }
  }

  @Test func aDamagedRenderIsNamedAndReplaced() throws {
    let plan = fourStrips()
    let expected = try bounce(plan).bits
    for name in try cache.names() {
      var bytes = try cache.bytes(of: name)
      // In the second block, behind frames that have been used.
      bytes[bytes.count - 40_000] ^= 1
      try cache.write(bytes, to: name)
    }
    let damaged = try bounce(plan)
    #expect(damaged.bits == expected)
    #expect(damaged.uses == [RenderUse(kind: .strip, trackID: 0, outcome: .rendered(.damaged))])
    #expect(try bounce(plan).bits == expected)
  }

  /// Whatever another program puts in a render's place, it is not used, and nothing hangs or grows.
  @Test func hostileFilesAreNotUsed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let plan = fourStrips()
    let expected = try bounce(plan).bits
    let names = try cache.names()
    let good = try names.map { try cache.bytes(of: $0) }
    for round in 0..<24 {
      for (name, bytes) in zip(names, good) {
        let path = cache.path(name)
        try? FileManager.default.removeItem(atPath: path)
        switch round % 6 {
        case 0: #expect(mkfifo(path, 0o600) == 0)
        case 1: #expect(symlink("/dev/zero", path) == 0)
        case 2: #expect(mkdir(path, 0o700) == 0)
        case 3:
          // A header whose numbers are anything, with a size to match.
          var hostile = bytes
          for place in [8, 16, 24, 32, 40, 48] where Bool.random(using: &random) {
            let numbers: [Int64] = [.min, -1, 0, 1, 1 << 22, 1 << 34, .max]
            let number = numbers.randomElement(using: &random) ?? 0
            withUnsafeBytes(of: number.littleEndian) { hostile.replaceSubrange(place..<place + 8, with: $0) }
          }
          try cache.write(hostile, to: name)
        case 4:
          try cache.write(bytes, to: name)
          #expect(truncate(path, 1 << 40) == 0)
        default: try cache.write([], to: name)
        }
      }
      #expect(try bounce(plan).bits == expected, "seed \(seed), round \(round)")
      for name in try cache.names() { try FileManager.default.removeItem(atPath: cache.path(name)) }
    }
  }

  @Test func aHeaderOfAnySizeAllocatesNothing() {
    var bytes = [UInt8](repeating: 0, count: RenderLayout.fixedSize)
    bytes.replaceSubrange(0..<8, with: RenderLayout.magic)
    func layout(blocks: Int64, frames: Int64 = 0, sides: Int64 = 2, kind: Int64 = 1) -> RenderLayout? {
      for (place, number) in [(8, blocks), (16, frames), (32, sides), (40, kind)] {
        withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
      }
      return bytes.withUnsafeBytes { RenderLayout(fixed: $0) }
    }
    #expect(layout(blocks: 3, frames: 3 * 4_096) != nil)
    #expect(layout(blocks: 1 << 22) != nil)
    #expect(layout(blocks: 1 << 22 + 1) == nil)
    #expect(layout(blocks: -1) == nil)
    #expect(layout(blocks: .max) == nil)
    #expect(layout(blocks: 3, frames: 3 * 4_096 + 1) == nil)
    #expect(layout(blocks: 3, frames: -1) == nil)
    #expect(layout(blocks: 3, sides: 0) == nil)
    #expect(layout(blocks: 3, sides: 3) == nil)
    #expect(layout(blocks: 3, kind: 7) == nil)
  }
}
