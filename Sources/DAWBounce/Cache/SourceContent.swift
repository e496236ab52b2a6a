import DAWEngine
import DAWMedia
import Glibc

/// What tells one content of a source's file from another, without reading it.
///
/// The project knows the hash of the medium, but a bounce looks only at the size and the time of a file before it trusts it,
/// and a copy at another rate is not hashed. So the file's size, inode and times stand beside the hash. A program that writes into a file
/// changes its time of change, which no program can set back; one that puts another file in its place changes the inode or,
/// where the number is used again, that time. So equal values mean equal bytes, unless a file is written twice within one
/// tick of the kernel's clock (10 ms at most), and the status is read in between. A file that was copied or touched only has
/// to be rendered again.
struct SourceContent: Hashable, Sendable {
  var sha256: String
  var byteCount: Int64
  var inode: Int64
  /// Nanoseconds since 1970.
  var modified: Int64
  /// Likewise; of the bytes or of the file's name, owner or rights.
  var changed: Int64
  /// How the bytes become samples: their layout, or the library that decodes them.
  var reading: String

  /// - Returns: `nil` if there is no such file, or a segment of a take is missing.
  init?(_ source: AudioSource) {
    guard let numbers = Self.numbers(of: source.path) else { return nil }
    sha256 = source.sha256
    (byteCount, inode, modified, changed) = (numbers[0], numbers[1], numbers[2], numbers[3])
    switch source.content {
    case .plain(let layout): reading = "\(layout.encoding.rawValue) \(layout.channelCount) \(layout.dataOffset)"
    case .decoded(let facts) where facts?.isTake == true:
      // The numbers of all its segments.
      guard let segments = try? TakeManifest.files(of: source.path) else { return nil }
      var hash = StreamingSHA256()
      for segment in segments {
        guard let numbers = Self.numbers(of: segment) else { return nil }
        numbers.withUnsafeBytes { hash.update($0) }
      }
      reading = "take \(hash.hexDigest())"
    case .decoded: reading = "\(MediaLibraries.sndfileVersion) \(source.channelCount)"
    }
  }

  /// A file's size, inode, and times of modification and change.
  private static func numbers(of path: String) -> [Int64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    return [
      Int64(status.st_size), Int64(bitPattern: UInt64(status.st_ino)), nanoseconds(status.st_mtim),
      nanoseconds(status.st_ctim),
    ]
  }
}
