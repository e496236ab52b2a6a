import DAWMedia
import DAWModel
import DAWStore

/// A recording, and what it is called.
typealias RecordingTitle = (id: RecordingID, title: String)

extension ProjectView {
  /// The titles of recordings that the user has said, and those that unfinished ones were begun with.
  func recordingTitles() throws -> [RecordingTitle] {
    let notes = try all(RecordingNote.self)
    let withNote = Set(notes.map(\.recording))
    // A row that cannot be read is said by 'check', and keeps no other recording from being found.
    let unfinished = (try? recordings.recordings(RecordingFilter(isRunning: true, limit: .max)))?.summaries ?? []
    let begun = titlesWithoutNotes(of: unfinished.map(\.recording).filter { !withNote.contains($0.id) })
    var titles = notes.map { (id: $0.recording, title: $0.title) }
    titles += begun.map { (id: $0.key, title: $0.value) }
    return titles.filter { !$0.title.isEmpty }
  }

  /// The titles that complete recordings have by the names of their folders alone, as after an undo.
  func titlesOfFolders(of ids: [RecordingID]) throws -> [RecordingTitle] {
    let withNote = Set(try all(RecordingNote.self).map(\.recording))
    let others = ids.filter { !withNote.contains($0) }.compactMap { try? recordings.recording($0) }
    return titlesWithoutNotes(of: others.filter(\.isCompleted)).map { (id: $0.key, title: $0.value) }
  }

  /// The titles of recordings about which the user has said nothing, or has taken it back: what an unfinished one was
  /// begun with, by the first line of its ledger; else what the name of its folder has. Of those that are complete no
  /// file is read.
  func titlesWithoutNotes(of recordings: [Recording]) -> [RecordingID: String] {
    var titles: [RecordingID: String] = [:]
    for recording in recordings {
      guard let begun = titleInLedger(of: recording) ?? recording.titleInFolderName else { continue }
      let title = begun.fitted(to: RecordingNote.maximumTitleLength)
      if !title.isEmpty { titles[recording.id] = title }
    }
    return titles
  }

  /// - Returns: `nil` for a recording that is complete, and where its folder or its ledger cannot be read.
  private func titleInLedger(of recording: Recording) -> String? {
    guard !recording.isCompleted, let folderPath, let name = recording.folderName,
      let folder = try? RecordingFolder(opening: Place(root: folderPath, ["Audio", "Recordings", name])),
      let header = folder.header, header.recording == recording.id.rawValue
    else { return nil }
    return header.title
  }
}

extension Recording {
  /// "Verse" of a folder "2026-11-22 14.03 Verse". Where several were made of one title within a minute, a number
  /// follows it; a number alone is no title.
  /// - Returns: `nil` for a folder without a title, and for one that another program has named.
  var titleInFolderName: String? {
    guard let name = folderName, Self.begins(name) else { return nil }
    let title = name.utf8.dropFirst(Self.beginning.utf8.count)
    return title.allSatisfy(Self.isDigit) ? nil : String(title)
  }

  /// How the name of a folder with a title begins; each 0 stands for a digit.
  private static let beginning = "0000-00-00 00.00 "

  private static func begins(_ name: String) -> Bool {
    let zero = UInt8(ascii: "0")
    return name.utf8.count > beginning.utf8.count
      && zip(name.utf8, beginning.utf8).allSatisfy { $1 == zero ? isDigit($0) : $0 == $1 }
  }

  private static func isDigit(_ unit: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) }
}
