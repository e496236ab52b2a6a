import DAWErrors
import DAWMedia
import DAWModel
import Foundation

/// A recording that was finished for a process that is gone, or could not be.
public struct RecoveredRecording: Sendable {
  /// The name of its folder.
  public var folder: String
  public var outcome: Result<RecordedTakes, Failure>
}

extension Session {
  /// Finishes the recordings that their processes have left, from their files: a cut ledger, headers without sizes or
  /// missing rows do not matter. A recording that a living process writes, and one that is in the project already, stay
  /// as they are.
  /// - Throws: `Failure` if the project cannot be written, or read.
  public func recoverRecordings() throws -> [RecoveredRecording] {
    try failing {
      guard let folder = try? recordings.open(), access(recordings.path, W_OK) == 0 else { return [] }
      // Where another command is at it, it is left to that one.
      guard let use = FolderUse.exclusive(recordings) else { return [] }
      defer { withExtendedLifetime(use) {} }
      return try folder.names().filter { !$0.hasPrefix(".") }.compactMap { name in
        guard let recording = try? RecordingFolder(opening: recordings.appending(name)), try isLeft(recording) else {
          return nil
        }
        return RecoveredRecording(folder: name, outcome: Result { try recover(recording) }.mapError(Failure.init))
      }
    }
  }

  /// The recordings whose rows say that they run, and whose processes are gone. Reads no file where there are none.
  public func hasLeftRecordings() throws -> Bool {
    try failing {
      guard access(recordings.path, F_OK) == 0 else { return false }
      let running = try store.recordings.recordings(RecordingFilter(isRunning: true, limit: .max)).summaries
      return running.contains { $0.recording.isLeft }
    }
  }

  /// The names of the folders of recordings that their processes have left unfinished.
  func leftRecordings() throws -> [String] {
    guard let folder = try? recordings.open() else { return [] }
    return try folder.names().filter { name in
      guard !name.hasPrefix("."), let recording = try? RecordingFolder(opening: recordings.appending(name)) else {
        return false
      }
      return try isLeft(recording)
    }
  }

  /// The recordings that their processes have left unfinished, and whose folders are gone, or have no file of theirs.
  func lostRecordings() throws -> [RecordingEntry] {
    try read { view in
      try view.recordings.recordings(RecordingFilter(isRunning: true, limit: .max)).summaries
        .filter(\.recording.isLeft).compactMap { try view.recordingEntry($0.recording.id) }
        .filter { entry in (try? place(of: entry)).map { !Self.hasRecording($0) } ?? false }
    }
  }

  /// Whether a recording is not complete in the project, and no living process writes it.
  private func isLeft(_ folder: RecordingFolder) throws -> Bool {
    guard let header = folder.header else { return folder.hasRecording }
    if !folder.isFinished, header.owner.isAlive { return false }
    return try store.recordings.recording(RecordingID(rawValue: header.recording))?.isCompleted != true
  }

  /// Whether there is a folder with anything of a recording.
  static func hasRecording(_ place: Place) -> Bool {
    do throws(SystemCallFailure) { _ = try place.open() } catch { return error.code != ENOENT }
    return (try? RecordingFolder(opening: place))?.hasRecording ?? false
  }

  private func recover(_ folder: RecordingFolder) throws -> RecordedTakes {
    // Before the ledger is written anew: then it names no more what had no sound.
    let spills = LeftSpillFolders(of: folder.place)
    spills.removeReserved()
    let description = try folder.finish(endTime: folder.lastChange)
    spills.removeEmpty()
    var placement = TakePlacement()
    placement.over = description.header.replacesOthers ? .replace : .mix
    placement.isHeard = description.header.isHeard
    return try finish(description, in: folder, placement, isRecovered: true)
  }
}

extension RecordingFolder {
  /// Whether anything of a recording is in it: a ledger, a segment or MIDI messages. Files without a byte do not count.
  fileprivate var hasRecording: Bool {
    // One that cannot be read may have anything.
    guard let names = try? names() else { return true }
    return names.contains { name in
      guard name == Ledger.fileName || !name.hasPrefix(".") && (name.hasSuffix(".wav") || name.hasSuffix(".events"))
      else { return false }
      var status = stat()
      return lstat(place.appending(name).path, &status) == 0 && status.st_size > 0
    }
  }

  /// When one of its files was written last, in milliseconds since 1970.
  fileprivate var lastChange: Int64 {
    let names = (try? names()) ?? []
    let times = names.compactMap { name -> Int64? in
      var status = stat()
      guard lstat(place.appending(name).path, &status) == 0 else { return nil }
      return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
    return times.max() ?? Int64(Date().timeIntervalSince1970 * 1_000)
  }
}

extension RecordingEntry {
  /// Whether its process has left it unfinished.
  var isLeft: Bool { recording.isLeft }
}

extension Recording {
  /// Whether its process has left it unfinished.
  package var isLeft: Bool {
    guard !isCompleted else { return false }
    guard let owner else { return true }
    return !RecordingOwner(
      processID: Int32(clamping: owner.processID), startTime: owner.startTime, bootID: owner.bootID
    ).isAlive
  }
}
