import DAWErrors

/// One change to a project, as a value that can be replayed and fuzzed.
///
/// What the user calls an edit (a split, a batch) is a list of these in one transaction. Every rule holds after each.
/// - SeeAlso: `ModelTables.apply(_:)`
public enum Edit: Equatable, Sendable {
  case setProject(ProjectSettings)
  case add(Rows)
  /// Replaces the rows with these ids.
  case set(Rows)
  /// Removes rows and everything that belongs to them: a track's regions, a region's notes and events.
  case remove(EntityKind, ids: [Int64])

  public static func add<E: Entity>(_ rows: [E]) -> Edit { .add(Rows(rows)) }
  public static func add<E: Entity>(_ row: E) -> Edit { .add(Rows([row])) }
  public static func set<E: Entity>(_ rows: [E]) -> Edit { .set(Rows(rows)) }
  public static func set<E: Entity>(_ row: E) -> Edit { .set(Rows([row])) }
  public static func remove<E: Entity>(_ ids: [Identifier<E>]) -> Edit { .remove(E.kind, ids: ids.map(\.rawValue)) }
  public static func remove<E: Entity>(_ id: Identifier<E>) -> Edit { .remove(E.kind, ids: [id.rawValue]) }

  /// Of its rows; `nil` for the project's settings.
  public var kind: EntityKind? {
    switch self {
    case .setProject: nil
    case .add(let rows), .set(let rows): rows.kind
    case .remove(let kind, _): kind
    }
  }
}

/// Why an edit was refused. Nothing was changed.
public enum EditError: Error, Equatable, Sendable {
  case rule(RuleViolation)
  /// A row that the edit refers to does not exist.
  case missing(noun: String, id: String)
}

extension EditError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .rule(let violation): violation.description
    case .missing(let noun, let id): "There is no \(noun) with the id \(id)."
    }
  }
}

extension EditError: DAWError {
  public var kind: ErrorKind {
    switch self {
    case .rule(let violation): violation.kind
    case .missing: .noInput
    }
  }
  public var code: String {
    switch self {
    case .rule(let violation): violation.code
    case .missing(let noun, _): Self.code(ofMissing: noun)
    }
  }
  public var message: String {
    switch self {
    case .rule(let violation): violation.message
    case .missing: "\(description) Nothing was changed."
    }
  }
  public var hint: String? {
    switch self {
    case .rule(let violation): violation.hint
    case .missing: nil
    }
  }

  /// `audioFileNotFound` for an audio file, `tempoNotFound` for a change of tempo.
  private static func code(ofMissing noun: String) -> String {
    let words = noun.split(separator: " ").filter { $0 != "change" && $0 != "of" }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.prefix(1).lowercased() + name.dropFirst() + "NotFound"
  }
}
