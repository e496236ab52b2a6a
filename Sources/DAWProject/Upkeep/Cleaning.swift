import DAWErrors
import DAWMedia
import DAWModel
import Foundation

/// Removes regular files from folders, and the folders that become empty.
struct Cleaning {
  let isTrial: Bool
  /// The recordings that are complete in the project, by their ids.
  var completedRecordings: Set<Int64> = []
  /// All recordings of the project, by their ids.
  var knownRecordings: Set<Int64> = []
  /// The project's UUID, which is in the headers of its recordings.
  var project = ""
  /// The folders of recordings of which nothing is kept, relative to the project's folder.
  var unusedRecordings: Set<String> = []
  /// The folders of cancelled recordings that came back from the trash: they stay whole.
  var restoredRecordings: Set<String> = []
  /// Opens the folder of a recording; tests let it fail.
  var openRecording: @Sendable (Place) throws(SystemCallFailure) -> RecordingFolder = {
    (place: Place) throws(SystemCallFailure) -> RecordingFolder in
    try RecordingFolder(opening: place)
  }
  /// Lists what is to be removed; tests let it fail.
  var listNames: @Sendable (Folder) throws(SystemCallFailure) -> [String] = {
    (folder: Folder) throws(SystemCallFailure) -> [String] in
    try folder.readNames()
  }
  /// The segments of a recording, by its id.
  var segments: (RecordingID) throws -> [RecordedSegment] = { _ in [] }
  /// The media that the project or its history names, without the files that takes name.
  var namedMedia: () throws -> Set<String> = { [] }
  var result = CleanResult()
  /// Locked until all is removed.
  private var locked: [RecordingFolder] = []

  init(isTrial: Bool) { self.isTrial = isTrial }

  /// Removes unused files, recursively.
  /// - Parameter used: paths relative to the project's folder.
  mutating func removeUnused(in place: Place, used: Set<String>) throws {
    try removeUnused(in: place, used: used, foldersInUse: Self.folders(of: used))
  }

  /// The folders in which paths lie, with those around them.
  private static func folders(of paths: Set<String>) -> Set<String> {
    var folders: Set<String> = []
    for path in paths {
      var rest = path[...]
      while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
        rest = rest[..<slash]
        if !folders.insert(String(rest)).inserted { break }
      }
    }
    return folders
  }

  private mutating func removeUnused(in place: Place, used: Set<String>, foldersInUse: Set<String>) throws {
    guard let (folder, all) = list(place) else { return }
    removeAbandoned(in: place, folder)
    let left = try leftOfCompression(in: place, all)
    // A ledger last, and only when all else went: without it a recording would seem to be damaged.
    let names = all.filter { !$0.hasPrefix(".") && $0 != Ledger.fileName }
    for name in names + [Ledger.fileName] {
      let inner = place.appending(name)
      let path = Self.relative(inner)
      guard left.contains(name) || !used.contains(path), let status = folder.status(of: name), !isKept(inner) else {
        continue
      }
      if name == Ledger.fileName, !isTrial, place.names.count > 2, folder.names() != [name] { continue }
      if status.isFolder {
        try removeUnused(in: inner, used: used, foldersInUse: foldersInUse)
        if !foldersInUse.contains(path) { try removeIfEmpty(inner, in: folder) }
      } else {
        try remove(inner, status, in: folder)
      }
    }
  }

  private static func isRecording(_ place: Place) -> Bool {
    place.names.count == 3 && place.names.starts(with: ["Audio", "Recordings"])
  }

  /// Of a segment of which a killed 'daw retain' has left both the recorded and the compressed file: the one that the
  /// segment's row does not name, if the other is as the row says.
  private mutating func leftOfCompression(in place: Place, _ names: [String]) throws -> Set<String> {
    guard Self.isRecording(place) else { return [] }
    let all = Set(names)
    let pairs = names.compactMap { compressed -> (recorded: String, compressed: String)? in
      guard let recorded = CompressedSegment.recordedName(of: compressed), all.contains(recorded) else { return nil }
      return (recorded, compressed)
    }
    // One that is locked is being compressed.
    guard !pairs.isEmpty, let folder = try? RecordingFolder(opening: place), let header = folder.header,
      folder.lockForReplacing()
    else { return [] }
    locked.append(folder)
    let rows = Dictionary(try segments(RecordingID(rawValue: header.recording)).map { ($0.path, $0) }) { first, _ in
      first
    }
    let named = try namedMedia()
    func path(_ name: String) -> String { Self.relative(place.appending(name)) }
    func isAsRowSays(_ name: String) -> Bool {
      guard let row = rows[path(name)], let sha256 = row.sha256 else { return false }
      return folder.holds(CompressedFile(name: name, sha256: sha256, byteCount: row.fileSize))
    }
    var left: Set<String> = []
    for (recorded, compressed) in pairs {
      let other = rows[path(recorded)] == nil ? recorded : compressed
      if rows[path(other)] == nil, !named.contains(path(other)),
        isAsRowSays(other == recorded ? compressed : recorded)
      {
        left.insert(other)
      }
    }
    return left
  }

  /// Removes what killed processes have not finished writing into a recording's folder, such as files that 'daw retain'
  /// compresses to.
  private mutating func removeAbandoned(in place: Place, _ folder: Folder) {
    guard Self.isRecording(place) else { return }
    for name in folder.names()
    where name.hasPrefix(".") && name.dropLast(RandomDigits.count).hasSuffix(".partial-") {
      guard let status = folder.status(of: name), status.isFile, folder.isAbandoned(name) else { continue }
      if !isTrial {
        folder.removeAbandoned(name)
        guard folder.status(of: name) == nil else { continue }
      }
      result.byteCount += Int64(status.st_size)
      result.removed.append(Self.relative(place.appending(name)))
    }
  }

  /// Whether something in `Audio/Recordings` stays although nothing names it:
  /// - the ledger and the events of a recording of which anything is used;
  /// - the folder of a recording that is not finished, or not in the project yet: an edit or 'daw recover-recordings'
  ///   puts it there;
  /// - the folder of one that was cancelled, and that the user has brought back.
  private func isKept(_ place: Place) -> Bool {
    guard place.names.starts(with: ["Audio", "Recordings"]) else { return false }
    if place.names.count > 3 {
      return RecordingFolder.isLasting(place.name) && !unusedRecordings.contains(Self.relative(place.parent))
    }
    let path = Self.relative(place)
    if restoredRecordings.contains(path) { return true }
    guard place.names.count == 3, !unusedRecordings.contains(path) else { return false }
    let recording: RecordingFolder
    do throws(SystemCallFailure) {
      recording = try openRecording(place)
    } catch {
      // One that is there, and cannot be opened now, may be unfinished.
      return !Self.isNoFolder(error)
    }
    guard recording.isFinished, let header = recording.header else { return true }
    if completedRecordings.contains(header.recording) { return false }
    let isOurs = knownRecordings.contains(header.recording) || header.project == project
    return isOurs || header.owner.isAlive
  }

  /// Whether the error of opening a folder means that no folder is there, but nothing, a file or a link.
  static func isNoFolder(_ error: SystemCallFailure) -> Bool { [ENOENT, ENOTDIR, ELOOP].contains(error.code) }

  /// Removes everything in a folder. One that this user may not open or list, as another's in a shared project, is
  /// left.
  /// - Throws: `Failure` where it cannot be opened or listed for another reason.
  mutating func removeContents(of place: Place) throws {
    noteLink(place)
    let folder: Folder
    let names: [String]
    do throws(SystemCallFailure) {
      folder = try place.open()
      names = try listNames(folder)
    } catch {
      if Self.isNoFolder(error) { return }
      guard [EACCES, EPERM].contains(error.code) else { throw Self.failure(place, error) }
      result.left.append(Self.relative(place))
      return
    }
    for name in names {
      guard let status = folder.status(of: name) else { continue }
      if status.isFolder {
        try removeTree(place.appending(name), in: folder)
      } else {
        try remove(place.appending(name), status, in: folder)
      }
    }
  }

  /// Removes the files directly in a folder that `isMeant` selects.
  mutating func removeFiles(in place: Place, where isMeant: (String) -> Bool) throws {
    guard let (folder, names) = list(place) else { return }
    for name in names where isMeant(name) {
      guard let status = folder.status(of: name) else { continue }
      try remove(place.appending(name), status, in: folder)
    }
  }

  /// Removes the contents of a cache, and what killed processes have left in it.
  mutating func removeCache(_ place: Place) throws {
    guard let (folder, names) = list(place) else { return }
    let renders = CacheFolder(place).renders
    for name in names {
      guard let status = folder.status(of: name) else { continue }
      let inner = place.appending(name)
      if status.isFolder, CacheFolder.isTemporary(name) {
        try removeTree(inner, in: folder)
      } else if status.isFolder, inner == renders {
        try removeFiles(in: inner) { $0.contains(".render") }
      } else if status.isFolder, name == "players" {
        try removeFiles(in: inner) { _ in true }
      } else if CacheFolder.isCached(name) || CacheFolder.isTemporary(name) {
        try remove(inner, status, in: folder)
      } else {
        result.left.append(Self.relative(inner))
      }
    }
  }

  /// Records a link in place of a folder.
  mutating func noteLink(_ place: Place) {
    let isLink = (try? place.parent.open())?.status(of: place.name)?.isLink == true
    if isLink, !result.left.contains(Self.relative(place)) { result.left.append(Self.relative(place)) }
  }

  /// - Returns: `nil` where no folder is there, or it cannot be opened or listed, which is noted.
  private mutating func list(_ place: Place) -> (folder: Folder, names: [String])? {
    noteLink(place)
    do throws(SystemCallFailure) {
      let folder = try place.open()
      return (folder, try listNames(folder))
    } catch {
      let path = Self.relative(place)
      if !Self.isNoFolder(error), !result.left.contains(path) { result.left.append(path) }
      return nil
    }
  }

  private mutating func removeTree(_ place: Place, in parent: Folder) throws {
    try removeContents(of: place)
    try removeIfEmpty(place, in: parent)
  }

  private mutating func remove(_ place: Place, _ status: stat, in folder: Folder) throws {
    let path = Self.relative(place)
    // A killed player leaves its socket in the cache if the user has no runtime folder.
    guard status.isFile || status.st_mode & S_IFMT == S_IFSOCK else {
      result.left.append(path)
      return
    }
    if !isTrial {
      do throws(SystemCallFailure) {
        try folder.remove(place.name)
      } catch {
        // Another process was faster, such as a player with its socket.
        if error.code == ENOENT { return }
        throw Self.failure(place, error)
      }
    }
    result.byteCount += Int64(status.st_size)
    result.removed.append(path)
  }

  private func removeIfEmpty(_ place: Place, in parent: Folder) throws {
    guard !isTrial else { return }
    do throws(SystemCallFailure) {
      try parent.removeFolder(place.name)
    } catch  where ![ENOTEMPTY, EEXIST, ENOENT].contains(error.code) {
      throw Self.failure(place, error)
    } catch {}
  }

  private static func failure(_ place: Place, _ error: SystemCallFailure) -> Failure {
    Failure(.io, code: "io", "'\(place.path)' could not be removed: \(String(cString: strerror(error.code))).")
  }

  private static func relative(_ place: Place) -> String { place.names.joined(separator: "/") }
}
