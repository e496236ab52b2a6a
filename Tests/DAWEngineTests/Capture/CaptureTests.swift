import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

/// What a ring carried, read as the thread that writes files reads it.
private struct Reader {
  let ring: CaptureRing
  var timeline = CapturedTimeline()
  /// By host frame, of each channel.
  var samples: [HostFrame: [Float]] = [:]
  var droppedCount = 0
  /// The first frames of blocks whose samples may be of a later cycle.
  var torn: [HostFrame] = []
  var changes: [TimelineChange] = []

  mutating func read() {
    while let run = ring.takeRun(isLast: true) {
      for change in ring.takeChanges() {
        timeline.add(change)
        changes.append(change)
      }
      droppedCount += run.droppedCount
      if run.isTorn { torn.append(run.hostFrame) }
      var done = 0
      while done < run.frameCount {
        var count = 0
        for channel in 0..<ring.channelCount {
          let piece = ring.samples(ofChannel: channel, at: run.index + done, frameCount: run.frameCount - done)
          for index in 0..<piece.count {
            samples[run.hostFrame + done + index, default: []].append(piece.pointer[index])
          }
          count = piece.count
        }
        done += count
      }
      ring.release(run)
    }
  }
}

@Suite struct CaptureTests {
  /// The block behind one says that it was copied too late.
  @Test func aBlockThatWasCopiedTooLateIsTakenAlone() {
    let ring = CaptureRing(channelCount: 0, frameCount: 1_000)
    for number in 0..<5 {
      let frame = HostFrame(100 * number)
      ring.begin(at: frame)
      ring.note(TimelineChange(hostFrame: frame, frame: TimelineFrame(100 * number), motion: .rolling, wrapCount: 0))
      ring.capture(nil, hostFrame: frame, frameCount: 100)
      if number == 2 { ring.distrustLast() }
    }
    var runs: [(HostFrame, Int, Bool)] = []
    while let run = ring.takeRun(isLast: true) {
      runs.append((run.hostFrame, run.frameCount, run.isTorn))
      ring.release(run)
    }
    #expect(runs.map(\.0) == [0, 200, 300])
    #expect(runs.map(\.1) == [200, 100, 200])
    #expect(runs.map(\.2) == [false, true, false])
  }

  /// The output of a plan says at each frame which frame of the timeline it is.
  @Test(arguments: [1...1, 1...64, 1...3_000])
  func theTimelineIsWhatWasPlayed(blockFrames: ClosedRange<Int>) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let numbers = try NumberedFrames(frameCount: 200_000)
    defer { withExtendedLifetime(numbers) {} }
    let stage = LiveStage(seed: seed, blockFrames: blockFrames)
    stage.engine.publish(numbers.plan)
    let ring = CaptureRing(channelCount: 2, frameCount: 1 << 16)
    let sample = { (host: HostFrame, channel: Int) in Float(host.number) * (channel == 0 ? 1 : -1) }
    stage.driver.capture = (ring, sample)
    var reader = Reader(ring: ring)
    // Nothing is known before.
    reader.timeline.setRecording(true, from: 0)
    var played: [HostFrame: Float] = [:]
    for _ in 0..<30 {
      let command: TransportCommand =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .stop
        case 1: .locate(TimelineFrame(Int.random(in: 0..<100_000, using: &random)))
        case 2:
          .loop(first: 1_000, end: TimelineFrame(1_000 + Int.random(in: 1..<2_000, using: &random)))
        case 3: .noLoop
        default: .start
        }
      #expect(stage.engine.send(command))
      if Int.random(in: 0..<4, using: &random) == 0 { stage.driver.miss(Int.random(in: 1..<500, using: &random)) }
      stage.driver.playBlock(1)
      stage.waitForStreams()
      let first = stage.driver.hostFrame
      stage.driver.clear()
      stage.driver.play(Int.random(in: 1...(blockFrames.upperBound > 100 ? 4_000 : 1_500), using: &random))
      for (index, value) in stage.driver.left.enumerated() { played[first + index] = value }
      reader.read()
    }
    #expect(reader.droppedCount == 0)
    #expect(stage.engine.record.lateFrameCount == 0)
    for (host, value) in played {
      #expect(reader.samples[host] == [sample(host, 0), sample(host, 1)], "host \(host), seed \(seed)")
      let segment = reader.timeline.segment(at: host)
      #expect(segment.end > host)
      if case .recorded(_, let frame) = segment.content {
        #expect(value == Float(frame.number + 1), "host \(host), seed \(seed)")
      } else if value != 0, played[host - 1] == value - 1, played[host + 1] == value + 1 {
        // A fade-out has no two steps of 1.
        Issue.record("host \(host) played frame \(value - 1), and is not recorded, seed \(seed)")
      }
    }
  }

  @Test func whatHasNoRoomIsDroppedForAllChannelsAndCounted() throws {
    let stage = LiveStage(seed: 1, blockFrames: 100...100)
    let ring = CaptureRing(channelCount: 3, frameCount: 1_024)
    stage.driver.capture = (ring, { host, channel in Float(host.number + channel) })
    var reader = Reader(ring: ring)
    stage.driver.play(1_500)
    reader.read()
    #expect(reader.samples.count == 1_000)
    stage.driver.play(200)
    reader.read()
    #expect(reader.droppedCount == 500)
    #expect(reader.samples.count == 1_200)
    #expect(reader.samples.allSatisfy { host, values in values == (0..<3).map { Float(host.number + $0) } })
  }

  /// As ten seconds of 64 inputs, which a power of two would make eleven of.
  @Test(arguments: [1, 1_023, 1_024, 1_025, 480_000])
  func theRingHoldsWhatIsAskedForAndAtMostAPageMore(frameCount: Int) {
    let ring = CaptureRing(channelCount: 1, frameCount: frameCount)
    #expect((frameCount..<frameCount + 1_024).contains(ring.capacity), "\(ring.capacity)")
  }

  /// As long as the samples do, at 48 kHz.
  @Test func tenSecondsOfTheShortestCyclesFit() {
    let ring = CaptureRing(channelCount: 0, frameCount: 480_000)
    for number in 0..<30_000 {
      let frame = HostFrame(16 * number)
      ring.begin(at: frame)
      ring.note(TimelineChange(hostFrame: frame, frame: 0, motion: .stopped, wrapCount: 0))
      ring.capture(nil, hostFrame: frame, frameCount: 16)
    }
    var taken = 0
    while let run = ring.takeRun(isLast: true) {
      #expect(run.droppedCount == 0 && run.index == taken && run.hostFrame == HostFrame(taken))
      taken += run.frameCount
      ring.release(run)
    }
    #expect(taken == 480_000)
  }

  /// A host without a clock waits for that as well.
  @Test func thereIsNoRoomForMoreBlocksThanTheRingCounts() {
    let ring = CaptureRing(channelCount: 0, frameCount: 1 << 20)
    var written = 0
    while ring.hasRoom(for: 1), written < ring.capacity {
      let frame = HostFrame(written)
      ring.begin(at: frame)
      ring.note(TimelineChange(hostFrame: frame, frame: 0, motion: .stopped, wrapCount: 0))
      ring.capture(nil, hostFrame: frame, frameCount: 1)
      written += 1
    }
    #expect(written < ring.capacity)
    var taken = 0
    while let run = ring.takeRun(isLast: true) {
      #expect(run.droppedCount == 0)
      taken += run.frameCount
      ring.release(run)
    }
    #expect(taken == written && ring.hasRoom(for: 1))
  }

  @Test func aHostWithoutAClockWaitsForRoom() async throws {
    let stage = LiveStage(seed: 1, blockFrames: 64...64)
    let ring = CaptureRing(channelCount: 1, frameCount: 256)
    stage.driver.isFreewheeling = true
    stage.driver.capture = (ring, { host, _ in Float(host.number) })
    let isDone = Monitor(false)
    let frames = Monitor(0)
    let reading = Thread {
      var reader = Reader(ring: ring)
      while !isDone.update({ $0 }) {
        usleep(2_000)
        reader.read()
      }
      reader.read()
      let (count, dropped) = (reader.samples.count, reader.droppedCount)
      frames.update { $0 = dropped == 0 ? count : -1 }
    }
    reading.start()
    stage.driver.play(20_000)
    isDone.update { $0 = true }
    #expect(frames.wait(atMost: 30, for: { $0 == 0 ? nil : $0 }) == 20_000)
  }

  /// A late client reads the frame of the server's next cycle: the next block begins where this one was said to. What
  /// it copied may be of that next cycle.
  @Test func aFrameThatWasReadTooLateIsCorrected() throws {
    let numbers = try NumberedFrames(frameCount: 20_000)
    defer { withExtendedLifetime(numbers) {} }
    let stage = LiveStage(seed: 1, blockFrames: 256...256)
    stage.engine.publish(numbers.plan)
    let ring = CaptureRing(channelCount: 1, frameCount: 1 << 16)
    var reader = Reader(ring: ring)
    reader.timeline.setRecording(true, from: 0)
    var late = 0
    stage.driver.capture = (ring, { host, _ in Float(host.number - late) })
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(2_560)
    let start = stage.driver.hostFrame
    stage.driver.miss(256)
    late = 256
    stage.driver.playBlock(256)
    stage.driver.miss(-256)
    late = 0
    stage.driver.play(2_560)
    reader.read()
    #expect(reader.samples.allSatisfy { host, values in values == [Float(host.number)] })
    #expect(reader.samples.count == 2_560 + 256 + 2_560)
    #expect(reader.torn == [start])
    guard case .recorded(let key, let frame) = reader.timeline.segment(at: start - 1).content else {
      Issue.record("\(reader.timeline.segment(at: start - 1))")
      return
    }
    for offset in [0, 1, 255, 256, 300, 2_000] {
      #expect(reader.timeline.segment(at: start + offset).content == .recorded(key, frame + 1 + offset))
    }
    // A gap that the next block confirms stays one.
    stage.driver.miss(256)
    stage.driver.play(512)
    reader.read()
    #expect(reader.timeline.segment(at: stage.driver.hostFrame - 600).content == .between)
  }

  @Test func passesEndAtWrapsStopsAndSwitches() {
    var timeline = CapturedTimeline()
    func change(_ host: HostFrame, _ frame: TimelineFrame, _ motion: TimelineChange.Motion, wraps: UInt64 = 0) {
      timeline.add(TimelineChange(hostFrame: host, frame: frame, motion: motion, wrapCount: wraps))
    }
    func key(_ host: HostFrame) -> CapturedTimeline.PassKey? {
      if case .recorded(let key, _) = timeline.segment(at: host).content { key } else { nil }
    }
    change(0, 0, .stopped)
    change(100, 0, .between)
    change(200, 0, .rolling)
    change(1_200, 500, .rolling, wraps: 1)
    change(1_300, 600, .between, wraps: 1)
    change(1_350, 50, .rolling, wraps: 1)
    change(2_000, 700, .stopped)
    change(3_000, 700, .rolling)
    #expect([150, 300, 2_500].allSatisfy { key($0) == nil })
    timeline.setRecording(true, from: 400)
    #expect(key(300) == nil)
    let first = key(400)
    #expect(first != nil && key(1_199) == first && key(1_200) != first)
    // A locate is within a pass.
    #expect(timeline.segment(at: 1_310) == .init(end: 1_350, content: .between))
    #expect(key(1_360) == key(1_200) && key(3_000) != key(1_360))
    #expect(timeline.segment(at: 1_400).content == .recorded(key(1_200)!, 100))
    timeline.setRecording(false, from: 3_500)
    #expect(key(3_499) != nil && key(3_500) == nil && timeline.segment(at: 3_600).content == .nothing)
    timeline.setRecording(true, from: 3_700)
    #expect(key(3_700) != nil && key(3_700) != key(3_499))
    // Forgetting changes nothing behind it.
    let before = [3_499, 3_600, 3_900].map { timeline.segment(at: HostFrame($0)) }
    timeline.forget(before: 3_400)
    #expect([3_499, 3_600, 3_900].map { timeline.segment(at: HostFrame($0)) } == before)
  }

  @Test func punchCutsAtItsFrames() {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.setRecording(true, from: 0)
    timeline.add(TimelineChange(hostFrame: 1_000, frame: -50, motion: .rolling, wrapCount: 0))
    #expect(timeline.segment(at: 1_000) == .init(end: 1_150, content: .nothing))
    guard case .recorded(_, 100) = timeline.segment(at: 1_150).content else {
      Issue.record("\(timeline.segment(at: 1_150))")
      return
    }
    #expect(timeline.segment(at: 1_150).end == 1_250)
    #expect(timeline.segment(at: 1_250) == .init(end: .max, content: .nothing, beginsBehindPunch: true))
    #expect(timeline.segment(at: 1_251) == .init(end: .max, content: .nothing))
    // What counts in is never recorded.
    timeline.setPunch(nil)
    #expect(timeline.segment(at: 1_000) == .init(end: 1_050, content: .nothing))
  }

  @Test func punchLeavesWhatWasPlayedBeforeRecordingWasSwitched() {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.setRecording(true, from: 0)
    timeline.add(TimelineChange(hostFrame: 1_000, frame: 0, motion: .rolling, wrapCount: 0))
    timeline.setRecording(false, from: 1_150)
    timeline.setPunch(400..<500)
    // Input for it comes in behind the switch.
    guard case .recorded(_, 100) = timeline.segment(at: 1_100).content else {
      Issue.record("\(timeline.segment(at: 1_100))")
      return
    }
    #expect(timeline.segment(at: 1_100).end == 1_150 && timeline.segment(at: 1_150).content == .nothing)
    timeline.setRecording(true, from: 1_300)
    #expect(timeline.segment(at: 1_300) == .init(end: 1_400, content: .nothing))
    #expect(timeline.segment(at: 1_400).end == 1_500)
    timeline.setPunch(600..<700)
    #expect(timeline.segment(at: 1_300) == .init(end: 1_600, content: .nothing))
    #expect(timeline.segment(at: 1_100).end == 1_150)
    // What is kept afterwards is of all frames.
    guard case .recorded(_, 20)? = timeline.keeping(1_020..<1_040)?.segment(at: 1_020).content else {
      Issue.record("\(String(describing: timeline.keeping(1_020..<1_040)))")
      return
    }
  }

  @Test func punchFromALocateLeavesWhatWasBeforeIt() {
    var timeline = CapturedTimeline(punch: 100..<200)
    timeline.setRecording(true, from: 0)
    timeline.add(TimelineChange(hostFrame: 1_000, frame: 0, motion: .rolling, wrapCount: 0))
    timeline.setPunchFromLocate(nil, notBefore: 1_040)
    #expect(timeline.segment(at: 1_000) == .init(end: 1_100, content: .nothing))
    // No locate: the same motion goes on. And one that was before.
    timeline.add(TimelineChange(hostFrame: 1_020, frame: 20, motion: .rolling, wrapCount: 0))
    timeline.add(TimelineChange(hostFrame: 1_030, frame: 10, motion: .rolling, wrapCount: 0))
    #expect(timeline.segment(at: 1_040) == .init(end: 1_120, content: .nothing))
    timeline.add(TimelineChange(hostFrame: 1_050, frame: 60, motion: .rolling, wrapCount: 0))
    // Input for frames before the locate comes in behind it.
    #expect(timeline.segment(at: 1_000) == .init(end: 1_030, content: .nothing))
    #expect(timeline.segment(at: 1_030) == .init(end: 1_050, content: .nothing))
    guard case .recorded(_, 60) = timeline.segment(at: 1_050).content else {
      Issue.record("\(timeline.segment(at: 1_050))")
      return
    }
    // One that is set at once takes its place, for all frames.
    timeline.setPunchFromLocate(0..<1, notBefore: 0)
    timeline.setPunch(40..<50)
    timeline.add(TimelineChange(hostFrame: 1_100, frame: 45, motion: .rolling, wrapCount: 0))
    #expect(timeline.segment(at: 1_050) == .init(end: 1_100, content: .nothing))
    #expect(timeline.segment(at: 1_100).end == 1_105)
  }
}
