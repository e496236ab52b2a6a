import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("The schema as it was released")
struct FrozenSchemaTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  init() throws { folder = try TemporaryFolder() }

  private func listing(_ path: String) throws -> SchemaListing {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try SchemaListing(of: $0) }
  }

  private func copied(_ file: URL) throws -> String {
    let copy = folder.path + "/\(UUID().uuidString).sqlite"
    try Data(contentsOf: file).write(to: URL(fileURLWithPath: copy))
    return copy
  }

  private func fixture(_ version: Int) throws -> String {
    let file = try #require(
      Bundle.module.url(forResource: "version-\(version)", withExtension: "sqlite", subdirectory: "Fixtures"))
    return try copied(file)
  }

  private func expectEqual(_ a: SchemaListing, _ b: SchemaListing, _ comment: Testing.Comment) {
    #expect(a.objects.count == b.objects.count, comment)
    for (a, b) in zip(a.objects, b.objects) { #expect(a.hasTextOf(b), "\(comment): \(a.title)") }
  }

  @Test("The page of the file format says which version this is")
  func page() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation/FileFormat.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    #expect(page.contains("`user_version` the schema's version, \(ProjectStore.schemaVersion). "))
  }

  @Test("A new file, a migrated one and the kept ones have the same texts, and the number that they are known by")
  func texts() throws {
    let version1 = try listing(fixture(1))
    let version2 = try listing(fixture(2))
    try ProjectStore.create(at: path, settings: ProjectSettings(), origin: origin).close()
    let version3 = try listing(fixture(3))
    let version4 = try listing(fixture(4))
    let version5 = try listing(fixture(5))
    let version6 = try listing(fixture(6))
    let version7 = try listing(fixture(7))
    let newest = try listing(path)
    let version8 = try listing(fixture(8))
    let version9 = try listing(fixture(9))
    #expect(version1.objects.count == 81 && version2.objects.count == 120)
    #expect(version3.objects.count == 221 && version4.objects.count == 227)
    #expect(version5.objects.count == 283 && version6.objects.count == 346)
    let projects = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Projects")
    for name in ["Chorale", "Loops", "Sketch"] {
      expectEqual(
        try listing(copied(projects.appendingPathComponent("\(name).daw/project.sqlite"))), version1, "\(name)")
    }
    try DatabaseQueue().write { database in
      try Migrator.released.makeSchema(database, version: 1)
      expectEqual(try SchemaListing(of: database), version1, "version 1 made anew")
      try Migrator(migrations: [Schema.version2]).migrate(database)
      expectEqual(try SchemaListing(of: database), version2, "version 1 migrated")
      try Migrator(migrations: [Schema.version2, Schema.version3]).migrate(database)
      expectEqual(try SchemaListing(of: database), version3, "version 2 migrated")
      try Migrator(migrations: [Schema.version2, Schema.version3, Schema.version4]).migrate(database)
      expectEqual(try SchemaListing(of: database), version4, "version 3 migrated")
      try Migrator(migrations: [Schema.version2, Schema.version3, Schema.version4, Schema.version5]).migrate(database)
      expectEqual(try SchemaListing(of: database), version5, "version 4 migrated")
      try Migrator(migrations: Migrator.released.migrations.filter { $0.version <= 6 }).migrate(database)
      expectEqual(try SchemaListing(of: database), version6, "version 5 migrated")
      try Migrator(migrations: Migrator.released.migrations.filter { $0.version <= 7 }).migrate(database)
      expectEqual(try SchemaListing(of: database), version7, "version 6 migrated")
      try Migrator(migrations: Migrator.released.migrations.filter { $0.version <= 8 }).migrate(database)
      expectEqual(try SchemaListing(of: database), version8, "version 7 migrated")
      try Migrator(migrations: Migrator.released.migrations.filter { $0.version <= 9 }).migrate(database)
      expectEqual(try SchemaListing(of: database), version9, "version 8 migrated")
      try Migrator.released.migrate(database)
      expectEqual(try SchemaListing(of: database), newest, "version 9 migrated")
    }
    for version in 1...9 {
      let old = try fixture(version)
      try ProjectStore.openForEditing(at: old, backupFolder: folder.path + "/Backups").close()
      expectEqual(try listing(old), newest, "an upgraded project of version \(version)")
    }
    let listings = [version1, version2, version3, version4, version5, version6, version7, version8, version9, newest]
    for (version, listing) in zip(1..., listings) {
      let tables = Migrator.released.tables(ofVersion: version)
      #expect(listing.objects.allSatisfy { tables.contains($0.table) })
      #expect(
        listing.fingerprint(of: tables) == Migrator.released.fingerprint(ofVersion: version),
        "version \(version): \(listing.fingerprint(of: tables))")
    }
  }

  /// An assignment to a column, SQL expressions that it accepts, and some that it refuses.
  private static let ends: [(update: String, accepted: [String], refused: [String])] = [
    (
      "project SET tempo =",
      ["\(Tempo.accepted.lowerBound.nanoBPM)", "\(Tempo.accepted.upperBound.nanoBPM)"],
      ["\(Tempo.accepted.lowerBound.nanoBPM - 1)", "\(Tempo.accepted.upperBound.nanoBPM + 1)"]
    ),
    (
      "tempoChange SET tempo =",
      ["\(Tempo.accepted.lowerBound.nanoBPM)", "\(Tempo.accepted.upperBound.nanoBPM)"],
      ["\(Tempo.accepted.lowerBound.nanoBPM - 1)", "\(Tempo.accepted.upperBound.nanoBPM + 1)"]
    ),
    ("project SET sampleRate =", SampleRate.ofProjects.map { "\($0.hertz)" }, ["48001"]),
    ("project SET panLaw =", PanLaw.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    ("project SET name =", [text(Name.maximumLength)], [text(Name.maximumLength + 1), "''"]),
    ("marker SET name =", [text(Name.maximumLength)], [text(Name.maximumLength + 1)]),
    ("track SET color =", Color.names.map { "'\($0)'" } + ["'#0099ff'"], ["'other'", "'#0099FF'"]),
    ("marker SET color =", Color.names.map { "'\($0)'" } + ["NULL"], ["'other'"]),
    (
      "track SET volume =", ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)", "-9e999"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)", "9e999"]
    ),
    (
      "region SET gain =", ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)"]
    ),
    (
      "instrument SET gain =", ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)"]
    ),
    (
      "track SET trim =", ["\(Track.acceptedTrim.lowerBound)", "\(Track.acceptedTrim.upperBound)"],
      ["\(Track.acceptedTrim.lowerBound.nextDown)", "\(Track.acceptedTrim.upperBound.nextUp)", "-9e999"]
    ),
    (
      "track SET stereoWidth =",
      ["\(Track.acceptedStereoWidth.lowerBound)", "\(Track.acceptedStereoWidth.upperBound)"],
      ["\(Track.acceptedStereoWidth.lowerBound.nextDown)", "\(Track.acceptedStereoWidth.upperBound.nextUp)"]
    ),
    ("track SET invertedSides =", InvertedSides.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    (
      "send SET level =", ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)", "-9e999"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)"]
    ),
    (
      "trackGroup SET volume =",
      ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)", "-9e999"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)"]
    ),
    ("trackGroup SET name =", [text(Name.maximumLength)], [text(Name.maximumLength + 1), "' x'"]),
    ("track SET monitor =", Monitor.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    (
      "track SET recordOffset =",
      ["\(Track.acceptedRecordOffset.lowerBound.frames)", "\(Track.acceptedRecordOffset.upperBound.frames)"],
      ["\(Track.acceptedRecordOffset.lowerBound.frames - 1)", "\(Track.acceptedRecordOffset.upperBound.frames + 1)"]
    ),
    ("take SET name =", [text(Name.maximumLength)], [text(Name.maximumLength + 1), "' x'"]),
    (
      "take SET rating =", ["\(Take.acceptedRating.lowerBound)", "\(Take.acceptedRating.upperBound)"],
      ["\(Take.acceptedRating.lowerBound - 1)", "\(Take.acceptedRating.upperBound + 1)"]
    ),
    ("take SET tags =", ["''", text(64), "'a b'"], [text(65), "' a'", "'a '", "'a  b'", "'A'", "'ä'"]),
    (
      "recordingNote SET title =", [text(RecordingNote.maximumTitleLength), "''"],
      [text(RecordingNote.maximumTitleLength + 1), "' x'", "char(10)"]
    ),
    (
      "recordingNote SET notes =", [text(RecordingNote.maximumNotesLength), "NULL"],
      [text(RecordingNote.maximumNotesLength + 1), "' x'", "''"]
    ),
    ("project SET keepRecordings =", ["NULL", "1", "36500"], ["0", "36501"]),
    ("project SET keepTranscripts =", ["NULL", "1", "36500"], ["0", "36501"]),
    ("project SET compressAfter =", ["NULL", "1", "36500"], ["0", "36501"]),
    ("project SET keepNewest =", ["NULL", "1", "1000000"], ["0", "1000001"]),
    ("project SET keepThread =", ["1", "1000"], ["0", "1001"]),
    ("project SET keepTrash =", ["0", "36500"], ["-1", "36501"]),
    (
      "project SET compressQuality =", Retention.Quality.allCases.map { "'\($0.rawValue)'" }, ["'other'"]
    ),
    ("project SET retentionScope =", Retention.Scope.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    ("comment SET thread = NULL, track = NULL, region = NULL, recording =", ["NULL", "1"], ["0", "-1"]),
    (
      "transcriptText SET text =", [text(TranscriptText.maximumLength)],
      [text(TranscriptText.maximumLength + 1), "' x'", "''"]
    ),
    ("lane SET timeBase =", TimeBase.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    (
      "lanePoint SET value =",
      ["\(Level.acceptedDecibels.lowerBound)", "\(Level.acceptedDecibels.upperBound)", "-9e999"],
      ["\(Level.acceptedDecibels.lowerBound.nextDown)", "\(Level.acceptedDecibels.upperBound.nextUp)", "9e999"]
    ),
    ("lanePoint SET shape =", LaneShape.allCases.map { "'\($0.rawValue)'" }, ["'other'"]),
    ("lanePoint SET position =", ["0", "\(TimelineLimit.ticks)"], ["-1", "\(TimelineLimit.ticks + 1)"]),
    // An effect stays of its kind.
    ("effect SET kind =", ["'compressor'"], ["'eq'", "'other'"]),
    ("region SET timeBase = 'musical', startTime =", ["\(TimelineLimit.ticks)"], ["\(TimelineLimit.ticks + 1)"]),
    (
      "marker SET timeBase = 'absolute', startTime =", ["\(TimelineLimit.flicks)"], ["\(TimelineLimit.flicks + 1)"]
    ),
    ("keySignature SET startTime =", ["0", "\(TimelineLimit.ticks)"], ["-1", "\(TimelineLimit.ticks + 1)"]),
    (
      "meterChange SET bar =", ["\(MeterChange.acceptedBars.lowerBound)", "\(MeterChange.acceptedBars.upperBound)"],
      ["\(MeterChange.acceptedBars.lowerBound - 1)", "\(MeterChange.acceptedBars.upperBound + 1)"]
    ),
    (
      "midiEvent SET number = 1, value = NULL, channel = 0, kind = 255, bytes =",
      ["x''", "zeroblob(\(RegionEvent.maximumByteCount))"], ["zeroblob(\(RegionEvent.maximumByteCount + 1))"]
    ),
  ]

  private static func text(_ length: Int) -> String { "'\(String(repeating: "n", count: length))'" }

  @Test("What the frozen texts accept is what the program accepts, at both ends")
  func constantsAgree() throws {
    try SampleProject.create(at: path).close()
    let other = try plainConnection(to: path)
    for (update, accepted, refused) in Self.ends {
      for value in accepted {
        #expect(throws: Never.self, "\(update) \(value)") {
          try other.inTransaction { database in
            try database.execute(sql: "UPDATE \(update) \(value)")
            return .rollback
          }
        }
      }
      for value in refused {
        #expect(throws: DatabaseError.self, "\(update) \(value)") {
          try other.inTransaction { database in
            try database.execute(sql: "UPDATE \(update) \(value)")
            return .rollback
          }
        }
      }
    }
  }
}
