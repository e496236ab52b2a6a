import CZlib
import Foundation
import GRDB

/// A changeset as the journal keeps it.
struct StoredChangeset: Equatable, Sendable {
  /// Compressed: the length of what it was in 8 bytes, most significant first, then zlib's stream (RFC 1950).
  var bytes: [UInt8]
  var isCompressed: Bool

  var isEmpty: Bool { bytes.isEmpty }
}

extension Changeset {
  /// Changesets above this many bytes are compressed.
  static let compressionThreshold = 4096

  func stored() throws -> StoredChangeset {
    guard bytes.count > Self.compressionThreshold else { return StoredChangeset(bytes: bytes, isCompressed: false) }
    return StoredChangeset(bytes: try compressed(), isCompressed: true)
  }

  /// The bytes of a compressed `StoredChangeset`. All processors work at it.
  func compressed() throws -> [UInt8] {
    let starts = Array(stride(from: 0, to: bytes.count, by: DeflatedPiece.usualByteCount))
    var pieces = [DeflatedPiece?](repeating: nil, count: starts.count)
    pieces.withUnsafeMutableBufferPointer { pieces in
      // Unchecked: each turn writes its own element.
      nonisolated(unsafe) let pieces = pieces
      DispatchQueue.concurrentPerform(iterations: starts.count) { turn in
        let end = min(starts[turn] + DeflatedPiece.usualByteCount, bytes.count)
        pieces[turn] = DeflatedPiece(bytes[starts[turn]..<end])
      }
    }
    return try DeflatedPiece.joined(pieces)
  }

  /// `nil` where the bytes are not what `stored()` made, or no changeset: SQLite reads on for ever behind a table's name that
  /// does not end, so it is given none that was not read before.
  init?(_ stored: StoredChangeset) {
    if stored.isCompressed { self.init(compressed: stored.bytes) } else { self.init(bytes: stored.bytes) }
    guard (try? operationCount()) != nil else { return nil }
  }

  /// `nil` where the bytes are not what `compressed()` made.
  init?(compressed stored: [UInt8]) {
    guard stored.count > 8 else { return nil }
    let count = stored[0..<8].reduce(0) { $0 << 8 | Int($1) }
    // No stream of zlib expands more than 1,032 times.
    guard (0...Int(Int32.max)).contains(count), count / 1040 <= stored.count else { return nil }
    var size = uLong(count)
    var code = Z_OK
    bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, initialized in
      code = stored.withUnsafeBufferPointer { stored in
        uncompress(buffer.baseAddress, &size, stored.baseAddress.map { $0 + 8 }, uLong(stored.count - 8))
      }
      initialized = code == Z_OK ? Int(size) : 0
    }
    guard code == Z_OK, size == count else { return nil }
  }
}

/// A part of a zlib stream that was compressed by itself, so that several threads can work at one stream.
///
/// It ends at a byte and refers to nothing before it: pieces put one behind the other are a stream again.
/// - SeeAlso: zlib's manual, `Z_FULL_FLUSH` and `adler32_combine`.
struct DeflatedPiece: Sendable {
  private var bytes: [UInt8]
  /// What was compressed.
  private let byteCount: Int
  private let checksum: uLong

  /// How much is compressed at a time.
  static let usualByteCount = 1 << 20

  /// `nil` where there is no memory for it.
  init?(_ plain: ArraySlice<UInt8>) {
    byteCount = plain.count
    checksum = plain.withUnsafeBufferPointer { adler32(1, $0.baseAddress, uInt($0.count)) }
    var stream = z_stream()
    // The fastest level; no header, which the whole stream has once.
    guard
      deflateInit2_(
        &stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, uLong(plain.count))) + 64
    var code = Z_OK
    bytes = plain.withUnsafeBufferPointer { plain in
      [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        stream.next_in = UnsafeMutablePointer(mutating: plain.baseAddress)
        stream.avail_in = uInt(plain.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = uInt(capacity)
        code = deflate(&stream, Z_FULL_FLUSH)
        initialized = capacity - Int(stream.avail_out)
      }
    }
    guard code == Z_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
  }

  /// The bytes of a `StoredChangeset` made of these pieces.
  /// - Throws: `DatabaseError` where one is missing, which only a lack of memory can do.
  static func joined(_ pieces: [DeflatedPiece?]) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(pieces.reduce(24) { $0 + ($1?.bytes.count ?? 0) })
    result += [UInt8](repeating: 0, count: 8)
    // RFC 1950: deflate with a window of 32 KiB, compressed for speed.
    result += [0x78, 0x01]
    var (count, checksum) = (0, uLong(1))
    for piece in pieces {
      guard let piece else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      result += piece.bytes
      checksum = adler32_combine(checksum, piece.checksum, piece.byteCount)
      count += piece.byteCount
    }
    // An empty block that is the last one, and the checksum of everything.
    result += [0x03, 0x00]
    for place in 0..<4 { result.append(UInt8(truncatingIfNeeded: checksum >> (24 - 8 * place))) }
    for place in 0..<8 { result[place] = UInt8(truncatingIfNeeded: count >> (56 - 8 * place)) }
    return result
  }

  /// What was compressed; `nil` only where there is no memory for it.
  func inflated() -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    let plain = bytes.withUnsafeBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.avail_in = uInt(bytes.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = uInt(byteCount)
        _ = inflate(&stream, Z_SYNC_FLUSH)
        initialized = byteCount - Int(stream.avail_out)
      }
    }
    return plain.count == byteCount ? plain : nil
  }
}
