/// What identifiers are of: rows of an entity, or facts that rows refer to.
public protocol IdentifiedKind: Sendable {
  /// Stands in the UUID of an identifier and never changes. `EntityKind` lists all.
  static var identifierKind: UInt8 { get }
  /// For messages such as "There is no track with the id …".
  static var noun: String { get }
}

/// Identifies a row: a positive 63-bit integer, the row's primary key.
///
/// Above 22 random bits are 41 bits of milliseconds since 2020, so that copies of a project that are edited separately
/// are very unlikely to assign the same identifier. In JSON and on the command line it is written as a UUID.
/// - SeeAlso: `IdentifierSource`, `Identifier.uuidString`
public struct Identifier<Kind: IdentifiedKind>: Hashable, Comparable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

public typealias TrackID = Identifier<Track>
public typealias RegionID = Identifier<Region>
public typealias NoteID = Identifier<MIDINote>
public typealias AudioFileID = Identifier<AudioFile>
public typealias SoundFontID = Identifier<SoundFont>
public typealias EventID = Identifier<RegionEvent>
public typealias TempoChangeID = Identifier<TempoChange>
public typealias MeterChangeID = Identifier<MeterChange>
public typealias KeySignatureID = Identifier<KeySignature>
public typealias MarkerID = Identifier<Marker>
public typealias InstrumentID = Identifier<Instrument>

extension Identifier: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuidString)
  }
}

extension Identifier: CustomStringConvertible {
  public var description: String { uuidString }
}

/// The fixed bijection between identifiers and UUIDs of version 8 (RFC 9562, section 5.8).
///
/// The first three bytes spell "daw", the fourth is the kind, two are zero. The bits that vary most are last, so that
/// short suffixes are unambiguous:
///
///     64617701-0000-8000-8ttt-ttttttrrrrrr    kind 01, t…r the 63 bits of the integer
extension Identifier {
  private static var prefix: UInt64 { 0x6461_7700_0000_8000 | UInt64(Kind.identifierKind) << 32 }
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
  var halves: (high: UInt64, low: UInt64) = (0, 0)
  var place = 0
  for byte in text.utf8 {
    switch (place, byte) {
    case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")): break
    case (8, _), (13, _), (18, _), (23, _): return nil
    default:
      guard let digit = hexadecimalDigit(byte) else { return nil }
      if place < 18 { halves.high = halves.high << 4 | digit } else { halves.low = halves.low << 4 | digit }
    }
    place += 1
  }
  return place == 36 ? halves : nil
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
