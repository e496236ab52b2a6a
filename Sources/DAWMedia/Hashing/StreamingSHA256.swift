import CNettle
import Glibc

/// Incremental SHA-256.
/// - SeeAlso: FIPS 180-4.
public struct StreamingSHA256: Sendable {
  private var context = sha256_ctx()

  public init() { nettle_sha256_init(&context) }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
  }

  /// The digest of all bytes so far, 32 bytes. More bytes may follow.
  public func digest() -> [UInt8] {
    // Nettle resets the context when it returns the digest, so a copy is used.
    var ending = context
    var bytes = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&ending, bytes.count, &bytes)
    return bytes
  }

  /// The digest as 64 hexadecimal digits in lower case.
  public func hexDigest() -> String { digest().hexadecimal }
}

extension StreamingSHA256 {
  /// Goes on with an open file's bytes.
  /// - Returns: how many there were: fewer than `count` at the file's end.
  mutating func update(
    file number: Int32, at offset: Int64, byteCount count: Int
  ) throws(SystemCallFailure) -> Int {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, 1 << 18), alignment: 64)
    defer { piece.deallocate() }
    var done = 0
    while done < count {
      let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, count - done)])
      let read = try FileDescriptor.read(number, into: part, at: offset + Int64(done))
      update(UnsafeRawBufferPointer(rebasing: part[..<read]))
      done += read
      if read < part.count { break }
    }
    return done
  }

  /// The digest of an open file's bytes, 64 hexadecimal digits in lower case.
  static func hexDigest(ofFile number: Int32) throws(SystemCallFailure) -> String {
    var hash = StreamingSHA256()
    var done: Int64 = 0
    let step = 1 << 24
    while true {
      let count = try hash.update(file: number, at: done, byteCount: step)
      done += Int64(count)
      if count < step { return hash.hexDigest() }
    }
  }

  /// The digest of a whole file in lowercase hexadecimal.
  /// - Throws: also where the place is a symbolic link.
  public static func hexDigest(of place: Place) throws(SystemCallFailure) -> String {
    let file = FileDescriptor(owning: try place.openFile(O_RDONLY))
    return try hexDigest(ofFile: file.number)
  }
}

extension [UInt8] {
  /// Two lower-case digits per byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
