/// Identifies a row of an entity: a positive 63-bit integer, the row's primary key.
///
/// Above 22 random bits are 41 bits of milliseconds since 2020, so that copies of a project that are edited separately
/// are very unlikely to assign the same identifier. In JSON and on the command line it is written as a UUID.
/// - SeeAlso: `IdentifierSource`, `Identifier.uuidString`
public struct Identifier<Kind: Entity>: Hashable, Comparable, Sendable {
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

extension Identifier: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let identifier = Self(uuidString: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not the id of a \(Kind.noun)."))
    }
    self = identifier
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuidString)
  }
}

extension Identifier: CustomStringConvertible {
  public var description: String { uuidString }
}
