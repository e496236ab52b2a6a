import DAWEngine
import DAWMedia
import DAWTime

/// Writes the sound of one track. Used by the writing thread alone.
final class TrackWriter: TrackRecorder {
  let track: ArmedTrack
  /// The track's first channel in the ring.
  private let firstChannel: Int
  private let recording: RecordingFolder
  private let header: RecordingHeader
  private let spill: RecordingFolder?
  private let newID: () -> Int64
  let alignment: RecordAlignment
  /// Bytes that are to stay free on the disk.
  private let leastFree: Int64
  var hostOffset: Int64 = 0
  private var open: OpenPass?
  private var hasRoom = true
  /// How often writing has failed since frames were last written; 0 while it works.
  private var failureCount = 0
  /// Whether it was reported that this pass is written to the spill folder.
  private var hasSaidSpill = false
  /// Whether the format lets a pass begin at all.
  private var canBegin = true
  private var passCount = 0
  private var nextSegment = 1
  private var pointers: [UnsafePointer<Float>] = []
  var records: [LedgerRecord] = []
  var lastLatency: CaptureLatency?
  /// The files of passes that have ended, to be flushed and to be hashed.
  private var filesToSync: [RecordedFile] = []
  private var sealed: [SealedSegment] = []
  /// Tags of passes that have ended, by their ids: `clipped`, `silent`.
  private(set) var found: [Int64: Set<String>] = [:]
  var wholePasses: Set<Int64> = []

  private struct OpenPass {
    let writer: SegmentWriter
    let key: CapturedTimeline.PassKey
    /// Frames by which input comes in later than what it was played to.
    let lag: Int
    /// Frames so far, those in gaps included.
    var frames: Int64 = 0
    /// Linear, full scale 1.
    var peak: Float = 0
    var disk = Disk.writing
    /// Whether the recording's folder has no room, so that the other folder is used.
    var isWithoutRoom: Bool
    /// The first frame that is not in the file that was given up last.
    var failedFrame: Int64 = 0
  }

  /// What becomes of frames that come in.
  private enum Disk {
    case writing
    /// They are counted as a gap, until this many frames have passed.
    case failed(GapCause, retryAt: Int64)
  }

  /// What never exceeds −90 dBFS is silent.
  private static let silence: Float = 3.2e-5

  /// Gaps up to so many seconds are zeros in a file.
  private static let longestSilence = 10

  init(
    _ track: ArmedTrack, firstChannel: Int, in recording: RecordingFolder, _ header: RecordingHeader,
    spill: RecordingFolder?, alignment: RecordAlignment, leastFree: Int64 = 0, newID: @escaping () -> Int64
  ) {
    self.track = track
    self.leastFree = leastFree
    self.firstChannel = firstChannel
    self.recording = recording
    self.header = header
    self.spill = spill
    self.alignment = alignment
    self.newID = newID
  }

  var openPass: Int64? { open?.writer.pass.pass }
  var openKey: CapturedTimeline.PassKey? { open?.key }
  var openLag: Int? { open?.lag }
  var openFrames: Int64 { open?.frames ?? 0 }

  func takeFilesToSync() -> [RecordedFile] {
    defer { filesToSync = [] }
    return filesToSync + (open?.writer.takeFilesToSync() ?? [])
  }

  func takeSealed() -> [SealedSegment] {
    defer { sealed = [] }
    return sealed + (open?.writer.takeSealed() ?? [])
  }

  /// Whether the disk keeps space for what is still to be written.
  var keepsSpace = true {
    didSet { if !keepsSpace { open?.writer.giveBackSpace() } }
  }

  var segmentWriter: SegmentWriter? { open?.writer }

  func takeRecords() -> [LedgerRecord] {
    records += open?.writer.takeRecords() ?? []
    defer { records = [] }
    return records
  }

  // MARK: Frames

  func flush(_ problem: (AudioFileWriteError?) -> Void) {
    writing(problem) { writer throws(AudioFileWriteError) in try writer.flush() }
  }

  func refreshHeader(_ problem: (AudioFileWriteError?) -> Void) {
    writing(problem) { writer throws(AudioFileWriteError) in try writer.refreshHeader() }
  }

  func endPass(_ problem: (AudioFileWriteError?) -> Void) {
    guard var pass = open else { return }
    writing(problem) { writer throws(AudioFileWriteError) in try writer.sealFile() }
    pass = open ?? pass
    let missing = pass.frames - pass.writer.nextFrame
    if missing > 0 { try? pass.writer.skip(frameCount: missing, cause: cause(of: pass.disk)) }
    pass.writer.abandonFile()
    pass.writer.removeReserved()
    filesToSync += pass.writer.takeFilesToSync()
    sealed += pass.writer.takeSealed()
    records += pass.writer.takeRecords()
    records.append(.endPass(pass: pass.writer.pass.pass, frames: pass.frames))
    var tags: Set<String> = []
    if pass.writer.clippedSampleCount > 0 || pass.peak > 1 { tags.insert("clipped") }
    if pass.peak < Self.silence { tags.insert("silent") }
    if !tags.isEmpty { found[pass.writer.pass.pass] = tags }
    nextSegment = (pass.writer.files.last?.index ?? nextSegment - 1) + 1
    open = nil
  }

  /// Without room the file ends, and the next one is made in the other folder, or frames are counted as a gap. With
  /// room again, the next file is made in the recording's folder.
  /// - Returns: what becomes of the frames now; `nil` where that did not change, or was said already.
  func setRoom(_ hasRoom: Bool) -> RoomChange? {
    self.hasRoom = hasRoom
    guard let pass = open else { return nil }
    if let spill, hasRoom == pass.isWithoutRoom {
      open?.isWithoutRoom = !hasRoom
      if !hasRoom { hasSaidSpill = false }
      pass.writer.spill = hasRoom ? nil : spill
    }
    guard case .writing = pass.disk else { return nil }
    if let spill {
      // If that fails, the next write throws the same error.
      if !hasRoom, !pass.writer.isSpilling { try? pass.writer.sealFile() }
      guard pass.writer.isSpilling, !hasSaidSpill else { return nil }
      hasSaidSpill = true
      return .spills(folder: spill.place.path)
    }
    if hasRoom { return nil }
    try? pass.writer.flush()
    pass.writer.abandonFile()
    let isFirst = failureCount == 0
    if isFirst { failureCount = 1 }
    wait(Int64(header.sampleRate), by: .diskFull)
    return isFirst ? .lost : nil
  }

  func beginPass(
    _ key: CapturedTimeline.PassKey, at hostFrame: HostFrame, _ latency: CaptureLatency,
    _ problem: (AudioFileWriteError?) -> Void
  ) {
    guard canBegin else { return }
    passCount += 1
    let pass = PassHeader(
      pass: newID(), take: newID(), track: track.trackID, trackName: track.name, number: passCount,
      channelCount: track.channelCount, inputs: track.sources.map { $0 ?? "" },
      firstHostFrame: Int64(hostFrame.number) + hostOffset, captureLatency: latency.capture,
      playbackLatency: latency.playback,
      recordOffset: track.recordOffset, alignment: alignment)
    let writer: SegmentWriter
    do throws(AudioFileWriteError) {
      writer = try SegmentWriter(
        in: recording, pass: pass, header: header, firstSegment: nextSegment, leastFree: leastFree)
    } catch {
      canBegin = false
      return problem(error)
    }
    if hasRoom { hasSaidSpill = false } else { writer.spill = spill }
    if !keepsSpace { writer.giveBackSpace() }
    records.append(.pass(pass))
    open = OpenPass(writer: writer, key: key, lag: latency.lag(alignment), isWithoutRoom: !hasRoom)
    lastLatency = latency
    guard !hasRoom, spill == nil else { return }
    // No new pass takes the bytes that are to stay free.
    if failureCount == 0 { problem(.diskFull(path: recording.place.path)) }
    failureCount = max(1, failureCount)
    wait(0, by: .diskFull)
  }

  func endPiece() { open.map { $0.writer.endPiece(at: $0.frames) } }

  func locate(to frame: Int64) {
    // Where the disk fails, the writer is behind.
    open.map { $0.writer.locate(to: frame, at: $0.frames) }
  }

  func append(
    _ input: CapturedInput, from offset: Int, _ count: Int, at hostFrame: HostFrame,
    _ problem: (AudioFileWriteError?) -> Void
  ) {
    guard open != nil else { return }
    resume(problem)
    // Counted first: if the file fails, the frames that are lost with it follow from this count.
    open?.frames += Int64(count)
    writing(problem) { [self] (writer: SegmentWriter) throws(AudioFileWriteError) in
      switch input {
      case .gap(let cause):
        if count <= Self.longestSilence * header.sampleRate {
          try writer.writeSilence(frameCount: Int64(count), cause: cause)
        } else {
          try writer.skip(frameCount: Int64(count), cause: cause)
        }
      case .ring(let ring, let index):
        var done = 0
        while done < count {
          var pieceCount = count - done
          pointers.removeAll(keepingCapacity: true)
          for channel in firstChannel..<firstChannel + track.channelCount {
            let piece = ring.samples(ofChannel: channel, at: index + offset + done, frameCount: count - done)
            pieceCount = piece.count
            pointers.append(piece.pointer)
          }
          try writer.write(pointers, frameCount: pieceCount)
          done += pieceCount
        }
        for channel in firstChannel..<firstChannel + track.channelCount {
          let peak = ring.peak(ofChannel: channel, at: index + offset, frameCount: count)
          if let before = open?.peak, before < peak { open?.peak = peak }
        }
      }
    }
  }

  // MARK: Failures

  private func cause(of disk: Disk) -> GapCause { if case .failed(let cause, _) = disk { cause } else { .ioError } }

  /// Calls `body` with the writer while the disk works. A file that fails is given up, and frames are counted as a gap
  /// until writing is tried again. The end of a failure is said when frames are in a file again, not when one is made.
  private func writing(
    _ problem: (AudioFileWriteError?) -> Void, _ body: (SegmentWriter) throws(AudioFileWriteError) -> Void
  ) {
    guard let pass = open, case .writing = pass.disk else { return }
    do throws(AudioFileWriteError) {
      try body(pass.writer)
    } catch {
      return fail(error, problem)
    }
    guard failureCount > 0, let file = pass.writer.openFileAsWritten ?? pass.writer.files.last,
      file.startFrame >= pass.failedFrame, file.frames > 0
    else { return }
    failureCount = 0
    problem(nil)
  }

  /// Gives up the file under way. Only the first of several failures is passed to `problem`.
  private func fail(_ error: AudioFileWriteError, _ problem: (AudioFileWriteError?) -> Void) {
    guard let pass = open else { return }
    pass.writer.abandonFile()
    let cause = GapCause(error)
    failureCount += 1
    if let spill, cause == .diskFull || failureCount >= 3 {
      // If that folder fails as well, both are tried in turn.
      pass.writer.spill = hasRoom && pass.writer.spill != nil ? nil : spill
    }
    // The failure may be the file's and not the disk's: the next file is tried at once.
    let isImmediate = pass.writer.spill != nil && failureCount <= 3 || cause == .ioError && failureCount < 3
    wait(isImmediate ? 0 : Int64(header.sampleRate), by: cause)
    if failureCount == 1 { problem(error) }
  }

  /// Counts frames as a gap until so many have passed.
  private func wait(_ frames: Int64, by cause: GapCause) {
    guard let pass = open else { return }
    open?.disk = .failed(cause, retryAt: pass.frames + frames)
    open?.failedFrame = pass.writer.nextFrame
  }

  /// Begins a new file behind a gap, if it is time to try again.
  private func resume(_ problem: (AudioFileWriteError?) -> Void) {
    guard let pass = open, case .failed(let cause, let retryAt) = pass.disk, pass.frames >= retryAt,
      hasRoom || pass.writer.spill != nil
    else { return }
    do throws(AudioFileWriteError) {
      let missing = pass.frames - pass.writer.nextFrame
      if missing > 0 { try pass.writer.skip(frameCount: missing, cause: cause) }
      try pass.writer.reserveNext()
      open?.disk = .writing
    } catch {
      fail(error, problem)
    }
  }
}
