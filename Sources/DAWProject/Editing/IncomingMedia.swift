import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import Foundation

/// A file that an edit will import.
public struct IncomingFile: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case audio, soundFont }

  /// Absolute, or relative to the current folder.
  public var path: String
  /// Whether the file stays where it is.
  public var isLinked: Bool
  public var kind: Kind
  /// What an audio file is compressed to; `nil`: it stays as it is.
  public var quality: Retention.Quality?

  public init(path: String, isLinked: Bool, kind: Kind = .audio, quality: Retention.Quality? = nil) {
    self.quality = quality
    self.path = path
    self.isLinked = isLinked
    self.kind = kind
  }
}

/// The media that an edit imports. Files are copied to `Audio/.incoming/`, before the transaction if they are known by
/// then, and moved into `Audio/` immediately before the commit. A take is copied with its segments, into a folder of
/// its own.
///
/// After a crash in between, `daw clean` removes files in `Audio/` that the project does not name.
package final class IncomingMedia {
  private let folder: ProjectFolder
  /// Moves from a name in `Audio/.incoming/` to one in `Audio/`, of files and folders.
  private var moves: [(from: String, to: String)] = []
  /// Copies in `Audio/.incoming/`.
  private var copies: [Place] = []
  /// What was copied into folders of takes there. It is removed by name: such a folder may not be listed then.
  private var parts: [Place] = []
  /// Names in `Audio/` to which copies were moved.
  private var placed: [String] = []
  private var audio: Folder?
  private var arrivals: [IncomingFile: Arrival] = [:]
  private var taken: [IncomingFile: Bytes] = [:]
  /// A lock that keeps `daw clean` from removing the copies.
  private var use: FolderUse?
  /// The imported audio files.
  var audioFiles: [(file: AudioFile, facts: AudioFileFacts)] = []

  init(folder: ProjectFolder) { self.folder = folder }

  private static let folderName = ".incoming"
  /// The folder of recordings, which may not be there yet.
  private static let recordingsName = "Recordings"

  /// The digest of a file, and its copy.
  package struct Bytes {
    package var digest: FileDigest
    /// The copy, unless the file stays where it is.
    package var copy: Place?
  }

  /// An audio file that was inspected and hashed, and copied unless it stays where it is.
  struct Arrival {
    var facts: AudioFileFacts
    var digest: FileDigest
    var copy: Place?
    /// The preferred name in `Audio/`.
    var name: String
    /// How it was converted; `nil` where the copy has the file's own bytes.
    var remark: String?
  }

  /// Copies and hashes files before the transaction, so that other writers do not have to wait. Ignores errors; the
  /// edit itself reports them.
  func takeInEarly(_ files: [IncomingFile]) {
    for file in files {
      switch file.kind {
      case .audio: _ = try? arrival(of: file)
      case .soundFont: if SoundFontLibrary.isSoundFont(path: file.path) { _ = try? bytes(of: file) }
      }
    }
  }

  /// An audio file; imported now unless that was done early.
  /// - Throws: `AudioFileError`, `MediaWorkError`, `Failure`.
  func arrival(of file: IncomingFile) throws -> Arrival {
    let source = URL(fileURLWithPath: file.path).standardizedFileURL.path
    let key = IncomingFile(path: source, isLinked: file.isLinked, quality: file.quality)
    if let arrival = arrivals[key] { return arrival }
    if let quality = file.quality {
      let arrival = try compression(of: file, at: source, to: quality)
      arrivals[key] = arrival
      return arrival
    }
    let before = folder.modificationTime(of: source)
    let facts: AudioFileFacts
    do throws(AudioFileError) {
      facts = try AudioFileFacts.read(path: source)
    } catch {
      guard Self.mayBeForFFmpeg(error, of: source) else { throw error }
      let arrival = try conversion(of: file, at: source, refusal: error)
      arrivals[key] = arrival
      return arrival
    }
    let bytes = try bytes(of: file)
    // The copy is inspected, since the source may have changed meanwhile.
    let copied =
      try bytes.copy.flatMap {
        bytes.digest.modificationTime == before ? nil : try Self.facts(ofCopy: $0, of: source)
      }
    let arrival = Arrival(
      facts: copied ?? facts, digest: bytes.digest, copy: bytes.copy, name: (source as NSString).lastPathComponent)
    arrivals[key] = arrival
    return arrival
  }

  /// A file's bytes; imported now unless that was done early. Files inside the project are not copied.
  /// - Throws: `AudioFileError`, `MediaWorkError`, `Failure`.
  func bytes(of file: IncomingFile) throws -> Bytes {
    let source = URL(fileURLWithPath: file.path).standardizedFileURL.path
    let key = IncomingFile(path: source, isLinked: file.isLinked, kind: file.kind)
    if let bytes = taken[key] { return bytes }
    let bytes: Bytes
    if file.isLinked || source.hasPrefix(folder.audio + "/") {
      bytes = Bytes(digest: try sha256(ofFile: source))
    } else {
      bytes = try copy(of: source)
    }
    taken[key] = bytes
    return bytes
  }

  /// Copies a file, and a take's segments with it.
  /// - Throws: `AudioFileError` where a segment is missing or is not what was recorded; `MediaWorkError`, `Failure`.
  package func copy(of source: String) throws -> Bytes {
    let copy = try newCopy()
    guard TakeManifest.isNamed(source), let take = try TakeManifest.read(path: source) else {
      return Bytes(digest: try copyAndHash(from: source, to: copy), copy: copy)
    }
    if let fault = try take.faults(path: source, hashes: false).first { throw fault }
    _ = try folder.openToWrite(
      copy, state: "Nothing was changed.", orElse: "leave media where they are with --link")
    let manifest = copy.appending((source as NSString).lastPathComponent)
    parts.append(manifest)
    let digest = try copyAndHash(from: source, to: manifest)
    for (segment, path) in zip(take.segments, try TakeManifest.files(of: source)) where !segment.isSpilled {
      let name = (path as NSString).lastPathComponent
      parts.append(copy.appending(name))
      let found = try copyAndHash(from: path, to: copy.appending(name))
      // The manifest knows the hash of what was recorded, and not of what that was compressed to.
      guard name != segment.name || segment.sha256 ?? found.sha256 == found.sha256 else {
        throw AudioFileError.damaged(path: path, reason: "not what was recorded")
      }
    }
    return Bytes(digest: digest, copy: manifest)
  }

  /// A new path in `Audio/.incoming/`, which is created if missing. If it still exists at the end of the edit it is
  /// removed.
  /// - Throws: `Failure`.
  func newCopy() throws -> Place {
    let incoming = folder.place("Audio", Self.folderName)
    _ = try folder.openToWrite(
      incoming, state: "Nothing was changed.", orElse: "leave media where they are with --link")
    if use == nil { use = FolderUse(sharing: incoming) }
    let copy = incoming.appending(UUID().uuidString.lowercased())
    copies.append(copy)
    return copy
  }

  /// Registers a complete copy to be moved at the end of the edit.
  /// - Parameter name: the preferred name in `Audio/`.
  /// - Returns: its future path, relative to the project.
  package func keep(copy: Place, as name: String) throws -> String {
    // A take's copy is in a folder.
    if copy.parent.name != Self.folderName {
      return try keep(copy: copy.parent, as: (copy.name as NSString).deletingPathExtension) + "/" + copy.name
    }
    let audio = try openAudio()
    // What is hidden in 'Audio/' is daw's own, and 'clean' passes over it.
    let visible = String(name.drop { $0 == "." })
    var candidate = visible.isEmpty ? "Audio" : visible
    let base = (candidate as NSString).deletingPathExtension
    let ending = (candidate as NSString).pathExtension
    var number = 2
    while audio.status(of: candidate) != nil || moves.contains(where: { $0.to == candidate })
      || candidate == Self.recordingsName
    {
      let suffix = ending.isEmpty ? " \(number)" : " \(number).\(ending)"
      var start = base
      while !start.isEmpty, start.utf8.count + suffix.utf8.count > Int(NAME_MAX) { start.removeLast() }
      candidate = start + suffix
      number += 1
    }
    moves.append((copy.name, candidate))
    return "Audio/" + candidate
  }

  /// Refuses a file that is to stay where it is, and is gone by now: 'daw clean' removes what lies in `Audio/` until an
  /// edit names it. To be called in the transaction, while it cannot.
  /// - Throws: `Failure`.
  func requireThere(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) != 0, [ENOENT, ENOTDIR].contains(errno) else { return }
    throw Failure(
      .noInput, code: "fileNotFound", "'\(path)' was removed while it was read. Nothing was changed.",
      hint: "In 'Audio', 'daw clean' removes what nothing uses yet. Put the file back, and try again.")
  }

  /// Whether this edit will create a file at this path, relative to the project.
  func isBringing(_ path: String) -> Bool {
    moves.contains { "Audio/" + $0.to == path || path.hasPrefix("Audio/" + $0.to + "/") }
  }

  /// Moves the copies into `Audio/` and syncs the folder. Called immediately before the commit.
  /// - Throws: `Failure`; `finish` then removes the moved files.
  func moveIntoPlace() throws {
    guard !moves.isEmpty else { return }
    let audio = try openAudio()
    do throws(SystemCallFailure) {
      let incoming = try folder.place("Audio", Self.folderName).open()
      for move in moves {
        if incoming.status(of: move.from)?.isFolder == true {
          try incoming.folder(move.from).sync()
          try incoming.renameWithoutReplacing(move.from, to: audio, as: move.to)
        } else {
          try incoming.link(move.from, to: audio, as: move.to)
        }
        placed.append(move.to)
      }
      try audio.sync()
    } catch {
      throw Failure(
        .io, code: "io",
        "'\(audio.path)' could not be written: \(String(cString: strerror(error.code))). Nothing was changed.",
        hint: "Check the disk, and try again.")
    }
  }

  /// Releases what the edit has used, after the commit or a failure.
  func finish(isKept: Bool) {
    defer { use?.end() }
    for copy in parts + copies { copy.removeAll() }
    if !isKept { for name in placed { audio?.removeAll(name) } }
  }

  private func openAudio() throws -> Folder {
    if let audio { return audio }
    let opened = try folder.openToWrite(
      folder.place("Audio"), state: "Nothing was changed.", orElse: "leave media where they are with --link")
    audio = opened
    return opened
  }
}
