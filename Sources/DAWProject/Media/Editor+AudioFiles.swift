import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A medium that an edit has brought in, or found again.
public struct ImportedAudioFile: Sendable {
  public var file: AudioFile
  /// What was odd about it, in sentences.
  public var warnings: [String]
}

extension Editor {
  /// Brings an audio file into the project, unless its bytes are there already. Bytes that were lost are put back by that,
  /// and those of a linked file copied.
  /// - Parameters:
  ///   - path: absolute, or relative to the current folder.
  ///   - isLinked: leaves the file where it is.
  /// - Throws: `Failure`.
  public func importAudioFile(at path: String, isLinked: Bool) throws -> ImportedAudioFile {
    let source = URL(fileURLWithPath: path).standardizedFileURL.path
    let arrival = try incoming.arrival(of: IncomingFile(path: source, isLinked: isLinked))
    let warnings = arrival.facts.warnings.map { "\(source): \($0)" }
    let known = try view.audioFile(withHash: arrival.digest.sha256)
    if let known, isAtHand(known.location), arrival.copy == nil || !known.location.isLinked {
      return ImportedAudioFile(file: known, warnings: warnings)
    }
    let name = (source as NSString).lastPathComponent
    let location =
      try arrival.copy.map { MediaLocation(path: try incoming.keep(copy: $0, as: name), arrival.digest) }
      ?? folder.location(of: source, arrival.digest)
    return ImportedAudioFile(file: try audioFile(known, arrival.facts, at: location), warnings: warnings)
  }

  /// Whether a known medium is where it should be, or will be with this edit.
  func isAtHand(_ location: MediaLocation) -> Bool {
    incoming.isBringing(location.path) || folder.state(of: location) == .asRecorded
  }

  /// The row of a medium: a new one, or that of a known one, whose bytes have been lost or were only linked, at its new
  /// place.
  private func audioFile(
    _ known: AudioFile?, _ facts: AudioFileFacts, at location: MediaLocation
  ) throws -> AudioFile {
    if var file = known {
      file.location = location
      try apply(.setAudioFile(file))
      return file
    }
    let file = AudioFile(
      id: try newAudioFileID(), location: location, frames: facts.frames, sampleRate: facts.sampleRate,
      channelCount: facts.channelCount, format: facts.format)
    try apply(.addAudioFile(file))
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
  /// How a file that stays where it is is referred to: as the project's own where it lies in `Audio/`, else as linked.
  func location(of path: String, _ digest: FileDigest) -> MediaLocation {
    path.hasPrefix(audio + "/")
      ? MediaLocation(path: String(path.dropFirst(self.path.count + 1)), digest)
      : MediaLocation(path: path, relativePath: relative(path), digest)
  }

  /// A path as seen from this folder: `Audio/a.wav`, `../Samples/b.wav`; `nil` where the two share no folder but the root,
  /// so that they would not be moved together.
  func relative(_ absolute: String) -> String? {
    let from = path.split(separator: "/")
    let to = absolute.split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    guard shared > 0 else { return nil }
    return (Array(repeating: "..", count: from.count - shared) + to[shared...].map(String.init)).joined(separator: "/")
  }
}
