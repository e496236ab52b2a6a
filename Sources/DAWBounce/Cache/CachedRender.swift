import DAWMedia
import Glibc

/// A cached render, open for reading. Used by one thread at a time.
final class CachedRender {
  let layout: RenderLayout
  private let checksums: [UInt64]
  private let number: Int32

  /// - Parameter key: the one that it must have; `nil`: any.
  /// - Returns: `nil` if there is no such file, it is incomplete, or it has another key.
  init?(at place: Place, key: RenderKey?) {
    guard let opened = try? place.openFile(O_RDONLY) else { return nil }
    guard let (layout, checksums) = Self.header(of: opened), key == nil || layout.key == key else {
      close(opened)
      return nil
    }
    self.layout = layout
    self.checksums = checksums
    number = opened
  }

  deinit { close(number) }

  /// Sets the file's modification time, by which the cache evicts the least recently used. Errors are ignored: only the
  /// order of eviction is affected.
  func touch() { futimens(number, nil) }

  /// Reads a block.
  /// - Parameter samples: room for both sides of a block; the right one is left alone if the render has one side.
  /// - Returns: whether it could be read and matches its checksum.
  func read(block: Int, into samples: UnsafeMutablePointer<Float>) -> Bool {
    let bytes = UnsafeMutableRawBufferPointer(start: samples, count: layout.blockBytes)
    return readAll(number, bytes, at: layout.offset(ofBlock: block))
      && RenderChecksum.of(UnsafeRawBufferPointer(bytes)) == checksums[block]
  }

  /// Whether all of its blocks match their checksums.
  var isWhole: Bool {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: layout.blockBytes / MemoryLayout<Float>.stride)
    defer { samples.deallocate() }
    return (0..<layout.blockCount).allSatisfy { read(block: $0, into: samples) }
  }

  /// Whether a file is a render in the format of another version.
  static func isOfOtherFormat(_ name: String, in folder: Folder) -> Bool {
    guard let opened = try? folder.openFile(name, O_RDONLY) else { return false }
    defer { close(opened) }
    var bytes = [UInt8](repeating: 0, count: RenderLayout.magic.count)
    guard bytes.withUnsafeMutableBytes({ readAll(opened, $0, at: 0) }) else { return false }
    return bytes != RenderLayout.magic && bytes.dropLast() == RenderLayout.magic.dropLast()
  }

  /// The layout in a file's header; the samples are not checked.
  static func layout(ofFile name: String, in folder: Folder) -> RenderLayout? {
    guard let opened = try? folder.openFile(name, O_RDONLY) else { return nil }
    defer { close(opened) }
    return fixed(of: opened)
  }

  private static func fixed(of number: Int32) -> RenderLayout? {
    var bytes = [UInt8](repeating: 0, count: RenderLayout.fixedSize)
    return bytes.withUnsafeMutableBytes {
      readAll(number, $0, at: 0) ? RenderLayout(fixed: UnsafeRawBufferPointer($0)) : nil
    }
  }

  private static func header(of number: Int32) -> (RenderLayout, [UInt64])? {
    var status = stat()
    guard let layout = fixed(of: number), fstat(number, &status) == 0, Int(status.st_size) == layout.fileSize else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: layout.headerSize)
    return bytes.withUnsafeMutableBytes { bytes in
      guard readAll(number, bytes, at: 0) else { return nil }
      return layout.checksums(UnsafeRawBufferPointer(bytes)).map { (layout, $0) }
    }
  }
}

/// - Returns: whether all bytes could be read.
private func readAll(_ number: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
  (try? FileDescriptor.read(number, into: bytes, at: Int64(offset))) == bytes.count
}
