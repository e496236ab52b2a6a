import DAWMedia
import Foundation

extension ProjectFolder {
  /// The SHA-256 of a file's bytes. The cache keeps it, and they are read again only where the file may have changed
  /// since: the media of a project that came without their times, as by `git clone`, are read once.
  /// - Parameter progress: in bytes.
  /// - Throws: `MediaWorkError`.
  package func keptHash(ofFile path: String, progress: MediaProgress = { _, _ in true }) throws -> String {
    let state = FileState(of: path)
    let cache = try? cacheFolder.open()
    if let state, let cache, let hash = state.keptHash(in: cache) { return hash }
    let hash = try sha256(ofFile: path, progress: progress).sha256
    if let state, let cache, state == FileState(of: path) { state.keep(hash, in: cache) }
    return hash
  }
}

extension FileState {
  /// One for each file: what was kept of it before is replaced.
  private var name: String { "\(device)-\(inode).hash" }
  private var text: String { "\(byteCount) \(modified) \(changed) " }

  /// The hash that was kept of the file as it is.
  fileprivate func keptHash(in cache: Folder) -> String? {
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
  fileprivate func keep(_ hash: String, in cache: Folder) {
    try? cache.remove(name)
    try? cache.makeFile(name, Array((text + hash).utf8))
  }
}
