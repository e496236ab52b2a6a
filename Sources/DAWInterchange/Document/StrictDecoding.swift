import DAWProject

/// Decodes an object whose keys must all be known: a key that is misspelt would otherwise lose what it holds.
extension Decoder {
  func strictContainer<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let known = Set(Key.allCases.map(\.stringValue))
    let all = try container(keyedBy: AnyKey.self)
    for key in all.allKeys where !known.contains(key.stringValue) {
      let near = nearest(to: key.stringValue, among: Array(known))
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [key],
          debugDescription:
            "The key '\(key.stringValue)' is not known\(near.first.map { "; did you mean '\($0)'?" } ?? ".")"))
    }
    return try container(keyedBy: type)
  }
}

struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension CodingUserInfoKey {
  /// Set to `true` to ignore ids and create new ones.
  static let ignoresIDs = CodingUserInfoKey(rawValue: "ignoresIDs")
}

extension KeyedDecodingContainer {
  /// An id, where there is one and ids are wanted.
  func decodeID<ID: Decodable>(_ type: ID.Type, forKey key: Key, _ decoder: any Decoder) throws -> ID? {
    if let ignores = CodingUserInfoKey.ignoresIDs, decoder.userInfo[ignores] as? Bool == true { return nil }
    return try decodeIfPresent(type, forKey: key)
  }
}
