import DAWEngine
import DAWMedia
import Foundation

/// The recording under way: its folder, its ledger and the writers of its tracks. Used by the writing thread alone.
final class OpenRecording {
  let folder: RecordingFolder
  let header: RecordingHeader
  /// In the order of the set-up's tracks.
  let tracks: [any TrackRecorder]
  private let spill: RecordingFolder?
  private let ledger: Ledger
  private var description: RecordingDescription
  /// Records that the disk has not taken yet.
  private var unwritten: [LedgerRecord] = []
  /// Records of the recording's own that are not collected yet.
  private var newRecords: [LedgerRecord] = []
  /// The passes that have ended with a server that was lost, and their frames.
  private var lostPasses: [(id: Int64, frames: Int64)] = []
  /// The next frame of the server that was lost, in the recording's count.
  private var nextFrameOfLost: Int64 = 0

  /// - Parameters:
  ///   - startTime: milliseconds since 1970.
  ///   - newID: an id for the recording, and for each pass and take.
  init(
    _ setup: RecordingWriter.Setup, startTime: Int64, newID: @escaping () -> Int64
  ) throws(AudioFileWriteError) {
    let request = setup.request
    // First: where it cannot be made, nothing is made in the project either.
    spill = try request.spill.map { path throws(AudioFileWriteError) -> RecordingFolder in
      // The ledger and the takes name the files there by absolute paths.
      let isWhole = path.isEmpty || path.hasPrefix("/")
      let root = isWhole ? path : FileManager.default.currentDirectoryPath + "/" + path
      return try RecordingFolder(creatingIn: Place(root: root), title: request.title, startTime: startTime)
    }
    do throws(AudioFileWriteError) {
      (folder, ledger) = try Self.makeFolder(setup, startTime: startTime)
    } catch {
      spill?.removeIfEmpty()
      throw error
    }
    var header = RecordingHeader(
      project: setup.project, recording: newID(), title: request.title, startTime: startTime,
      sampleRate: setup.sampleRate, encoding: request.encoding,
      segmentFrames: Int64(request.segmentSeconds * Double(setup.sampleRate)), owner: .current)
    header.replacesOthers = request.placement.over == .replace
    header.isHeard = request.placement.isHeard
    self.header = header
    ledger.lock()
    description = RecordingDescription(header: header)
    tracks = zip(setup.tracks, setup.inputRanges).map { [folder, header, spill] track, inputs -> any TrackRecorder in
      guard !track.isMIDI else {
        return MIDITrackWriter(track, in: folder, header, alignment: request.alignment, newID: newID)
      }
      return TrackWriter(
        track, firstChannel: inputs.lowerBound, in: folder, header, spill: spill, alignment: request.alignment,
        leastFree: request.leastFreeBytes, newID: newID)
    }
  }

  /// Makes the recording's folder, with its ledger. Where that cannot be made, no folder is left.
  private static func makeFolder(
    _ setup: RecordingWriter.Setup, startTime: Int64
  ) throws(AudioFileWriteError) -> (RecordingFolder, Ledger) {
    let folder = try setup.folderNames.makeFolder(
      in: setup.recordings, title: setup.request.title, startTime: startTime)
    do throws(AudioFileWriteError) {
      return (folder, try Ledger(creatingIn: folder))
    } catch {
      folder.removeIfEmpty()
      throw error
    }
  }

  var hasOpenPass: Bool { tracks.contains(where: \.isOpen) }

  /// The frames of the passes that are open, by the passes' ids.
  var openFrames: [Int64: Int64] {
    var frames: [Int64: Int64] = [:]
    for track in tracks { if let pass = track.openPass { frames[pass] = track.openFrames } }
    return frames
  }

  /// The files of the passes that are open, by the passes' ids, with what is in them.
  var openSegments: [Int64: RecordedSegmentFile] {
    var segments: [Int64: RecordedSegmentFile] = [:]
    for writer in tracks.compactMap(\.segmentWriter) { segments[writer.pass.pass] = writer.openFileAsWritten }
    return segments
  }

  var midiTracks: [MIDITrackWriter] { tracks.compactMap { $0 as? MIDITrackWriter } }

  /// The passes that are open are not to become takes.
  func cancelOpenPasses() { newRecords += tracks.compactMap(\.openPass).map { .cancelPass(pass: $0) } }

  /// The server is gone: notes the passes that are open, and end with it.
  /// - Parameter hostFrame: the next that it would have had.
  func loseServer(at hostFrame: HostFrame) {
    lostPasses = tracks.compactMap { track in track.openPass.map { ($0, track.openFrames) } }
    nextFrameOfLost = Int64(hostFrame.number) + (tracks.first?.hostOffset ?? 0)
  }

  /// - Parameters:
  ///   - frames: that have passed without a server.
  ///   - hostFrame: of another server, from which it goes on; `nil` if it does not.
  /// - Returns: whether that is a gap of any pass.
  func endWait(frames: Int64, goingOnAt hostFrame: HostFrame?) -> Bool {
    defer { lostPasses = [] }
    if let hostFrame {
      for track in tracks { track.hostOffset = nextFrameOfLost + frames - Int64(hostFrame.number) }
    }
    guard frames > 0 else { return false }
    newRecords += lostPasses.map {
      .gap(pass: $0.id, RecordedGapSpan(start: $0.frames, frames: frames, cause: .serverLost))
    }
    return !lostPasses.isEmpty
  }

  /// Writes the ledger's first record. Before there is a frame, so that a kill leaves a recording that can be
  /// recognised.
  func begin() -> [LedgerRecord] {
    let records = record([.begin(header)])
    try? ledger.sync()
    try? folder.sync()
    return records
  }

  /// Writes what has arisen to the ledger.
  /// - Returns: the new records.
  func collectRecords() -> [LedgerRecord] {
    defer { newRecords = [] }
    return record(tracks.flatMap { $0.takeRecords() } + newRecords)
  }

  private func record(_ records: [LedgerRecord]) -> [LedgerRecord] {
    for record in records { description.apply(record) }
    unwritten += records
    // On a full disk they wait; until then a reader finds the files by their headers. Written in parts, so that a try
    // takes no longer the more records wait, and a little room is of use.
    var count = 0
    while count < unwritten.count {
      let part = unwritten[count...].prefix(Self.mostAtOnce)
      guard (try? ledger.append(Array(part))) != nil else { break }
      count += part.count
    }
    unwritten.removeFirst(count)
    return records
  }

  /// Records that are written to the ledger by one call.
  private static let mostAtOnce = 1_000

  /// Flushes to disk the file system of its own folder, and the entries of both folders.
  func syncFolders() {
    try? folder.syncFileSystem()
    try? folder.sync()
    try? spill?.sync()
  }

  /// Files that are to be flushed to disk.
  func takeFilesToSync() -> [RecordedFile] { tracks.flatMap { $0.takeFilesToSync() } + [ledger.openFile] }

  /// Files that were completed since the last call, and are to be hashed.
  func takeSealed() -> [SealedSegment] { tracks.flatMap { $0.takeSealed() } }

  /// Notes files that have been hashed.
  func add(_ hashed: [LedgerRecord]) { newRecords += hashed }

  /// Completes the files that could not be when they were given up. Where the disk still fails, they stay as they are:
  /// a take reads them by their length, whatever their headers say.
  func completeGivenUp() {
    for pass in description.passes {
      for file in pass.segments where file.sha256 == nil && file.frames > 0 {
        guard let completed = try? folder.complete(file, of: pass, in: header) else { continue }
        newRecords.append(.segment(pass: pass.header.pass, completed))
      }
    }
  }

  /// After the passes have ended.
  func end(endTime: Int64) -> FinishedRecording {
    description.apply(.end(endTime: endTime))
    folder.removeReserved()
    spill?.removeIfEmpty()
    return FinishedRecording(
      description: description, folder: folder, ledger: ledger, unwritten: unwritten,
      found: tracks.reduce(into: [:]) { $0.merge($1.found) { $1 } },
      plans: midiTracks.reduce(into: [:]) { $0.merge($1.plans) { $1 } },
      whole: tracks.reduce(into: []) { $0.formUnion($1.wholePasses) })
  }
}
