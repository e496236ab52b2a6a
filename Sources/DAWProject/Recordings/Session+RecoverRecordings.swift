import DAWErrors
import DAWMedia
import DAWModel
import Foundation

/// What became of recordings that are not complete in the project.
public struct RecordingRecovery: Sendable {
  public var recovered: [RecoveredRecording] = []
  /// Those that were left alone, since the process that writes them lives. One that was killed does until the system
  /// has taken it down.
  public var running: [RunningRecording] = []
}

/// A recording that a process writes.
public struct RunningRecording: Equatable, Sendable {
  /// The name of its folder.
  public var folder: String
  public var processID: Int32
}

/// A recording that was finished for a process that is gone, or could not be.
public struct RecoveredRecording: Sendable {
  /// The name of its folder.
  public var folder: String
  public var outcome: Result<RecordedTakes, Failure>
}

extension Session {
  /// Finishes the recordings that their processes have left, from their files: a cut ledger, headers without sizes or
  /// missing rows do not matter. A recording that a living process writes, and one that is in the project already, stay
  /// as they are. One whose folder cannot be opened is a failure that says why.
  /// - Parameter patience: how long to wait for another command that does the same; `nil`: it is left to that one.
  /// - Throws: `Failure` if the project cannot be written, or read, or the other command takes longer.
  public func recoverRecordings(waiting patience: Duration? = nil) throws -> RecordingRecovery {
    try failing {
      var recovery = RecordingRecovery(
        recovered: try blockedRecordings().map { RecoveredRecording(folder: $0.folder, outcome: .failure($0.failure)) })
      guard let folder = try? recordings.open(), access(recordings.path, W_OK) == 0 else { return recovery }
      let deadline = ContinuousClock.now + (patience ?? .zero)
      var use = FolderUse.exclusive(recordings)
      while use == nil, ContinuousClock.now < deadline {
        usleep(20_000)
        use = FolderUse.exclusive(recordings)
      }
      guard let use else {
        if patience == nil { return recovery }
        throw Failure(
          .tryAgain, code: "busy", "Another command is finishing the recordings in '\(recordings.path)'.",
          hint: "Try again when it is done.")
      }
      defer { withExtendedLifetime(use) {} }
      for name in folder.names() where !name.hasPrefix(".") {
        guard let recording = try? RecordingFolder(opening: recordings.appending(name)) else { continue }
        switch try state(of: recording) {
        case .complete: break
        case .running(let process):
          recovery.running.append(RunningRecording(folder: name, processID: process))
        case .left:
          recovery.recovered.append(
            RecoveredRecording(folder: name, outcome: Result { try recover(recording) }.mapError(Failure.init)))
        }
      }
      return recovery
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
      if case .left = try state(of: recording) { return true }
      return false
    }
  }

  /// The recordings that their processes have left, and that cannot be finished: their folders are there, and cannot be
  /// opened or written to. Each with what to do about it.
  func blockedRecordings() throws -> [(folder: String, failure: Failure)] {
    try read { view in
      try view.recordings.recordings(RecordingFilter(isRunning: true, limit: .max)).summaries.map(\.recording)
        .filter(\.isLeft).compactMap { (recording: Recording) -> (folder: String, failure: Failure)? in
          guard let name = recording.folderName, let failure = obstacle(to: recordings.appending(name))
          else { return nil }
          return (name, failure)
        }
    }
  }

  /// Why the folder of a recording, which is there, cannot be opened or written to; `nil` if it can.
  func obstacle(to place: Place) -> Failure? {
    let found: (place: Place, code: Int32)
    do throws(SystemCallFailure) {
      _ = try RecordingFolder(opening: place).names()
      guard access(recordings.path, W_OK) != 0 else { return nil }
      found = (recordings, errno)
    } catch {
      guard error.code != ENOENT else { return nil }
      found = (error.code == ELOOP ? place.firstLink ?? place : place, error.code)
    }
    let isDenied = [EACCES, EPERM].contains(found.code)
    let reason = found.code == ELOOP ? "it is a link, and none is followed" : String(cString: strerror(found.code))
    let step =
      switch found.code {
      case EACCES, EPERM: "Give yourself access to it, as by chmod u+rwx \(shellQuoted(found.place.path))"
      case ELOOP, ENOTDIR: "Put the folder that was recorded to in its place"
      default: "Let it be read and written to"
      }
    return Failure(
      isDenied ? .noInput : .io, code: isDenied ? "noPermission" : "io",
      "'\(found.place.path)' cannot be used: \(reason).",
      hint: "\(step); then 'daw recover-recordings' finishes the recording.")
  }

  /// The recordings that their processes have left unfinished, and whose folders are gone, or have no file of theirs.
  func lostRecordings() throws -> [RecordingEntry] {
    try read { view in
      try view.recordings.recordings(RecordingFilter(isRunning: true, limit: .max)).summaries
        .filter(\.recording.isLeft).compactMap { try view.recordingEntry($0.recording.id) }
        .filter { entry in (try? place(of: entry)).map { !Self.hasRecording($0) } ?? false }
    }
  }

  private enum RecordingState {
    /// In the project; or there is nothing of a recording.
    case complete
    case running(processID: Int32)
    case left
  }

  private func state(of folder: RecordingFolder) throws -> RecordingState {
    guard let header = folder.header else { return folder.hasRecording ? .left : .complete }
    let row = try store.recordings.recording(RecordingID(rawValue: header.recording))
    if row?.isCompleted == true { return .complete }
    // A process on another machine, or in another container, has locked it.
    guard !folder.isFinished, header.owner.isAlive || folder.isLocked else { return .left }
    return .running(processID: header.owner.processID)
  }

  /// Whether a process that cannot be seen from here, as one in another container or on another computer, writes a
  /// recording: it has locked the ledger.
  public func isWrittenUnseen(_ recording: Recording) -> Bool {
    guard recording.isLeft, let name = recording.folderName,
      let folder = try? RecordingFolder(opening: recordings.appending(name)),
      folder.header?.recording == recording.id.rawValue
    else { return false }
    return !folder.isFinished && folder.isLocked
  }

  /// Whether there is a folder with anything of a recording.
  static func hasRecording(_ place: Place) -> Bool {
    do throws(SystemCallFailure) { _ = try place.open() } catch { return error.code != ENOENT }
    return (try? RecordingFolder(opening: place))?.hasRecording ?? false
  }

  private func recover(_ folder: RecordingFolder) throws -> RecordedTakes {
    // No file is touched where the takes could not be put into the project.
    try store.requireWritable()
    // Before the ledger is written anew: then it names no more what had no sound.
    let spills = LeftSpillFolders(of: folder.place)
    spills.removeReserved()
    let description = try folder.finish(endTime: folder.lastChange)
    spills.removeEmpty()
    var placement = TakePlacement()
    placement.over = description.header.replacesOthers ? .replace : .mix
    placement.isHeard = description.header.isHeard
    var takes = try finish(description, in: folder, placement, isRecovered: true)
    takes.problems += folder.unreadLedgers.map {
      "Lines of the ledger that are damaged, or say what cannot be, were passed over; it stays as "
        + "'Audio/Recordings/\(folder.name)/\($0)'."
    }
    return takes
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
      // One whose size may not be asked for may hold something.
      guard lstat(place.appending(name).path, &status) == 0 else { return errno != ENOENT }
      return status.st_size > 0
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
    return owner.map { !$0.isAlive } ?? true
  }
}
