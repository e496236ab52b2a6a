import Foundation

/// A JSON object that is put together from parts; a member that is `nil` is left out.
struct JSONObject: Encodable {
  private(set) var members: [String: any Encodable]

  init(_ members: [String: (any Encodable)?]) { self.members = members.compactMapValues { $0 } }

  func merging(_ other: JSONObject) -> JSONObject { JSONObject(members.merging(other.members) { _, new in new }) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
  }

  func text() throws -> String { try jsonText(self) }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// One JSON value with its line's end. Keys are sorted, so that the same value gives the same text.
func jsonText(_ value: any Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
