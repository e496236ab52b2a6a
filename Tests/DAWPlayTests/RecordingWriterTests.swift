import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

@Suite struct RecordingWriterTests {
  @Test(arguments: [nil, 5_000..<90_000] as [Range<TimelineFrame>?])
  func everyFrameIsItselfOrInAGap(punch: Range<TimelineFrame>?) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let stage = try WriterStage(seed: seed, punch: punch)
    // Something is recorded whatever follows.
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(12_000)
    #expect(stage.wait { stage.hasBegun })
    for _ in 0..<40 {
      let command: TransportCommand =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .stop
        case 1: .locate(TimelineFrame(Int.random(in: 0..<100_000, using: &random)))
        case 2: .loop(first: 6_000, end: TimelineFrame(6_000 + Int.random(in: 500..<9_000, using: &random)))
        case 3: .noLoop
        default: .start
        }
      #expect(stage.engine.send(command))
      if Int.random(in: 0..<4, using: &random) == 0 { stage.driver.miss(Int.random(in: 1..<3_000, using: &random)) }
      if Int.random(in: 0..<6, using: &random) == 0 { stage.writer.setRecording(Bool.random(using: &random)) }
      stage.play(1)
      #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
      stage.play(Int.random(in: 1...9_000, using: &random))
      // The writer may be late, as a disk is.
      if Bool.random(using: &random) { usleep(20_000) }
    }
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    stage.stop()
    #expect(!stage.finished.isEmpty, "seed \(seed)")
    #expect(stage.engine.record.lateFrameCount == 0)
    try stage.check("seed \(seed), punch \(String(describing: punch))")
  }

  @Test func eachMessageIsWrittenOnceAtItsFrame() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
    let header = RecordingHeader(
      project: "test", recording: 1, title: "", startTime: 0, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 48_000, owner: .current)
    var id: Int64 = 10
    let track = ArmedTrack(trackID: 1, name: "Keys", sources: [nil], recordOffset: 0, kind: .jackMIDI)
    let writer = MIDITrackWriter(track, in: recording, header, alignment: .heard) {
      id += 1
      return id
    }
    var timeline = CapturedTimeline()
    timeline.setRecording(true, from: 0)
    timeline.add(TimelineChange(hostFrame: 1_000, frame: 0, motion: .rolling, wrapCount: 0))
    // One at each frame, so that every edge of a run has some.
    writer.arrived = (900..<3_000).map {
      CapturedMessage(hostFrame: HostFrame($0), input: 0, bytes: [0x90, UInt8($0 % 128), 1])
    }
    let ring = CaptureRing(channelCount: 0, frameCount: 1)
    var frame: HostFrame = 900
    while frame < 2_900 {
      let count = min(Int.random(in: 1...400, using: &random), HostFrame(2_900) - frame)
      writer.take(
        .ring(ring, index: 0), hostFrame: frame, frameCount: count, timeline: timeline,
        latency: CaptureLatency(capture: 30, playback: 20)
      ) { #expect($0 == nil) }
      frame += count
    }
    writer.endPass { #expect($0 == nil) }
    let pass = try #require(
      writer.takeRecords().compactMap { if case .pass(let pass) = $0 { pass } else { nil } }.first)
    var found: [RecordedEvent] = []
    _ = try EventsFile(recording.eventsName(of: pass), in: recording) { found.append($0) }
    // What was played at 1,000 came in 50 later.
    #expect(pass.firstHostFrame == 1_050)
    #expect(found.map(\.passFrame) == Array(0..<1_850), "seed \(seed)")
    #expect(found.allSatisfy { $0.bytes[1] == UInt8(($0.passFrame + 1_050) % 128) })
  }

  @Test func aCancelledPassIsNamedAndRecordingIsOff() throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.loop(first: 0, end: 20_000)))
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(50_000)
    #expect(stage.wait { stage.hasBegun })
    stage.writer.cancel()
    #expect(stage.waitForEnd(1))
    let finished = try #require(stage.finished.first)
    // The ledger knows, which is all that is left of a process that is killed now.
    #expect(try finished.folder.describe().passes.map(\.isCancelled) == [false, false, true])
    let rest = finished.description.withoutCancelled
    #expect(rest.passes == Array(finished.description.passes.prefix(2)))
    #expect(rest[pass: finished.description.passes[1].header.pass] == finished.description.passes[1])
    stage.play(50_000)
    stage.stop()
    #expect(stage.finished.count == 1)
    try stage.check("cancelled")
  }

  @Test func aFolderThatWentToTheTrashFindsItsNameFreeWhenItComesBack() throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    for count in 1...3 {
      stage.play(30_000)
      #expect(stage.wait { !stage.written.isEmpty })
      stage.writer.cancel()
      #expect(stage.waitForEnd(count))
      let place = try #require(stage.finished.last).folder.place
      try FileManager.default.moveItem(atPath: place.path, toPath: stage.folder.path("trash \(count)"))
      stage.written = [:]
      stage.writer.setRecording(true)
    }
    stage.stop()
    #expect(Set(stage.finished.map(\.folder.name)).count == 3)
  }

  @Test func aRecordingGoesOnWithAnotherServerBehindAGap() throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(30_000)
    #expect(stage.wait { stage.written.values.max() ?? 0 > 20_000 })
    stage.writer.loseServer(waits: true)
    #expect(stage.waitForLoss())
    // The writing thread has taken all that came in, however late it was.
    let began = ContinuousClock.now
    usleep(300_000)
    stage.takeEvents()
    #expect(stage.finished.isEmpty && stage.writer.passedFrames.load(ordering: .relaxed) == 0)
    let least = (ContinuousClock.now - began) / .seconds(1)
    stage.changeServer()
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    // No more than could have come in since.
    stage.play(2_000)
    #expect(stage.wait { stage.gaps.contains { $0.frames > 0 } })
    stage.play(30_000)
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    #expect(stage.finished.count == 1)
    let passes = try #require(stage.finished.first).description.passes
    try #require(passes.count == 2)
    let gap = try #require(passes[0].gaps.last)
    #expect(gap.cause == .serverLost && gap.end == passes[0].frames && gap.start == passes[0].recordedFrames)
    #expect(Double(gap.frames) >= (least - 0.1) * 48_000)
    #expect(stage.gaps.filter { $0.cause == .serverLost }.map(\.frames) == [Int(gap.frames)])
    #expect(passes[0].pieces.allSatisfy { $0.passFrame + $0.frames <= gap.start })
    // What came in first from the other server belongs to what was played before it.
    #expect(
      passes[1].header.firstHostFrame == passes[0].header.firstHostFrame + passes[0].frames + Int64(WriterStage.lag))
    #expect(passes[1].gaps.allSatisfy { $0.cause != .serverLost })
    try stage.check("another server")
  }

  /// A server that is back calls before the transport rolls.
  @Test(arguments: [true, false])
  func whereNothingRollsYetARecordingWaitsForAWhileWhenAServerIsBack(rolls: Bool) throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(30_000)
    #expect(stage.wait { stage.written.values.max() ?? 0 > 20_000 })
    stage.writer.loseServer(waits: true)
    #expect(stage.waitForLoss())
    // What comes in until it rolls is taken right before what comes in then, however late the threads are.
    stage.gate.close()
    #expect(stage.wait { stage.gate.isReached })
    #expect(stage.engine.send(.stop))
    stage.changeServer()
    stage.play(1_000)
    stage.driver.miss(100)
    stage.play(100)
    if rolls {
      #expect(stage.engine.send(.start))
      stage.play(1)
      #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
      stage.play(20_000)
    }
    // Longer than the first of them.
    usleep(100_000)
    stage.gate.open()
    #expect(stage.wait { stage.gaps.contains { $0.cause == .serverLost && $0.frames > 0 } })
    if rolls {
      #expect(stage.engine.send(.stop))
      stage.play(4_000)
    }
    // After that while it ends with the next frames.
    #expect(
      stage.wait {
        if !rolls { stage.play(100) }
        return stage.finished.count == 1
      })
    stage.stop()
    #expect(stage.finished.count == 1)
    let passes = try #require(stage.finished.first).description.passes
    try #require(passes.count == (rolls ? 2 : 1))
    let gap = try #require(passes[0].gaps.last)
    #expect(gap.cause == .serverLost && gap.end == passes[0].frames && gap.start == passes[0].recordedFrames)
    if rolls {
      // Not what came in while it stood.
      #expect(passes[1].header.firstHostFrame > passes[0].header.firstHostFrame + passes[0].frames + 1_500)
      #expect(passes[1].frames > 15_000)
    }
    try stage.check("rolls: \(rolls)")
  }

  /// A server that comes, and is gone before it has called once; or the player is suspended while it waits.
  @Test(arguments: [false, true])
  func aServerThatIsLostAgainBeforeItCallsTakesNothingFromTheGap(isSuspended: Bool) throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(30_000)
    #expect(stage.wait { stage.written.values.max() ?? 0 > 20_000 })
    stage.writer.loseServer(waits: true)
    #expect(stage.waitForLoss())
    usleep(200_000)
    stage.writer.loseServer(waits: !isSuspended)
    if !isSuspended {
      // Which is answered behind it: something is being recorded.
      stage.writer.keep(seconds: 1)
      #expect(stage.wait { stage.hadNothingToKeep })
      stage.changeServer()
      stage.play(1)
      #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
      // No more than could have come in since.
      stage.play(2_000)
      #expect(stage.wait { stage.gaps.contains { $0.frames > 0 } })
      stage.play(30_000)
      #expect(stage.engine.send(.stop))
      stage.play(4_000)
    }
    #expect(stage.waitForEnd(1))
    stage.stop()
    let passes = try #require(stage.finished.first).description.passes
    try #require(passes.count == (isSuspended ? 1 : 2))
    let gap = try #require(passes[0].gaps.last)
    #expect(gap.cause == .serverLost && gap.end == passes[0].frames && gap.frames > 7_000, "\(gap)")
    if !isSuspended {
      #expect(passes[1].header.firstHostFrame >= passes[0].header.firstHostFrame + passes[0].frames)
    }
    try stage.check("suspended: \(isSuspended)")
  }

  @Test(arguments: [false, true])
  func aRecordingThatWaitsForAServerEndsWhenItIsToldTo(isSwitchedOff: Bool) throws {
    let stage = try WriterStage(seed: 1)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(30_000)
    #expect(stage.wait { stage.written.values.max() ?? 0 > 20_000 })
    stage.writer.loseServer(waits: isSwitchedOff)
    if isSwitchedOff {
      #expect(stage.waitForLoss())
      #expect(stage.finished.isEmpty)
      stage.writer.setRecording(false)
    }
    #expect(stage.waitForEnd(1))
    stage.stop()
    #expect(stage.finished.count == 1)
    let pass = try #require(stage.finished.first?.description.passes.first)
    #expect(pass.isEnded && pass.recordedFrames > 20_000)
    try stage.check("ended")
  }

  @Test func aFileThatIsWrittenIsKnownWithWhatIsInIt() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    for frames in [30_000, 80_000] as [Int64] {
      stage.play(frames == 30_000 ? 34_000 : 50_000)
      #expect(stage.wait { stage.written.values.max() ?? 0 > frames })
      let (pass, file) = try #require(stage.openSegments.first)
      // Each file has a second.
      #expect(file.index == (frames == 30_000 ? 1 : 2) && file.sha256 == nil)
      #expect(file.startFrame + file.frames == stage.written[pass])
      let recordings = Place(root: stage.folder.path)
      let name = try #require(recordings.open().names().first)
      let status = try FileManager.default.attributesOfItem(
        atPath: recordings.appending(name).appending(file.name).path)
      #expect(status[.size] as? Int64 == file.byteCount && file.byteCount == file.dataOffset + 4 * file.frames)
    }
    stage.stop()
    try stage.check("written")
  }

  /// Its writes fail, also those that would complete it, as long as it is open.
  @Test func aFileThatWasGivenUpIsCompletedInTheEnd() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18) { $0.segmentSeconds = 10 }
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(30_001)
    #expect(stage.wait { stage.openSegments.values.contains { $0.frames > 20_000 } })
    let recordings = Place(root: stage.folder.path)
    let path = try recordings.appending(#require(recordings.open().names().first)).appending("Vox.0001.wav").path
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
    let number = try #require(
      numbers.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path })
    // A descriptor for reading only refuses writes.
    let broken = open(path, O_RDONLY)
    #expect(dup2(broken, number) == number)
    close(broken)
    stage.play(20_000)
    #expect(stage.wait { stage.diskFailureCount > 0 })
    stage.play(20_000)
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    let pass = try #require(stage.finished.first?.description.passes.first)
    #expect(pass.segments.count == 2 && pass.gaps.map(\.cause) == [.ioError], "\(pass.segments), \(pass.gaps)")
    #expect(pass.segments.allSatisfy { $0.sha256 != nil }, "\(pass.segments)")
    #expect(try stage.finished[0].folder.describe().passes == [pass])
    try stage.check("given up")
  }

  @Test func aRingThatOverflowsIsAGap() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 4_096)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(2_000)
    #expect(stage.wait { stage.hasBegun })
    stage.gate.close()
    #expect(stage.wait { stage.gate.isReached })
    stage.play(20_000)
    stage.gate.open()
    #expect(stage.catchUp())
    stage.play(1_000)
    #expect(stage.engine.send(.stop))
    for _ in 0..<4 {
      #expect(stage.catchUp())
      stage.play(1_000)
    }
    stage.stop()
    let gaps = stage.finished.flatMap(\.description.passes).flatMap(\.gaps)
    #expect(gaps.contains { $0.cause == .overrun })
    try stage.check("overrun")
  }

  @Test(arguments: [(false, false), (true, false), (true, true)])
  func withoutRoomFramesAreAGapOrGoElsewhere(spills: Bool, isRelative: Bool) throws {
    let other = try TemporaryFolder()
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let stage = try WriterStage(seed: 1) { request in
      request.leastFreeBytes = .max / 2
      if spills {
        request.spill = isRelative ? String(repeating: "../", count: depth) + other.path.dropFirst() : other.path
      }
    }
    #expect(stage.engine.send(.start))
    // The room is looked at each second, behind each such report: more than once.
    #expect(
      stage.wait {
        stage.play(300)
        return stage.reportCount > 3
      })
    #expect(stage.engine.send(.stop))
    stage.play(3_000)
    stage.stop()
    // Also that the ledger says what was recorded.
    try stage.check("spills: \(spills), relative: \(isRelative)")
    #expect(stage.spills.count == (spills ? 1 : 0) && (stage.diskFailureCount == 0) == spills, "\(stage.spills)")
    let passes = stage.finished.flatMap(\.description.passes)
    #expect(!passes.isEmpty)
    #expect(passes.flatMap(\.segments).contains(where: \.isSpilled) == spills)
    #expect(passes.flatMap(\.gaps).contains { $0.cause == .diskFull } == !spills)
  }
}
