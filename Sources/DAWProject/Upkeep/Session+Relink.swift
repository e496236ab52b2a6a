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
  /// The paths of media that are still missing.
  public var missing: [String] = []
}

extension Session {
  /// Looks for the files of media that are missing or were changed, and lets the project have them again: a file of the
  /// right bytes, whatever its name. A medium that was linked stays linked, to the file where it is now; others are copied
  /// into `Audio/`, unless they are there. Files of recordings are copied to where they were. What is outside the project
  /// is only read.
  /// - Parameters:
  ///   - folders: searched with all folders in them; hidden ones, and those behind links, are not.
  ///   - isTrial: only says what was found.
  /// - Throws: `Failure`; nothing was changed, but for files of recordings that were copied before.
  public func relink(
    searching folders: [String], _ origin: EditOrigin, isTrial: Bool = false, ifRevision: Int64? = nil
  ) throws -> EditResult<RelinkReport> {
    if let absent = folders.first(where: { access($0, F_OK) != 0 }) {
      throw Failure(.noInput, code: "folderNotFound", "There is no folder '\(absent)'. Nothing was changed.")
    }
    let lost = try lostRecordedFiles()
    let lostPaths = Set(lost.map(\.path))
    let wanted = try mediaNotAtHand().filter { !lostPaths.contains($0.location.path) }
    let found = MediaSearch(wanted.map(\.location), lost).files(below: folders)
    let files = wanted.compactMap { medium in
      found[medium.location.sha256].map { path in
        (medium, IncomingFile(path: path, isLinked: medium.location.isLinked, kind: medium.kind))
      }
    }
    var result = try edit(origin, isTrial: isTrial, ifRevision: ifRevision, bringingIn: files.map(\.1)) { editor in
      var report = RelinkReport()
      for (medium, file) in files {
        try editor.restore(file)
        report.found.append(RelinkReport.Found(medium: medium.location.path, file: file.path))
      }
      report.missing = wanted.map(\.location).filter { found[$0.sha256] == nil }.map(\.path)
      if !files.isEmpty {
        editor.note("Found the files of \(files.count == 1 ? "a missing medium" : "\(files.count) missing media")")
      }
      return report
    }
    for file in lost {
      guard let path = found[file.sha256] else {
        result.value.missing.append(file.path)
        continue
      }
      if !isTrial { try putBack(file, from: path) }
      result.value.found.append(RelinkReport.Found(medium: file.path, file: path))
    }
    return result
  }

  /// The media whose files are missing or were changed.
  func mediaNotAtHand() throws -> [(location: MediaLocation, kind: IncomingFile.Kind)] {
    let (files, fonts) = try read { (try $0.audioFiles(), try $0.soundFonts()) }
    let media = files.map { ($0.location, IncomingFile.Kind.audio) } + fonts.map { ($0.location, .soundFont) }
    return media.filter { location, _ in [.missing, .changed].contains(folder.state(of: location)) }
  }
}

/// Looks for files by size and hash.
private struct MediaSearch {
  private let sizes: Set<Int64>
  /// The names that files had, by hash: they are tried first.
  private let names: [String: String]
  /// Of files that are copied as they are; of others a take without its segments is of no use.
  private let plain: Set<String>

  init(_ media: [MediaLocation], _ lost: [LostRecordedFile]) {
    let wanted = media.map { ($0.sha256, $0.path) } + lost.map { ($0.sha256, $0.path) }
    sizes = Set(media.map(\.byteCount) + lost.map(\.byteCount))
    names = Dictionary(wanted.map { ($0, ($1 as NSString).lastPathComponent) }) { first, _ in first }
    plain = Set(lost.map(\.sha256))
  }

  /// - Returns: the paths of files, by their hashes.
  func files(below folders: [String]) -> [String: String] {
    let known = Set(names.values)
    let candidates = folders.flatMap { self.candidates(in: ProjectFolder(path: $0).path, depth: 0) }
      .map { (path: $0, isNamed: known.contains(($0 as NSString).lastPathComponent)) }
    var found: [String: String] = [:]
    for candidate in candidates.filter(\.isNamed) + candidates.filter({ !$0.isNamed }) {
      guard found.count < names.count, let digest = try? sha256(ofFile: candidate.path) else { continue }
      guard names[digest.sha256] != nil, found[digest.sha256] == nil,
        plain.contains(digest.sha256) || (try? TakeManifest.faults(path: candidate.path, hashes: false).isEmpty) == true
      else { continue }
      found[digest.sha256] = candidate.path
    }
    return found
  }

  private static let greatestDepth = 32

  /// Files of a size that is looked for.
  private func candidates(in path: String, depth: Int) -> [String] {
    guard depth < Self.greatestDepth, let folder = try? Folder(path: path) else { return [] }
    return folder.names().filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      guard let status = folder.status(of: name) else { return [] }
      let inner = path == "/" ? "/" + name : path + "/" + name
      if status.isFolder { return candidates(in: inner, depth: depth + 1) }
      return status.isFile && sizes.contains(Int64(status.st_size)) ? [inner] : []
    }
  }
}
