import Glibc

extension RecordingFolder {
  /// Finishes a recording whose process is gone: completes the segments that are not sealed, names the frames that are
  /// in no segment and no gap as gaps by `ioError`, removes files without sound, and writes the ledger anew; one with
  /// lines that could not be read stays beside it. Done twice it is as it was.
  /// - Parameter endTime: milliseconds since 1970, if the ledger has none.
  /// - Returns: the recording, ended.
  /// - Throws: what is done by then stays, and nothing is lost.
  public func finish(endTime: Int64) throws(MediaWorkError) -> RecordingDescription {
    var description: RecordingDescription
    do { description = try describe() } catch { throw .reading(error) }
    if description.isEnded { return description }
    do throws(AudioFileWriteError) {
      for pass in description.passes {
        var files: [RecordedSegmentFile] = []
        for file in pass.segments {
          if let file = try complete(file, of: pass, in: description.header) { files.append(file) }
        }
        description.update(pass.header.pass) {
          $0.set(files)
          $0.fillUnaccounted(.ioError)
        }
        let frames = description[pass: pass.header.pass]?.frames ?? 0
        description.apply(.endPass(pass: pass.header.pass, frames: frames))
      }
      removeReserved()
      // `daw clean` keeps what a living process has recorded: the project does not name it yet.
      description.header.owner = .current
      description.apply(.end(endTime: description.endTime ?? endTime))
      var bytes: [UInt8] = []
      for record in description.records { CheckedLine.append(record.json, to: &bytes) }
      try keepUnreadLedger()
      try writeWholeFile(bytes, at: place.appending(Ledger.fileName), replaces: true, mode: 0o600)
    } catch {
      throw .writing(error)
    }
    return description
  }

  /// The names of the ledgers that `finish` has left beside the one that it has written.
  public var unreadLedgers: [String] {
    ((try? names()) ?? []).filter { $0.hasPrefix(Ledger.unreadName) }.sorted()
  }

  /// Copies the ledger to `ledger.unread` if it has lines of right checksums that were not read: no records, or behind
  /// a damaged one. What they say would be gone with it.
  private func keepUnreadLedger() throws(AudioFileWriteError) {
    let path = place.appending(Ledger.fileName).path
    do throws(SystemCallFailure) {
      guard folder.status(of: Ledger.fileName)?.isFile == true else { return }
      let file = RecordedFile(owning: try folder.openFile(Ledger.fileName, O_RDONLY))
      let extent = try LedgerReader.read(file.number, passingOver: true) { _ in }
      if !extent.hasUnread, try !LedgerReader.hasLine(file.number, from: extent.byteCount) { return }
      let digest = try StreamingSHA256.hexDigest(ofFile: file.number)
      var name = Ledger.unreadName
      var number = 2
      while folder.status(of: name) != nil {
        // An earlier try got so far.
        if (try? StreamingSHA256.hexDigest(of: place.appending(name))) == digest { return }
        name = "\(Ledger.unreadName) \(number)"
        number += 1
      }
      try folder.copy(Ledger.fileName, to: folder, as: name)
      let copy = RecordedFile(owning: try folder.openFile(name, O_RDONLY))
      try copy.sync()
      try folder.sync()
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Completes a segment that is not sealed: right sizes in its header, no part of a frame at its end, its hash. What
  /// else has a hard link to the file keeps it as it was.
  /// - Parameter pass: its pass as it is known.
  /// - Returns: the file as it is now; `nil` if it had no frame and was removed.
  public func complete(
    _ file: RecordedSegmentFile, of pass: RecordingDescription.Pass, in recording: RecordingHeader
  ) throws(AudioFileWriteError) -> RecordedSegmentFile? {
    if file.isMissing || file.sha256 != nil { return file.isMissing && file.frames == 0 ? nil : file }
    let path = file.isSpilled ? file.name : place.appending(file.name).path
    do throws(SystemCallFailure) {
      let parent = file.isSpilled ? try Folder(path: Path.folder(of: file.name)) : folder
      let name = Path.name(of: file.name)
      if file.frames == 0 {
        try parent.remove(name)
        return nil
      }
      let open = try parent.openOwn(name)
      return try open.completed(file, of: pass, in: recording)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }
}

extension Folder {
  /// The name of a copy that is being made. One process at a time finishes a recording; what a killed one has left is
  /// removed by the next, which finds the same file with its other names.
  private static let ownCopyName = ".own-copy"

  /// Opens a file that is to be written to. One that has other names (hard links), as in a snapshot by `cp -al`, is
  /// replaced by a copy first, so that what has the other names stays as it is.
  fileprivate func openOwn(_ name: String) throws(SystemCallFailure) -> RecordedFile {
    let file = RecordedFile(owning: try openFile(name, O_RDWR))
    guard file.hasOtherNames else { return file }
    try? remove(Self.ownCopyName)
    try copy(name, to: self, as: Self.ownCopyName)
    do throws(SystemCallFailure) {
      let own = RecordedFile(owning: try openFile(Self.ownCopyName, O_RDWR))
      try own.sync()
      try rename(Self.ownCopyName, to: self, as: name)
      try sync()
      return own
    } catch {
      try? remove(Self.ownCopyName)
      throw error
    }
  }
}

extension RecordedFile {
  /// Whether it has more than one name in its file system.
  fileprivate var hasOtherNames: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_nlink > 1
  }

  fileprivate func completed(
    _ file: RecordedSegmentFile, of pass: RecordingDescription.Pass, in recording: RecordingHeader
  ) throws(SystemCallFailure) -> RecordedSegmentFile {
    let bytesPerFrame = Int64(pass.header.channelCount * recording.encoding.bytesPerSample)
    let dataByteCount = file.frames * bytesPerFrame
    let end = file.dataOffset + dataByteCount
    let padding = [UInt8](repeating: 0, count: Int(dataByteCount % 2))
    var header = try FileHead.bytes(Int(min(file.dataOffset, 1 << 20)), at: 0, inFile: number)
    if !Self.setSizes(in: &header, frames: file.frames, dataByteCount: dataByteCount),
      var made = SegmentHeader(
        SegmentChunk(recording: recording, pass: pass.header, file: file),
        timelineFrame: pass.timelineFrame(at: file.startFrame), time: modificationTime, byteCount: Int(file.dataOffset))
    {
      header = made.bytes(frameCount: file.frames)
    }
    try FileDescriptor.write(padding, to: number, at: end)
    try FileDescriptor.write(header, to: number, at: 0)
    guard ftruncate(number, off_t(end + Int64(padding.count))) == 0 else {
      throw SystemCallFailure(call: "shorten", code: errno)
    }
    try sync()
    var completed = file
    completed.byteCount = end + Int64(padding.count)
    completed.sha256 = try StreamingSHA256.hexDigest(ofFile: number)
    return completed
  }

  private var modificationTime: LocalTime {
    var status = stat()
    return fstat(number, &status) == 0 ? LocalTime(milliseconds: Int64(status.st_mtim.tv_sec) * 1_000) : .now
  }

  /// Sets the sizes in a segment's header.
  /// - Returns: whether it is one, up to the sound.
  private static func setSizes(in header: inout [UInt8], frames: Int64, dataByteCount: Int64) -> Bool {
    guard header.count > 20, header.text(at: 0) == "RIFF", header.text(at: 8) == "WAVE" else { return false }
    var place = 12
    var sizes = [(4, Int64(header.count) + dataByteCount + dataByteCount % 2 - 8)]
    while place + 8 < header.count {
      if header.text(at: place) == "fact", place + 12 <= header.count { sizes.append((place + 8, frames)) }
      let size = Int(header.uint32(at: place + 4))
      place += 8 + size + size % 2
    }
    guard place + 8 == header.count, header.text(at: place) == "data" else { return false }
    sizes.append((place + 4, dataByteCount))
    for (place, value) in sizes {
      header.replaceSubrange(place..<place + 4, with: UInt32(clamping: value).littleEndianBytes)
    }
    return true
  }
}

extension UInt32 {
  fileprivate var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: self)
    return bytes
  }
}

extension RecordingDescription {
  /// The ledger's records that come to it.
  var records: [LedgerRecord] {
    var records: [LedgerRecord] = [.begin(header)] + passes.map { .pass($0.header) }
    for pass in passes {
      let id = pass.header.pass
      records += pass.pieces.map { .piece(pass: id, $0) }
      records += pass.segments.map { .segment(pass: id, $0) }
      records += pass.gaps.map { .gap(pass: id, $0) }
      records += pass.latencies.map {
        .latency(pass: id, capture: $0.capture, playback: $0.playback, atFrame: $0.atFrame)
      }
      records += pass.lostEvents.map { .lostEvents(pass: id, count: $0.count, atFrame: $0.atFrame) }
      if pass.isEnded { records.append(.endPass(pass: id, frames: pass.frames)) }
      if pass.isCancelled { records.append(.cancelPass(pass: id)) }
    }
    if let endTime { records.append(.end(endTime: endTime)) }
    return records
  }
}

extension RecordingDescription.Pass {
  /// The timeline frame of a frame of the pass; 0 if there is no piece.
  func timelineFrame(at frame: Int64) -> Int64 {
    guard let piece = pieces.last(where: { $0.passFrame <= frame }) ?? pieces.first else { return 0 }
    return piece.timelineFrame + (frame - piece.passFrame)
  }
}
