import Glibc

extension RecordingFolder {
  /// What the folder's files tell of its recording: the ledger as far as it is whole, without lines that are no
  /// records, corrected by the segments. Reads no sound, and of sealed segments nothing at all.
  ///
  /// A segment that is not sealed has the whole frames that its length gives, whatever its header says. One that the
  /// ledger does not name is found by its own chunk. Without a ledger the files' chunks suffice, except for MIDI events
  /// that the system dropped and changes of latency.
  /// - Returns: `isEnded` if the ledger is whole and has an end, and all files are as it says.
  /// - Throws: `.missing` for a folder without a recording; `.system`.
  public func describe() throws(AudioFileError) -> RecordingDescription {
    var reading = FolderReading(folder: self)
    do throws(SystemCallFailure) {
      reading.readLedger()
      reading.names = try names()
    } catch {
      throw .system(path: place.path, failure: error)
    }
    return try reading.description()
  }

  /// The header of its ledger; `nil` if it has none. Reads a few bytes.
  public var header: RecordingHeader? {
    guard let file = try? OpenAudioFile(Ledger.fileName, in: folder),
      let bytes = try? file.bytes(at: 0, count: CheckedLine.maximumByteCount)
    else { return nil }
    var header: RecordingHeader?
    _ = bytes.withUnsafeBytes { bytes in
      CheckedLine.forEach(in: bytes) { json in
        if case .begin(let found)? = LedgerRecord(json) { header = found }
        return false
      }
    }
    return header
  }

  /// Whether a process holds the lock of its ledger.
  public var isLocked: Bool {
    guard let number = try? folder.openFile(Ledger.fileName, O_RDONLY) else { return false }
    let file = RecordedFile(owning: number)
    return withExtendedLifetime(file) { flock(number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK }
  }

  /// The same recording, with the segments marked as missing whose files are not there. Looks at their names alone.
  public func markingMissing(in description: RecordingDescription) -> RecordingDescription {
    var marked = description
    for pass in description.passes {
      marked.update(pass.header.pass) { $0.markMissing { !isThere($0) } }
    }
    return marked
  }

  private func isThere(_ file: RecordedSegmentFile) -> Bool {
    guard file.isSpilled else { return CompressedSegment.nameAtHand(of: file.name, in: folder) != nil }
    var status = stat()
    return lstat(file.name, &status) == 0 && status.isFile
  }

  /// Whether its ledger's last record says that the recording is complete. Reads a few bytes.
  public var isFinished: Bool {
    guard let file = try? OpenAudioFile(Ledger.fileName, in: folder),
      let tail = try? file.bytes(at: max(0, file.byteCount - 4_096), count: 4_096)
    else { return false }
    let line = tail.dropLast().split(separator: UInt8(ascii: "\n")).last.map(Array.init) ?? []
    guard tail.last == UInt8(ascii: "\n"), let json = line.withUnsafeBytes(CheckedLine.parse),
      case .end? = LedgerRecord(json)
    else { return false }
    return true
  }
}

/// Puts a recording's description together.
private struct FolderReading {
  let folder: RecordingFolder
  var names: [String] = []
  private var found: RecordingDescription?
  private var isWhole = false
  /// What files tell of themselves, for those that the ledger does not have as sealed.
  private var notes: [(start: Int64, records: [LedgerRecord])] = []
  /// The user whose the ledger is; only that user's files elsewhere are looked at.
  private var owner: uid_t?

  init(folder: RecordingFolder) { self.folder = folder }

  mutating func readLedger() {
    guard let file = try? OpenAudioFile(Ledger.fileName, in: folder.folder) else { return }
    owner = try? file.owner()
    var description: RecordingDescription?
    let extent = try? LedgerReader.read(file.number, passingOver: true) { record in
      if description == nil, case .begin(let header) = record { description = RecordingDescription(header: header) }
      description?.apply(record)
    }
    found = description
    isWhole = extent.map { $0.byteCount == $0.fileByteCount && !$0.hasUnread } ?? false
  }

  mutating func description() throws(AudioFileError) -> RecordingDescription {
    var files: [Int64: [RecordedSegmentFile]] = [:]
    // A file that was removed, since nothing could be written into it, has left its name to one of a later pass.
    var owners: [String: Int64] = [:]
    for pass in found?.passes ?? [] {
      for file in pass.segments { owners[file.name] = pass.header.pass }
    }
    for pass in found?.passes ?? [] {
      files[pass.header.pass] = pass.segments.map { named in
        let file = bounded(named, pass.header)
        return owners[file.name] == pass.header.pass ? corrected(file, pass.header) : missing(file)
      }
    }
    for name in names where RecordingFolder.isSegment(name) && owners[name] == nil {
      guard let file = try? OpenAudioFile(name, in: folder.folder), let segment = try? FoundSegment(file),
        accept(segment.chunk.recording, segment.chunk.pass)
      else { continue }
      isWhole = false
      note(segment)
      files[segment.chunk.pass.pass, default: []].append(segment.file(named: name))
    }
    if found?.isEnded != true || !isWhole { readEvents() }
    guard var description = found else { throw .missing(path: folder.place.appending(Ledger.fileName).path) }
    for (pass, files) in files {
      // What the ledger names elsewhere may lie in the folder now.
      let atHand = Set(files.filter { !$0.isMissing }.map(\.index))
      description.update(pass) { $0.set(files.filter { !$0.isMissing || !atHand.contains($0.index) }) }
    }
    for note in notes.sorted(by: { $0.start < $1.start }).flatMap(\.records) {
      switch note {
      case .gap(let pass, let gap): description.update(pass) { $0.supplement(gap) }
      case .piece(let pass, let piece): description.update(pass) { $0.begin(piece) }
      default: break
      }
    }
    description.isEnded = description.isEnded && isWhole
    return description
  }

  /// A segment with no more frames than its bytes hold, and no more bytes than a file can have.
  private mutating func bounded(_ file: RecordedSegmentFile, _ pass: PassHeader) -> RecordedSegmentFile {
    var bounded = file
    bounded.byteCount = min(file.byteCount, RecordingLimits.segmentBytes)
    bounded.frames = min(file.frames, max(0, bounded.byteCount - file.dataOffset) / bytesPerFrame(pass))
    if bounded != file { isWhole = false }
    return bounded
  }

  private func bytesPerFrame(_ pass: PassHeader) -> Int64 {
    Int64(max(1, pass.channelCount * (found?.header.encoding.bytesPerSample ?? 1)))
  }

  /// A segment that the ledger names, as its file is.
  private mutating func corrected(_ file: RecordedSegmentFile, _ pass: PassHeader) -> RecordedSegmentFile {
    var corrected = file
    guard let status = status(of: file), status.isFile else {
      // Only a sealed one is compressed, and the ledger goes on naming it.
      if file.sha256 != nil, !file.isSpilled, CompressedSegment.nameAtHand(of: file.name, in: folder.folder) != nil {
        return file
      }
      return missing(file)
    }
    let byteCount = Int64(status.st_size)
    if file.sha256 != nil, byteCount == file.byteCount { return file }
    isWhole = false
    corrected.sha256 = nil
    corrected.byteCount = byteCount
    guard let open = open(file, pass) else {
      corrected.isMissing = true
      return corrected
    }
    if let segment = try? FoundSegment(open) {
      guard segment.chunk.pass.pass == pass.pass else { return missing(file) }
      note(segment)
      corrected.frames = segment.frames
      corrected.dataOffset = segment.header.dataOffset
    } else {
      // Its header is lost; the ledger knows where the sound begins.
      corrected.frames = min(
        max(0, byteCount - file.dataOffset) / bytesPerFrame(pass), found?.header.segmentFrames ?? 0)
    }
    return corrected
  }

  private mutating func missing(_ file: RecordedSegmentFile) -> RecordedSegmentFile {
    isWhole = false
    var missing = file
    missing.isMissing = true
    return missing
  }

  private func status(of file: RecordedSegmentFile) -> stat? {
    guard file.isSpilled else { return folder.folder.status(of: file.name) }
    var status = stat()
    return lstat(file.name, &status) == 0 && status.st_uid == owner ? status : nil
  }

  private func open(_ file: RecordedSegmentFile, _ pass: PassHeader) -> OpenAudioFile? {
    guard file.isSpilled else { return try? OpenAudioFile(file.name, in: folder.folder) }
    return try? SpilledSegment.open(path: file.name, recording: found?.header.recording, pass: pass.pass, owner: owner)
  }

  private mutating func note(_ segment: FoundSegment) {
    notes.append((segment.chunk.file.startFrame, segment.chunk.notes))
  }

  /// Whether files of this pass belong to the recording. The first file decides where there is no ledger.
  private mutating func accept(_ recording: RecordingHeader, _ pass: PassHeader) -> Bool {
    var description = found ?? RecordingDescription(header: recording)
    guard description.header.recording == recording.recording, description.header.encoding == recording.encoding else {
      return false
    }
    guard let known = description[pass: pass.pass] else {
      // Moved out of `found` first, so that the passes are not copied.
      found = nil
      description.apply(.pass(pass))
      found = description
      return true
    }
    return known.header.channelCount == pass.channelCount && known.header.kind == pass.kind
  }

  private mutating func readEvents() {
    for name in names where RecordingFolder.isEvents(name) {
      var ends: [Int64: Int64] = [:]
      guard let file = try? EventsFile(name, in: folder, { ends[$0.pass] = $0.passFrame + 1 }) else { continue }
      for pass in file.passes where accept(file.header, pass) {
        found?.update(pass.pass) { $0.advance(to: ends[pass.pass] ?? 0) }
      }
    }
  }
}

extension FoundSegment {
  /// - Parameter name: the file's, whatever its chunk says.
  fileprivate func file(named name: String) -> RecordedSegmentFile {
    RecordedSegmentFile(
      index: chunk.file.index, startFrame: chunk.file.startFrame, frames: frames, name: name,
      dataOffset: header.dataOffset, byteCount: byteCount)
  }
}

/// Files of a recording that lie elsewhere, named by an absolute path.
///
/// A ledger or manifest from elsewhere could name any file. So one is opened only if it is a regular file of the user
/// whose the ledger or manifest is, and its own chunk says that it is of that recording and pass.
enum SpilledSegment {
  static func open(
    path: String, recording: Int64?, pass: Int64, owner: uid_t?
  ) throws(AudioFileError) -> OpenAudioFile {
    let folder: Folder
    do { folder = try Folder(path: Path.folder(of: path)) } catch { throw .missing(path: path) }
    let file = try OpenAudioFile(Path.name(of: path), in: folder)
    guard try file.owner() == owner, let found = try FoundSegment(file), found.chunk.recording.recording == recording,
      found.chunk.pass.pass == pass
    else { throw .damaged(path: path, reason: "not a segment of this take") }
    return file
  }
}
