import CZlib
import GRDB

extension Changeset {
  /// Changesets above this many bytes are compressed.
  static let compressionThreshold = 4096

  /// As it is stored: the length in 8 bytes, most significant first, then zlib's stream (RFC 1950).
  func compressed() throws -> [UInt8] {
    var size = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: 8 + Int(size))
    for place in 0..<8 { result[place] = UInt8(truncatingIfNeeded: bytes.count >> (56 - 8 * place)) }
    let code = result.withUnsafeMutableBufferPointer { buffer in
      compress2(buffer.baseAddress.map { $0 + 8 }, &size, bytes, uLong(bytes.count), 1)
    }
    // There is room enough, so only memory can be lacking.
    guard code == Z_OK else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    result.removeLast(result.count - 8 - Int(size))
    return result
  }

  /// `nil` where the bytes are not what `compressed()` made.
  init?(compressed stored: [UInt8]) {
    guard stored.count > 8 else { return nil }
    let count = stored[0..<8].reduce(0) { $0 << 8 | Int($1) }
    // No stream of zlib expands more than 1,032 times.
    guard (0...Int(Int32.max)).contains(count), count / 1040 <= stored.count else { return nil }
    var size = uLong(count)
    var result = [UInt8](repeating: 0, count: count)
    let code = stored.withUnsafeBufferPointer { buffer in
      uncompress(&result, &size, buffer.baseAddress.map { $0 + 8 }, uLong(stored.count - 8))
    }
    guard code == Z_OK, size == count else { return nil }
    bytes = result
  }
}
