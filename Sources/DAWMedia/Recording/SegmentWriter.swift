import DAWTime

/// Writes one pass's sound to files of `segmentFrames` frames. Used by one thread at a time, except for `reserveNext`.
///
/// After an error the file is in an unknown state: the caller calls `abandonFile`, and then `skip` for the frames that
/// were lost.
public final class SegmentWriter {
  public let header: RecordingHeader
  public let pass: PassHeader
  /// The files of the pass, in order; the last may be unsealed.
  public private(set) var files: [RecordedSegmentFile] = []
  /// The next frame to write, in frames of the pass.
  public private(set) var nextFrame: Int64 = 0
  /// Samples that were out of an integer format's range.
  public private(set) var clippedSampleCount: Int64 = 0
  /// The folder in which the next file is made; `nil`: the recording's folder.
  public var spill: RecordingFolder? {
    get { reserve.spill }
    set { reserve.spill = newValue }
  }

  /// Whether the file under way lies in a spill folder.
  public var isSpilling: Bool { current.map { $0.folder !== folder } ?? false }

  /// Bytes on the recording's disk that are reserved for what is still to be written.
  public var heldByteCount: Int64 {
    let rest = current.map { hasSpace && !isSpilling ? reserve.heldByteCount(of: $0) : 0 } ?? 0
    return rest + reserve.heldByteCount
  }

  /// Gives the reserved space back, and reserves none from now on. The thread that writes.
  public func giveBackSpace() {
    reserve.giveBack(isSpilling ? nil : current)
    if !isSpilling { hasSpace = false }
  }

  /// Whether space is reserved for the rest of the file under way.
  private var hasSpace = false

  private let folder: RecordingFolder
  private let format: AudioFileFormat
  private let bytesPerFrame: Int64
  private let packing: PackingBuffer
  private let pointers: UnsafeMutableBufferPointer<UnsafePointer<Float>>
  private var current: OpenSegment?
  private var records: [LedgerRecord] = []
  private var filesToSync: [RecordedFile] = []
  private var sealed: [SealedSegment] = []
  /// Gaps and pieces that the next file notes in its header.
  private var pendingNotes: [LedgerRecord] = []
  private var piece: RecordedPiece?
  private var lastGap: RecordedGapSpan?
  private var failure: AudioFileWriteError?
  private let reserve: SegmentReserve

  /// Bytes that are collected before they are written.
  static let pieceByteCount = 1 << 16
  private static let zeroCount = 4_096
  /// Shared by all writers, to save memory.
  nonisolated(unsafe) private static let zeros: UnsafePointer<Float> = {
    // Never changed, and kept until the process ends.
    let zeros = UnsafeMutablePointer<Float>.allocate(capacity: zeroCount)
    zeros.initialize(repeating: 0, count: zeroCount)
    return UnsafePointer(zeros)
  }()

  /// - Parameters:
  ///   - firstSegment: the number of the first file.
  ///   - leastFree: bytes that are to stay free on the disk: none of them are reserved.
  /// - Throws: `.unsupported`, and `.tooLong` if a full file would exceed a RIFF file's 4 GiB.
  public init(
    in folder: RecordingFolder, pass: PassHeader, header: RecordingHeader, firstSegment: Int = 1, leastFree: Int64 = 0
  ) throws(AudioFileWriteError) {
    let format = SegmentHeader.format(header, pass)
    guard pass.kind == .audio, RecordingHeader.encodings.contains(header.encoding),
      AudioFileFacts.acceptedChannelCounts.contains(pass.channelCount),
      AudioFileFacts.acceptedRates.contains(header.sampleRate), header.segmentFrames > 0
    else { throw .unsupported(path: folder.place.path, format: format.description) }
    bytesPerFrame = Int64(format.channelCount * format.encoding.bytesPerSample)
    let (byteCount, isTooLong) = header.segmentFrames.multipliedReportingOverflow(by: bytesPerFrame)
    guard !isTooLong, byteCount < RecordingLimits.segmentBytes - Int64(1 << 20) else {
      throw .tooLong(path: folder.place.path, format: "WAV")
    }
    self.folder = folder
    self.pass = pass
    self.header = header
    self.format = format
    reserve = SegmentReserve(
      in: folder, of: pass, firstIndex: max(1, firstSegment), byteCount: byteCount + 8_192, leastFree: leastFree)
    packing = PackingBuffer(format: format, byteCount: 2 * Self.pieceByteCount)
    pointers = .allocate(capacity: format.channelCount)
    pointers.initialize(repeating: Self.zeros)
  }

  deinit { pointers.deallocate() }

  // MARK: Writing

  /// Sets the timeline frame of the next frame; those behind it follow. To be called before the first frame, and after
  /// each locate.
  /// - Parameter passFrame: the frame that is meant, if frames before it are missing because the disk fails; `nil`: the
  ///   next one.
  public func locate(to timelineFrame: Int64, at passFrame: Int64? = nil) {
    let frame = passFrame ?? nextFrame
    let piece = RecordedPiece(passFrame: frame, timelineFrame: timelineFrame, frames: 0)
    if let last = self.piece, last.timelineFrame - last.passFrame == timelineFrame - frame { return }
    self.piece = piece
    note(.piece(pass: pass.pass, piece))
  }

  /// From the next frame on, frames belong to no place of the timeline, until `locate`.
  /// - Parameter passFrame: as of `locate`.
  public func endPiece(at passFrame: Int64? = nil) {
    guard var ended = piece else { return }
    ended.frames = (passFrame ?? nextFrame) - ended.passFrame
    piece = nil
    if ended.frames > 0 { note(.piece(pass: pass.pass, ended)) }
  }

  /// Appends frames.
  /// - Parameter channels: as many as the pass has, full scale ±1.
  public func write(
    _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      for channel in 0..<format.channelCount { pointers[channel] = channels[channel] + done }
      done += try append(frameCount - done)
    }
  }

  /// Appends frames; see `write(_:frameCount:)`.
  public func write(_ channels: [UnsafePointer<Float>], frameCount: Int) throws(AudioFileWriteError) {
    try channels.withUnsafeBufferPointer { (channels) throws(AudioFileWriteError) in
      try write(channels, frameCount: frameCount)
    }
  }

  /// Appends a gap as zeros, so that the frames behind it keep their places in the file. For gaps of up to 10 s.
  public func writeSilence(frameCount: Int64, cause: GapCause) throws(AudioFileWriteError) {
    guard frameCount > 0 else { return }
    pointers.update(repeating: Self.zeros)
    var left = frameCount
    while left > 0 {
      let start = nextFrame
      // The gap is noted as far as it is written, also where the file that it fills cannot be completed.
      defer {
        if nextFrame > start { add(RecordedGapSpan(start: start, frames: nextFrame - start, cause: cause)) }
      }
      left -= Int64(try append(Int(min(left, Int64(Self.zeroCount)))))
    }
  }

  /// Notes a gap that is in no file: a long one, or one behind a failed write. The file is sealed, and the next one
  /// begins behind the gap.
  public func skip(frameCount: Int64, cause: GapCause) throws(AudioFileWriteError) {
    guard frameCount > 0 else { return }
    try sealFile()
    add(RecordedGapSpan(start: nextFrame, frames: frameCount, cause: cause))
    nextFrame += frameCount
  }

  /// Writes what was collected.
  public func flush() throws(AudioFileWriteError) {
    if let failure { throw failure }
    guard let current, packing.filled > 0 else { return }
    try failing { () throws(AudioFileWriteError) in try packing.flush(to: current.write) }
  }

  /// Writes what was collected, and the sizes in the file's header, without flushing them to disk.
  public func refreshHeader() throws(AudioFileWriteError) {
    try flush()
    guard let current else { return }
    try failing { () throws(AudioFileWriteError) in try current.refreshHeader() }
  }

  /// Completes the file under way. What is written next goes to a new one.
  public func sealFile() throws(AudioFileWriteError) {
    if let failure { throw failure }
    guard let current else { return }
    try failing { () throws(AudioFileWriteError) in
      try packing.flush(to: current.write)
      let complete = try current.complete()
      files[files.count - 1] = complete
      filesToSync.append(current.file)
      add(complete, in: current.file)
      self.current = nil
    }
  }

  /// Seals the pass's last file, and hashes those that `takeSealed` has not returned. To be called once, last.
  /// - Returns: all files of the pass.
  @discardableResult
  public func seal() throws(AudioFileWriteError) -> [RecordedSegmentFile] {
    try sealFile()
    reserve.end()
    for sealed in takeSealed() {
      let record: LedgerRecord
      do throws(SystemCallFailure) { record = try sealed.hashed() } catch {
        throw AudioFileWriteError(path: folder.place.path, error)
      }
      records.append(record)
      if case .segment(_, let file) = record, let place = files.firstIndex(where: { $0.index == file.index }) {
        files[place] = file
      }
    }
    return files
  }

  /// Gives up the file that could not be written: the whole frames in it stay, if the disk allows with the right
  /// header, and `nextFrame` is the one behind them. The next frames go to a new file.
  /// - Returns: the file; `nil` if there was none, or it has no frame.
  @discardableResult
  public func abandonFile() -> RecordedSegmentFile? {
    failure = nil
    packing.begin(at: 0)
    guard let current else { return nil }
    self.current = nil
    let frames = current.wholeFramesInFile
    nextFrame = current.header.chunk.file.startFrame + frames
    files.removeLast()
    shortenLastGap(in: current)
    let (file, isComplete) = current.abandon(frames: frames)
    guard file.frames > 0 else {
      try? current.folder.folder.remove(current.name)
      records.removeAll { if case .segment(_, let other) = $0 { other.index == file.index } else { false } }
      return nil
    }
    files.append(file)
    filesToSync.append(current.file)
    if isComplete { add(file, in: current.file) } else { records.append(.segment(pass: pass.pass, file)) }
    return file
  }

  // MARK: Elsewhere

  /// The file that is not sealed yet, with what is in it: without what was collected and waits to be written. `nil` if
  /// there is none.
  public var openFileAsWritten: RecordedSegmentFile? { current?.written }

  /// The ledger's records that arose since the last call.
  public func takeRecords() -> [LedgerRecord] {
    defer { records = [] }
    return records
  }

  /// The files that were completed since the last call, for the thread that hashes them.
  public func takeSealed() -> [SealedSegment] {
    defer { sealed = [] }
    return sealed
  }

  /// The files that were written to since the last call, for the thread that flushes them to disk.
  public func takeFilesToSync() -> [RecordedFile] {
    defer { filesToSync = [] }
    return filesToSync + (current.map { [$0.file] } ?? [])
  }

  /// Makes the next file and reserves its space on disk, so that beginning it takes no time. Any thread; the writing
  /// thread waits for it if it needs the file now.
  /// - Throws: `.diskFull` and others; then nothing is reserved, and writing tries again by itself.
  public func reserveNext() throws(AudioFileWriteError) { try reserve.reserve() }

  /// Removes the file that was made beforehand, and makes no more beforehand.
  public func removeReserved() { reserve.end() }

  // MARK: Files

  /// Appends the frames at `pointers`, as far as the file has room.
  /// - Returns: how many were appended.
  private func append(_ wanted: Int) throws(AudioFileWriteError) -> Int {
    if let failure { throw failure }
    var count = 0
    try failing { () throws(AudioFileWriteError) in
      let file = try openFile()
      count = Int(min(Int64(wanted), header.segmentFrames - file.frames))
      let clipped = packing.clippedSampleCount
      try packing.append(planar: UnsafeBufferPointer(pointers), frameCount: count, to: file.write)
      clippedSampleCount += packing.clippedSampleCount - clipped
      if packing.filled >= Self.pieceByteCount { try packing.flush(to: file.write) }
      file.frames += Int64(count)
      nextFrame += Int64(count)
      if file.frames == header.segmentFrames { try sealFile() }
    }
    return count
  }

  private func openFile() throws(AudioFileWriteError) -> OpenSegment {
    if let current { return current }
    let taken = try reserve.take()
    hasSpace = taken.hasSpace
    let name = taken.isSpilled ? taken.folder.place.appending(taken.name).path : taken.name
    let begun = RecordedSegmentFile(
      index: taken.index, startFrame: nextFrame, frames: 0, name: name, dataOffset: 0, byteCount: 0)
    let timelineFrame = piece.map { $0.timelineFrame + (nextFrame - $0.passFrame) } ?? 0
    var notes = pendingNotes
    let beginsPiece = notes.contains { if case .piece = $0 { true } else { false } }
    if piece != nil, !beginsPiece {
      let here = RecordedPiece(passFrame: nextFrame, timelineFrame: timelineFrame, frames: 0)
      notes.append(.piece(pass: pass.pass, here))
    }
    pendingNotes = []
    let chunk = SegmentChunk(recording: header, pass: pass, file: begun, notes: notes)
    let open = OpenSegment(
      taken.file, in: taken.folder, named: taken.name, bytesPerFrame: bytesPerFrame,
      SegmentHeader(chunk, timelineFrame: timelineFrame, time: .now))
    current = open
    files.append(open.header.chunk.file)
    packing.begin(at: 0)
    try open.refreshHeader()
    records.append(.segment(pass: pass.pass, open.header.chunk.file))
    return open
  }

  private func add(_ complete: RecordedSegmentFile, in file: RecordedFile) {
    records.append(.segment(pass: pass.pass, complete))
    sealed.append(SealedSegment(complete, of: pass.pass, in: file))
  }

  // MARK: Records

  private func note(_ record: LedgerRecord) {
    records.append(record)
    if let current { current.header.chunk.notes.append(record) } else { pendingNotes.append(record) }
  }

  /// Records a gap, or lengthens the last.
  private func add(_ gap: RecordedGapSpan) {
    let longer = lastGap?.joined(with: gap)
    if let longer {
      records.removeGap(at: longer.start, of: pass.pass)
      pendingNotes.removeGap(at: longer.start, of: pass.pass)
      current?.header.chunk.notes.removeGap(at: longer.start, of: pass.pass)
    }
    lastGap = longer ?? gap
    note(.gap(pass: pass.pass, longer ?? gap))
  }

  /// Shortens the last gap, if its end was lost with a file.
  private func shortenLastGap(in file: OpenSegment) {
    guard let last = lastGap, last.end > nextFrame else { return }
    file.header.chunk.notes.removeGap(at: last.start, of: pass.pass)
    records.removeGap(at: last.start, of: pass.pass)
    lastGap = nil
    guard nextFrame > last.start else { return }
    let shorter = RecordedGapSpan(start: last.start, frames: nextFrame - last.start, cause: last.cause)
    file.header.chunk.notes.append(.gap(pass: pass.pass, shorter))
    records.append(.gap(pass: pass.pass, shorter))
    lastGap = shorter
  }

  /// Keeps the error of `body`, until the file is abandoned.
  private func failing(_ body: () throws(AudioFileWriteError) -> Void) throws(AudioFileWriteError) {
    do throws(AudioFileWriteError) {
      try body()
    } catch {
      failure = error
      throw error
    }
  }
}
