import DAWTime
import Glibc

/// The files of live streams, each opened once for all of its regions, and again when it was not used for long. Any
/// thread but the audio thread.
final class SourceFiles: Sendable {
  private let plainFiles: OpenFiles<Key, OpenFile>
  private let decodedFiles: OpenFiles<Key, DecodedFile>

  private struct Key: Hashable {
    var path: String
    var sha256: String
    var frameCount: Int64
  }

  init() {
    // Three eighths of the process's descriptors at most: 256 and 128 where 1,024 are allowed.
    var limit = rlimit()
    let known = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    let descriptors = known ? Int(min(limit.rlim_cur, 4_096)) : 1_024
    plainFiles = OpenFiles(capacity: max(16, descriptors / 4))
    decodedFiles = OpenFiles(capacity: max(8, descriptors / 8))
  }

  /// Reads frames in the encoding of the source's stream.
  /// - Parameters:
  ///   - frame: within the source.
  ///   - frameCount: at least 1, within the source.
  ///   - bytes: room for them.
  /// - Returns: frames read, at least 1.
  func read(
    _ source: AudioSource, from frame: FileFrame, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    let key = Key(path: source.path, sha256: source.sha256, frameCount: source.frameCount)
    do throws(StreamError) {
      return try read(source, key, from: frame, frameCount: frameCount, into: bytes)
    } catch {
      // The next attempt opens the file that is there then.
      plainFiles.drop(key)
      decodedFiles.drop(key)
      throw error
    }
  }

  private func read(
    _ source: AudioSource, _ key: Key, from frame: FileFrame, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    switch source.content {
    case .plain(let layout):
      let file = try plainFiles.file(of: key) { () throws(StreamError) in try OpenFile(path: source.path) }
      try file.read(
        at: frame.byteOffset(layout.dataOffset, source.bytesPerFrame), into: bytes,
        count: frameCount * source.bytesPerFrame, frame: frame)
      return frameCount
    case .decoded:
      let file = try decodedFiles.file(of: key) { () throws(StreamError) in
        DecodedFile(source, reader: try openAudioFile(source), keptPieces: 2)
      }
      return try file.read(from: frame, frameCount: frameCount, into: bytes)
    }
  }
}
