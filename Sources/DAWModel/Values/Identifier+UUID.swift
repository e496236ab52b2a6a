/// The fixed bijection between identifiers and UUIDs of version 8 (RFC 9562, section 5.8).
///
/// The first three bytes spell "daw", the fourth is the kind, two are zero. The bits that vary most are last, so that
/// short suffixes are unambiguous:
///
///     64617701-0000-8000-8ttt-ttttttrrrrrr    kind 01, t…r the 63 bits of the integer
extension Identifier {
  private static var prefix: UInt64 { 0x6461_7700_0000_8000 | UInt64(Kind.kind.rawValue) << 32 }
  private static var lowBits: UInt64 { 0x3fff_ffff_ffff_ffff }
  private static var variant: UInt64 { 0x8000_0000_0000_0000 }

  /// Lower case, with hyphens.
  public var uuidString: String {
    let bits = UInt64(bitPattern: rawValue)
    return formatUUID(high: Self.prefix | bits >> 62, low: Self.variant | bits & Self.lowBits)
  }

  /// `nil` unless it is a UUID of this form and of the row's kind.
  public init?(uuidString: String) {
    guard let (high, low) = parseUUID(uuidString), high & ~1 == Self.prefix, low & ~Self.lowBits == Self.variant else {
      return nil
    }
    let value = Int64(bitPattern: (high & 1) << 62 | low & Self.lowBits)
    guard value > 0 else { return nil }
    self.init(rawValue: value)
  }
}

/// The 36 characters of a UUID, lower case.
func formatUUID(high: UInt64, low: UInt64) -> String {
  String(unsafeUninitializedCapacity: 36) { text in
    var place = 0
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        text[place] = UInt8(ascii: "-")
        place += 1
      }
      let half = index < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> (60 - 4 * UInt64(index & 15)) & 15)
      text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      place += 1
    }
    return place
  }
}

/// The two halves of a UUID written as 8-4-4-4-12 hexadecimal digits in either case.
func parseUUID(_ text: String) -> (high: UInt64, low: UInt64)? {
  let groups = text.split(separator: "-", omittingEmptySubsequences: false)
  guard groups.map(\.count) == [8, 4, 4, 4, 12], text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
    let high = UInt64(groups[0...2].joined(), radix: 16), let low = UInt64(groups[3...4].joined(), radix: 16)
  else { return nil }
  return (high, low)
}
