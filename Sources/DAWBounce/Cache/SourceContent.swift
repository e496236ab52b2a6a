import DAWEngine
import DAWMedia
import Glibc

/// What tells one content of a source's file from another, without reading it.
///
/// The project knows the hash of the medium, but a bounce looks only at the size of a file before it trusts it, and a copy at
/// another rate is not hashed. So the file's size, inode and times stand beside the hash. A program that writes into a file
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

  /// - Returns: `nil` if there is no such file.
  init?(_ source: AudioSource) {
    var status = stat()
    guard stat(source.path, &status) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    sha256 = source.sha256
    byteCount = Int64(status.st_size)
    inode = Int64(bitPattern: UInt64(status.st_ino))
    modified = nanoseconds(status.st_mtim)
    changed = nanoseconds(status.st_ctim)
    switch source.content {
    case .plain(let layout): reading = "\(layout.encoding.rawValue) \(layout.channelCount) \(layout.dataOffset)"
    case .decoded: reading = "\(MediaLibraries.sndfileVersion) \(source.channelCount)"
    }
  }
}
