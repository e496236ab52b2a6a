import DAWModel
import DAWStore
import Foundation

extension Session {
  /// What an undo or a redo brings back without its sound, since the recording was forgotten, or is in the trash.
  /// - Parameters:
  ///   - entries: the edits that were undone or redone, or would be.
  ///   - isRedo: whether they were redone.
  /// - Returns: sentences.
  /// - Throws: `Failure`.
  public func soundlessReturns(of entries: [JournalEntry], isRedo: Bool = false) throws -> [String] {
    try read { view in
      var rows = ReturnedRows()
      for entry in entries {
        for row in try view.changes(of: entry).of(ReturnedRows.tables.contains) {
          if row.operation == (isRedo ? .added : .removed) { rows.add(row) }
        }
      }
      rows.files = rows.files.filter { isLost($0.value) }
      rows.regions = try rows.regions.filter { region in
        try rows.files[region.file] != nil || view.audioFile(region.file).map { isLost($0.location.path) } == true
      }
      return try rows.isEmpty ? [] : sentences(of: rows, view)
    }
  }

  private func sentences(of rows: ReturnedRows, _ view: ProjectView) throws -> [String] {
    let known = try [false, true].flatMap { isTrashed in
      try view.recordings.recordings(RecordingFilter(isTrashed: isTrashed, limit: .max)).summaries.map(\.recording)
    }
    let (ids, folders) = (Set(known.map(\.id)), Set(known.map(\.folder)))
    var sentences = rows.titles.sorted { $0.key < $1.key }.filter { !ids.contains($0.key) }.map { _, title in
      (title.isEmpty ? "A recording" : "Recording '\(title)'")
        + " was forgotten: only what was said about it comes back, and what was recorded is gone for good."
    }
    var (silent, trashed): ([String], [RecordingID: [String]]) = ([], [:])
    for region in rows.regions {
      guard let path = try rows.files[region.file] ?? view.audioFile(region.file)?.location.path else { continue }
      let place = Self.recordingFolder(of: path)
      if !folders.contains(place) {
        silent.append(region.name)
      } else if let recording = known.first(where: { $0.folder == place && $0.trashedAt != nil }) {
        trashed[recording.id, default: []].append(region.name)
      }
    }
    if !silent.isEmpty {
      sentences.append("The sound of \(Self.list(silent)) is gone for good: what was recorded was forgotten.")
    }
    for (id, names) in trashed.sorted(by: { $0.key < $1.key }) {
      sentences.append(
        "The sound of \(Self.list(names)) is in the trash: 'daw restore-recording id:\(id)' brings it back.")
    }
    guard sentences.isEmpty else { return sentences }
    let gone = Set(rows.files.values.map(Self.recordingFolder)).subtracting(folders)
    return gone.sorted().map { "What was recorded in '\($0)' is gone for good: it was forgotten." }
  }

  /// Whether a medium is a file of a recording that is not there.
  private func isLost(_ path: String) -> Bool {
    path.hasPrefix("Audio/Recordings/") && access(folder.absolute(path), F_OK) != 0
  }

  private static func recordingFolder(of path: String) -> String {
    path.split(separator: "/").prefix(3).joined(separator: "/")
  }

  /// "region 'Vox' and 2 other regions"
  private static func list(_ names: [String]) -> String {
    let others = names.count == 1 ? "" : " and \(counted(names.count - 1, "other region"))"
    return "region '\(names.first ?? "")'\(others)"
  }
}

/// Rows that an undo or a redo makes again, as far as recordings are concerned.
private struct ReturnedRows {
  static let tables: Set<String> = [RecordingNote.table, AudioFile.table, Region.table]

  var titles: [RecordingID: String] = [:]
  /// The paths of media.
  var files: [AudioFileID: String] = [:]
  var regions: [(name: String, file: AudioFileID)] = []

  var isEmpty: Bool { titles.isEmpty && files.isEmpty && regions.isEmpty }

  mutating func add(_ row: RowChange) {
    switch row.table {
    case RecordingNote.table: titles[RecordingID(rawValue: row.id)] = row.text("title") ?? ""
    case AudioFile.table: files[AudioFileID(rawValue: row.id)] = row.text("path")
    default:
      guard case .integer(let file)? = row.value("audioFile") else { return }
      regions.append((row.text("name") ?? "", AudioFileID(rawValue: file)))
    }
  }
}

extension RowChange {
  /// What a column of a row that was added or removed holds.
  fileprivate func value(_ name: String) -> StoredValue? {
    guard let column = description?.columns.firstIndex(where: { $0.name == name }) else { return nil }
    return values.first { $0.column == column }.flatMap { $0.new ?? $0.old }
  }

  fileprivate func text(_ name: String) -> String? {
    if case .text(let text)? = value(name) { text } else { nil }
  }
}
