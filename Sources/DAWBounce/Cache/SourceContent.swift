import DAWEngine
import DAWMedia

/// What tells one content of a source's file from another, without reading it.
///
/// The project knows the hash of the medium, but a bounce looks only at the size and the time of a file before it
/// trusts it, and a copy at another rate is not hashed. So the file's size, inode and times stand beside the hash
/// (`FileState`). A file that was copied or touched only has to be rendered again. A copy in the cache is touched
/// whenever it is used, so that its own times say nothing; it is never written anew, but made anew.
struct SourceContent: Hashable, Sendable {
  var sha256: String
  var byteCount: Int64
  var inode: Int64
  /// Nanoseconds since 1970; of a copy in the cache, when it was made.
  var modified: Int64
  /// Likewise; of the bytes or of the file's name, owner or rights. Of a copy in the cache 0.
  var changed: Int64
  /// How the bytes become samples: their layout, or the library that decodes them.
  var reading: String

  /// - Returns: `nil` if there is no such file, or a segment of a take is missing.
  init?(_ source: AudioSource) {
    guard let state = FileState(of: source.path) else { return nil }
    sha256 = source.sha256
    (byteCount, inode) = (state.byteCount, Int64(bitPattern: state.inode))
    (modified, changed) =
      WaveCache.isCopy(source.path, ofSHA256: source.sha256)
      ? (FileState.birth(of: source.path), 0) : (state.modified, state.changed)
    switch source.content {
    case .plain(let layout): reading = "\(layout.encoding.rawValue) \(layout.channelCount) \(layout.dataOffset)"
    case .decoded(let facts) where facts?.isTake == true:
      // The states of all its segments.
      guard let segments = try? TakeManifest.files(of: source.path) else { return nil }
      var hash = StreamingSHA256()
      for segment in segments {
        guard let state = FileState(of: segment) else { return nil }
        [state.byteCount, Int64(bitPattern: state.inode), state.modified, state.changed].withUnsafeBytes {
          hash.update($0)
        }
      }
      reading = "take \(hash.hexDigest())"
    case .decoded: reading = "\(MediaLibraries.sndfileVersion) \(source.channelCount)"
    }
  }
}
