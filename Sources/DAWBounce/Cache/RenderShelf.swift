import Glibc

/// The folder that renders are kept in, as files.
struct RenderShelf {
  let folder: String

  static let ending = ".render"

  private struct Entry {
    var name: String
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// The key of the newest render that was made for each slot.
  func newestBySlot() -> [Int64: RenderKey] {
    var newest: [Int64: RenderKey] = [:]
    for entry in entries().sorted(by: { $0.lastUse < $1.lastUse }) {
      if let layout = KeptRender.layout(ofFile: folder + "/" + entry.name) { newest[layout.slot] = layout.key }
    }
    return newest
  }

  /// Removes what killed processes have left half done: nobody holds its lock.
  func removeAbandoned() {
    for name in names() where name.contains(Self.ending + RenderWriter.partialMark) {
      let number = open(folder + "/" + name, O_RDWR | O_CLOEXEC)
      guard number >= 0 else { continue }
      if flock(number, LOCK_EX | LOCK_NB) == 0 { unlink(folder + "/" + name) }
      close(number)
    }
  }

  /// Bytes that a file takes on the disk; holes take none.
  static func byteCount(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
  }

  private func entries() -> [Entry] {
    names().filter { $0.hasSuffix(Self.ending) }.compactMap { name in
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { return nil }
      return Entry(
        name: name, lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }

  private func names() -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }
}
