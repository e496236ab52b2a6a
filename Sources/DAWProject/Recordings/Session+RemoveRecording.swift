import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A recording that was moved to the trash, brought back, or forgotten.
public struct RemovedRecording: Sendable {
  public var entry: RecordingEntry
  /// Its segments that are there.
  public var fileCount = 0
  /// The size of those segments.
  public var byteCount: Int64 = 0
  /// The names of segments that are not there.
  public var missing: [String] = []
  /// The paths of segments outside the project's folder. They stay as they are.
  public var outside: [String] = []
}

extension Session {
  /// `Audio/.trash`: a folder for each recording that was removed, named by its id.
  package var trash: Place { folder.place("Audio", ".trash") }

  /// - Parameter isTrashed: as for `ProjectView.recordingEntries(calledBy:isTrashed:)`.
  public func recordingIDs(calledBy references: [String], isTrashed: Bool?) throws -> [RecordingID] {
    try read { try $0.recordingEntries(calledBy: references, isTrashed: isTrashed).map(\.recording.id) }
  }

  /// Moves the files of a completed recording into the project's trash. May be called again for one where that was
  /// interrupted.
  /// - Parameters:
  ///   - isTrial: only checks that it can be done.
  ///   - includesUsed: takes it also if regions play it; they are silent then.
  /// - Throws: `Failure`, of the kind `tryAgain` while it runs; nothing is changed, or the message says where the
  ///   files are.
  @discardableResult
  public func removeRecording(
    _ id: RecordingID, isTrial: Bool = false, includesUsed: Bool = false, now: Timestamp = .now()
  ) throws -> RemovedRecording {
    try movingFolder { move in
      // No region can begin to play it meanwhile: other processes cannot write.
      try store.recordings.save { view in
        guard var facts = try view.recordings.facts(of: id), let entry = try view.recordingEntry(id) else {
          throw EditError.missing(noun: Recording.noun, id: id.uuidString)
        }
        let place = try self.place(of: entry)
        try requireCompleted(entry, place)
        let isThere = try Self.exists(place) && !(facts.recording.trashedAt != nil && isOfAnother(place, entry))
        if !includesUsed { try requireUnused(entry, place, view) }
        guard isThere || facts.recording.trashedAt == nil else {
          throw Failure(
            .invalid, code: "recordingInTrash", "\(entry.sentenceStart) is in the trash already.",
            hint: "'daw restore-recording' brings it back, 'daw forget' removes it for good.")
        }
        if isThere { try requireOwn(place, entry) }
        let inTrash = trash.appending(id.uuidString)
        // Before it is moved: one that cannot be listed stays.
        let names = try Set(Self.names(in: isThere ? place : inTrash))
        if isThere, !isTrial { try move(place, inTrash) }
        facts.recording.trashedAt = facts.recording.trashedAt ?? now
        let removed = Self.count(&facts, names, entry, present: .trashed)
        return (isTrial ? nil : facts, removed)
      }
    }
  }

  /// Brings a recording back from the trash, after its files were compared with their hashes.
  /// - Throws: `Failure`; nothing is changed, or the message says where the files are.
  public func restoreRecording(_ id: RecordingID) throws -> RemovedRecording {
    try movingFolder { move in
      let (facts, entry) = try read { (try $0.recordings.facts(of: id), try $0.recordingEntry(id)) }
      guard let facts, let entry else { throw EditError.missing(noun: Recording.noun, id: id.uuidString) }
      let (place, inTrash) = (try self.place(of: entry), trash.appending(id.uuidString))
      guard try facts.recording.trashedAt != nil || Self.exists(inTrash) else {
        throw Failure(
          .invalid, code: "recordingNotInTrash", "\(entry.sentenceStart) is not in the trash.",
          hint: "'daw list-recordings --trashed' lists what is.")
      }
      // Asked again under the lock: another process may forget it meanwhile.
      func findFiles() throws -> Place {
        if try Self.exists(inTrash) { return inTrash }
        if try Self.exists(place), !isOfAnother(place, entry) { return place }
        throw Failure(
          .noInput, code: "fileNotFound",
          "The files of \(entry.subject) are not in the trash any more. Nothing was changed.",
          hint: "'daw forget' removes what is still known about it.")
      }
      let found = try findFiles()
      for segment in facts.segments where !segment.isOutside { try requireAsRecorded(segment, in: found) }
      return try store.recordings.save { view in
        guard var facts = try view.recordings.facts(of: id) else {
          throw EditError.missing(noun: Recording.noun, id: id.uuidString)
        }
        let source = try findFiles()
        let names = try Set(Self.names(in: source))
        if source == inTrash { try move(inTrash, place) }
        facts.recording.trashedAt = nil
        let removed = Self.count(&facts, names, entry, present: .sealed)
        return (facts, removed)
      }
    }
  }

  /// Removes a recording for good: its files, what is known about it, and what the project says about it: its title,
  /// its comments, and takes without regions. May be called again where that was interrupted.
  /// - Parameter last: refuses, as `recordingNotInTrash`, what did not go to the trash until then, or was brought back.
  /// - Throws: `Failure`, as `removeRecording`; what is left is in the trash, and the message says what was done.
  public func forgetRecording(
    _ id: RecordingID, isTrial: Bool = false, includesUsed: Bool = false, ifTrashedBy last: Timestamp? = nil
  ) throws -> RemovedRecording {
    try failing {
      guard let entry = try read({ try $0.recordingEntry(id) }) else {
        throw EditError.missing(noun: Recording.noun, id: id.uuidString)
      }
      let place = try self.place(of: entry)
      var removed = RemovedRecording(entry: entry)
      let isTrashed = try isInTrash(entry.recording, place, entry)
      if let last, !isTrashed || entry.recording.trashedAt.map({ $0 > last }) == true { throw Self.notInTrash(entry) }
      // What was left unfinished, and has no files any more, is not finished by any command.
      let isLost = entry.isLeft && !Self.hasRecording(place)
      if !isTrashed, !isLost {
        removed = try removeRecording(id, isTrial: isTrial, includesUsed: includesUsed)
      } else {
        if !includesUsed { try read { try requireUnused(entry, place, $0) } }
        var facts = try read { try $0.recordings.facts(of: id) } ?? RecordingFacts(entry.recording)
        let names = try Set(Self.names(in: trash.appending(id.uuidString)))
        removed = Self.count(&facts, names, entry, present: .trashed)
      }
      if isTrial { return removed }
      var done = isTrashed || isLost ? [] : ["it was moved to the trash"]
      do {
        try forget(entry, place, isLost: isLost, &done)
      } catch {
        throw Failure(error).after(done, "'daw forget' goes on with it.")
      }
      return removed
    }
  }

  /// Removes what is in the trash of a recording, and all that is known about it.
  /// - Parameters:
  ///   - isLost: whether it never was in the trash.
  ///   - done: what was done is added, as clauses.
  private func forget(_ entry: RecordingEntry, _ place: Place, isLost: Bool, _ done: inout [String]) throws {
    let id = entry.recording.id
    // Another process may bring it back as long as this one has not locked the project.
    func requireTrashed(_ view: ProjectView) throws {
      guard !isLost, let recording = try view.recordings.recording(id) else { return }
      if try !isInTrash(recording, place, entry) { throw Self.notInTrash(entry) }
    }
    let forgotten = try edit(.current) { editor in
      try requireTrashed(editor.view)
      let isOther = isOfAnother(place, entry)
      // Another recording may have taken the name of the folder since.
      try editor.forget(
        entry,
        media: media(in: place, editor.view).filter { file in
          !isOther || folder.state(of: file.location, isThorough: true) != .asRecorded
        })
    }
    if forgotten.entry != nil {
      done.append("its title, notes, comments and takes were removed")
      store.keptMedia.keepAfterRemoval(revision: forgotten.revision)
    }
    let inTrash = trash.appending(id.uuidString)
    try store.holdingWriteLock { view in
      try requireTrashed(view)
      guard try Self.exists(inTrash) else { return }
      let failure: SystemCallFailure?
      do throws(SystemCallFailure) {
        failure = try trash.open().removeAll(id.uuidString)
      } catch {
        throw Self.notMoved(trash, error)
      }
      if let failure {
        done.append("some of its files may have been removed")
        throw Self.notMoved(inTrash, failure)
      }
      done.append("its files were removed")
    }
    try store.recordings.remove(id)
  }

  /// Whether a recording is in the trash, and was not brought back from it by a command that was interrupted.
  private func isInTrash(_ recording: Recording, _ place: Place, _ entry: RecordingEntry) throws -> Bool {
    try recording.trashedAt != nil && (!Self.exists(place) || isOfAnother(place, entry))
  }

  private static func notInTrash(_ entry: RecordingEntry) -> Failure {
    Failure(.invalid, code: "recordingNotInTrash", "\(entry.sentenceStart) is not in the trash any more.")
  }

  // MARK: Checks

  private func requireCompleted(_ entry: RecordingEntry, _ place: Place) throws {
    guard !entry.recording.isCompleted else { return }
    guard entry.isLeft else {
      throw Failure(
        .tryAgain, code: "recordingRuns", "\(entry.sentenceStart) still runs. Nothing was changed.",
        hint: "'daw transport record off' ends it.")
    }
    guard !isWrittenUnseen(entry.recording) else {
      throw Failure(
        .tryAgain, code: "recordingRuns", "\(entry.sentenceStart) still runs. Nothing was changed.",
        hint: "A process writes it that cannot be seen from here: 'daw transport record off' ends it where that runs.")
    }
    guard Self.hasRecording(place) else {
      let state = try Self.exists(place) ? "has no file of it" : "is missing"
      throw Failure(
        .noInput, code: "fileNotFound",
        "\(entry.sentenceStart) was not finished by its process, and its folder \(state). Nothing was changed.",
        hint: "Put '\(entry.recording.folder)' back, or let 'daw forget id:\(entry.recording.id) --yes' forget it.")
    }
    if let obstacle = obstacle(to: place) {
      throw Failure(
        .tryAgain, code: "recordingRuns",
        "\(entry.sentenceStart) was not finished by its process. \(obstacle.message) Nothing was changed.",
        hint: obstacle.hint)
    }
    throw Failure(
      .tryAgain, code: "recordingRuns",
      "\(entry.sentenceStart) was not finished by its process. Nothing was changed.",
      hint: "'daw recover-recordings' finishes it.")
  }

  /// The folder of a recording. Rows of another program may name anything: only a folder in `Audio/Recordings` is one.
  package func place(of entry: RecordingEntry) throws -> Place {
    guard let name = entry.recording.folderName else {
      throw Failure(
        .invalid, code: "recordingFolder",
        "The folder of \(entry.subject), '\(entry.recording.folder)', is none in Audio/Recordings. Nothing was changed.",
        hint: "Another program wrote that; 'daw check' says what else is wrong.")
    }
    return folder.place("Audio", "Recordings", name)
  }

  /// Whether a folder says that it is another recording's.
  private func isOfAnother(_ place: Place, _ entry: RecordingEntry) -> Bool {
    guard let header = (try? RecordingFolder(opening: place))?.header else { return false }
    return header.recording != entry.recording.id.rawValue
  }

  private func requireOwn(_ place: Place, _ entry: RecordingEntry) throws {
    guard isOfAnother(place, entry) else { return }
    throw Failure(
      .invalid, code: "recordingFolder",
      "The folder '\(entry.recording.folder)' holds another recording. Nothing was changed.",
      hint: "Another program changed the project file, or the folders in Audio/Recordings were exchanged.")
  }

  /// Refuses a recording that regions play.
  private func requireUnused(_ entry: RecordingEntry, _ place: Place, _ view: ProjectView) throws {
    if entry.recording.trashedAt != nil, isOfAnother(place, entry) { return }
    let media = try self.media(in: place, view)
    let comments = try media.flatMap { try view.rows(Comment.self, where: "audioFile", is: $0.id) }
    if let first = comments.first {
      throw Failure(
        .invalid, code: "recordingInUse", "A spoken comment has the sound of \(entry.subject). Nothing was changed.",
        hint: "'daw remove-comment id:\(first.id)' removes it.")
    }
    let regions = try media.flatMap { try view.rows(Region.self, where: "audioFile", is: $0.id) }
    guard let first = regions.first else { return }
    let track = try view.track(first.track)?.name.text ?? "?"
    let others = regions.count == 1 ? "" : " and \(counted(regions.count - 1, "other region"))"
    let take = try first.take.flatMap { try view.row($0) }
    throw Failure(
      .invalid, code: "recordingInUse",
      "Region '\(track)/\(first.name)'\(others) \(regions.count == 1 ? "plays" : "play") \(entry.subject). "
        + "Nothing was changed.",
      hint: take.map { "'daw remove-take \(shellQuoted("\(track)/\($0.name)"))' removes a take with its regions." }
        ?? "'daw remove-region \(shellQuoted("\(track)/\(first.name)"))' removes it.")
  }

  /// Whether a medium is a file in a folder of the project, by whatever path the project calls it.
  package func isMedium(_ location: MediaLocation, in place: Place) -> Bool {
    let paths = [location.path, location.relativePath].compactMap(\.self).map(folder.absolute)
    let root = place.path + "/"
    let resolved = URL(fileURLWithPath: place.path).resolvingSymlinksInPath().path + "/"
    return paths.contains { path in
      let url = URL(fileURLWithPath: path)
      return url.standardizedFileURL.path.hasPrefix(root) || url.resolvingSymlinksInPath().path.hasPrefix(resolved)
    }
  }

  /// The media that are files in the folder of a recording, by whatever paths the project calls them.
  package func media(in place: Place, _ view: ProjectView) throws -> [AudioFile] {
    if isElsewhere(place) { return try view.audioFiles().filter { isMedium($0.location, in: place) } }
    let roots = recordingRoots
    return try store.keptMedia.files(in: place.name, view) { recordingFolders(of: $0, in: roots) }
  }

  /// `Audio/Recordings`, as it is written and without links, each with a slash at its end.
  private var recordingRoots: [String] {
    [recordings.path, URL(fileURLWithPath: recordings.path).resolvingSymlinksInPath().path].map { $0 + "/" }
  }

  /// Whether another program has put a link in place of the folder of a recording.
  package func isElsewhere(_ place: Place) -> Bool {
    let resolved = URL(fileURLWithPath: place.path).resolvingSymlinksInPath().path
    return !recordingRoots.contains { $0 + place.name == resolved }
  }

  /// The names of the folders of recordings that media are files in.
  package func recordingFolders(of media: [AudioFile]) -> Set<String> {
    let roots = recordingRoots
    return media.reduce(into: []) { $0.formUnion(recordingFolders(of: $1.location, in: roots)) }
  }

  private func recordingFolders(of location: MediaLocation, in roots: [String]) -> Set<String> {
    let urls = [location.path, location.relativePath].compactMap(\.self)
      .map { URL(fileURLWithPath: folder.absolute($0)) }
    let paths = urls.flatMap { [$0.standardizedFileURL.path, $0.resolvingSymlinksInPath().path] }
    var names: Set<String> = []
    for path in paths {
      for root in roots where path.hasPrefix(root) {
        let parts = path.dropFirst(root.count).split(separator: "/", maxSplits: 1)
        if parts.count == 2 { names.insert(String(parts[0])) }
      }
    }
    return names
  }

  private func requireAsRecorded(_ segment: RecordedSegment, in source: Place) throws {
    let place = source.appending(segment.fileName)
    let found: String
    do throws(SystemCallFailure) {
      found = try StreamingSHA256.hexDigest(of: place)
    } catch {
      // It is told to be missing.
      if error.code == ENOENT { return }
      throw Self.notMoved(place, error)
    }
    guard let expected = segment.sha256, expected != found else { return }
    throw Failure(
      .invalid, code: "changed", "'\(place.path)' is not what was recorded. Nothing was changed.",
      hint: "Put it back from a copy: its SHA-256 is \(expected).")
  }

  // MARK: Segments

  /// Sets the states of the segments.
  /// - Parameters:
  ///   - names: of the files that are there.
  ///   - state: of segments whose files are there.
  private static func count(
    _ facts: inout RecordingFacts, _ names: Set<String>, _ entry: RecordingEntry,
    present state: RecordedSegment.State
  ) -> RemovedRecording {
    var removed = RemovedRecording(entry: entry)
    for index in facts.segments.indices {
      let segment = facts.segments[index]
      if segment.isOutside {
        removed.outside.append(segment.path)
      } else if names.contains(segment.fileName) {
        facts.segments[index].state = state
        removed.fileCount += 1
        // The rows may be another program's.
        let (sum, isTooBig) = removed.byteCount.addingReportingOverflow(segment.fileSize)
        removed.byteCount = isTooBig ? .max : sum
      } else {
        facts.segments[index].state = .missing
        removed.missing.append(segment.fileName)
      }
    }
    return removed
  }
}

extension RecordingEntry {
  /// Its subject at the start of a sentence.
  fileprivate var sentenceStart: String { "R" + subject.dropFirst() }
}

extension Editor {
  /// Removes what the project says about a recording that is forgotten.
  /// - Parameter media: its media; those that something else uses stay.
  fileprivate func forget(_ entry: RecordingEntry, media: [AudioFile]) throws {
    let id = entry.recording.id
    let takes = try view.recordings.passes(of: [id]).flatMap { pass in
      try view.rows(Take.self, where: "pass", is: pass.id).filter { take in
        try view.rows(Region.self, where: "take", is: take.id).isEmpty
      }
    }.sorted { $0.id < $1.id }
    let files = try media.filter { try !view.isUsed($0.id) }
    let comments = try view.rows(Comment.self, where: "recording", is: id)
    let notes = try [view.row(RecordingNoteID(rawValue: id.rawValue))].compactMap(\.self)
    if takes.isEmpty, files.isEmpty, comments.isEmpty, notes.isEmpty { return }
    try apply(.remove(takes.map(\.id)))
    try apply(.remove(files.map(\.id)))
    try apply(.remove(comments.map(\.id)))
    try apply(.remove(notes.map(\.id)))
    note("Forgot \(entry.subject)")
  }
}
