import DAWModel
import DAWProject

/// A member of an object: its key, and how its value is written and read.
package struct JSONMember<Object>: Sendable {
  let key: JSONKey
  let isRequired: Bool
  /// Writes the key and the value, or nothing.
  let write: @Sendable (Object, inout JSONWriter) throws -> Void
  let read: @Sendable (inout Object, inout JSONReader) throws -> Void

  /// A member that is not simply a property.
  /// - Parameter value: the value to write; `nil` to leave the member out.
  init<Value: JSONWritable>(
    _ name: String, isRequired: Bool = false, value: @escaping @Sendable (Object) -> Value?,
    read: @escaping @Sendable (inout Object, inout JSONReader) throws -> Void
  ) {
    let key = JSONKey(name)
    self.key = key
    self.isRequired = isRequired
    write = { object, writer in
      guard let value = value(object) else { return }
      try writer.key(key)
      try value.write(to: &writer)
    }
    self.read = read
  }

  /// A property. If the member is missing or `null`, it stays as in the record's `blank`.
  init<Value: JSONWritable & JSONReadable>(
    _ name: String, _ path: any WritableKeyPath<Object, Value> & Sendable, isRequired: Bool = false
  ) {
    self.init(name, isRequired: isRequired, value: { $0[keyPath: path] }) { object, reader in
      object[keyPath: path] = try Value(from: &reader)
    }
  }

  /// A property that is left out, rather than written as `null`, if it is `nil`.
  init<Value: JSONWritable & JSONReadable>(
    ifPresent name: String, _ path: any WritableKeyPath<Object, Value?> & Sendable
  ) {
    self.init(name, value: { $0[keyPath: path] }) { object, reader in
      object[keyPath: path] = try Value(from: &reader)
    }
  }

  /// A value that follows from others. It is written, and ignored when it is read.
  init<Value: JSONWritable & JSONReadable>(derived name: String, _ value: @escaping @Sendable (Object) -> Value) {
    self.init(name, value: { value($0) }) { _, reader in _ = try Value(from: &reader) }
  }

  /// The id. It is not written if it is 0; it is 0 if the JSON has none, or if ids are ignored.
  init<Row>(id path: any WritableKeyPath<Object, Identifier<Row>> & Sendable) {
    self.init("id", value: { $0[keyPath: path].rawValue == 0 ? nil : $0[keyPath: path] }) { object, reader in
      if reader.ignoresIDs { return _ = try reader.string() }
      object[keyPath: path] = try Identifier(from: &reader)
    }
  }

  /// A value that is only written; `nil` to leave the member out.
  init<Value: JSONWritable>(written name: String, _ value: @escaping @Sendable (Object) -> Value?) {
    self.init(name, value: value) { _, reader in throw try reader.unexpected("nothing") }
  }

  /// The member as one of an object that contains this one.
  func within<Outer>(_ path: any WritableKeyPath<Outer, Object> & Sendable) -> JSONMember<Outer> {
    JSONMember<Outer>(self, path)
  }

  private init<Inner>(_ member: JSONMember<Inner>, _ path: any WritableKeyPath<Object, Inner> & Sendable) {
    key = member.key
    isRequired = member.isRequired
    write = { try member.write($0[keyPath: path], &$1) }
    read = { try member.read(&$0[keyPath: path], &$1) }
  }
}

/// The members of an object.
package struct JSONMembers<Object>: Sendable, ExpressibleByArrayLiteral {
  /// In order of their keys; at most 64.
  let all: [JSONMember<Object>]
  /// A bit for each that is required.
  let required: UInt64

  init(_ members: [JSONMember<Object>]) {
    all = members.sorted { $0.key.name.utf8.lexicographicallyPrecedes($1.key.name.utf8) }
    required = all.enumerated().reduce(0) { $1.element.isRequired ? $0 | 1 << UInt64($1.offset) : $0 }
  }

  package init(arrayLiteral members: JSONMember<Object>...) { self.init(members) }

  /// The members as those of an object that contains this one.
  func within<Outer>(_ path: any WritableKeyPath<Outer, Object> & Sendable) -> [JSONMember<Outer>] {
    all.map { $0.within(path) }
  }
}

/// An object whose members are declared once, to be written.
package protocol JSONWritableRecord: JSONWritable {
  static var members: JSONMembers<Self> { get }
}

/// An object whose members are declared once, to be written and read.
package protocol JSONRecord: JSONWritableRecord, JSONReadable {
  /// The value that missing members leave unchanged.
  static var blank: Self { get }
  /// Checks and completes what was read.
  /// - Throws: `JSONError.Problem`.
  mutating func complete() throws
}

/// A value that can be read from JSON.
package protocol JSONReadable: SendableMetatype {
  /// - Throws: `JSONError`; `RuleViolation` of a value that breaks a rule.
  init(from reader: inout JSONReader) throws
}

extension JSONWritableRecord {
  package func write(to writer: inout JSONWriter) throws {
    try writer.object { writer in for member in Self.members.all { try member.write(self, &writer) } }
  }
}

extension JSONRecord {
  package init(from reader: inout JSONReader) throws { self = try reader.record() }
  package mutating func complete() throws {}
}

extension JSONRecord where Self: Entity {
  package static var blank: Self { Self(blank: Identifier(rawValue: 0)) }
}
