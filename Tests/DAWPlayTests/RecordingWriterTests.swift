import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// A writer behind an engine without a server, whose two inputs spell the host's frame as a `NumberingClient` does.
private final class WriterStage {
  let folder: TemporaryFolder
  let numbers: NumberedFrames
  let engine: LiveEngine
  let driver: LiveDriver
  let ring: CaptureRing
  let writer: RecordingWriter
  var finished: [FinishedRecording] = []
  /// What was played at each host frame.
  var played: [Int64: Float] = [:]
  var hasBegun = false
  var hadNothingToKeep = false

  static let latencies = (playback: 300, capture: [100, 250])
  static let lag = 550

  init(
    seed: UInt64, ringFrames: Int = 1 << 16, punch: Range<TimelineFrame>? = nil,
    _ change: (inout RecordRequest) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    numbers = try NumberedFrames(frameCount: 600_000)
    var options = LiveOptions(sampleRate: 48_000)
    options.publishWaitSeconds = 60
    engine = LiveEngine(options) { _ in throw StreamError.stopped }
    engine.publish(numbers.plan)
    driver = LiveDriver(engine, seed: seed, blockFrames: 1...1_024)
    ring = CaptureRing(channelCount: 2, frameCount: ringFrames)
    driver.capture = (
      ring, { host, channel in NumberingClient.samples(of: UInt32(truncatingIfNeeded: host.number))[channel] }
    )
    var request = RecordRequest()
    request.encoding = .int16
    request.segmentSeconds = 1
    request.leastFreeBytes = 0
    change(&request)
    writer = RecordingWriter(
      RecordingWriter.Setup(
        ring: ring, tracks: [ArmedTrack(trackID: 1, name: "Vox", sources: [nil, nil], recordOffset: 0)],
        request: request, punch: punch, recordings: Place(root: folder.path), project: "test", sampleRate: 48_000
      ) { Self.latencies })
    writer.setRecording(true)
    writer.start()
  }

  deinit { engine.shutDown() }

  func play(_ frameCount: Int) {
    let first = driver.hostFrame
    driver.clear()
    driver.play(frameCount)
    for (index, value) in driver.left.enumerated() { played[Int64(first.number + index)] = value }
    takeEvents()
  }

  func takeEvents() {
    for event in writer.takeEvents() {
      if case .ended(let recording) = event { finished.append(recording) }
      if case .began = event { hasBegun = true }
      if case .nothingToKeep = event { hadNothingToKeep = true }
    }
  }

  func wait(for condition: () -> Bool) -> Bool {
    for _ in 0..<1_000 where !condition() {
      usleep(10_000)
      takeEvents()
    }
    return condition()
  }

  /// Waits until so many recordings have ended.
  func waitForEnd(_ count: Int) -> Bool { wait { finished.count == count } }

  func stop() {
    writer.stop()
    takeEvents()
  }

  /// Checks that each frame of all recordings is itself or in a gap, and lies where it was played.
  func check(_ words: String) throws {
    for recording in finished {
      #expect(try recording.folder.describe().passes == recording.description.passes, "\(words)")
      for pass in recording.description.passes {
        #expect(pass.unaccounted.isEmpty, "\(words)")
        for segment in pass.segments { try check(segment, of: pass, in: recording, words) }
        for piece in pass.pieces {
          for frame in stride(from: 0, to: piece.frames, by: 97) {
            let host = pass.header.firstHostFrame + piece.passFrame + frame - Int64(Self.lag)
            // What was not played was missed by both.
            guard let value = played[host] else { continue }
            #expect(value == Float(piece.timelineFrame + frame + 1), "\(words), host \(host)")
          }
        }
      }
    }
  }

  func check(
    _ segment: RecordedSegmentFile, of pass: RecordingDescription.Pass, in recording: FinishedRecording, _ words: String
  ) throws {
    let path = segment.isSpilled ? segment.name : recording.folder.place.appending(segment.name).path
    let reader = try AudioFileReader(path: path)
    let count = Int(segment.frames)
    var samples = [Float](repeating: 0, count: 2 * count)
    let done = try samples.withUnsafeMutableBufferPointer { buffer in
      try buffer.baseAddress.map { try reader.read(at: 0, count: count, into: $0) } ?? 0
    }
    #expect(done == count, "\(words)")
    let gaps = pass.gaps.map { $0.start..<$0.end }
    let wrong = (0..<count).first { index in
      let frame = segment.startFrame + Int64(index)
      if gaps.contains(where: { $0.contains(frame) }) { return samples[2 * index] != 0 || samples[2 * index + 1] != 0 }
      return NumberingClient.frame(left: samples[2 * index], right: samples[2 * index + 1])
        != UInt32(truncatingIfNeeded: pass.header.firstHostFrame + frame)
    }
    #expect(wrong == nil, "\(words), frame \(wrong ?? 0) of \(segment.name)")
  }
}

@Suite struct RecordingWriterTests {
  @Test(arguments: [nil, 5_000..<90_000] as [Range<TimelineFrame>?])
  func everyFrameIsItselfOrInAGap(punch: Range<TimelineFrame>?) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let stage = try WriterStage(seed: seed, punch: punch)
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
    #expect(!stage.finished.isEmpty)
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

  @Test func whatCameInLastIsKeptWhereItWasPlayed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let stage = try WriterStage(seed: seed, ringFrames: 1 << 18) { $0.rememberSeconds = 2 }
    stage.writer.setRecording(false)
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    for number in 1...4 {
      // More than is remembered.
      for _ in 0..<12 {
        stage.play(Int.random(in: 1...20_000, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 { stage.driver.miss(Int.random(in: 1..<3_000, using: &random)) }
        usleep(5_000)
      }
      let seconds = [0.5, 1, 1.7, 2][number - 1]
      // All but the newest block, which the next one may correct.
      let newest = stage.driver.hostFrame
      usleep(50_000)
      stage.writer.keep(seconds: seconds)
      #expect(stage.waitForEnd(number))
      let pass = try #require(stage.finished.last?.description.passes.first)
      #expect(stage.finished.count == number && stage.finished.last?.description.passes.count == 1)
      #expect(pass.frames <= Int64(seconds * 48_000) && pass.frames > Int64(seconds * 48_000) - 1_024)
      #expect(pass.header.firstHostFrame + pass.frames > Int64(newest.number) - 5_048)
    }
    try stage.check("seed \(seed)")
    // Recording goes on as ever.
    stage.writer.setRecording(true)
    usleep(50_000)
    stage.play(30_000)
    stage.stop()
    #expect(stage.finished.count == 5)
    try stage.check("seed \(seed)")
  }

  @Test func whatCameInWhileItStoodEndsAtThePlayhead() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 1 << 18) { $0.rememberSeconds = 2 }
    stage.writer.keep(seconds: 1)
    #expect(stage.wait { stage.hadNothingToKeep })
    for (playhead, start) in [(200_000, 152_000), (10_000, 0)] {
      #expect(stage.engine.send(.locate(TimelineFrame(playhead))))
      stage.play(150_000)
      usleep(100_000)
      stage.finished = []
      stage.writer.keep(seconds: 1)
      #expect(stage.waitForEnd(1))
      let pass = try #require(stage.finished.first?.description.passes.first)
      #expect(pass.pieces.count == 1)
      #expect(pass.pieces.first?.timelineFrame == Int64(start))
      #expect(pass.frames == 48_000)
      for segment in pass.segments { try stage.check(segment, of: pass, in: stage.finished[0], "\(playhead)") }
    }
    stage.stop()
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
    #expect(finished.description.passes.count == 3)
    #expect(finished.cancelled == [finished.description.passes[2].header.pass])
    let rest = finished.description.without(finished.cancelled)
    #expect(rest.passes == Array(finished.description.passes.prefix(2)))
    #expect(rest[pass: finished.description.passes[1].header.pass] == finished.description.passes[1])
    stage.play(50_000)
    stage.stop()
    #expect(stage.finished.count == 1)
    try stage.check("cancelled")
  }

  @Test func aRingThatOverflowsIsAGap() throws {
    let stage = try WriterStage(seed: 1, ringFrames: 4_096)
    #expect(stage.engine.send(.start))
    stage.play(2_000)
    usleep(100_000)
    // Faster than any writer.
    for _ in 0..<20 { stage.play(20_000) }
    usleep(100_000)
    #expect(stage.engine.send(.stop))
    for _ in 0..<4 {
      stage.play(1_000)
      usleep(50_000)
    }
    stage.stop()
    let gaps = stage.finished.flatMap(\.description.passes).flatMap(\.gaps)
    #expect(gaps.contains { $0.cause == .overrun })
    try stage.check("overrun")
  }

  @Test(arguments: [false, true])
  func withoutRoomFramesAreAGapOrGoElsewhere(spills: Bool) throws {
    let other = try TemporaryFolder()
    let stage = try WriterStage(seed: 1) { request in
      request.leastFreeBytes = .max / 2
      if spills { request.spill = other.path }
    }
    #expect(stage.engine.send(.start))
    // The room is looked at each second.
    let deadline = ContinuousClock.now + .seconds(3)
    while ContinuousClock.now < deadline {
      stage.play(2_000)
      usleep(20_000)
    }
    #expect(stage.engine.send(.stop))
    stage.play(3_000)
    stage.stop()
    try stage.check("spills: \(spills)")
    let passes = stage.finished.flatMap(\.description.passes)
    #expect(passes.flatMap(\.segments).contains(where: \.isSpilled) == spills)
    #expect(passes.flatMap(\.gaps).contains { $0.cause == .diskFull } == !spills)
  }
}
