import DAWModel
import DAWTime

/// What a view has read and may be asked for again: the lines of a batch name the same region thousands of times.
///
/// Shared by the views of one transaction. An edit forgets what it may have changed; most entities change nothing that is
/// kept here.
final class ViewMemory {
  var header: ProjectView.Header?
  var tempoMap: TempoMap?
  /// Where the last region in use ends.
  var end: FlickPosition?
  var layout: TableLayout?
  /// Regions by the reference that found them.
  var references: [String: Region] = [:]
  /// The number of rows whose ids end in the same `endingBits`, by those bits.
  var endings: [EntityKind: [Int64: Int]] = [:]
  /// The numbers of points of lanes.
  private var pointCounts: [LaneID: Int] = [:]
  private var rows: [EntityKind: [Int64: any Entity]] = [:]
  /// Kept beyond the transaction.
  let recordingIDs: KeptRecordingIDs

  /// Six hexadecimal digits.
  static let endingBits: Int64 = 0xff_ffff
  /// Bounds memory: a reader may walk over any number of rows.
  private static let maximumCount = 1000
  /// What other rows and listings refer to.
  private static let kinds: Set<EntityKind> = [.track, .region, .audioFile]

  init(recordingIDs: KeptRecordingIDs = KeptRecordingIDs()) { self.recordingIDs = recordingIDs }

  func row<E: Entity>(_ id: Identifier<E>) -> E? { rows[E.kind]?[id.rawValue] as? E }

  func keep<E: Entity>(_ row: E) {
    guard Self.kinds.contains(E.kind) else { return }
    if rows[E.kind, default: [:]].count >= Self.maximumCount { rows[E.kind] = [:] }
    rows[E.kind, default: [:]][row.id.rawValue] = row
  }

  func keep(_ region: Region, calledBy reference: String) {
    if references.count >= Self.maximumCount { references = [:] }
    references[reference] = region
  }

  /// The number of a lane's points, which is counted once.
  func pointCount(of lane: LaneID, _ count: () throws -> Int) rethrows -> Int {
    if let known = pointCounts[lane] { return known }
    let counted = try count()
    if pointCounts.count >= Self.maximumCount { pointCounts = [:] }
    pointCounts[lane] = counted
    return counted
  }

  /// Forgets what an edit may have changed.
  func update(after edit: Edit) {
    switch edit {
    case .setProject: (header, tempoMap, end) = (nil, nil, nil)
    case .add(let added): update(afterAdding: added)
    case .set(let changed): update(afterSetting: changed)
    case .remove(let kind, _): update(afterRemoving: kind)
    }
  }

  private func update(afterAdding added: Rows) {
    switch added.kind {
    case .track: add(added.of(Track.self) ?? [])
    case .region:
      let regions = added.of(Region.self) ?? []
      add(regions)
      if let known = end, let map = tempoMap {
        end = regions.filter(\.isInUse).map { $0.endFlicks(in: map) }.reduce(known, max)
      } else {
        end = nil
      }
    case .take: add(added.of(Take.self) ?? [])
    case .lanePoint: for point in added.of(LanePoint.self) ?? [] { pointCounts[point.lane]? += 1 }
    case .tempoChange, .meterChange:
      end = nil
      do {
        // A batch adds thousands one by one; for many at once the map is made anew.
        if let tempos = added.of(TempoChange.self), tempos.count == 1 {
          try tempoMap?.insert(tempos[0])
        } else if let meters = added.of(MeterChange.self), meters.count == 1 {
          try tempoMap?.insert(meters[0])
        } else {
          tempoMap = nil
        }
      } catch {
        tempoMap = nil
      }
    default: break
    }
  }

  /// Ids stay, and so do their endings.
  private func update(afterSetting changed: Rows) {
    switch changed.kind {
    case .track: forget(changed.of(Track.self) ?? [])
    case .region:
      forget(changed.of(Region.self) ?? [])
      end = nil
    case .audioFile: forget(changed.of(AudioFile.self) ?? [])
    case .lanePoint: pointCounts = [:]
    case .tempoChange, .meterChange:
      end = nil
      if !replaceInTempoMap(changed) { tempoMap = nil }
    default: break
    }
  }

  /// Puts one change that has kept its place into the tempo map, since a batch sets thousands one by one.
  ///
  /// A change in that place is the same one, since no two have one place. One that was moved finds none there.
  /// - Returns: whether the map is right.
  private func replaceInTempoMap(_ changed: Rows) -> Bool {
    if let tempos = changed.of(TempoChange.self), tempos.count == 1 {
      return (try? tempoMap?.replace(tempos[0])) == true
    }
    if let meters = changed.of(MeterChange.self), meters.count == 1 {
      return (try? tempoMap?.replace(meters[0])) == true
    }
    return false
  }

  private func update(afterRemoving kind: EntityKind) {
    if EntityKind.lanePoint.removers.contains(kind) { pointCounts = [:] }
    // Takes and tracks are among the removers of regions.
    if EntityKind.region.removers.contains(kind) { (references, endings, end) = ([:], [:], nil) }
    for kept in Self.kinds where kept.removers.contains(kind) { rows[kept] = nil }
    if kind == .tempoChange || kind == .meterChange { (tempoMap, end) = (nil, nil) }
  }

  /// A new row changes no other, but a reference may mean more than one row now.
  private func add<E: Entity>(_ added: [E]) {
    references = [:]
    guard endings[E.kind] != nil else { return }
    for row in added { endings[E.kind]?[row.id.rawValue & Self.endingBits, default: 0] += 1 }
  }

  private func forget<E: Entity>(_ changed: [E]) {
    references = [:]
    for row in changed { rows[E.kind]?[row.id.rawValue] = nil }
  }
}
