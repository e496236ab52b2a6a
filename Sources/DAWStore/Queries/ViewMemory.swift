import DAWModel
import DAWTime

/// What a view has read and may be asked for again: the lines of a batch name the same region thousands of times.
///
/// Shared by the views of one transaction. An edit forgets what it may have changed; notes, events and instruments
/// change nothing that is kept here.
final class ViewMemory {
  var header: ProjectView.Header?
  var tempoMap: TempoMap?
  var layout: TableLayout?
  /// Regions by the reference that found them.
  var references: [String: Region] = [:]
  /// The number of rows whose ids end in the same `endingBits`, by those bits.
  var endings: [EntityKind: [Int64: Int]] = [:]
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

  /// Forgets what an edit may have changed.
  func update(after edit: Edit) {
    switch edit {
    case .add(.notes), .add(.events), .set(.notes), .set(.events), .remove(.note, _), .remove(.event, _): break
    case .add(.instruments), .set(.instruments), .remove(.instrument, _): break
    case .add(.tracks(let tracks)): add(tracks)
    case .add(.regions(let regions)): add(regions)
    default:
      (header, tempoMap) = (nil, nil)
      (references, endings, rows) = ([:], [:], [:])
    }
  }

  /// A new row changes no other, but a reference may mean more than one row now.
  private func add<E: Entity>(_ added: [E]) {
    references = [:]
    guard endings[E.kind] != nil else { return }
    for row in added { endings[E.kind]?[row.id.rawValue & Self.endingBits, default: 0] += 1 }
  }
}
