/// A level in decibels relative to unity: −∞ (silence), or −60 … +12 dB.
public struct Level: Hashable, Comparable, Sendable {
  public var decibels: Double

  public init(decibels: Double) { self.decibels = decibels == 0 ? 0 : decibels }  // never −0

  public static let unity = Level(decibels: 0)
  public static let silence = Level(decibels: -.infinity)
  public static let acceptedDecibels = -60.0...12.0

  public var isAccepted: Bool { self == .silence || Self.acceptedDecibels.contains(decibels) }

  public static func < (a: Self, b: Self) -> Bool { a.decibels < b.decibels }
}

extension Level: CustomStringConvertible {
  public var description: String { self == .silence ? "-inf dB" : "\(formatDecimal(decibels)) dB" }
}

extension Level: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if self == .silence { try container.encode("-inf") } else { try container.encode(decibels) }
  }
}

/// A number without a trailing ".0".
func formatDecimal(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}
