import CZlib
import Foundation
import GRDB

/// A changeset as it is stored in the journal.
struct StoredChangeset: Equatable, Sendable {
  /// If compressed: the original length as 8 bytes, big-endian, then a zlib stream (RFC 1950).
  var bytes: [UInt8]
  var isCompressed: Bool

  var isEmpty: Bool { bytes.isEmpty }

  /// The length before compression according to the first 8 bytes; `nil` if there are fewer, or it is not compressed.
  var declaredByteCount: UInt64? {
    guard isCompressed, bytes.count > 8 else { return nil }
    return bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether it declares a greater length than is allowed. Protects against decompression bombs in hostile files.
  var isTooDense: Bool { declaredByteCount.map { $0 > Self.maximumByteCount(from: bytes.count) } ?? false }

  /// The greatest length, in bytes, to which a compressed changeset of `byteCount` bytes may expand. Rows compress
  /// about ten times; `stored` does not compress changesets that would exceed this, such as megabytes of one value.
  static func maximumByteCount(from byteCount: Int) -> Int {
    min(max(ConnectionLimits.denseChangesetByteCount, 64 * byteCount), Int(Int32.max))
  }
}

extension Changeset {
  /// Changesets above this many bytes are compressed.
  static let compressionThreshold = 4096

  func stored() throws -> StoredChangeset {
    guard bytes.count > Self.compressionThreshold else { return StoredChangeset(bytes: bytes, isCompressed: false) }
    let stored = StoredChangeset(bytes: try compressed(), isCompressed: true)
    return stored.isTooDense ? StoredChangeset(bytes: bytes, isCompressed: false) : stored
  }

  /// The bytes of a compressed `StoredChangeset`. Compresses on all processors.
  func compressed() throws -> [UInt8] {
    let starts = Array(stride(from: 0, to: bytes.count, by: DeflatedPiece.standardByteCount))
    var pieces = [DeflatedPiece?](repeating: nil, count: starts.count)
    pieces.withUnsafeMutableBufferPointer { pieces in
      // Unchecked: each iteration writes its own element.
      nonisolated(unsafe) let pieces = pieces
      DispatchQueue.concurrentPerform(iterations: starts.count) { turn in
        let end = min(starts[turn] + DeflatedPiece.standardByteCount, bytes.count)
        pieces[turn] = DeflatedPiece(bytes[starts[turn]..<end])
      }
    }
    return try DeflatedPiece.joined(pieces)
  }

  /// `nil` unless the bytes are a well-formed changeset. They are parsed here before SQLite reads them, since SQLite
  /// reads past the end of a table name that is not terminated.
  init?(_ stored: StoredChangeset) {
    if stored.isCompressed { self.init(compressed: stored.bytes) } else { self.init(bytes: stored.bytes) }
    guard (try? operationCount()) != nil else { return nil }
  }

  /// `nil` unless the bytes were made by `compressed()`.
  init?(compressed stored: [UInt8]) {
    let declared = StoredChangeset(bytes: stored, isCompressed: true)
    guard !declared.isTooDense, let count = declared.declaredByteCount.map(Int.init) else { return nil }
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

/// A part of a zlib stream, compressed independently so that several threads can compress one stream.
///
/// It ends at a byte boundary and does not refer to earlier data, so concatenated pieces are a valid stream.
/// - SeeAlso: zlib's manual, `Z_FULL_FLUSH` and `adler32_combine`.
struct DeflatedPiece: Sendable {
  private var bytes: [UInt8]
  /// The length before compression.
  private let byteCount: Int
  private let checksum: uLong

  /// The length of a piece before compression.
  static let standardByteCount = 1 << 20

  /// `nil` if memory is exhausted.
  init?(_ plain: ArraySlice<UInt8>) {
    byteCount = plain.count
    checksum = plain.withUnsafeBufferPointer { adler32(1, $0.baseAddress, uInt($0.count)) }
    var stream = z_stream()
    // The fastest level, as raw deflate: the stream has one header.
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

  /// The compressed changeset made of these pieces.
  static func stored(_ pieces: [DeflatedPiece?]) throws -> StoredChangeset {
    let stored = StoredChangeset(bytes: try joined(pieces), isCompressed: true)
    guard stored.isTooDense else { return stored }
    let plain = try pieces.flatMap { piece in
      guard let bytes = piece?.inflated() else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      return bytes
    }
    return StoredChangeset(bytes: plain, isCompressed: false)
  }

  /// The bytes of a compressed `StoredChangeset` made of these pieces.
  /// - Throws: `DatabaseError` if a piece is `nil`, which only exhausted memory causes.
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
    // An empty final block, and the checksum of all data.
    result += [0x03, 0x00]
    for place in 0..<4 { result.append(UInt8(truncatingIfNeeded: checksum >> (24 - 8 * place))) }
    for place in 0..<8 { result[place] = UInt8(truncatingIfNeeded: count >> (56 - 8 * place)) }
    return result
  }

  /// The data before compression; `nil` only if memory is exhausted.
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
