import CNettle

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

extension [UInt8] {
  /// Two lower-case digits per byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
