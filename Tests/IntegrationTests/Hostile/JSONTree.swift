import Foundation

/// JSON as its text has it, so that a number can be one that no type holds, and a key can stand twice.
indirect enum JSONTree: Decodable {
  /// A number, `true`, `false`, `null`, or whatever else stands there.
  case raw(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .raw("null")
    } else if let flag = try? container.decode(Bool.self) {
      self = .raw("\(flag)")
    } else if let integer = try? container.decode(Int64.self) {
      self = .raw("\(integer)")
    } else if let real = try? container.decode(Double.self) {
      self = .raw("\(real)")
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONTree].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: JSONTree].self)
      self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  var text: String {
    switch self {
    case .raw(let text): text
    case .string(let text):
      (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(JSONTree.string($0.key).text):\($0.value.text)" }.joined(separator: ","))}"
    }
  }

  /// One change of a tree.
  struct Mutation {
    /// The places of the elements or members on the way to what is changed.
    var path: [Int]
    /// In words, for a failure.
    var name: String
    var change: (JSONTree) -> JSONTree
  }

  /// Every change of everything in it: each number becomes each hostile number, each text each hostile text, each key
  /// is dropped, doubled and misspelt, each array and object emptied, nested and made another kind of value.
  func mutations(at path: [Int] = []) -> [Mutation] {
    var all: [Mutation] = []
    func add(_ name: String, _ change: @escaping (JSONTree) -> JSONTree) {
      all.append(Mutation(path: path, name: name, change: change))
    }
    func replace(with tree: JSONTree, _ name: String) { add(name) { _ in tree } }
    switch self {
    case .raw:
      for number in HostileValues.numbers { replace(with: .raw(number), number) }
      for other in ["null", "true", "\"1\"", "[]", "{}"] { replace(with: .raw(other), other) }
    case .string:
      for text in HostileValues.strings { replace(with: .string(text), text.debugDescription) }
      for other in ["null", "1", "[]", "{}", "\"\\ud800\""] { replace(with: .raw(other), other) }
    case .array(let elements):
      replace(with: .array([]), "emptied")
      replace(with: .array([self]), "nested")
      replace(with: .array(elements + elements), "doubled")
      for (index, element) in elements.enumerated() { all += element.mutations(at: path + [index]) }
    case .object(let members):
      replace(with: .object([]), "emptied")
      replace(with: .array([self]), "in an array")
      for (index, member) in members.enumerated() {
        func changing(_ change: @escaping (inout [(key: String, value: JSONTree)]) -> Void) -> (JSONTree) -> JSONTree {
          { _ in
            var members = members
            change(&members)
            return .object(members)
          }
        }
        add("without \(member.key)", changing { $0.remove(at: index) })
        add("\(member.key) twice", changing { $0.append(member) })
        add("\(member.key) misspelt", changing { $0[index].key += "s" })
        all += member.value.mutations(at: path + [index])
      }
    }
    return all
  }

  func applying(_ mutation: Mutation) -> JSONTree { changing(mutation.path[...], mutation.change) }

  private func changing(_ path: ArraySlice<Int>, _ change: (JSONTree) -> JSONTree) -> JSONTree {
    guard let index = path.first else { return change(self) }
    switch self {
    case .array(var elements):
      elements[index] = elements[index].changing(path.dropFirst(), change)
      return .array(elements)
    case .object(var members):
      members[index].value = members[index].value.changing(path.dropFirst(), change)
      return .object(members)
    case .raw, .string: return self
    }
  }
}
