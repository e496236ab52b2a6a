import Foundation

/// What a project, track or region is called: in Unicode form NFC, trimmed, 1 … 255 characters, no control characters.
public struct Name: Hashable, Sendable {
  public let text: String

  /// - Throws: `RuleViolation` of `.name`.
  public init(_ text: String) throws(RuleViolation) {
    let normalized = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !normalized.isEmpty else { throw RuleViolation(.name, value: "an empty name") }
    guard normalized.count <= Self.maximumLength, normalized.utf8.count <= Self.maximumBytes else {
      throw RuleViolation(.name, value: "a name of \(normalized.count) characters")
    }
    if let control = normalized.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
      throw RuleViolation(.name, value: "a name with the control character U+\(String(control.value, radix: 16))")
    }
    self.text = normalized
  }

  /// For what a store has already checked.
  public init(unchecked text: String) { self.text = text }

  /// For names in the source.
  public init(literal: StaticString) { text = literal.description }

  public static let maximumLength = 255
  /// A bound on what combining characters can pile up.
  public static let maximumBytes = 2048

  /// Equal for names that differ in case or Unicode form only.
  public var key: String { Self.key(of: text) }

  /// The key of a name as somebody typed it.
  public static func key(of text: String) -> String {
    text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
      .lowercased().precomposedStringWithCanonicalMapping
  }

  /// This name, or with the lowest number from 2 behind it that makes it free: "Piano 2".
  /// - Parameter isTaken: whether a key is in use.
  public func freed(isTaken: (String) throws -> Bool) rethrows -> Name {
    var candidate = self
    var number = 2
    while try isTaken(candidate.key) {
      let suffix = " \(number)"
      candidate = Name(unchecked: String(text.prefix(Self.maximumLength - suffix.count)) + suffix)
      number += 1
    }
    return candidate
  }
}

extension Name: CustomStringConvertible {
  public var description: String { text }
}

extension Name: Codable {
  public init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self)) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
