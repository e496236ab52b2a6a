import Glibc

/// The start of a file that is being written, read and replaced in place.
enum FileHead {
  /// A file without the headers that its format has.
  static let unreadable = SystemCallFailure(call: "read its headers", code: EBADMSG)

  /// Replaces the first bytes; the rest moves.
  /// - Parameters:
  ///   - oldCount: bytes that go.
  ///   - number: open for reading and writing.
  static func replace(_ oldCount: Int64, with bytes: [UInt8], inFile number: Int32) throws(SystemCallFailure) {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemCallFailure(call: "stat", code: errno) }
    let (size, shift) = (Int64(status.st_size), Int64(bytes.count) - oldCount)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { piece.deallocate() }
    var rest = oldCount..<size
    while shift != 0, !rest.isEmpty {
      // From the end that the rest moves to, so that no byte is overwritten before it is read.
      let count = min(Int64(piece.count), Int64(rest.count))
      let start = shift > 0 ? rest.upperBound - count : rest.lowerBound
      let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<Int(count)])
      guard try FileDescriptor.read(number, into: part, at: start) == part.count else {
        throw SystemCallFailure(call: "read", code: EIO)
      }
      try FileDescriptor.write(UnsafeRawBufferPointer(part), to: number, at: start + shift)
      rest = shift > 0 ? rest.lowerBound..<start : start + count..<rest.upperBound
    }
    if shift < 0, ftruncate(number, off_t(size + shift)) != 0 {
      throw SystemCallFailure(call: "shorten", code: errno)
    }
    try FileDescriptor.write(bytes, to: number, at: 0)
  }

  /// - Returns: fewer than `count` at the end of the file.
  static func bytes(_ count: Int, at offset: Int64, inFile number: Int32) throws(SystemCallFailure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let done = try FileDescriptor.read(number, into: buffer, at: offset)
    return Array(UnsafeRawBufferPointer(rebasing: buffer[..<done]))
  }

  /// - Returns: the whole page of an Ogg file; `nil` if there is none.
  static func oggPage(at offset: Int64, inFile number: Int32) throws(SystemCallFailure) -> [UInt8]? {
    let header = try bytes(27, at: offset, inFile: number)
    guard header.count == 27, header.text(at: 0) == "OggS" else { return nil }
    let segments = try bytes(Int(header[26]), at: offset + 27, inFile: number)
    let length = 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
    let page = try bytes(length, at: offset, inFile: number)
    return page.count == length ? page : nil
  }
}
