import CNettle

/// A code that only those can compute who have the key.
/// - SeeAlso: RFC 2104, FIPS 198-1.
public enum HMACSHA256 {
  /// 64 hexadecimal digits in lower case.
  public static func code(of message: [UInt8], key: [UInt8]) -> String {
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, message.count, message)
    var bytes = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_hmac_sha256_digest(&context, bytes.count, &bytes)
    return bytes.hexadecimal
  }
}
