import DAWModel
import DAWStore
import DAWTime

/// What users call rows: by their names as they are now, or as they were when the rows were removed.
struct RowLabels {
  let map: TempoMap
  private let rows: LastRows

  init(_ view: ProjectView) throws {
    map = try view.tempoMap()
    rows = LastRows(view)
  }

  typealias StoredRow = RowDescription.StoredRow

  private struct Parent {
    var label: String
    var row: StoredRow?
    /// Whether the row has its parent's id.
    var isSelf: Bool
  }

  /// Parents of parents; in a damaged file a comment may reply to itself.
  private static let maximumDepth = 4

  /// - Parameters:
  ///   - row: the row, if it is known already.
  ///   - revision: the row was there then.
  ///   - positionRevision: of a point, the revision that has the lane which its position is on; `nil` for now.
  func label(
    of id: Int64, _ description: RowDescription, row known: StoredRow? = nil, since revision: Int64,
    positionAt positionRevision: Int64? = nil, depth: Int = 0
  ) throws -> RowLabel {
    guard description.kind != nil else { return RowLabel(text: "project") }
    let row = try known ?? row(id, description, since: revision)
    guard let row, depth < Self.maximumDepth else {
      return RowLabel(text: "\(description.noun) \(String(id, radix: 16).suffix(6))")
    }
    let values = description.columns.indices.map { description.value($0, row.values[1 + $0], in: row)?.present }
    func value(_ column: String) -> (any FieldValue)? {
      description.columns.firstIndex { $0.name == column }.flatMap { values[$0] }
    }
    if let link = description.link {
      let ends = try [link.source, link.target].map { column in
        try (value(column) as? any RowReference).flatMap { end -> String? in
          guard let ended = RowDescription.all[type(of: end).kind.entity.table] else { return nil }
          return try label(of: end.rawValue, ended, since: revision, depth: depth + 1).text
        } ?? "?"
      }
      return RowLabel(text: "\(description.noun) \(ends[0]) \(link.word) \(ends[1])")
    }
    var parent: Parent?
    for reference in description.parents where parent == nil {
      parent = try self.parent(
        reference, row, description, since: revision, positionAt: positionRevision, depth: depth)
    }
    let place = try place(values.compactMap(\.self), parent?.row)
    if let name = value("name") as? Name {
      let text = (parent.map { $0.label + "/" } ?? "") + name.text.bounded
      return RowLabel(text: text, isName: true, place: place)
    }
    if description.kind == .effect, let kind = value("kind") as? EffectKind, let number = value("number") as? Int {
      let name = number == 1 ? kind.rawValue : "\(kind.rawValue) \(number)"
      return RowLabel(text: (parent.map { $0.label + "/" } ?? "") + name, isName: true)
    }
    if description.kind == .effectSetting, let parameter = value("parameter") as? String {
      return RowLabel(text: "setting \(parameter.bounded) of \(parent?.label ?? "an effect")")
    }
    if let title = value("title") as? String, !title.isEmpty {
      return RowLabel(text: title.bounded, isName: true)
    }
    if let path = value("path") as? String { return RowLabel(text: path.bounded, isName: true) }
    var text = description.noun
    if let pitch = values.lazy.compactMap({ $0 as? PitchNumber }).first { text += " \(pitch.name)" }
    if description.kind == .lane, let parameter = value("parameter") as? String { text += " \(parameter.bounded)" }
    if let place { text += " at \(place)" }
    if let parent {
      text += " \(parent.isSelf ? "of" : description.isContent ? "in" : "on") \(parent.label)"
    }
    return RowLabel(text: text)
  }

  /// As it is now, or as it was when it was removed.
  func row(_ id: Int64, _ description: RowDescription, since revision: Int64) throws -> StoredRow? {
    try rows.row(id, of: description, since: revision)
  }

  /// As it was at a revision.
  func row(_ id: Int64, _ description: RowDescription, at revision: Int64) throws -> StoredRow? {
    try rows.row(id, of: description, at: revision)
  }

  /// All rows of a table as they were at a revision.
  func rows(of description: RowDescription, at revision: Int64) throws -> [StoredRow] {
    try rows.rows(of: description, at: revision)
  }

  /// The region of a note or an event, the lane of a point.
  func owner(ofContent id: Int64, _ description: RowDescription, since revision: Int64) throws -> Int64? {
    try rows.owner(ofContent: id, description, since: revision)
  }

  private func parent(
    _ reference: ParentReference, _ row: StoredRow, _ description: RowDescription, since revision: Int64,
    positionAt positionRevision: Int64?, depth: Int
  ) throws -> Parent? {
    guard let parent = RowDescription.all[reference.kind.entity.table] else { return nil }
    let isSelf = reference.column == "id"
    let index = isSelf ? 0 : 1 + (description.columns.firstIndex { $0.name == reference.column } ?? -1)
    guard case .integer(let id) = row.value(index) else { return nil }
    let label = try label(of: id, parent, since: revision, depth: depth + 1).text
    // Its lane's time base then says what the position of a point counts.
    let former = try parent.kind == .lane ? positionRevision.flatMap { try self.row(id, parent, at: $0) } : nil
    return Parent(label: label, row: try former ?? self.row(id, parent, since: revision), isSelf: isSelf)
  }

  /// Where a row begins: its first position, or that of its region and its own from there.
  private func place(_ values: [any FieldValue], _ parent: StoredRow?) throws -> String? {
    for value in values {
      switch value {
      case let position as TimelinePosition: return text(position)
      case let position as TickPosition: return text(.musical(position))
      case let bar as BarNumber: return "bar \(bar.number)"
      case let place as LanePlace: return self.place(place, onLane: parent).map(text)
      case let start as TickCount:
        guard let parent, let region = RowDescription.all[Region.table],
          let column = region.columns.firstIndex(where: { $0.name == "startTime" }),
          let position = region.value(column, parent.values[1 + column], in: parent) as? TimelinePosition
        else { return nil }
        return text(.musical(map.ticks(at: position) + start))
      default: continue
      }
    }
    return nil
  }

  /// The position of a point.
  /// - Parameter lane: the point's, which says what the position counts.
  func place(_ place: LanePlace, onLane lane: StoredRow?) -> TimelinePosition? {
    lane.flatMap { try? Lane($0) }.map { lane in
      lane.place(of: LanePoint(id: LanePointID(rawValue: 0), lane: lane.id, position: place.number))
    }
  }

  /// "3.1.0 (0:04.000)".
  func text(_ position: TimelinePosition) -> String {
    "\(map.barBeatTick(at: map.ticks(at: position))) (\(map.flicks(at: position).clock()))"
  }
}

extension String {
  /// At most 80 characters: a hostile file may hold any text.
  var bounded: String {
    let most = 80
    guard utf8.count > most, unicodeScalars.count > most else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(most - 1))) + "…"
  }
}
