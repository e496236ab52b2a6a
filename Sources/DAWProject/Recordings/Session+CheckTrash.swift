import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// What `daw check` has to know about the trash of recordings.
struct TrashState {
  /// The names of the folders that recordings in the trash had.
  var folders: Set<String> = []
  /// The recordings whose files are in the trash, by these names.
  var recordings: [String: RecordingID] = [:]
  /// Such folders that are links now.
  var links: [Place] = []
  /// The names of the folders of recordings whose removal was interrupted, as long as none has taken their place.
  var unfinishedFolders: Set<String> = []
  var findings: [CheckFinding] = []
}

extension Session {
  public func trashedRecordingCount() throws -> Int {
    try read { try $0.recordings.recordings(RecordingFilter(isTrashed: true, limit: .max)).summaries.count }
  }

  /// The names in the trash: the ids of recordings. None where it is not there, or a link.
  /// - Throws: where it is there and cannot be listed.
  func namesInTrash() throws(SystemCallFailure) -> Set<String> {
    let names: [String]
    do throws(SystemCallFailure) {
      names = try trash.open().readNames()
    } catch {
      if Cleaning.isNoFolder(error) { return [] }
      throw error
    }
    return Set(names)
  }

  /// Compares the trash with what is known about recordings.
  func trashState() throws -> TrashState {
    var state = TrashState()
    var present: Set<String> = []
    var failure: SystemCallFailure?
    do throws(SystemCallFailure) {
      present = try namesInTrash()
    } catch {
      failure = error
    }
    let entries = try read { view in
      try view.recordings.recordingIDs().compactMap { try view.recordingEntry($0) }
    }
    for entry in entries {
      let id = entry.recording.id.uuidString
      guard let place = try? place(of: entry) else { continue }
      if entry.recording.trashedAt != nil {
        state.folders.insert(place.name)
        if present.contains(id) { state.recordings[place.name] = entry.recording.id }
        if isElsewhere(place) { state.links.append(place) }
        guard failure == nil, !present.contains(id), entry.summary.passCount > 0 else { continue }
        state.findings.append(
          CheckFinding(
            code: "missing", message: "The files of \(entry.subject) are not in the trash any more.",
            hint:
              "'daw restore-recording \(id)' takes them from where they were before, 'daw forget \(id) --yes' removes "
              + "what is still known about it."))
      } else if present.contains(id) {
        if (try? Self.exists(place)) == false { state.unfinishedFolders.insert(place.name) }
        state.findings.append(
          CheckFinding(
            code: "unfinishedRemoval", message: "The files of \(entry.subject) are in the trash, and it is not.",
            hint: "'daw remove-recording \(id)' or 'daw restore-recording \(id)' finishes what was interrupted."))
      }
    }
    if let failure {
      state.findings.append(
        CheckFinding(
          code: "unreadable",
          message: "The trash, 'Audio/.trash', cannot be read: \(String(cString: strerror(failure.code))).",
          hint: "Check its permissions and the disk.", isNotice: state.folders.isEmpty))
    }
    let known = Set(entries.map(\.recording.id.uuidString))
    for name in present.subtracting(known).sorted() {
      state.findings.append(
        CheckFinding(
          code: "unfinishedRemoval", message: "'Audio/.trash/\(name)' belongs to no recording.",
          hint: "Nothing needs it; remove the folder if nothing in it is wanted.", isNotice: true))
    }
    return state
  }

  /// What brings a medium back whose recording is in the trash; `nil` for another.
  func hint(restoring file: AudioFile, _ trash: TrashState) -> String? {
    guard !trash.recordings.isEmpty, let id = recordingFolders(of: [file]).compactMap({ trash.recordings[$0] }).min()
    else { return nil }
    return "Its recording is in the trash: 'daw restore-recording id:\(id)' brings it back."
  }

  /// Whether a medium lies in the trash and nothing plays it; then it is no fault that it is not where the project
  /// says. Nor is it one of its own where the removal was interrupted, which is said.
  func isAway(_ file: AudioFile, _ trash: TrashState, used: Set<AudioFileID>) -> Bool {
    if !trash.unfinishedFolders.isEmpty, !trash.unfinishedFolders.isDisjoint(with: recordingFolders(of: [file])) {
      return true
    }
    guard !trash.folders.isEmpty, !used.contains(file.id) else { return false }
    return !trash.folders.isDisjoint(with: recordingFolders(of: [file]))
      || trash.links.contains { isMedium(file.location, in: $0) }
  }
}
