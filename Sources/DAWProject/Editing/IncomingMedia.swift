import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import Foundation

/// A file that an edit will bring in.
public struct IncomingFile: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case audio, soundFont }

  /// Absolute, or relative to the current folder.
  public var path: String
  /// Left where it is.
  public var isLinked: Bool
  public var kind: Kind

  public init(path: String, isLinked: Bool, kind: Kind = .audio) {
    self.path = path
    self.isLinked = isLinked
    self.kind = kind
  }
}

/// The media that an edit brings in: copied whole beside their place, before the transaction where they are known by then,
/// and renamed into it as the last thing before the commit.
///
/// After a crash in between, what lies in `Audio/` and nothing names is removed by `daw clean`.
package final class IncomingMedia {
  private let folder: ProjectFolder
  /// From a name in `Audio/.incoming/` to one in `Audio/`.
  private var moves: [(from: String, to: String)] = []
  /// In `Audio/.incoming/`.
  private var copies: [Place] = []
  /// Names in `Audio/`, which was open when they were made.
  private var placed: [String] = []
  private var audio: Folder?
  private var arrivals: [IncomingFile: Arrival] = [:]
  private var taken: [IncomingFile: Bytes] = [:]
  /// As long as it is held, `daw clean` leaves the copies alone.
  private var use: FolderUse?
  /// The audio files that came with the edit.
  var audioFiles: [(file: AudioFile, facts: AudioFileFacts)] = []

  init(folder: ProjectFolder) { self.folder = folder }

  /// What is known of a file's bytes.
  struct Bytes {
    var digest: FileDigest
    /// Where they have been copied to, unless the file stays where it is.
    var copy: Place?
  }

  /// An audio file that has been looked at and hashed, and copied unless it stays where it is.
  struct Arrival {
    var facts: AudioFileFacts
    var digest: FileDigest
    var copy: Place?
  }

  /// Copies and hashes files before the transaction, so that no other writer waits for that. What fails here is left for
  /// the edit itself to find.
  func takeInEarly(_ files: [IncomingFile]) {
    for file in files {
      switch file.kind {
      case .audio: _ = try? arrival(of: file)
      case .soundFont: if SoundFontLibrary.isSoundFont(path: file.path) { _ = try? bytes(of: file) }
      }
    }
  }

  /// The audio file, which is taken in now where that was not done early.
  /// - Throws: `AudioFileError`, `MediaWorkError`, `Failure`.
  func arrival(of file: IncomingFile) throws -> Arrival {
    let source = URL(fileURLWithPath: file.path).standardizedFileURL.path
    let key = IncomingFile(path: source, isLinked: file.isLinked)
    if let arrival = arrivals[key] { return arrival }
    let before = folder.modificationTime(of: source)
    let facts = try AudioFileFacts.read(path: source)
    let bytes = try bytes(of: file)
    // What was copied is what counts, should the source have changed meanwhile.
    let copied =
      try bytes.copy.flatMap { bytes.digest.modificationTime == before ? nil : try AudioFileFacts.read(path: $0.path) }
    let arrival = Arrival(facts: copied ?? facts, digest: bytes.digest, copy: bytes.copy)
    arrivals[key] = arrival
    return arrival
  }

  /// A file's bytes, which are taken in now where that was not done early; what lies in the project is not copied.
  /// - Throws: `AudioFileError`, `MediaWorkError`, `Failure`.
  func bytes(of file: IncomingFile) throws -> Bytes {
    let source = URL(fileURLWithPath: file.path).standardizedFileURL.path
    let key = IncomingFile(path: source, isLinked: file.isLinked, kind: file.kind)
    if let bytes = taken[key] { return bytes }
    let bytes: Bytes
    if file.isLinked || source.hasPrefix(folder.audio + "/") {
      bytes = Bytes(digest: try sha256(ofFile: source))
    } else {
      let copy = try newCopy()
      bytes = Bytes(digest: try copyAndHash(from: source, to: copy), copy: copy)
    }
    taken[key] = bytes
    return bytes
  }

  /// A free place in `Audio/.incoming/`, which is made where it is missing. What is there at the edit's end is removed.
  /// - Throws: `Failure`.
  package func newCopy() throws -> Place {
    let incoming = folder.place("Audio", ".incoming")
    _ = try folder.openToWrite(
      incoming, state: "Nothing was changed.", orElse: "leave media where they are with --link")
    if use == nil { use = FolderUse(sharing: incoming) }
    let copy = incoming.appending(UUID().uuidString.lowercased())
    copies.append(copy)
    return copy
  }

  /// Keeps a complete copy for the end of the edit.
  /// - Parameter name: what the file should be called in `Audio/`.
  /// - Returns: the path, relative to the project, that it will have.
  package func keep(copy: Place, as name: String) throws -> String {
    let audio = try openAudio()
    let base = (name as NSString).deletingPathExtension
    let ending = (name as NSString).pathExtension
    var candidate = name
    var number = 2
    while audio.status(of: candidate) != nil || moves.contains(where: { $0.to == candidate }) {
      let suffix = ending.isEmpty ? " \(number)" : " \(number).\(ending)"
      var start = base
      while !start.isEmpty, start.utf8.count + suffix.utf8.count > Int(NAME_MAX) { start.removeLast() }
      candidate = start + suffix
      number += 1
    }
    moves.append((copy.name, candidate))
    return "Audio/" + candidate
  }

  /// Whether a file will be at this path, relative to the project, when the edit is done.
  func isBringing(_ path: String) -> Bool { moves.contains { "Audio/" + $0.to == path } }

  /// The last thing before the commit: names them in `Audio/`, and waits until the disk has the names.
  /// - Throws: `Failure`; `finish` removes what was named.
  func moveIntoPlace() throws {
    guard !moves.isEmpty else { return }
    let audio = try openAudio()
    do throws(SystemCallFailure) {
      let incoming = try folder.place("Audio", ".incoming").open()
      for move in moves {
        try incoming.link(move.from, to: audio, as: move.to)
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

  /// After the commit or the failure.
  func finish(isKept: Bool) {
    defer { use?.end() }
    for copy in copies { copy.removeAll() }
    if !isKept { for name in placed { try? audio?.remove(name) } }
  }

  private func openAudio() throws -> Folder {
    if let audio { return audio }
    let opened = try folder.openToWrite(
      folder.place("Audio"), state: "Nothing was changed.", orElse: "leave media where they are with --link")
    audio = opened
    return opened
  }
}
