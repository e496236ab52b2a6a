import DAWMedia
import DAWModel
import DAWStore

extension ProjectView {
  /// The titles of all recordings that have one: what a user says, else what an unfinished one was begun with.
  func recordingTitles() throws -> [(id: RecordingID, title: String)] {
    let notes = try all(RecordingNote.self)
    let withNote = Set(notes.map(\.recording))
    // A row that cannot be read is said by 'check', and keeps no other recording from being found.
    let unfinished = (try? recordings.recordings(RecordingFilter(isRunning: true, limit: .max)))?.summaries ?? []
    let begun = titlesInLedgers(of: unfinished.map(\.recording).filter { !withNote.contains($0.id) })
    var titles = notes.map { (id: $0.recording, title: $0.title) }
    titles += begun.map { (id: $0.key, title: $0.value) }
    return titles.filter { !$0.title.isEmpty }
  }

  /// The titles that unfinished recordings were begun with: no row has them before the end. Reads the first line of
  /// each ledger, and nothing of those that are complete.
  func titlesInLedgers(of recordings: [Recording]) -> [RecordingID: String] {
    guard let folderPath else { return [:] }
    var titles: [RecordingID: String] = [:]
    for recording in recordings where !recording.isCompleted {
      guard let name = recording.folderName,
        let folder = try? RecordingFolder(opening: Place(root: folderPath, ["Audio", "Recordings", name])),
        let header = folder.header, header.recording == recording.id.rawValue
      else { continue }
      let title = header.title.fitted(to: RecordingNote.maximumTitleLength)
      if !title.isEmpty { titles[recording.id] = title }
    }
    return titles
  }
}
