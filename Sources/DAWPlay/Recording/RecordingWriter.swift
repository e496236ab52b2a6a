import DAWEngine
import DAWMedia
import DAWModel
import DAWTime
import Foundation
import Synchronization

/// Writes what a `CaptureRing` carries to files, on a thread of its own. `RecordingFlusher` flushes them each second.
///
/// A recording begins with the first frame that is recorded. It ends when the transport has stopped, or recording was
/// switched off, and the input for all that was played until then has come in.
final class RecordingWriter: @unchecked Sendable {
  // Unchecked: `setup` and the properties below `isWriting` are the writing thread's.
  private(set) var setup: Setup
  /// That of `setup`, for any thread.
  let ring: CaptureRing
  /// Frames of the longest pass under way; 0 if there is none. Any thread reads it.
  let passedFrames = Atomic<Int64>(0)
  private let mail = Mutex(Mail())
  /// Flushes and hashes the files of the recording under way.
  var flusher: RecordingFlusher
  let isWriting = Monitor(false)
  /// Recordings that are being completed on threads of their own.
  let endingCount = Monitor(0)
  private var timeline: CapturedTimeline
  /// The inputs of each track, in the order of the tracks.
  private let inputRanges: [Range<Int>]
  /// The host frame behind what was taken last; `nil` before the first run of a server.
  var nextHostFrame: HostFrame?
  var current: OpenRecording?
  /// The latencies that were known last.
  private var latencies: Latencies = (0, [])
  /// MIDI messages of frames that are not taken yet, or may still be kept.
  var arrived = ArrivedMessages()
  var remembered: RememberedInput
  private var nextSync = ContinuousClock.now
  private var lastID: Int64 = 0
  var hasWarnedOfRoom = false
  /// Whether a recording could not be begun: none is tried until recording is switched on, or unrecorded frames come.
  private var hasFailedToBegin = false
  /// When the last frames came in.
  var lastRunTime = ContinuousClock.now
  /// Whether the recording under way has lost its server, and goes on with the next one.
  var waitsForServer = false
  /// Before this time a recording that waited for a server does not end, though the transport does not roll yet.
  var endsNotBefore = ContinuousClock.now

  /// What the control thread and the writing thread exchange, under a short lock.
  private struct Mail {
    var commands: [Command] = []
    var events: [Event] = []
    var isStopping = false
  }

  enum Command {
    /// - Parameter arrived: the host frame behind what had come in when that was said.
    case record(Bool, arrived: HostFrame)
    case tracks([ArmedTrack])
    case punch(Range<TimelineFrame>?, fromPlan: UInt64)
    case punchFromLocate(Range<TimelineFrame>?, notBefore: HostFrame)
    case keep(seconds: Double)
    case cancel
    case loseServer(waits: Bool)
    case takeArrived(isDone: DAWEngine.Monitor<Bool>)
    case dropMemory(isDone: DAWEngine.Monitor<Bool>)

    /// Only `record` has it.
    var arrived: HostFrame? { if case .record(_, let arrived) = self { arrived } else { nil } }
  }

  init(_ setup: Setup) {
    self.setup = setup
    ring = setup.ring
    inputRanges = setup.inputRanges
    flusher = RecordingFlusher(beforeHashing: setup.beforeHashing)
    timeline = CapturedTimeline(punch: setup.punch)
    remembered = RememberedInput(frameCount: Int(setup.request.rememberSeconds * Double(setup.sampleRate)))
  }

  // MARK: Control thread

  func start() {
    isWriting.update { $0 = true }
    Thread { [self] in write() }.start()
    flusher.start { [self] in post(.notOnDisk($0)) }
  }

  func send(_ command: Command) { mail.withLock { $0.commands.append(command) } }

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

  /// Microseconds from one round to the next. A kill loses no more than a tenth of a second, with cycles of up to 1,024
  /// frames; shorter periods would cost more, since each write of a file costs as much as a few pages of it.
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
        end(waits: true)
        endingCount.wait { $0 == 0 ? () : nil }
        return isWriting.update { $0 = false }
      }
      usleep(Self.period)
    }
  }

  /// One at a time: while one is performed, `takePunches` may take the punches that follow it.
  private func nextCommand() -> Command? {
    let first = mail.withLock { $0.commands.first }
    // What had come in by then is recorded; meanwhile this command, and the punches behind it, stay in the mail.
    if case .record(false, _)? = first { drain() }
    return mail.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
  }

  private func perform(_ command: Command) {
    switch command {
    case .record(let isOn, _):
      hasFailedToBegin = false
      // What has been taken already stays as it was recorded.
      timeline.setRecording(isOn, from: nextHostFrame ?? 0)
      if !isOn, waitsForServer { end() }
    case .tracks(let tracks): setup.tracks = tracks
    case .punch(let punch, let number): timeline.setPunch(punch, fromPlan: number)
    case .punchFromLocate(let punch, let first): timeline.setPunchFromLocate(punch, notBefore: first)
    case .keep(let seconds): keep(Int(seconds * Double(setup.sampleRate)))
    case .cancel:
      drain()
      let hadRecording = current != nil
      current?.cancelOpenPasses()
      collectRecords()
      // Also what was played and has not come in yet is not wanted.
      timeline.setRecording(false, from: .min)
      endPasses()
      end(waits: true)
      post(.cancelled(hadRecording: hadRecording))
    case .loseServer(let waits):
      drain(isLast: true)
      loseServerNow()
      if !waits { end() }
    case .takeArrived(let isDone): takeArrivedNow(isDone)
    case .dropMemory(let isDone): dropMemoryNow(isDone)
    }
  }

  /// The host frame up to which blocks may be taken. MIDI may come later than sound; it is waited for a second at most.
  private func readableEnd(isLast: Bool) -> HostFrame {
    if isLast { return .max }
    // What comes behind a switch of recording that is not performed yet waits for it.
    let switched = mail.withLock { $0.commands.lazy.compactMap(\.arrived).first } ?? .max
    guard let end = setup.messagesEnd, setup.ring.untakenCount < setup.sampleRate else { return switched }
    return min(switched, end())
  }

  /// - Parameter isLast: whether no more frames come.
  func drain(isLast: Bool = false) {
    guard isLast || setup.latencies() != nil else { return }
    while let run = setup.ring.takeRun(before: readableEnd(isLast: isLast), isLast: isLast) {
      takeChanges()
      // The server's clock has begun again.
      if let expected = nextHostFrame, run.hostFrame < expected { loseServerNow() }
      endWait(before: run)
      if let expected = nextHostFrame, run.hostFrame > expected {
        let lost = run.hostFrame - expected
        let dropped = min(run.droppedCount, lost)
        take(.gap(.overrun), at: expected, dropped)
        take(.gap(.xrun), at: expected + dropped, lost - dropped)
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
    // After the changes were read: a punch that applies from one of them on was sent before it.
    for command in takePunches() { perform(command) }
    for change in changes { timeline.add(change) }
  }

  /// Takes the punches that may be performed now. A punch that was sent after `record` waits for it, since what was
  /// played until then is recorded as before. A punch from a locate on does not wait, and replaces those that do.
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
    latencies = setup.latencies() ?? latencies
    readMessages(before: hostFrame + frameCount)
    if current == nil { beginIfRecorded(hostFrame, frameCount) }
    if let current {
      if case .gap(let cause) = input, current.hasOpenPass { post(.gap(cause, frames: frameCount)) }
      for (number, recorder) in current.midiTracks.enumerated() {
        recorder.arrived = arrived.messages(of: number, in: hostFrame..<hostFrame + frameCount)
      }
      for (recorder, inputs) in zip(current.tracks, inputRanges) {
        recorder.take(
          input, hostFrame: hostFrame, frameCount: frameCount, timeline: timeline,
          latency: latency(of: inputs)
        ) { [self] in post(.disk($0, track: recorder.track.name)) }
      }
      // The ledger names the gap before its silence is in a file: after a kill it would be silence without a cause.
      if case .gap = input { collectRecords() }
    }
    arrived.forget(before: hostFrame + frameCount - remembered.frameCount)
    forgetTimeline(before: hostFrame - remembered.frameCount)
  }

  /// - Parameter end: the host frame behind those that are taken now.
  private func readMessages(before end: HostFrame) {
    let recorders = current?.midiTracks ?? []
    // The sequencer's messages that came while there was no server have frames of the count before. The next server may
    // come to these frames hours later.
    let last: HostFrame? = nextHostFrame == nil ? end + setup.ring.untakenCount + setup.sampleRate : nil
    for loss in arrived.read(setup.messages, notBefore: nextHostFrame, notAfter: last) {
      let isNoted =
        recorders.indices.contains(loss.input)
        && recorders[loss.input].lose(loss.count, at: loss.first, before: nextHostFrame ?? loss.first)
      post(.lostEvents(loss.count, isNoted: isNoted))
    }
  }

  /// Makes a recording of the last frames that came in, at the places where they were played.
  private func keep(_ frameCount: Int) {
    drain()
    let runs = remembered.last(frameCount)
    let lag = latency(of: inputRanges.first ?? 0..<0).lag(setup.request.alignment)
    guard !setup.tracks.isEmpty, current == nil, let first = runs.first?.hostFrame, let next = nextHostFrame,
      let kept = timeline.keeping(first - lag..<next - lag)
    else { return post(.nothingToKeep) }
    if let failure = refusal(of: kept, in: first - lag..<next - lag) { return post(.notKept(failure)) }
    let live = timeline
    timeline = kept
    defer { timeline = live }
    begin()
    guard let recording = current else { return }
    var expected = first
    for run in runs {
      take(.gap(.xrun), at: expected, run.hostFrame - expected)
      take(CapturedInput(run, setup.ring), at: run.hostFrame, run.frameCount)
      expected = run.end
      checkRoom(of: recording.folder)
      // Complete files are flushed and closed meanwhile.
      handOver()
    }
    endPasses()
    end()
  }

  private func latency(of inputs: Range<Int>) -> CaptureLatency {
    CaptureLatency(
      capture: latencies.capture[inputs.clamped(to: latencies.capture.indices)].max() ?? 0,
      playback: latencies.playback)
  }

  /// Latencies may grow: the timeline is kept for two seconds more than the greatest latency of now.
  private func forgetTimeline(before hostFrame: HostFrame) {
    timeline.forget(before: hostFrame - latencies.playback - (latencies.capture.max() ?? 0) - 2 * setup.sampleRate)
  }

  private func beginIfRecorded(_ hostFrame: HostFrame, _ count: Int) {
    for inputs in inputRanges {
      let lag = latency(of: inputs).lag(setup.request.alignment)
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
      // Half a second off the full seconds at which files end: else each report would be of a file that has just begun.
      nextSync = .now + .milliseconds(500)
      post(.began(recording.header, folder: recording.folder.name))
      post(.wrote(recording.begin()))
      checkRoom(of: recording.folder)
    } catch {
      hasFailedToBegin = true
      post(.failedToBegin(error))
    }
  }

  /// Milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

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
    for inputs in inputRanges {
      guard timeline.isIdle(at: next - latency(of: inputs).lag(setup.request.alignment)) else { return }
    }
    end()
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

  func handOver() {
    guard let current else { return }
    flusher.take(
      current.takeFilesToSync(), toHash: current.takeSealed(), of: current.folder,
      writers: current.tracks.compactMap(\.segmentWriter))
  }

  func collectRecords() {
    current?.add(flusher.takeHashed())
    let records = current?.collectRecords() ?? []
    if !records.isEmpty { post(.wrote(records)) }
  }

  func post(_ event: Event) { mail.withLock { $0.events.append(event) } }
}
