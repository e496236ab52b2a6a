import DAWMedia
import Glibc

/// A render in a file, open for reading. Used by one thread at a time.
final class KeptRender {
  let layout: RenderLayout
  private let checksums: [UInt64]
  private let number: Int32

  /// - Returns: `nil` where there is no such file, or it is not whole, or it was made of something else.
  init?(at place: Place, key: RenderKey) {
    guard let opened = try? place.openFile(O_RDONLY) else { return nil }
    guard let (layout, checksums) = Self.header(of: opened), layout.key == key else {
      close(opened)
      return nil
    }
    self.layout = layout
    self.checksums = checksums
    number = opened
  }

  deinit { close(number) }

  /// Tells the cache's limit that it was needed. Where that is not allowed, the order of use is a little less true.
  func touch() { futimens(number, nil) }

  /// - Parameter samples: room for both sides of a block.
  /// - Returns: whether they are those that were written.
  func read(block: Int, into samples: UnsafeMutablePointer<Float>) -> Bool {
    let bytes = UnsafeMutableRawBufferPointer(start: samples, count: RenderLayout.blockBytes)
    return readAll(number, bytes, at: layout.offset(ofBlock: block))
      && RenderChecksum.of(UnsafeRawBufferPointer(bytes)) == checksums[block]
  }

  /// What a file says of itself; its samples are not looked at.
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

/// - Returns: whether all of it could be read.
private func readAll(_ number: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
  var done = 0
  while done < bytes.count {
    let count = pread(number, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
    if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
  }
  return true
}
