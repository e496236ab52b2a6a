import DAWEngine
import DAWMedia
import DAWModel
import DAWTime
import Foundation
import Synchronization

/// Writes what a `CaptureRing` carries to files, on a thread of its own. `RecordingFlusher` flushes them to disk each second.
///
/// A recording begins with the first frame that is recorded, and ends when the transport stops or recording is switched
/// off, and what was played until then has come in.
final class RecordingWriter: @unchecked Sendable {
  // Unchecked: the properties below `isWriting` are the writing thread's.
  let setup: Setup
  /// Of the longest pass under way. Any thread reads it.
  let passedFrames = Atomic<Int64>(0)
  private let mail = Mutex(Mail())
  private let flusher = RecordingFlusher()
  private let isWriting = Monitor(false)
  private var timeline: CapturedTimeline
  /// Of each track.
  private let inputRanges: [Range<Int>]
  var nextHostFrame: HostFrame?
  var current: OpenRecording?
  /// Of frames that are not taken yet, or may be kept.
  var arrived = ArrivedMessages()
  var remembered: RememberedInput
  private var nextSync = ContinuousClock.now
  private var lastID: Int64 = 0
  var hasWarnedOfRoom = false
  /// A recording that could not be begun is not tried again until recording is switched on, or something is played that
  /// is not recorded.
  private var hasFailedToBegin = false
  /// When frames came in last.
  var lastRunTime = ContinuousClock.now
  /// Whether the recording under way has lost its server, and goes on when another one calls.
  var waitsForServer = false
  /// Until when a recording that waited for a server does not end because nothing rolls yet; until it rolls again.
  var endsNotBefore = ContinuousClock.now

  /// Between the control thread and the writing thread. Neither waits for it.
  private struct Mail {
    var commands: [Command] = []
    var events: [Event] = []
    var isStopping = false
  }

  private enum Command {
    case record(Bool)
    case punch(Range<TimelineFrame>?)
    case punchFromLocate(Range<TimelineFrame>?, notBefore: HostFrame)
    case keep(seconds: Double)
    case cancel
    case loseServer(waits: Bool)
  }

  init(_ setup: Setup) {
    self.setup = setup
    inputRanges = setup.inputRanges
    timeline = CapturedTimeline(punch: setup.punch)
    remembered = RememberedInput(frameCount: Int(setup.request.rememberSeconds * Double(setup.sampleRate)))
  }

  // MARK: Control thread

  func start() {
    isWriting.update { $0 = true }
    Thread { [self] in write() }.start()
    flusher.start { [self] in post(.notOnDisk($0)) }
  }

  func setRecording(_ isOn: Bool) { send(.record(isOn)) }

  func setPunch(_ punch: Range<TimelineFrame>?) { send(.punch(punch)) }

  /// To be called before the transport is told to locate: what was played until then is recorded as before.
  /// - Parameter first: the first host frame at which that locate can be.
  func setPunchFromLocate(_ punch: Range<TimelineFrame>?, notBefore first: HostFrame) {
    send(.punchFromLocate(punch, notBefore: first))
  }

  /// Makes a recording of what came in last.
  func keep(seconds: Double) { send(.keep(seconds: seconds)) }

  /// Ends the recording under way, without the passes that are open.
  func cancel() { send(.cancel) }

  /// The server is gone: the passes under way end.
  /// - Parameter waits: whether the recording goes on when another server calls; else it ends as well.
  func loseServer(waits: Bool) { send(.loseServer(waits: waits)) }

  private func send(_ command: Command) { mail.withLock { $0.commands.append(command) } }

  func takeEvents() -> [Event] {
    mail.withLock { mail in
      defer { mail.events = [] }
      return mail.events
    }
  }

  /// Ends the recording under way, and the threads.
  func stop() {
    mail.withLock { $0.isStopping = true }
    isWriting.wait { $0 ? nil : () }
    flusher.stop()
  }

  // MARK: The writing thread

  /// Between two looks at the ring, in microseconds: with cycles of up to 1,024 frames a kill takes less than 100 ms.
  private static let period: UInt32 = 75_000

  private func write() {
    while true {
      let isStopping = mail.withLock { $0.isStopping }
      while let command = nextCommand() { perform(command) }
      drain()
      keepFiles()
      if isStopping {
        drain(isLast: true)
        endPasses()
        end()
        return isWriting.update { $0 = false }
      }
      usleep(Self.period)
    }
  }

  /// One at a time: while one is performed, punches behind it may be taken with the changes that they are meant for.
  private func nextCommand() -> Command? {
    mail.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
  }

  private func perform(_ command: Command) {
    switch command {
    case .record(let isOn):
      hasFailedToBegin = false
      // What has been read is done with.
      timeline.setRecording(isOn, from: nextHostFrame ?? 0)
      if !isOn, waitsForServer { end() }
    case .punch(let punch): timeline.setPunch(punch)
    case .punchFromLocate(let punch, let first): timeline.setPunchFromLocate(punch, notBefore: first)
    case .keep(let seconds): keep(Int(seconds * Double(setup.sampleRate)))
    case .cancel:
      drain()
      current?.cancelOpenPasses()
      collectRecords()
      // Also what was played and has not come in yet is not wanted.
      timeline.setRecording(false, from: .min)
      endPasses()
      end()
    case .loseServer(let waits):
      drain(isLast: true)
      loseServerNow()
      if !waits { end() }
    }
  }

  /// Where what may be taken ends. What is late by a second is not waited for.
  private func readableEnd(isLast: Bool) -> HostFrame {
    guard !isLast, let end = setup.messagesEnd, setup.ring.untakenCount < setup.sampleRate else { return .max }
    return end()
  }

  /// - Parameter isLast: whether no more frames come.
  private func drain(isLast: Bool = false) {
    while let run = setup.ring.takeRun(before: readableEnd(isLast: isLast), isLast: isLast) {
      takeChanges()
      // The server's clock has begun again.
      if let expected = nextHostFrame, run.hostFrame < expected { loseServerNow() }
      endWait(before: run)
      if let expected = nextHostFrame {
        if run.hostFrame > expected {
          let lost = run.hostFrame - expected
          let dropped = min(run.droppedCount, lost)
          take(.gap(.overrun), at: expected, dropped)
          take(.gap(.xrun), at: expected + dropped, lost - dropped)
        }
      }
      take(CapturedInput(run, setup.ring), at: run.hostFrame, run.frameCount)
      nextHostFrame = run.end
      lastRunTime = .now
      remembered.add(run, setup.ring)
      endWhereIdle()
    }
  }

  private func takeChanges() {
    let changes = setup.ring.takeChanges()
    guard !changes.isEmpty else { return }
    // Looked for behind the changes: what applies from one of them on was sent before it. In the order in which they came,
    // those that were sent before among them.
    for command in takePunches() { perform(command) }
    for change in changes { timeline.add(change) }
  }

  /// One that was sent behind `record` waits for it, since what was played until then is recorded as before. One from a
  /// locate on need not wait, and takes the place of those before it that do.
  private func takePunches() -> [Command] {
    mail.withLock { mail in
      var (taken, left): ([Command], [Command]) = ([], [])
      var isBehindRecord = false
      for command in mail.commands {
        switch command {
        case .punch where !isBehindRecord: taken.append(command)
        case .punchFromLocate:
          left.removeAll { if case .punch = $0 { true } else { false } }
          taken.append(command)
        case .record: (isBehindRecord, left) = (true, left + [command])
        default: left.append(command)
        }
      }
      mail.commands = left
      return taken
    }
  }

  private func take(_ input: CapturedInput, at hostFrame: HostFrame, _ frameCount: Int) {
    guard frameCount > 0 else { return }
    let latencies = setup.latencies()
    readMessages()
    if current == nil { beginIfRecorded(hostFrame, frameCount, latencies) }
    if let current {
      if case .gap(let cause) = input, current.hasOpenPass { post(.gap(cause, frames: frameCount)) }
      for (number, recorder) in current.midiTracks.enumerated() {
        recorder.arrived = arrived.messages(of: number, in: hostFrame..<hostFrame + frameCount)
      }
      for (recorder, inputs) in zip(current.tracks, inputRanges) {
        recorder.take(
          input, hostFrame: hostFrame, frameCount: frameCount, timeline: timeline,
          latency: Self.latency(latencies, of: inputs)
        ) { [self] in post(.disk($0, track: recorder.track.name)) }
      }
      // In the ledger before its silence is in a file, where a kill would leave it without a name.
      if case .gap = input { collectRecords() }
    }
    arrived.forget(before: hostFrame + frameCount - remembered.frameCount)
    forgetTimeline(before: hostFrame - remembered.frameCount, latencies)
  }

  private func readMessages() {
    let recorders = current?.midiTracks ?? []
    for loss in arrived.read(setup.messages, notBefore: nextHostFrame) {
      if recorders.indices.contains(loss.input) {
        recorders[loss.input].lose(loss.count, at: loss.first, before: nextHostFrame ?? loss.first)
      }
      post(.lostEvents(loss.count))
    }
  }

  /// Makes a recording of what came in last, at the places where it was played.
  private func keep(_ frameCount: Int) {
    drain()
    let runs = remembered.last(frameCount)
    let lag = Self.latency(setup.latencies(), of: inputRanges.first ?? 0..<0).lag(setup.request.alignment)
    guard current == nil, let first = runs.first?.hostFrame, let next = nextHostFrame,
      let kept = timeline.keeping(first - lag..<next - lag)
    else { return post(.nothingToKeep) }
    let live = timeline
    timeline = kept
    defer { timeline = live }
    begin()
    guard current != nil else { return }
    var expected = first
    for run in runs {
      take(.gap(.xrun), at: expected, run.hostFrame - expected)
      take(CapturedInput(run, setup.ring), at: run.hostFrame, run.frameCount)
      expected = run.end
      // What is complete is flushed and closed meanwhile.
      handOver()
    }
    endPasses()
    end()
  }

  private static func latency(
    _ latencies: (playback: Int, capture: [Int]), of inputs: Range<Int>
  ) -> CaptureLatency {
    CaptureLatency(
      capture: latencies.capture[inputs.clamped(to: latencies.capture.indices)].max() ?? 0,
      playback: latencies.playback)
  }

  /// Latencies may grow later: what was played two seconds before the greatest of now is kept.
  private func forgetTimeline(before hostFrame: HostFrame, _ latencies: (playback: Int, capture: [Int])) {
    timeline.forget(before: hostFrame - latencies.playback - (latencies.capture.max() ?? 0) - 2 * setup.sampleRate)
  }

  private func beginIfRecorded(_ hostFrame: HostFrame, _ count: Int, _ latencies: (playback: Int, capture: [Int])) {
    for inputs in inputRanges {
      let lag = Self.latency(latencies, of: inputs).lag(setup.request.alignment)
      var frame = hostFrame - lag
      while frame < hostFrame + count - lag {
        let segment = timeline.segment(at: frame)
        if case .recorded = segment.content { return hasFailedToBegin ? () : begin() }
        frame = segment.end
      }
    }
    hasFailedToBegin = false
  }

  private func begin() {
    do throws(AudioFileWriteError) {
      let recording = try OpenRecording(setup, startTime: Self.now) { [self] in newID() }
      current = recording
      // Not at full seconds, at which files of full seconds end: each would be told of when it has just begun.
      nextSync = .now + .milliseconds(500)
      post(.began(recording.header, folder: recording.folder.name))
      post(.wrote(recording.begin()))
    } catch {
      hasFailedToBegin = true
      post(.failedToBegin(error))
    }
  }

  /// Milliseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  private func newID() -> Int64 {
    let source = IdentifierSource(now: { Self.now })
    lastID = source.first(above: lastID)
    return lastID
  }

  func endPasses() {
    guard let current else { return }
    for writer in current.tracks {
      writer.endPass { [self] in post(.disk($0, track: writer.track.name)) }
    }
    collectRecords()
  }

  /// Ends the recording when nothing more can come of it.
  private func endWhereIdle() {
    guard let current, let next = nextHostFrame else { return }
    if current.hasOpenPass {
      endsNotBefore = .now
      return
    }
    guard .now >= endsNotBefore else { return }
    let latencies = setup.latencies()
    for inputs in inputRanges {
      guard timeline.isIdle(at: next - Self.latency(latencies, of: inputs).lag(setup.request.alignment)) else { return }
    }
    end()
  }

  private func end() {
    guard let ended = current else { return }
    endWait()
    handOver()
    flusher.waitForHashes()
    collectRecords()
    ended.completeGivenUp()
    collectRecords()
    let finished = ended.end(endTime: Self.now)
    syncNow()
    current = nil
    flusher.forgetRecording()
    post(.ended(finished))
  }

  // MARK: Files

  private func keepFiles() {
    guard let current else { return passedFrames.store(0, ordering: .relaxed) }
    for writer in current.tracks { writer.flush { [self] in post(.disk($0, track: writer.track.name)) } }
    collectRecords()
    passedFrames.store(current.tracks.map(\.openFrames).max() ?? 0, ordering: .relaxed)
    guard ContinuousClock.now >= nextSync else { return }
    nextSync = .now + .seconds(1)
    post(.passed(current.openFrames, segments: current.openSegments))
    checkRoom(of: current.folder)
    for writer in current.tracks { writer.refreshHeader { [self] in post(.disk($0, track: writer.track.name)) } }
    handOver()
  }

  private func handOver() {
    guard let current else { return }
    flusher.take(
      current.takeFilesToSync(), toHash: current.takeSealed(), of: current.folder,
      writers: current.tracks.compactMap(\.segmentWriter))
  }

  private func syncNow() {
    guard let current else { return }
    handOver()
    // The other thread may be about to; once more does no harm.
    try? current.folder.syncFileSystem()
    try? current.folder.sync()
  }

  func collectRecords() {
    current?.add(flusher.takeHashed())
    let records = current?.collectRecords() ?? []
    if !records.isEmpty { post(.wrote(records)) }
  }

  func post(_ event: Event) { mail.withLock { $0.events.append(event) } }
}
