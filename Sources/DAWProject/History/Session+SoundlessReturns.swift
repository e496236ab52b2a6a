import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// What an undo or a redo brings back without its sound, since the recording was forgotten, or is in the trash; and
  /// the files that it lets the project look for where they are not, as the undo of a relink does.
  /// - Parameters:
  ///   - entries: the edits that were undone or redone, or would be.
  ///   - isRedo: whether they were redone.
  /// - Returns: sentences.
  /// - Throws: `Failure`.
  public func soundlessReturns(of entries: [JournalEntry], isRedo: Bool = false) throws -> [String] {
    try read { view in
      let returning: RowChange.Operation = isRedo ? .added : .removed
      var rows = ReturnedRows()
      for entry in entries {
        for row in try view.changes(of: entry).of(ReturnedRows.tables.contains) {
          switch row.operation {
          case returning: rows.add(row)
          case .changed: rows.move(row, isRedo: isRedo)
          default: rows.remove(row)
          }
        }
      }
      rows.files = rows.files.filter { isLost($0.value) }
      rows.regions = try rows.regions.filter { region in
        try rows.files[region.file] != nil || view.audioFile(region.file).map { isLost($0.location.path) } == true
      }
      let soundless = try rows.isEmpty ? [] : sentences(of: rows, view)
      return try soundless + missingMedia(of: rows, view)
    }
  }

  private func sentences(of rows: ReturnedRows, _ view: ProjectView) throws -> [String] {
    let known = try [false, true].flatMap { isTrashed in
      try view.recordings.recordings(RecordingFilter(isTrashed: isTrashed, limit: .max)).summaries.map(\.recording)
    }
    let (ids, folders) = (Set(known.map(\.id)), Set(known.map(\.folder)))
    let trash = Dictionary(known.filter { $0.trashedAt != nil }.map { ($0.folder, $0.id) }) { first, _ in first }
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
      } else if let recording = trash[place] {
        trashed[recording, default: []].append(region.name)
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

  /// A line for the files of moved media that are not there, and one for those that are others, as 'check' says it.
  private func missingMedia(of rows: ReturnedRows, _ view: ProjectView) throws -> [String] {
    var (missing, changed): ([String], [String]) = ([], [])
    func look(for location: MediaLocation, _ noun: String) {
      let subject = "\(noun) '\(location.path)'"
      switch folder.state(of: location) {
      case .asRecorded: break
      case .missing: missing.append(subject)
      case .changed where !TakeManifest.isNamed(location.path): changed.append(subject)
      case .changed, .unreadable:
        // Where a take is there, its segments may not be.
        guard let path = folder.find(location), let faults = try? TakeManifest.faults(path: path, hashes: false) else {
          return
        }
        for case .missing(let segment) in faults { missing.append("file '\(segment)' of the take '\(location.path)'") }
      }
    }
    for (id, columns) in rows.movedFiles.sorted(by: { $0.key < $1.key }) {
      if let file = try view.audioFile(id) { look(for: file.location.moved(to: columns), AudioFile.noun) }
    }
    for (id, columns) in rows.movedFonts.sorted(by: { $0.key < $1.key }) {
      if let font = try view.soundFont(id) { look(for: font.location.moved(to: columns), SoundFont.noun) }
    }
    return [Self.line(missing, "missing"), Self.line(changed, "not what the project recorded")].compactMap(\.self)
  }

  /// - Returns: `nil` where there is nothing to say.
  private static func line(_ subjects: [String], _ state: String) -> String? {
    guard let first = subjects.first else { return nil }
    let others = counted(subjects.count - 1, "other file")
    let (verb, them) = subjects.count == 1 ? ("is", "it") : ("and \(others) are", "them")
    return "The \(first) \(verb) \(state): put \(them) back, or let 'daw relink --search FOLDER' find \(them)."
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

/// Rows that an undo or a redo makes again, as far as recordings are concerned, and media whose files are elsewhere
/// then.
private struct ReturnedRows {
  static let tables: Set<String> = [RecordingNote.table, AudioFile.table, Region.table, SoundFont.table]

  var titles: [RecordingID: String] = [:]
  /// The paths of media.
  var files: [AudioFileID: String] = [:]
  var regions: [(name: String, file: AudioFileID)] = []
  /// What columns hold of media that stay, as far as that changes.
  var movedFiles: [AudioFileID: [String: StoredValue]] = [:]
  var movedFonts: [SoundFontID: [String: StoredValue]] = [:]

  var isEmpty: Bool { titles.isEmpty && files.isEmpty && regions.isEmpty }

  mutating func add(_ row: RowChange) {
    switch row.table {
    case RecordingNote.table: titles[RecordingID(rawValue: row.id)] = row.text("title") ?? ""
    case AudioFile.table: files[AudioFileID(rawValue: row.id)] = row.text("path")
    case SoundFont.table: break
    default:
      guard case .integer(let file)? = row.value("audioFile") else { return }
      regions.append((row.text("name") ?? "", AudioFileID(rawValue: file)))
    }
  }

  mutating func move(_ row: RowChange, isRedo: Bool) {
    guard row.table == AudioFile.table || row.table == SoundFont.table else { return }
    let columns = row.columns(isRedo: isRedo)
    guard columns["path"] != nil || columns["relativePath"] != nil else { return }
    if row.table == AudioFile.table {
      movedFiles[AudioFileID(rawValue: row.id), default: [:]].merge(columns) { $1 }
    } else {
      movedFonts[SoundFontID(rawValue: row.id), default: [:]].merge(columns) { $1 }
    }
  }

  /// A row is not there afterwards.
  mutating func remove(_ row: RowChange) {
    if row.table == AudioFile.table { movedFiles[AudioFileID(rawValue: row.id)] = nil }
    if row.table == SoundFont.table { movedFonts[SoundFontID(rawValue: row.id)] = nil }
  }
}

extension MediaLocation {
  /// - Parameter columns: what columns of its row hold instead.
  fileprivate func moved(to columns: [String: StoredValue]) -> MediaLocation {
    var moved = self
    if case .text(let path)? = columns["path"] { moved.path = path }
    if let relative = columns["relativePath"] {
      moved.relativePath = if case .text(let path) = relative { path } else { nil }
    }
    if case .text(let hash)? = columns["sha256"] { moved.sha256 = hash }
    if case .integer(let count)? = columns["byteCount"] { moved.byteCount = count }
    if case .integer(let time)? = columns["modificationTime"] { moved.modificationTime = time }
    return moved
  }
}

extension RowChange {
  /// What the columns that differ hold after an undo or a redo, by their names.
  fileprivate func columns(isRedo: Bool) -> [String: StoredValue] {
    guard let columns = description?.columns else { return [:] }
    var held: [String: StoredValue] = [:]
    for value in values where columns.indices.contains(value.column) {
      held[columns[value.column].name] = isRedo ? value.new : value.old
    }
    return held
  }

  /// What a column of a row that was added or removed holds.
  fileprivate func value(_ name: String) -> StoredValue? {
    guard let column = description?.columns.firstIndex(where: { $0.name == name }) else { return nil }
    return values.first { $0.column == column }.flatMap { $0.new ?? $0.old }
  }

  fileprivate func text(_ name: String) -> String? {
    if case .text(let text)? = value(name) { text } else { nil }
  }
}
