import CNettle

/// SHA-256 of bytes that come piece by piece; how they are cut changes nothing.
/// - SeeAlso: FIPS 180-4.
public struct StreamingSHA256: Sendable {
  private var context = sha256_ctx()

  public init() { nettle_sha256_init(&context) }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
  }

  /// The digest of all that was given so far, 32 bytes. More can follow: the digest is then that of the whole.
  public func digest() -> [UInt8] {
    // Nettle's function begins anew when it has given the digest: a copy does it here.
    var ending = context
    var bytes = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&ending, bytes.count, &bytes)
    return bytes
  }

  /// The same as 64 hexadecimal digits in lower case.
  public func hexDigest() -> String { digest().hexadecimal }
}

extension [UInt8] {
  /// Two lower-case digits to the byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
