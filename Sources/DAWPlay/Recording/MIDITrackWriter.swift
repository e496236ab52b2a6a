import DAWEngine
import DAWMedia
import DAWTime

/// Writes the MIDI of one track. Used by the writing thread alone.
final class MIDITrackWriter: TrackRecorder {
  let track: ArmedTrack
  let alignment: RecordAlignment
  var hostOffset: Int64 = 0
  /// Messages that are not written yet, in order. Set before each `take`, with all messages of its frames.
  var arrived: [CapturedMessage] = []
  let found: [Int64: Set<String>] = [:]
  var wholePasses: Set<Int64> = []
  /// The plans by which the passes were played, by the passes' ids.
  private(set) var plans: [Int64: [PlayedPlan]] = [:]
  private let recording: RecordingFolder
  private let header: RecordingHeader
  private let newID: () -> Int64
  private var open: OpenPass?
  private var passCount = 0
  private var events: EventsWriter?
  var records: [LedgerRecord] = []
  var lastLatency: CaptureLatency?
  private var isFailing = false
  /// The host frame, as it is written, from which making the events file is tried again; `nil` if it has not failed.
  private var retryFrame: Int64?
  /// Why that failed last.
  private var lossCause = GapCause.ioError

  private struct OpenPass {
    let pass: PassHeader
    let key: CapturedTimeline.PassKey
    let lag: Int
    /// Frames so far, those in gaps included.
    var frames: Int64 = 0
    /// The last of them, for which there is no file, and which are not recorded as a gap yet.
    var lostFrames: Int64 = 0
    var piece: RecordedPiece?
    var lastGap: RecordedGapSpan?
  }

  init(
    _ track: ArmedTrack, in recording: RecordingFolder, _ header: RecordingHeader, alignment: RecordAlignment,
    newID: @escaping () -> Int64
  ) {
    self.track = track
    self.recording = recording
    self.header = header
    self.alignment = alignment
    self.newID = newID
  }

  var openPass: Int64? { open?.pass.pass }
  var openKey: CapturedTimeline.PassKey? { open?.key }
  var openLag: Int? { open?.lag }
  var openFrames: Int64 { open?.frames ?? 0 }
  var segmentWriter: SegmentWriter? { nil }

  func beginPass(
    _ key: CapturedTimeline.PassKey, at hostFrame: HostFrame, _ latency: CaptureLatency,
    _ problem: (AudioFileWriteError?) -> Void
  ) {
    passCount += 1
    let pass = PassHeader(
      pass: newID(), take: newID(), track: track.trackID, trackName: track.name, number: passCount, kind: .midi,
      channelCount: 0, inputs: track.sources.map { $0 ?? "" }, firstHostFrame: Int64(hostFrame.number) + hostOffset,
      captureLatency: latency.capture, playbackLatency: latency.playback, recordOffset: track.recordOffset,
      alignment: alignment)
    events?.begin(pass)
    records.append(.pass(pass))
    open = OpenPass(pass: pass, key: key, lag: latency.lag(alignment))
    lastLatency = latency
  }

  /// Makes the events file, if there is none and that has not failed within the last second.
  private func makeFile(at hostFrame: HostFrame, _ problem: (AudioFileWriteError?) -> Void) {
    let frame = Int64(hostFrame.number) + hostOffset
    guard events == nil, let pass = open?.pass, frame >= retryFrame ?? .min else { return }
    do throws(AudioFileWriteError) {
      events = try EventsWriter(in: recording, pass: pass, header: header)
    } catch {
      retryFrame = frame + Int64(header.sampleRate)
      lossCause = GapCause(error)
      if !isFailing { problem(error) }
      isFailing = true
      return
    }
    retryFrame = nil
    noteLoss()
    flush(problem)
  }

  /// Without a file nothing can be kept: records the last frames as a gap.
  private func noteLoss() {
    guard let pass = open, pass.lostFrames > 0 else { return }
    add(RecordedGapSpan(start: pass.frames - pass.lostFrames, frames: pass.lostFrames, cause: lossCause), to: pass)
    open?.lostFrames = 0
  }

  func locate(to frame: Int64) {
    guard let pass = open else { return }
    if let piece = pass.piece, piece.timelineFrame - piece.passFrame == frame - pass.frames { return }
    let piece = RecordedPiece(passFrame: pass.frames, timelineFrame: frame, frames: 0)
    open?.piece = piece
    records.append(.piece(pass: pass.pass.pass, piece))
  }

  func follow(plan number: UInt64) {
    guard let pass = open, plans[pass.pass.pass]?.last?.number != number else { return }
    plans[pass.pass.pass, default: []].append(PlayedPlan(atFrame: pass.frames, number: number))
  }

  func endPiece() {
    guard let pass = open, var piece = pass.piece else { return }
    open?.piece = nil
    piece.frames = pass.frames - piece.passFrame
    if piece.frames > 0 { records.append(.piece(pass: pass.pass.pass, piece)) }
  }

  func append(
    _ input: CapturedInput, from offset: Int, _ count: Int, at hostFrame: HostFrame,
    _ problem: (AudioFileWriteError?) -> Void
  ) {
    makeFile(at: hostFrame, problem)
    guard let pass = open else { return }
    if events == nil {
      open?.lostFrames += Int64(count)
    } else if case .gap(let cause) = input {
      add(RecordedGapSpan(start: pass.frames, frames: Int64(count), cause: cause), to: pass)
    }
    for message in arrived where hostFrame <= message.hostFrame && message.hostFrame < hostFrame + count {
      let frame = pass.frames + Int64(message.hostFrame - hostFrame)
      events?.append(RecordedEvent(pass: pass.pass.pass, passFrame: frame, bytes: message.bytes))
    }
    open?.frames += Int64(count)
  }

  /// Records a gap. One that continues the last with the same cause lengthens it.
  private func add(_ gap: RecordedGapSpan, to pass: OpenPass) {
    let longer = pass.lastGap?.joined(with: gap)
    if let longer { records.removeGap(at: longer.start, of: pass.pass.pass) }
    open?.lastGap = longer ?? gap
    records.append(.gap(pass: pass.pass.pass, longer ?? gap))
  }

  func endPass(_ problem: (AudioFileWriteError?) -> Void) {
    guard let pass = open else { return }
    flush(problem)
    noteLoss()
    // Events that were written later would be in no take.
    if isFailing, let count = events?.dropPending(), count > 0 {
      records.append(.lostEvents(pass: pass.pass.pass, count: count, atFrame: pass.frames))
    }
    records.append(.endPass(pass: pass.pass.pass, frames: pass.frames))
    open = nil
  }

  /// Records that messages were lost on the way to this writer.
  /// - Parameters:
  ///   - hostFrame: the first at which one may have been lost.
  ///   - next: the host frame behind what the pass has.
  /// - Returns: false without a pass that is open: then nothing is recorded.
  func lose(_ count: Int, at hostFrame: HostFrame, before next: HostFrame) -> Bool {
    guard let pass = open else { return false }
    let frame = max(0, pass.frames - Int64(next - hostFrame))
    records.append(.lostEvents(pass: pass.pass.pass, count: count, atFrame: frame))
    return true
  }

  /// What cannot be written waits in memory until the pass ends.
  func flush(_ problem: (AudioFileWriteError?) -> Void) {
    // There is no file: `makeFile` has said why.
    guard let events else { return }
    do throws(AudioFileWriteError) {
      try events.flush()
      if isFailing { problem(nil) }
      isFailing = false
    } catch {
      if !isFailing { problem(error) }
      isFailing = true
    }
  }

  func refreshHeader(_ problem: (AudioFileWriteError?) -> Void) {}

  /// Messages take so little that they are written wherever there is room.
  func setRoom(_ hasRoom: Bool) -> RoomChange? { nil }

  func takeRecords() -> [LedgerRecord] {
    defer { records = [] }
    return records
  }

  func takeSealed() -> [SealedSegment] { [] }

  func takeFilesToSync() -> [RecordedFile] { events.map { [$0.openFile] } ?? [] }
}
