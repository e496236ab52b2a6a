import Synchronization

/// Files, each opened when it is first needed. Of those that are open the least recently used is closed
/// when there are too many, so that ten thousand files need no more descriptors than a hundred. Any thread but the audio
/// thread.
final class OpenFiles<Key: Hashable & Sendable, File: AnyObject & Sendable>: Sendable {
  private struct Shelf {
    var files: [Key: (file: File, lastUse: UInt64)] = [:]
    var clock: UInt64 = 0
  }

  private let shelf = Mutex(Shelf())
  private let capacity: Int

  /// - Parameter capacity: files kept open, at least 1; those in use come on top.
  init(capacity: Int) { self.capacity = capacity }

  /// - Parameter open: opens the file where it is not open.
  /// - Throws: what `open` throws.
  func file(of source: Key, open: () throws(StreamError) -> File) throws(StreamError) -> File {
    let known: File? = shelf.withLock { shelf in
      shelf.clock += 1
      guard let entry = shelf.files[source] else { return nil }
      shelf.files[source]?.lastUse = shelf.clock
      return entry.file
    }
    if let known { return known }
    let opened = try open()
    return shelf.withLock { shelf in
      if let other = shelf.files[source] { return other.file }
      if shelf.files.count >= capacity, let oldest = shelf.files.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        shelf.files[oldest.key] = nil
      }
      shelf.files[source] = (opened, shelf.clock)
      return opened
    }
  }
}
