/// The random UUID of a project.
public struct ProjectID: Hashable, Sendable {
  /// Lower case, with hyphens.
  public let uuidString: String

  /// `nil` unless `uuidString` is a UUID.
  public init?(uuidString: String) {
    guard let (high, low) = parseUUID(uuidString) else { return nil }
    self.uuidString = formatUUID(high: high, low: low)
  }

  private init(high: UInt64, low: UInt64) { uuidString = formatUUID(high: high, low: low) }

  /// A new one, of version 4 (RFC 9562, section 5.4).
  public static func random() -> ProjectID {
    ProjectID(
      high: UInt64.random(in: .min ... .max) & 0xffff_ffff_ffff_0fff | 0x4000,
      low: UInt64.random(in: .min ... .max) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
  }
}

extension ProjectID: CustomStringConvertible {
  public var description: String { uuidString }
}

extension ProjectID: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let identifier = Self(uuidString: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not the id of a project."))
    }
    self = identifier
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuidString)
  }
}
