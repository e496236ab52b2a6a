import DAWMedia
import Foundation

extension ProjectFolder {
  /// The SHA-256 of a file's bytes. The cache keeps it, and they are read again only where the file may have changed
  /// since: the media of a project that came without their times, as by `git clone`, are read once.
  /// - Throws: `MediaWorkError`.
  package func keptHash(ofFile path: String) throws -> String {
    let stamp = FileStatusStamp(of: path)
    let cache = try? cacheFolder.open()
    if let stamp, let cache, let hash = stamp.hash(in: cache) { return hash }
    let hash = try sha256(ofFile: path).sha256
    if let stamp, let cache, stamp == FileStatusStamp(of: path) { stamp.keep(hash, in: cache) }
    return hash
  }
}

/// What a file's status says of its bytes. A program that writes into a file changes its time of change, which no
/// program can set back; one that puts another file in its place changes the inode or that time. So equal values mean
/// equal bytes, unless a file is written twice within one tick of the kernel's clock.
private struct FileStatusStamp: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let byteCount: Int64
  /// Nanoseconds since 1970.
  private let modified: Int64
  private let changed: Int64

  /// - Returns: `nil` if there is no file.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
  }

  /// One for each file: what was kept of it before is replaced.
  private var name: String { "\(device)-\(inode).hash" }
  private var text: String { "\(byteCount) \(modified) \(changed) " }

  /// The hash that was kept of the file as it is.
  func hash(in cache: Folder) -> String? {
    guard let status = cache.status(of: name), status.isFile, status.st_size < 256,
      let bytes = FileManager.default.contents(atPath: cache.path + "/" + name)
    else { return nil }
    let kept = String(decoding: bytes, as: UTF8.self)
    let hash = kept.dropFirst(text.count)
    // A file that was not written whole is as good as none.
    guard kept.hasPrefix(text), hash.utf8.count == 64 else { return nil }
    cache.touch(name)
    return String(hash)
  }

  /// Errors are ignored: the file is then read again next time.
  func keep(_ hash: String, in cache: Folder) {
    try? cache.remove(name)
    try? cache.makeFile(name, Array((text + hash).utf8))
  }
}
