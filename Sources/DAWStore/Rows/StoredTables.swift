import DAWModel
import DAWTime
import GRDB

/// The store's interpreter of `Edit`: touches only the rows concerned. Inside a transaction only.
struct StoredTables: ModelTables {
  let database: Database
  /// Of the edit under way; `nil` where nobody changes anything, or what is changed needs no record of rows by the million.
  var recorder: ChangeRecorder?

  func track(_ id: TrackID) throws -> Track? { try first("track", Track.columns, id.rawValue, Track.init(row:)) }
  func track(withNameKey key: String) throws -> TrackID? {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT id FROM track WHERE nameKey = ?"), arguments: [key])
      .map(TrackID.init(rawValue:))
  }
  func hasRegions(_ track: TrackID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM region WHERE track = ?)"),
      arguments: [track.rawValue]) ?? false
  }
  func stereoRegion(of track: TrackID) throws -> Region? {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT \(Region.columns), (SELECT channelCount FROM audioFile WHERE id = region.audioFile) FROM region
          WHERE track = ? AND audioFile IS NOT NULL ORDER BY id
          """), arguments: [track.rawValue])
    while let row = try rows.next() {
      let region = try Region(row: row)
      if let count: Int = try row.decode(atIndex: 13), region.audio?.channels.width(ofFileWith: count) == 2 {
        return region
      }
    }
    return nil
  }
  func region(_ id: RegionID) throws -> Region? { try first("region", Region.columns, id.rawValue, Region.init(row:)) }
  func noteCount(in region: RegionID, endingAfter end: TickCount) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiNote WHERE region = ? AND startTime + duration > ?"),
      arguments: [region.rawValue, end.ticks]) ?? 0
  }
  func note(_ id: NoteID) throws -> MIDINote? {
    try MIDINote.fetch(
      "SELECT \(MIDINote.columns) FROM midiNote WHERE id = ?", arguments: [id.rawValue], in: database
    ).first
  }
  func firstPresent(of notes: [NoteID]) throws -> NoteID? {
    // New notes lie above all others, so that the highest id mostly tells.
    let highest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM midiNote")) ?? 0
    return try notes.first { try $0.rawValue <= highest && isPresent($0) }
  }
  func firstAbsent(of notes: [NoteID]) throws -> NoteID? { try MIDINote.firstAbsent(of: notes, in: database) }
  private func isPresent(_ note: NoteID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM midiNote WHERE id = ?)"), arguments: [note.rawValue]
    ) ?? false
  }
  func audioFile(_ id: AudioFileID) throws -> AudioFile? {
    try first("audioFile", AudioFile.columns, id.rawValue, AudioFile.init(row:))
  }
  func audioFile(withHash sha256: String) throws -> AudioFileID? {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT id FROM audioFile WHERE sha256 = ?"), arguments: [sha256])
      .map(AudioFileID.init(rawValue:))
  }
  func regions(over audioFile: AudioFileID) throws -> [Region] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Region.columns) FROM region WHERE audioFile = ? ORDER BY id"),
      arguments: [audioFile.rawValue]
    ).map(Region.init(row:))
  }
  func soundFont(_ id: SoundFontID) throws -> SoundFont? {
    try first("soundFont", SoundFont.columns, id.rawValue, SoundFont.init(row:))
  }
  func soundFont(withHash sha256: String) throws -> SoundFontID? {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT id FROM soundFont WHERE sha256 = ?"), arguments: [sha256])
      .map(SoundFontID.init(rawValue:))
  }
  func isUsed(_ soundFont: SoundFontID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM track WHERE soundFont = ?)"),
      arguments: [soundFont.rawValue]) ?? false
  }

  func write(_ settings: ProjectSettings) throws { try run(ProjectSettings.updateSQL, settings.arguments) }
  func insert(_ track: Track) throws { try run(Track.insertSQL, track.arguments) }
  func update(_ track: Track) throws { try run(Track.updateSQL, track.arguments) }
  func delete(_ track: TrackID) throws { try run("DELETE FROM track WHERE id = ?", [track.rawValue]) }
  func insert(_ region: Region) throws { try run(Region.insertSQL, region.arguments) }
  func update(_ region: Region) throws { try run(Region.updateSQL, region.arguments) }
  func delete(_ region: RegionID) throws { try run("DELETE FROM region WHERE id = ?", [region.rawValue]) }
  func insert(_ notes: [MIDINote]) throws { try MIDINote.insert(notes, in: database, recorder) }
  func update(_ notes: [MIDINote]) throws { try MIDINote.update(notes, in: database, recorder) }
  func delete(_ notes: [NoteID]) throws { try MIDINote.delete(notes, in: database) }
  func insert(_ audioFile: AudioFile) throws { try run(AudioFile.insertSQL, audioFile.arguments) }
  func update(_ audioFile: AudioFile) throws { try run(AudioFile.updateSQL, audioFile.arguments) }
  func delete(_ audioFile: AudioFileID) throws { try run("DELETE FROM audioFile WHERE id = ?", [audioFile.rawValue]) }
  func insert(_ soundFont: SoundFont) throws { try run(SoundFont.insertSQL, soundFont.arguments) }
  func update(_ soundFont: SoundFont) throws { try run(SoundFont.updateSQL, soundFont.arguments) }
  func delete(_ soundFont: SoundFontID) throws { try run("DELETE FROM soundFont WHERE id = ?", [soundFont.rawValue]) }

  func first<Value>(_ table: String, _ columns: String, _ id: Int64, _ make: (Row) throws -> Value) throws
    -> Value?
  {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE id = ?"), arguments: [id]
    ).map(make)
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
