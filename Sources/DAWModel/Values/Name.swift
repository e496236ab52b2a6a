import Foundation

/// The name of a project, track or region: NFC, trimmed, 1 … 255 characters (Unicode scalars, as SQLite counts them),
/// no control characters.
public struct Name: Hashable, Sendable {
  public let text: String

  /// - Throws: `RuleViolation` of `.name`.
  public init(_ text: String) throws(RuleViolation) {
    self.text = Self.normalized(text)
    try validate()
  }

  /// For names that a store has already checked.
  public init(unchecked text: String) { self.text = text }

  /// For names in the source.
  public init(literal: StaticString) { text = literal.description }

  public static let maximumLength = 255

  /// - Throws: `RuleViolation` of `.name`.
  func validate() throws(RuleViolation) {
    if isPlainASCII { return }
    try require(!text.isEmpty, .name, "an empty name")
    let length = text.unicodeScalars.count
    try require(length <= Self.maximumLength, .name, "a name of \(length) characters")
    if let control = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
      throw RuleViolation(.name, value: "a name with the control character U+\(String(control.value, radix: 16))")
    }
    let normalized = Self.normalized(text)
    try require(
      normalized.unicodeScalars.elementsEqual(text.unicodeScalars), .name,
      "the name '\(text)', not trimmed or not in NFC")
  }

  /// Whether the name is printable ASCII without spaces at its ends: a fast path for most names, which need no further
  /// checks.
  private var isPlainASCII: Bool {
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, bytes.count <= Self.maximumLength else { return false }
    return first != 0x20 && last != 0x20 && bytes.allSatisfy { (0x20...0x7e).contains($0) }
  }

  private static func normalized(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
  }

  /// Equal for names that differ only in case or Unicode form.
  public var key: String { Self.key(of: text) }

  /// The key of a name as it was typed.
  public static func key(of text: String) -> String {
    if Name(unchecked: text).isPlainASCII { return text.lowercased() }
    return normalized(text).unicodeScalars.map(caseFolded).joined().precomposedStringWithCanonicalMapping
  }

  /// Case folding of one character: lower case of upper case, since lower case alone distinguishes "ß" from "SS" and
  /// "ς" from "σ". The Turkish "ı" is left alone, since its upper case is "I".
  /// - SeeAlso: The Unicode Standard, section 5.18, Case Mappings
  private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
    guard scalar != "ı" else { return "ı" }
    return scalar.properties.lowercaseMapping.uppercased().lowercased()
  }

  /// This name, or if it is taken this name with the lowest free number: "Piano 2".
  /// - Parameters:
  ///   - first: the first number to try.
  ///   - isTaken: whether a key is in use.
  public func madeUnique(from first: Int = 2, isTaken: (String) throws -> Bool) rethrows -> Name {
    var candidate = self
    var number = first
    while try isTaken(candidate.key) {
      let suffix = " \(number)"
      candidate = Name(unchecked: Self.normalized(start(of: Self.maximumLength - suffix.count)) + suffix)
      number += 1
    }
    return candidate
  }

  /// The longest prefix of whole characters (grapheme clusters) with at most `count` scalars; a part of the first
  /// character, if that alone has more.
  private func start(of count: Int) -> String {
    var result = text
    while result.unicodeScalars.count > count { result.removeLast() }
    return result.isEmpty ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))) : result
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
