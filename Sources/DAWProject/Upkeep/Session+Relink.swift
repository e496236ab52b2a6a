import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// What `daw relink` has found, and what it has not.
public struct RelinkReport: Equatable, Sendable {
  /// A medium whose file was found.
  public struct Found: Equatable, Sendable {
    /// The path that the project had, and where the file was found.
    public var medium: String
    public var file: String
  }

  public var found: [Found] = []
  /// The paths of media that are still missing, without files of recordings that are marked as missing and that no take
  /// of the project or its history needs.
  public var missing: [String] = []
  /// The paths of folders that could not be read, so that files in them were not found; none where nothing is missing.
  public var unread: [String] = []

  /// - Parameter file: where the medium was found; `nil`: it is still missing.
  fileprivate mutating func add(_ medium: String, foundAt file: String?) {
    if let file { found.append(Found(medium: medium, file: file)) } else { missing.append(medium) }
  }
}

extension Session {
  /// Looks for the files of media that are missing or were changed, by their hashes, and restores the media. A medium
  /// that was linked is linked to the file where it is now; others are copied into `Audio/`, unless they are there.
  /// Files of recordings are copied to where they were. Those that were in a spill folder stay where they are found,
  /// and the manifest of the take is written anew with their paths. What is outside the project is only read.
  /// - Parameters:
  ///   - folders: searched with all folders in them; hidden ones, and those behind links, are not.
  ///   - isTrial: only says what was found.
  /// - Throws: `Failure`; nothing was changed, but for files of recordings that were copied before.
  public func relink(
    searching folders: [String], _ origin: EditOrigin, isTrial: Bool = false, ifRevision: Int64? = nil
  ) throws -> EditResult<RelinkReport> {
    try requireFolders(folders, holding: "in which the files are to be looked for", state: " Nothing was changed.")
    try requireNotInTrash(folders)
    // No file is copied where the project could not name it.
    if !isTrial { try failing { try store.requireWritable() } }
    let lost = try lostRecordedFiles()
    let lostPaths = Set(lost.map(\.path))
    let passesInUse: Set<PassID> = try lost.contains { $0.markedPass != nil } ? read { try $0.passesInUse() } : []
    let wanted = try mediaNotAtHand().filter { !lostPaths.contains($0.location.path) }
    let spilled = try spilledFiles()
    let lostSegments = spilled.lost
    let (found, foundSegments, unread) = search(folders, for: wanted.map(\.location), lost, lostSegments, of: spilled)
    let files = wanted.compactMap { medium in
      found[medium.location.sha256].map { path in
        (medium, IncomingFile(path: path, isLinked: medium.location.isLinked, kind: medium.kind))
      }
    }
    // Where another process has edited the project meanwhile, the edit below says so.
    if !isTrial, try ifRevision.map({ expected in try read { try $0.revision() == expected } }) ?? true {
      for file in lost { if let path = found[file.sha256] { try putBack(file, from: path) } }
    }
    let takes = try isTrial ? [] : renamedTakes(spilled, foundSegments)
    // The files of takes that the project does not name in the end.
    var unused = takes.map(\.place)
    defer { for place in unused { place.removeAll() } }
    var renamed: [RenamedTake] = []
    var result = try edit(origin, isTrial: isTrial, ifRevision: ifRevision, bringingIn: files.map(\.1)) { editor in
      var report = RelinkReport()
      for (medium, file) in files {
        try editor.restore(file)
        report.add(medium.location.path, foundAt: file.path)
      }
      renamed = try takes.filter { try editor.rename($0) }
      let mended = Set(renamed.map(\.file.location.path))
      report.missing = wanted.map(\.location).filter { found[$0.sha256] == nil && !mended.contains($0.path) }
        .map(\.path)
      let count = files.count + renamed.count
      if count > 0 { editor.note("Found the files of \(count == 1 ? "a missing medium" : "\(count) missing media")") }
      return report
    }
    let kept = Set(renamed.map(\.place))
    unused.removeAll(where: kept.contains)
    if !isTrial { try noteFound(spilled, foundSegments) }
    for segment in lostSegments { result.value.add(segment.path, foundAt: foundSegments[segment.key]?.path) }
    for file in lost {
      let path = found[file.sha256]
      let isNeeded = file.markedPass.map(passesInUse.contains) ?? true
      if isNeeded || path != nil { result.value.add(file.path, foundAt: path) }
    }
    if !result.value.missing.isEmpty { result.value.unread = unread }
    return result
  }

  /// Refuses the project's own trash: what regions would play from there is removed for good with its recording.
  private func requireNotInTrash(_ folders: [String]) throws {
    guard let own = Self.resolved(trash.path) else { return }
    for path in folders where Self.resolved(path).map({ "\($0)/".hasPrefix("\(own)/") }) == true {
      throw Failure(
        .invalid, code: "recordingInTrash", "'\(path)' is in the project's trash. Nothing was changed.",
        hint: "'daw restore-recording' brings a recording back from there; 'daw list-recordings --trashed' lists them.")
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Looks for files: for those of segments first where other takes and recordings say that they are.
  /// - Returns: the paths of files, by their hashes; the segments that were found; and the folders that could not be
  ///   read.
  private func search(
    _ folders: [String], for media: [MediaLocation], _ lost: [LostRecordedFile], _ segments: [LostSpilledSegment],
    of spilled: SpilledFiles
  ) -> (files: [String: String], segments: FoundSegments, unread: [String]) {
    let known = spilled.paths(of: segments)
    var found: FoundSegments = [:]
    for segment in segments {
      if let path = known[segment.key] { found[segment.key] = (segment: segment, path: path) }
    }
    let sought = segments.filter { found[$0.key] == nil }
    let (files, unread) = MediaSearch(media, lost, sought).files(below: folders)
    for segment in sought {
      if let path = files[segment.sha256] { found[segment.key] = (segment: segment, path: path) }
    }
    return (files, found, unread)
  }

  /// The media whose files are missing or were changed, without those that lie in the trash and that nothing plays.
  func mediaNotAtHand() throws -> [(location: MediaLocation, kind: IncomingFile.Kind)] {
    let (files, fonts, used) = try read {
      (try $0.audioFiles(), try $0.soundFonts(), Set(try $0.all(Region.self).compactMap { $0.audio?.file }))
    }
    func isAbsent(_ location: MediaLocation) -> Bool { [.missing, .changed].contains(folder.state(of: location)) }
    var absent = files.filter { isAbsent($0.location) }
    if !absent.isEmpty {
      let trash = try trashState()
      absent.removeAll { isAway($0, trash, used: used) }
    }
    let sounds = absent.map { (location: $0.location, kind: IncomingFile.Kind.audio) }
    return sounds
      + fonts.map(\.location).filter(isAbsent).map { (location: $0, kind: IncomingFile.Kind.soundFont) }
  }
}

/// Looks for files by size and hash.
private struct MediaSearch {
  private let sizes: Set<Int64>
  /// The names that files had, by hash: they are tried first.
  private let names: [String: String]
  /// The hashes of files that are copied as they are. Of others, a take counts only if its segments are there.
  private let plain: Set<String>
  /// Segments that stay where they are found, by hash.
  private let segments: [String: [LostSpilledSegment]]

  init(_ media: [MediaLocation], _ lost: [LostRecordedFile], _ segments: [LostSpilledSegment]) {
    var wanted = media.map { ($0.sha256, $0.path) } + lost.map { ($0.sha256, $0.path) }
    wanted += segments.map { ($0.sha256, $0.path) }
    let sizes = media.map(\.byteCount) + lost.map(\.byteCount)
    self.sizes = Set(sizes).union(segments.map(\.file.byteCount))
    names = Dictionary(wanted.map { ($0, ($1 as NSString).lastPathComponent) }) { first, _ in first }
    plain = Set(lost.map(\.sha256))
    self.segments = Dictionary(grouping: segments, by: \.sha256)
  }

  /// - Returns: the paths of files, by their hashes; and the folders that could not be read.
  func files(below folders: [String]) -> (files: [String: String], unread: [String]) {
    let known = Set(names.values)
    var unread: [String] = []
    let candidates = folders.flatMap { self.candidates(in: ProjectFolder(path: $0).path, depth: 0, &unread) }
      .map { (path: $0, isNamed: known.contains(($0 as NSString).lastPathComponent)) }
    var found: [String: String] = [:]
    for candidate in candidates.filter(\.isNamed) + candidates.filter({ !$0.isNamed }) {
      guard found.count < names.count, let digest = try? sha256(ofFile: candidate.path) else { continue }
      guard names[digest.sha256] != nil, found[digest.sha256] == nil, isUsable(candidate.path, digest.sha256) else {
        continue
      }
      found[digest.sha256] = candidate.path
    }
    return (found, unread)
  }

  /// - Parameter hash: the file's.
  private func isUsable(_ path: String, _ hash: String) -> Bool {
    // What the project would refuse to read there, such as another user's file, is of no use.
    if let segments = segments[hash] { return segments.contains { $0.pass.has($0.file, at: path) } }
    return plain.contains(hash) || (try? TakeManifest.faults(path: path, hashes: false).isEmpty) == true
  }

  private static let greatestDepth = 32

  /// Files of a size that is looked for.
  /// - Parameter unread: folders that cannot be read are added.
  private func candidates(in path: String, depth: Int, _ unread: inout [String]) -> [String] {
    guard depth < Self.greatestDepth else { return [] }
    let folder: Folder
    let names: [String]
    do throws(SystemCallFailure) {
      folder = try Folder(path: path)
      names = try folder.readNames()
    } catch {
      // What another process has removed meanwhile has nothing.
      if error.code != ENOENT { unread.append(path) }
      return []
    }
    return names.filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      guard let status = folder.status(of: name) else { return [] }
      let inner = path == "/" ? "/" + name : path + "/" + name
      if status.isFolder { return candidates(in: inner, depth: depth + 1, &unread) }
      return status.isFile && sizes.contains(Int64(status.st_size)) ? [inner] : []
    }
  }
}
