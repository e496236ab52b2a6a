import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A medium that an edit has imported or found again.
public struct ImportedAudioFile: Sendable {
  public var file: AudioFile
  /// Warnings about the file, as sentences.
  public var warnings: [String]
}

extension Editor {
  /// Imports an audio file, unless the project has its bytes already. If the known medium's file is missing it is
  /// restored; if it is linked it is copied.
  /// - Parameters:
  ///   - path: absolute, or relative to the current folder.
  ///   - isLinked: whether the file stays where it is.
  ///   - quality: what it is compressed to; `nil`: it stays as it is.
  /// - Throws: `Failure`.
  public func importAudioFile(
    at path: String, isLinked: Bool, quality: Retention.Quality? = nil
  ) throws -> ImportedAudioFile {
    let source = URL(fileURLWithPath: path).standardizedFileURL.path
    let arrival = try incoming.arrival(of: IncomingFile(path: source, isLinked: isLinked, quality: quality))
    let warnings = arrival.facts.warnings.map { "\(source): \($0)" } + (arrival.remark.map { [$0] } ?? [])
    let known = try view.audioFile(withHash: arrival.digest.sha256)
    if let known, isAtHand(known.location), arrival.copy == nil || !known.location.isLinked {
      return ImportedAudioFile(file: known, warnings: warnings)
    }
    if arrival.copy == nil { try incoming.requireThere(source) }
    let location =
      try arrival.copy.map { MediaLocation(path: try incoming.keep(copy: $0, as: arrival.name), arrival.digest) }
      ?? folder.location(of: source, arrival.digest)
    return ImportedAudioFile(file: try audioFile(known, arrival.facts, at: location), warnings: warnings)
  }

  /// Whether a known medium is where it should be, now or after this edit.
  func isAtHand(_ location: MediaLocation) -> Bool {
    incoming.isBringing(location.path) || folder.state(of: location) == .asRecorded
  }

  /// The row of a medium: a new one, or that of a known medium, whose location is updated if its file was missing or
  /// linked.
  private func audioFile(
    _ known: AudioFile?, _ facts: AudioFileFacts, at location: MediaLocation
  ) throws -> AudioFile {
    if var file = known {
      file.location = location
      try apply(.set(file))
      return file
    }
    let file = AudioFile(
      id: try newID(of: AudioFile.self), location: location, frames: facts.frames, sampleRate: facts.sampleRate,
      channelCount: facts.channelCount, format: facts.format)
    try apply(.add(file))
    incoming.audioFiles.append((file, facts))
    return file
  }
}

extension MediaLocation {
  init(path: String, relativePath: String? = nil, _ digest: FileDigest) {
    self.init(
      path: path, relativePath: relativePath, sha256: digest.sha256, byteCount: digest.byteCount,
      modificationTime: digest.modificationTime)
  }
}

extension ProjectFolder {
  /// The location of a file that stays where it is: relative for one in `Audio/`, otherwise linked.
  func location(of path: String, _ digest: FileDigest) -> MediaLocation {
    path.hasPrefix(audio + "/")
      ? MediaLocation(path: String(path.dropFirst(self.path.count + 1)), digest)
      : MediaLocation(path: path, relativePath: relative(path), digest)
  }

  /// A path relative to this folder: `Audio/a.wav`, `../Samples/b.wav`; `nil` if the two have no common folder but the
  /// root, since they would not be moved together.
  func relative(_ absolute: String) -> String? {
    let from = path.split(separator: "/")
    let to = absolute.split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    guard shared > 0 else { return nil }
    return (Array(repeating: "..", count: from.count - shared) + to[shared...].map(String.init)).joined(separator: "/")
  }
}
