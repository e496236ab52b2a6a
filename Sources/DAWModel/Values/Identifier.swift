/// What an identifier can belong to.
public protocol Entity: Sendable {
  /// Stands in the UUID, so that the identifier of a track is never taken for that of a region.
  static var kindCode: UInt8 { get }
  /// As in "no track with the id …".
  static var noun: String { get }
}

/// Which row of its kind: a positive 63-bit integer, the row's primary key.
///
/// 41 bits of milliseconds since 2020 stand above 22 random bits, so that copies of a project that are edited apart
/// practically never give the same identifier twice. Outside the project it is written as a UUID.
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
public typealias TempoMarkID = Identifier<TempoMark>
public typealias MeterMarkID = Identifier<MeterMark>
public typealias KeyMarkID = Identifier<KeyMark>
public typealias MarkerID = Identifier<Marker>

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
