import DAWMedia

/// The folder that renders are kept in, as files.
struct RenderShelf {
  /// `nil` where there is none, or a link in its place.
  private let folder: Folder?

  init(_ place: Place) { folder = try? place.open() }

  static let ending = ".render"

  private struct Entry {
    var name: String
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// The key of the newest render that was made for each slot.
  func newestBySlot() -> [Int64: RenderKey] {
    guard let folder else { return [:] }
    var newest: [Int64: RenderKey] = [:]
    for entry in entries(in: folder).sorted(by: { $0.lastUse < $1.lastUse }) {
      if let layout = KeptRender.layout(ofFile: entry.name, in: folder) { newest[layout.slot] = layout.key }
    }
    return newest
  }

  /// Removes what killed processes have left half done: nobody holds its lock.
  func removeAbandoned() {
    guard let folder else { return }
    for name in folder.names() where name.contains(Self.ending + RenderWriter.partialMark) {
      folder.removeAbandoned(name)
    }
  }

  func holds(_ name: String) -> Bool { folder?.status(of: name) != nil }

  /// Bytes that a file takes on the disk; holes take none.
  func byteCount(of name: String) -> Int64 { folder?.status(of: name).map { Int64($0.st_blocks) * 512 } ?? 0 }

  private func entries(in folder: Folder) -> [Entry] {
    folder.names().filter { $0.hasSuffix(Self.ending) }.compactMap { name in
      guard let status = folder.status(of: name), status.isFile else { return nil }
      return Entry(
        name: name, lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }
}
