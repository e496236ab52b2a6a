import DAWModel
import DAWTime

/// A project's rows in memory: a second, simple implementation for comparison with the store. After random edits both
/// must have equal projects and equal errors.
public struct MemoryTables: ModelTables {
  public var project: Project

  public init(_ project: Project) { self.project = project }

  /// In order of id.
  private func all<E: Entity>(_ entity: E.Type) -> [E] {
    let rows: [E]? =
      if let collection = E.collection {
        Array(project[keyPath: collection].values)
      } else if let content = E.self as? any Content.Type {
        contents(content) as? [E]
      } else {
        nil
      }
    return (rows ?? []).sorted { $0.id < $1.id }
  }

  private func contents<C: Content>(_ entity: C.Type) -> [C] { Array(project[keyPath: C.contents].values.joined()) }

  public func row<E: Entity>(_ id: Identifier<E>) -> E? {
    if let collection = E.collection { return project[keyPath: collection][id] }
    return all(E.self).first { $0.id == id }
  }

  public func rows<E: Entity>(_ entity: E.Type, where column: String, is value: some StorableValue) -> [E] {
    guard column != "id" else { return all(entity).filter { .integer($0.id.rawValue) == value.stored } }
    guard let field = E.fields.first(where: { $0.name == column }) else { return [] }
    return all(entity).filter { field.value($0) == value.stored }
  }

  public func firstID<E: Entity>(
    of entity: E.Type, where column: String, is value: some StorableValue, besides excluded: Identifier<E>?
  ) -> Identifier<E>? {
    rows(entity, where: column, is: value).first { $0.id != excluded }?.id
  }

  public func firstPresent<E: Entity>(of ids: [Identifier<E>]) -> Identifier<E>? {
    let present = Set(all(E.self).map(\.id))
    return ids.first(where: present.contains)
  }

  public func firstAbsent<E: Entity>(of ids: [Identifier<E>]) -> Identifier<E>? {
    let present = Set(all(E.self).map(\.id))
    return ids.first { !present.contains($0) }
  }

  public func stereoRegion(of track: TrackID) -> Region? {
    project.regions(of: track).first { region in
      region.audio.flatMap { span in
        project.audioFiles[span.file].flatMap { span.channels.width(ofFileWith: $0.channelCount) }
      } == 2
    }
  }

  public func points(of lane: LaneID, within positions: ClosedRange<Int64>) -> [LanePoint] {
    project.lanePoints[lane, default: []].filter { positions.contains($0.position) }
  }

  public func noteCount(in region: RegionID, endingAfter end: TickCount) -> Int {
    project.notes[region, default: []].count { $0.end > end }
  }

  public func eventCount(in region: RegionID, after end: TickCount) -> Int {
    project.events[region, default: []].count { $0.start > end }
  }

  // MARK: Changes

  public mutating func write(_ settings: ProjectSettings) { project.settings = settings }

  public mutating func insert<E: Entity>(_ rows: [E]) {
    project.insert(rows)
    if let contents = rows as? any ContentArray { contents.insert(into: &project) }
  }

  public mutating func update<E: Entity>(_ rows: [E]) {
    if E.collection == nil { removeContents(rows.map(\.id)) }
    insert(rows)
  }

  public mutating func delete<E: Entity>(_ ids: [Identifier<E>]) {
    if let collection = E.collection {
      for id in ids { project[keyPath: collection][id] = nil }
    } else {
      removeContents(ids)
    }
    for kind in EntityKind.allCases {
      for reference in kind.entity.clearedReferences where reference.kind == E.kind {
        for id in ids { clear(reference.column, of: kind.entity, where: id.rawValue) }
      }
      for parent in kind.entity.parents where parent.kind == E.kind {
        for id in ids { deleteRows(of: kind.entity, where: parent.column, is: id.rawValue) }
      }
    }
  }

  private mutating func deleteRows<E: Entity>(of entity: E.Type, where column: String, is parent: Int64) {
    let children = rows(entity, where: column, is: parent).map(\.id)
    if !children.isEmpty { delete(children) }
  }

  private mutating func clear<E: Entity>(_ column: String, of entity: E.Type, where parent: Int64) {
    guard let field = E.fields.first(where: { $0.name == column }) else { return }
    update(
      rows(entity, where: column, is: parent).map { row in
        var row = row
        _ = field.assign(&row, .null)
        return row
      })
  }

  private mutating func removeContents<E: Entity>(_ ids: [Identifier<E>]) {
    guard let content = E.self as? any Content.Type else { return }
    remove(Set(ids.map(\.rawValue)), of: content)
  }

  private mutating func remove<C: Content>(_ ids: Set<Int64>, of entity: C.Type) {
    project[keyPath: C.contents] = project[keyPath: C.contents].mapValues { rows in
      rows.filter { !ids.contains($0.id.rawValue) }
    }.filter { !$0.value.isEmpty }
  }
}

/// An array of content whose entity is known only at run time.
private protocol ContentArray {
  func insert(into project: inout Project)
}

extension Array: ContentArray where Element: Content {
  fileprivate func insert(into project: inout Project) {
    for (owner, added) in Dictionary(grouping: self, by: \.owner) {
      project[keyPath: Element.contents][owner, default: []] += added
      project[keyPath: Element.contents][owner]?.sort { $0.precedes($1) }
    }
  }
}

extension Project {
  /// The project after `edit`; the receiver does not change.
  /// - Throws: `EditError`.
  public func applying(_ edit: Edit) throws -> Project {
    var tables = MemoryTables(self)
    try tables.apply(edit)
    return tables.project
  }
}
