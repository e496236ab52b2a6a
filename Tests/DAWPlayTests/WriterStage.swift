import DAWEngine
import DAWErrors
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// Holds the writing thread where it takes what has come in, as long as that is less than a second; or the one that
/// hashes.
final class WriterGate: Sendable {
  private let state = Monitor((isClosed: false, isReached: false))

  /// Whether the thread waits.
  var isReached: Bool { state.read { $0.isReached } }

  func close() { state.update { $0 = (true, false) } }

  func open() { state.update { $0 = (false, false) } }

  /// The writing thread.
  func pass() {
    state.update { $0.isReached = $0.isClosed }
    state.wait { $0.isClosed ? nil : () }
  }
}

/// A writer behind an engine without a server, whose two inputs spell the host's frame as a `NumberingClient` does.
final class WriterStage {
  let folder: TemporaryFolder
  let numbers: NumberedFrames
  let engine: LiveEngine
  let driver: LiveDriver
  let ring: CaptureRing
  let writer: RecordingWriter
  let gate = WriterGate()
  var finished: [FinishedRecording] = []
  /// What was played at the host frames of each server, in order.
  private var played = [PlayedFrames()]
  var gaps: [(cause: GapCause, frames: Int)] = []
  /// The frames that were said last to be written, by pass.
  var written: [Int64: Int64] = [:]
  /// How often that was said.
  var reportCount = 0
  /// The files that were said last to be under way, by pass.
  var openSegments: [Int64: RecordedSegmentFile] = [:]
  /// How often a track was said not to be written.
  var diskFailureCount = 0
  /// The folders that were said to be written to instead of the recording's.
  var spills: [String] = []
  var hasBegun = false
  var hadNothingToKeep = false
  /// Why nothing was kept.
  var refusals: [Failure] = []
  /// Of each cancel, whether there was a recording.
  var cancels: [Bool] = []

  /// Of the two inputs with sound, and of the one with MIDI.
  static let latencies = (playback: 300, capture: [100, 250, 250])
  static let lag = 550
  let latenciesAreKnown = Monitor(true)

  /// Why files could not be flushed to disk.
  var syncFailures: [Int32] = []

  /// Of the track with MIDI.
  private let keys: MIDICapture?

  /// Of the next block.
  var nextHostFrame: HostFrame { engine.record.hostFrame + engine.record.frameCount }

  /// - Parameters:
  ///   - path: where the recordings are made; `nil`: in `folder`.
  ///   - hasVox: whether the track with sound is armed, `Vox`.
  ///   - hasKeys: whether there is a track with MIDI as well, `Keys`.
  ///   - hashing: holds the thread that hashes files.
  init(
    seed: UInt64, in path: String? = nil, ringFrames: Int = 1 << 16, punch: Range<TimelineFrame>? = nil,
    hasVox: Bool = true, hasKeys: Bool = false, hashing: WriterGate? = nil,
    _ change: (inout RecordRequest) -> Void = { _ in }
  ) throws {
    keys = hasKeys ? MIDICapture(inputCount: 1) : nil
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
    let recordings = Place(root: path ?? folder.path)
    try recordings.makeRoot()
    var request = RecordRequest()
    request.encoding = .int16
    request.segmentSeconds = 1
    request.leastFreeBytes = 0
    change(&request)
    var tracks: [ArmedTrack] = []
    if hasVox { tracks.append(ArmedTrack(trackID: 1, name: "Vox", sources: [nil, nil], recordOffset: 0)) }
    if hasKeys {
      tracks.append(ArmedTrack(trackID: 2, name: "Keys", sources: [nil], recordOffset: 0, kind: .jackMIDI))
    }
    let passGate = { @Sendable [gate] () -> HostFrame in
      gate.pass()
      return .max
    }
    writer = RecordingWriter(
      RecordingWriter.Setup(
        ring: ring, tracks: tracks, messages: [keys].compactMap(\.self), messagesEnd: passGate,
        beforeHashing: { hashing?.pass() }, request: request, punch: punch, recordings: recordings, project: "test",
        sampleRate: 48_000
      ) { [latenciesAreKnown] in latenciesAreKnown.read { $0 } ? Self.latencies : nil })
    writer.setRecording(true)
    writer.start()
  }

  deinit { engine.shutDown() }

  func play(_ frameCount: Int) {
    let first = driver.hostFrame
    driver.clear()
    driver.play(frameCount)
    played[played.count - 1].append(driver.left, at: Int64(first.number))
    takeEvents()
  }

  func takeEvents() {
    for event in writer.takeEvents() {
      if case .ended(let recording) = event { finished.append(recording) }
      if case .began = event { hasBegun = true }
      if case .gap(let cause, let frames) = event { gaps.append((cause, frames)) }
      if case .passed(let frames, let segments) = event {
        written = frames
        reportCount += 1
        openSegments = segments
      }
      if case .disk(.some, _) = event { diskFailureCount += 1 }
      if case .spills(_, let folder) = event { spills.append(folder) }
      if case .notOnDisk(let failure) = event { syncFailures.append(failure.code) }
      if case .nothingToKeep = event { hadNothingToKeep = true }
      if case .notKept(let failure) = event { refusals.append(failure) }
      if case .cancelled(let hadRecording) = event { cancels.append(hadRecording) }
    }
  }

  /// Until something holds, a minute at most.
  func wait(for condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(LiveDriver.patience)
    while !condition(), ContinuousClock.now < deadline {
      usleep(10_000)
      takeEvents()
    }
    return condition()
  }

  /// Rolls until it records.
  func roll() {
    #expect(engine.send(.start))
    play(1)
    #expect(engine.waitForStreams(seconds: LiveDriver.patience))
    play(30_000)
    #expect(wait { hasBegun })
  }

  /// Waits until the writing thread has taken what came in, but for the newest block, which the next one may correct.
  func catchUp() -> Bool { wait { ring.untakenCount <= driver.blockFrames.upperBound } }

  /// A MIDI message comes in. To be called before the block is played that has its frame.
  func receive(_ bytes: [UInt8], at frame: HostFrame) {
    bytes.withUnsafeBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      keys?.write(first, count: memory.count, of: 0, at: frame)
    }
  }

  /// Waits until so many recordings have ended.
  func waitForEnd(_ count: Int) -> Bool { wait { finished.count == count } }

  /// Waits until the passes under way have ended with their server, which was said to be gone.
  func waitForLoss() -> Bool { wait { writer.passedFrames.load(ordering: .relaxed) == 0 } }

  /// Another server calls, whose frames count from 0. Of the passes of a track, it has the next.
  func changeServer() {
    driver.restartClock()
    played.append(PlayedFrames())
  }

  func stop() {
    writer.stop()
    takeEvents()
  }

  /// Checks that each frame of all recordings is itself or in a gap, and lies where it was played.
  func check(_ words: String) throws {
    for recording in finished {
      var described = try recording.folder.describe()
      // A file that was begun and removed without a frame is none of a recording that has ended.
      described.apply(.end(endTime: 0))
      #expect(described.passes == recording.description.passes, "\(words)")
      for pass in recording.description.passes {
        let server = min(pass.header.number, played.count) - 1
        let origin = origin(of: server, in: recording)
        #expect(pass.unaccounted.isEmpty, "\(words)")
        for segment in pass.segments { try check(segment, of: pass, in: recording, words) }
        for piece in pass.pieces {
          for frame in stride(from: 0, to: piece.frames, by: 97) {
            let host = pass.header.firstHostFrame + piece.passFrame + frame - Int64(Self.lag) - origin
            // What was not played was missed by both.
            guard let value = played[server][host] else { continue }
            #expect(value == Float(piece.timelineFrame + frame + 1), "\(words), host \(host)")
          }
        }
      }
    }
  }

  /// Where a server's frame 0 lies in the recording's count, which goes on where the passes of the one before have
  /// ended.
  private func origin(of server: Int, in recording: FinishedRecording) -> Int64 {
    server == 0
      ? 0 : recording.description.passes.prefix(server).map { $0.header.firstHostFrame + $0.frames }.max() ?? 0
  }

  func check(
    _ segment: RecordedSegmentFile, of pass: RecordingDescription.Pass, in recording: FinishedRecording, _ words: String
  ) throws {
    // Without a hash its header may be wrong: the disk did not let it be completed.
    if segment.sha256 != nil {
      let path = segment.path(in: recording.folder)
      #expect(try sha256(ofFile: path).sha256 == segment.sha256, "\(words), \(segment.name)")
      #expect(try AudioFileReader(path: path).facts.frames.frames == segment.frames, "\(words), \(segment.name)")
    }
    let samples = try segment.samples(in: recording.folder)
    let count = Int(segment.frames)
    #expect(samples.count == 2 * count, "\(words)")
    guard samples.count == 2 * count else { return }
    let origin = origin(of: min(pass.header.number, played.count) - 1, in: recording)
    let wrong = NumberingClient.firstWrongFrame(
      in: samples, from: pass.header.firstHostFrame + segment.startFrame - origin, gaps: pass.gapRanges(in: segment))
    #expect(wrong == nil, "\(words), frame \(wrong ?? 0) of \(segment.name)")
  }
}

extension RecordedSegmentFile {
  func path(in folder: RecordingFolder) -> String { isSpilled ? name : folder.place.appending(name).path }

  /// Its frames, interleaved: two channels of 16 bits. As a take reads them, which needs no header.
  func samples(in folder: RecordingFolder) throws -> [Float] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(in: folder)))
    return DAWTestSupport.samples(ofInt16: data.dropFirst(Int(dataOffset)).prefix(4 * Int(frames)))
  }
}

extension RecordingDescription.Pass {
  /// Its gaps, in frames from a segment's first.
  func gapRanges(in segment: RecordedSegmentFile) -> [Range<Int64>] {
    gaps.map { $0.start - segment.startFrame..<$0.end - segment.startFrame }
  }
}
