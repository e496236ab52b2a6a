import DAWEngine
import DAWMedia

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
  private var cancelled: Set<Int64> = []

  /// - Parameters:
  ///   - startTime: milliseconds since 1970.
  ///   - newID: an id for the recording, and for each pass and take.
  init(
    _ setup: RecordingWriter.Setup, startTime: Int64, newID: @escaping () -> Int64
  ) throws(AudioFileWriteError) {
    let request = setup.request
    folder = try RecordingFolder(creatingIn: setup.recordings, title: request.title, startTime: startTime)
    header = RecordingHeader(
      project: setup.project, recording: newID(), title: request.title, startTime: startTime,
      sampleRate: setup.sampleRate, encoding: request.encoding,
      segmentFrames: Int64(request.segmentSeconds * Double(setup.sampleRate)), owner: .current)
    ledger = try Ledger(creatingIn: folder)
    spill = try request.spill.map { path throws(AudioFileWriteError) in
      try RecordingFolder(creatingIn: Place(root: path), title: request.title, startTime: startTime)
    }
    description = RecordingDescription(header: header)
    tracks = zip(setup.tracks, setup.inputRanges).map { [folder, header, spill] track, inputs -> any TrackRecorder in
      guard !track.isMIDI else {
        return MIDITrackWriter(track, in: folder, header, alignment: request.alignment, newID: newID)
      }
      return TrackWriter(
        track, firstChannel: inputs.lowerBound, in: folder, header, spill: spill, alignment: request.alignment,
        newID: newID)
    }
  }

  var hasOpenPass: Bool { tracks.contains(where: \.isOpen) }

  /// Of the longest pass that is open.
  var openFrames: Int64 { tracks.map(\.openFrames).max() ?? 0 }

  var midiTracks: [MIDITrackWriter] { tracks.compactMap { $0 as? MIDITrackWriter } }

  /// The passes that are open are not to become takes.
  func cancelOpenPasses() { cancelled.formUnion(tracks.compactMap(\.openPass)) }

  /// Writes the ledger's first record. Before there is a frame, so that a kill leaves a recording that can be recognised.
  func begin() -> [LedgerRecord] {
    let records = record([.begin(header)])
    try? ledger.sync()
    try? folder.sync()
    return records
  }

  /// Writes what has arisen to the ledger.
  /// - Returns: the new records.
  func collectRecords() -> [LedgerRecord] { record(tracks.flatMap { $0.takeRecords() }) }

  private func record(_ records: [LedgerRecord]) -> [LedgerRecord] {
    for record in records { description.apply(record) }
    unwritten += records
    // Where the disk is full they wait: the files name themselves.
    if !unwritten.isEmpty, (try? ledger.append(unwritten)) != nil { unwritten = [] }
    return records
  }

  /// Files that are to be flushed to disk.
  func takeFilesToSync() -> [RecordedFile] { tracks.flatMap { $0.takeFilesToSync() } + [ledger.openFile] }

  /// After the passes have ended.
  func end(endTime: Int64) -> FinishedRecording {
    description.apply(.end(endTime: endTime))
    folder.removeReserved()
    spill?.removeIfEmpty()
    return FinishedRecording(
      description: description, folder: folder, ledger: ledger, unwritten: unwritten,
      found: tracks.reduce(into: [:]) { $0.merge($1.found) { $1 } }, cancelled: cancelled)
  }
}
