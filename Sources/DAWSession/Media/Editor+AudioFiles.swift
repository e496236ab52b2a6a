import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A medium that an edit has brought in, or found again.
public struct ImportedAudioFile: Sendable {
  public var file: AudioFile
  /// Whether the same bytes were in the project before.
  public var isKnown: Bool
  /// What was odd about it, in sentences.
  public var warnings: [String]
}

extension Editor {
  /// Brings an audio file into the project, unless its bytes are there already.
  /// - Parameters:
  ///   - path: absolute, or relative to the current folder.
  ///   - isLinked: leaves the file where it is.
  /// - Throws: `Failure`.
  public func importAudioFile(at path: String, isLinked: Bool) throws -> ImportedAudioFile {
    let source = URL(fileURLWithPath: path).standardizedFileURL.path
    let before = folder.modificationTime(of: source)
    let facts = try AudioFileFacts.read(path: source)
    let warnings = facts.warnings.map { "\(source): \($0)" }
    let isInside = source.hasPrefix(folder.audio + "/")
    if isLinked || isInside {
      let digest = try sha256(ofFile: source)
      if let known = try view.audioFile(withHash: digest.sha256) {
        return ImportedAudioFile(file: known, isKnown: true, warnings: warnings)
      }
      let relative = folder.relative(source)
      let location = MediaLocation(
        path: isInside ? relative ?? source : source, relativePath: isInside ? nil : relative, digest)
      return ImportedAudioFile(file: try addAudioFile(facts, location), isKnown: false, warnings: warnings)
    }
    let copy = try incoming.newCopyPath()
    let digest = try copyAndHash(from: source, to: copy)
    if let known = try view.audioFile(withHash: digest.sha256) {
      incoming.discard(copy: copy)
      return ImportedAudioFile(file: known, isKnown: true, warnings: warnings)
    }
    // What was copied is what counts, should the source have changed meanwhile.
    let copied = digest.modificationTime == before ? facts : try AudioFileFacts.read(path: copy)
    let name = (source as NSString).lastPathComponent
    let location = MediaLocation(path: incoming.keep(copy: copy, as: name), digest)
    return ImportedAudioFile(file: try addAudioFile(copied, location), isKnown: false, warnings: warnings)
  }

  private func addAudioFile(_ facts: AudioFileFacts, _ location: MediaLocation) throws -> AudioFile {
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
