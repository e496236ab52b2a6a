import DAWModel
import GRDB

/// An edit under way: what it may read, and how it changes the project. Valid only within the closure that it is given to.
public struct ProjectTransaction {
  let database: Database
  let identifiers: IdentifierSource
  private let recorder: ChangeRecorder
  /// One line for the journal that says what the edit does.
  public var summary = ""
  /// The regions whose length may have changed.
  private var changedRegions: Set<RegionID> = []

  init(database: Database, identifiers: IdentifierSource, recorder: ChangeRecorder) {
    self.recorder = recorder
    self.database = database
    self.identifiers = identifiers
  }

  /// The project as it is now, this edit's own changes included.
  public var view: ProjectView { ProjectView(database: database) }

  /// Makes one change.
  /// - Throws: `EditError`, `StoreError`; whoever catches it must give the whole transaction up by throwing.
  public mutating func apply(_ edit: Edit) throws {
    var tables = StoredTables(database: database, recorder: recorder)
    try tables.apply(edit)
    if case .setRegion(let region) = edit { changedRegions.insert(region.id) }
  }

  /// The rules over many rows, once more before the commit: no constraint of the schema holds them.
  func requireRulesOfCommit() throws {
    let tables = StoredTables(database: database)
    for id in changedRegions {
      guard let region = try tables.region(id), case .midi(let length) = region.content else { continue }
      let count = try tables.noteCount(in: id, endingAfter: length)
      if count > 0 {
        throw EditError.rule(
          RuleViolation(
            .regionCoversNotes, value: "a length that leaves \(count) notes outside", subject: region.subject))
      }
      let events = try tables.eventCount(in: id, after: length)
      if events > 0 {
        throw EditError.rule(
          RuleViolation(
            .regionCoversEvents, value: "a length that leaves \(events) events outside", subject: region.subject))
      }
    }
    let masters = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM track WHERE orderKey = '\(OrderKey.master.digits)'"))
    if masters != 1 { throw EditError.rule(RuleViolation(.masterIsOne, value: "\(masters ?? 0) master tracks")) }
  }

  public func newTrackID() throws -> TrackID { try newID(in: "track") }
  public func newRegionID() throws -> RegionID { try newID(in: "region") }
  /// The first of a batch; the others follow it one by one.
  public func newNoteID() throws -> NoteID { try newID(in: "midiNote") }
  /// The first of a batch; the others follow it one by one.
  public func newEventID() throws -> EventID { try newID(in: "midiEvent") }
  public func newTempoMarkID() throws -> TempoMarkID { try newID(in: "tempoMark") }
  public func newMeterMarkID() throws -> MeterMarkID { try newID(in: "meterMark") }
  public func newKeyMarkID() throws -> KeyMarkID { try newID(in: "keyMark") }
  public func newMarkerID() throws -> MarkerID { try newID(in: "marker") }
  public func newAudioFileID() throws -> AudioFileID { try newID(in: "audioFile") }
  public func newSoundFontID() throws -> SoundFontID { try newID(in: "soundFont") }

  private func newID<Kind>(in table: String) throws -> Identifier<Kind> {
    let highest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM \(table)"))
    return identifiers.first(above: highest.map(Identifier.init(rawValue:)))
  }
}
