import DAWBounce
import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Glibc
import Synchronization
import Testing

/// Counts the instruments made, and so the renders.
private final class Studio: Sendable {
  private let count = Mutex(0)
  var made: Int { count.withLock { $0 } }

  func make(_ plan: InstrumentPlan) -> any StreamProducer {
    count.withLock { $0 += 1 }
    return FadingInstrument(plan)
  }
}

/// An instrument that ends, and reports it in `hasEnded`.
private final class FadingInstrument: StreamProducer {
  private let instrument: FakeInstrument
  private let lastEvent: TimelineFrame
  private var frame: TimelineFrame = 0
  static let ring = 3_000

  init(_ plan: InstrumentPlan) {
    instrument = FakeInstrument(plan)
    lastEvent = plan.events.last?.frame ?? 0
  }

  var hasEnded: Bool { frame > lastEvent + Self.ring }

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    instrument.produce(frameCount: frameCount, left: left, right: right)
    for i in 0..<frameCount where frame + i > lastEvent + Self.ring {
      left[i] = 0
      right[i] = 0
    }
    frame += frameCount
  }
}

/// An instrument after whose end the open render files cannot be written any more, but can still be truncated and
/// renamed.
private final class SealingInstrument: StreamProducer {
  private let instrument: FadingInstrument
  private let folder: String
  static let sealedCount = Atomic(0)

  init(_ plan: InstrumentPlan, folder: String) {
    instrument = FadingInstrument(plan)
    self.folder = folder
  }

  /// Called after the last audible block and before the header is written.
  var hasEnded: Bool {
    if instrument.hasEnded { seal() }
    return instrument.hasEnded
  }

  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    instrument.produce(frameCount: frameCount, left: left, right: right)
  }

  private func seal() {
    typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "memfd_create") else { return }
    let create = unsafeBitCast(symbol, to: Create.self)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let number = Int32(name),
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        path.hasPrefix(folder), path.contains(".partial-")
      else { continue }
      // MFD_ALLOW_SEALING, F_ADD_SEALS and F_SEAL_WRITE, which Glibc's module does not import.
      let sealed = create("sealed", 2)
      if fcntl(sealed, 1_033, 8) == 0, dup2(sealed, number) == number { Self.sealedCount.add(1, ordering: .relaxed) }
      close(sealed)
    }
  }
}

private let megabyte: Int64 = 1 << 20

@Suite("The cache of instrument renders")
struct RenderCacheTests {
  private let folder: TemporaryFolder
  private let studio = Studio()

  init() throws { folder = try TemporaryFolder() }

  private func bounce(
    _ plan: RenderPlan, _ range: Range<TimelineFrame> = 0..<42_000, limit: Int64 = 64 * megabyte,
    renderer: String = "a",
    in path: String? = nil, threadCount: Int = 1, blockFrames: Int = 1_000
  ) throws -> (bits: [[UInt32]], outcomes: [RenderOutcome]) {
    let renders = RenderCache(
      of: plan, in: Place(root: path ?? folder.path), byteLimit: limit, renderer: renderer)
    let cached = Bouncer(
      cache: renders, makeProducer: { [studio] in studio.make($0) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    let sink = MemorySink()
    _ = try cached.bounce(
      plan, to: sink, options: BounceOptions(range: range, blockFrames: blockFrames, threadCount: threadCount))
    renders.finish()
    return (sink.bits, renders.outcomes().map(\.outcome))
  }

  /// A bounce without the cache.
  private func rendered(_ plan: RenderPlan, _ range: Range<TimelineFrame> = 0..<42_000) throws -> [[UInt32]] {
    let plain = Bouncer(
      makeProducer: { FadingInstrument($0) }, openReader: { (source) throws(StreamError) in FakeReader(source) })
    let sink = MemorySink()
    _ = try plain.bounce(plan, to: sink, options: BounceOptions(range: range))
    return sink.bits
  }

  @Test("A second bounce renders nothing, and gives the same bits", arguments: [1, 2], [1, 333, 4_096, 65_536])
  func second(threadCount: Int, blockFrames: Int) throws {
    let range: Range<TimelineFrame> = blockFrames == 1 ? 0..<9_000 : 0..<42_000
    let first = try bounce(testPlan(), range, threadCount: threadCount, blockFrames: blockFrames)
    #expect(first.bits == (try rendered(testPlan(), range)))
    #expect(first.outcomes == [.rendered(.notCached), .rendered(.notCached)])
    let second = try bounce(testPlan(), range, threadCount: threadCount, blockFrames: blockFrames)
    #expect(second.bits == first.bits)
    #expect(second.outcomes == [.reused, .reused])
    #expect(studio.made == 2)
  }

  @Test("Only what was changed is rendered, and the reason is named")
  func changed() throws {
    let before = testPlan()
    _ = try bounce(before)
    for part in RenderPart.allCases where part != .renderer {
      var plan = before
      switch part {
      case .soundFont: plan.instruments[0].plan.soundFontHash = "other"
      case .preset: plan.instruments[0].plan.program = 77
      case .effects: plan.instruments[0].plan.effects.gain = 0.5
      case .events: plan.instruments[0].plan.events[0].data2 = 99
      default: continue
      }
      let made = studio.made
      #expect(try bounce(plan).outcomes == [.rendered(.changed([part])), .reused])
      #expect(studio.made == made + 1)
      #expect(try bounce(plan).bits == (try rendered(plan)))
      _ = try bounce(before)
      try touch(before)
    }
    #expect(
      try bounce(before, renderer: "b").outcomes == [
        .rendered(.changed([.renderer])), .rendered(.changed([.renderer])),
      ])
  }

  @Test("The bytes of a system exclusive message are part of what a render depends on")
  func systemExclusive() throws {
    func plan(_ messages: [UInt8]...) -> RenderPlan {
      var plan = testPlan()
      let events = messages.indices.map { MIDIEvent(frame: 0, bytesIndex: UInt32($0)) }
      plan.instruments[0].plan.events.insert(contentsOf: events, at: 0)
      plan.instruments[0].plan.systemExclusive = messages
      return plan
    }
    _ = try bounce(plan([0xf0, 0x7e, 0x7f, 9, 1, 0xf7]))
    #expect(try bounce(plan([0xf0, 0x7e, 0x7f, 9, 1, 0xf7])).outcomes == [.reused, .reused])
    #expect(try bounce(plan([0xf0, 0x7e, 0x7f, 9, 3, 0xf7])).outcomes == [.rendered(.changed([.events])), .reused])
    // The same bytes, divided otherwise.
    _ = try bounce(plan([0xf0, 1, 0xf7], [2, 0xf7]))
    #expect(try bounce(plan([0xf0, 1], [0xf7, 2, 0xf7])).outcomes == [.rendered(.changed([.events])), .reused])
  }

  /// Makes these renders the newest of their tracks.
  private func touch(_ plan: RenderPlan) throws {
    usleep(20_000)
    _ = try bounce(plan)
    usleep(20_000)
  }

  @Test("Gains, pans and the SoundFont's path are not part of the key")
  func mixer() throws {
    var plan = testPlan()
    _ = try bounce(plan)
    plan.steps[4] = .mix(
      Connection(from: StripID(2), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.1),
      right: .constant(0.2))
    plan.instruments[0].plan.soundFontPath = "/elsewhere.sf2"
    #expect(try bounce(plan).outcomes == [.reused, .reused])
  }

  @Test("A render that ends in silence serves a longer bounce; one that was cut off is rendered anew")
  func longer() throws {
    // The second instrument has its last event at 38,400 and rings to 41,400: it is cut at 40,000.
    _ = try bounce(testPlan(), 0..<40_000)
    let longer = try bounce(testPlan(), 0..<90_000)
    #expect(longer.outcomes == [.reused, .rendered(.tooShort)])
    #expect(longer.bits == (try rendered(testPlan(), 0..<90_000)))
    let again = try bounce(testPlan(), 0..<200_000)
    #expect(again.outcomes == [.reused, .reused])
    #expect(again.bits == (try rendered(testPlan(), 0..<200_000)))
    #expect(try bounce(testPlan(), 10_000..<20_000).bits == (try rendered(testPlan(), 10_000..<20_000)))
  }

  @Test("Random edits: with the cache or without, the bits are the same")
  func randomEdits() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    var plan = testPlan()
    for edit in 0..<25 {
      let index = Int.random(in: plan.instruments.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: plan.instruments[index].plan.program = Int.random(in: 0...2, using: &random)
      case 1:
        let frame = TimelineFrame(Int.random(in: 0..<600, using: &random) * 64)
        plan.instruments[index].plan.events.append(MIDIEvent(frame: frame, status: 0x90, data1: 60, data2: 50))
        plan.instruments[index].plan.events.sort { $0.frame < $1.frame }
      case 2: plan.instruments[index].plan.events.removeLast()
      default:
        plan.steps[4] = .mix(
          Connection(from: StripID(2), to: StripID(0)), 1, width: .stereo, into: 0,
          left: .constant(.random(in: 0...1, using: &random)), right: .unity)
      }
      if plan.instruments[index].plan.events.isEmpty { plan = testPlan() }
      let lower = TimelineFrame.random(in: 0..<20_000, using: &random)
      let range = lower..<(lower + Int.random(in: 1..<30_000, using: &random))
      let bits = try bounce(plan, range, threadCount: 1 + edit % 2).bits
      #expect(try bits == rendered(plan, range), "seed \(seed), edit \(edit)")
    }
  }

  @Test("A damaged file is detected wherever it is damaged, and rendered again")
  func damaged() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let expected = try rendered(testPlan())
    _ = try bounce(testPlan())
    for round in 0..<12 {
      let name = try #require(try folder.names().filter { $0.hasSuffix(".render") }.randomElement(using: &random))
      var bytes = try folder.bytes(of: name)
      if round % 3 == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      } else {
        // Only bytes that are checked: the header ends in padding, and what is silent to the end is not read.
        let place = Bool.random(using: &random) ? Int.random(in: 0..<280, using: &random) : 4_096 + 40_000
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try folder.write(bytes, to: name)
      let result = try bounce(testPlan())
      #expect(result.bits == expected, "seed \(seed), round \(round)")
      #expect(result.outcomes.contains(.rendered(.damaged)), "seed \(seed), round \(round)")
      _ = try bounce(testPlan())
    }
  }

  @Test("Samples that are swapped in a file are detected", arguments: [4, 32, 4_096])
  func exchanged(size: Int) throws {
    let expected = try rendered(testPlan())
    _ = try bounce(testPlan())
    for name in try folder.names().filter({ $0.hasSuffix(".render") }) {
      var bytes = try folder.bytes(of: name)
      // Within one block, which has eight pages.
      let place = try #require(
        stride(from: 4_096, to: bytes.count - 2 * size, by: 8_192).first { place in
          bytes[place..<place + size] != bytes[place + size..<place + 2 * size]
        })
      let first = Array(bytes[place..<place + size])
      bytes.replaceSubrange(place..<place + size, with: bytes[place + size..<place + 2 * size])
      bytes.replaceSubrange(place + size..<place + 2 * size, with: first)
      try folder.write(bytes, to: name)
    }
    let result = try bounce(testPlan())
    #expect(result.bits == expected)
    #expect(result.outcomes == [.rendered(.damaged), .rendered(.damaged)])
  }

  @Test("A render whose header cannot be written is not cached")
  func headerFails() throws {
    let renders = RenderCache(
      of: testPlan(), in: Place(root: folder.path), byteLimit: 64 * megabyte, renderer: "a")
    let cached = Bouncer(
      cache: renders, makeProducer: { [folder] in SealingInstrument($0, folder: folder.path) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    let sink = MemorySink()
    _ = try cached.bounce(
      testPlan(), to: sink, options: BounceOptions(range: 0..<200_000, blockFrames: 1_000, threadCount: 1))
    #expect(SealingInstrument.sealedCount.load(ordering: .relaxed) == 2)
    renders.finish()
    #expect(sink.bits == (try rendered(testPlan(), 0..<200_000)))
    #expect(try folder.names().isEmpty)
  }

  @Test("A folder that cannot be written costs time only", arguments: [-1, 0, 100])
  func unusable(limit: Int64) throws {
    let path = limit < 0 ? "/proc/none/renders" : folder.path
    for _ in 0..<2 {
      let result = try bounce(testPlan(), limit: max(limit, 0), in: path)
      #expect(result.bits == (try rendered(testPlan())))
      #expect(result.outcomes == [.rendered(.notCached), .rendered(.notCached)])
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("A bounce beyond the limit caches what fits, and never evicts its own renders")
  func limit() throws {
    // One render has 11 blocks of 32 KiB.
    let first = try bounce(testPlan(), limit: 400_000)
    #expect(try folder.names().count == 1)
    let second = try bounce(testPlan(), limit: 400_000)
    #expect(second.outcomes.sorted { "\($0)" > "\($1)" } == [.reused, .rendered(.notCached)])
    #expect(second.bits == first.bits)
    #expect(try folder.names().count == 1)
  }

  @Test(
    "The renders that are kept leave as much room on the disk as they take",
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted"))
  func room() throws {
    // Both renders would take three quarters of it.
    let disk = try SmallDisk(at: folder.path("disk"), size: "640k")
    defer { disk.unmount() }
    let half = disk.freeByteCount / 2
    let bits = try bounce(testPlan(), in: disk.path).bits
    #expect(bits == (try rendered(testPlan())))
    // But for the header of each.
    #expect(disk.freeByteCount >= half - 16_384, "\(disk.freeByteCount) of \(2 * half) bytes are free")
  }

  @Test("Incomplete files of a killed process are removed; those of a running one stay")
  func abandoned() throws {
    try folder.write([1, 2, 3], to: "a.render.partial-1-1")
    let held = try folder.write([1, 2, 3], to: "b.render.partial-2-2")
    let descriptor = open(held, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    _ = try bounce(testPlan())
    let left = try folder.names().filter { $0.contains("partial") }
    #expect(left == ["b.render.partial-2-2"])
  }

  @Test("Bounces at once share a folder")
  func together() async throws {
    let expected = try rendered(testPlan())
    let results = try await withThrowingTaskGroup(of: [[UInt32]].self) { group in
      for number in 0..<6 {
        group.addTask { try bounce(testPlan(), threadCount: 1 + number % 2, blockFrames: 512 + number).bits }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0 == expected })
    #expect(try folder.names().count == 2)
    #expect(try bounce(testPlan()).outcomes == [.reused, .reused])
  }

  @Test("A cancelled bounce leaves no incomplete render")
  func cancelled() throws {
    let renders = RenderCache(of: testPlan(), in: Place(root: folder.path), byteLimit: megabyte, renderer: "a")
    let bouncer = Bouncer(
      cache: renders, makeProducer: { [studio] in studio.make($0) },
      openReader: { (source) throws(StreamError) in FakeReader(source) })
    var written: Int64 = 0
    _ = try? bouncer.bounce(
      testPlan(), to: MemorySink(), options: BounceOptions(range: 0..<42_000, blockFrames: 1_000, threadCount: 2),
      progress: { written = $0 }, isCancelled: { written >= 3_000 })
    renders.finish()
    #expect(try folder.names().isEmpty)
  }

  @Test("The digest does not depend on blocks, and a difference is found in its span")
  func digests() throws {
    func digest(_ plan: RenderPlan, _ blockFrames: Int) throws -> SampleDigest {
      let sink = MemorySink()
      let digesting = DigestingSink(into: sink, format: sink.format, spanFrames: 1_000)
      _ = try bouncer.bounce(
        plan, to: digesting, options: BounceOptions(range: 0..<20_500, blockFrames: blockFrames))
      #expect(sink.isFinished)
      return digesting.digest
    }
    let digest1 = try digest(testPlan(), 4_096)
    #expect(digest1.frameCount == 20_500)
    #expect(digest1.spans.count == 21)
    for blockFrames in [17, 1_000, 65_536] { #expect(try digest(testPlan(), blockFrames) == digest1) }
    var plan = testPlan()
    plan.regions[1].gain = .constant(0.999)
    #expect(digest1.firstDifference(from: try digest(plan, 500)) == 20_000..<20_500)
    #expect(digest1.firstDifference(from: digest1) == nil)
  }
}
