import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// A statement that breaks a rule of the sample project.
private struct Breach {
  var sql: String
  /// The rule that `daw check` reports if the statement succeeds; `nil` for the rule itself. They differ if the rule
  /// forbids a change rather than a state.
  var found: Rule?

  init(_ sql: String, found: Rule? = nil) {
    self.sql = sql
    self.found = found
  }

  /// `nil` if this file has no breach of the rule.
  static func of(_ rule: Rule) -> Breach? {
    let row =
      "INSERT INTO track (id, name, nameKey, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, "
      + "isRecordEnabled) SELECT 99, 'Second', 'second', orderKey, 'master', channelCount, color, volume, pan, 0, 0, 0"
    let bus =
      "INSERT INTO track (id, name, nameKey, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, "
      + "isRecordEnabled) SELECT 99, 'Hall', 'hall', 'z', 'bus', channelCount, color, volume, pan, 0, 0, 0"
    return [
      .projectIsOne: Breach("DELETE FROM project"),
      .name: Breach("UPDATE track SET name = '' WHERE id = 10"),
      .nameKey: Breach("UPDATE track SET nameKey = 'other' WHERE id = 10"),
      .tempo: Breach("UPDATE project SET tempo = 1"),
      .timeSignature: Breach("UPDATE project SET meterDenominator = 3"),
      .sampleRate: Breach("UPDATE project SET sampleRate = 8000"),
      .panLaw: Breach("UPDATE project SET panLaw = 'none'"),
      .timelineEnd: Breach("UPDATE region SET startTime = (1 << 56) + 1 WHERE id = 20"),
      .trackNameIsUnique: Breach("UPDATE track SET name = 'Keys', nameKey = 'keys' WHERE id = 10"),
      .masterIsOne: Breach("\(row) FROM track WHERE trackType = 'master'"),
      .masterStays: Breach("DELETE FROM track WHERE trackType = 'master'", found: .masterIsOne),
      .masterIsLast: Breach("UPDATE track SET orderKey = '~' WHERE id = 10"),
      .trackType: Breach("UPDATE track SET trackType = 'choir' WHERE id = 12"),
      .trackTypeStays: Breach(
        "UPDATE track SET trackType = 'bus', channelCount = 2 WHERE id = 10", found: .regionFitsTrack),
      .channelCount: Breach("UPDATE track SET channelCount = 3 WHERE id = 10"),
      .color: Breach("UPDATE track SET color = 'mauve' WHERE id = 10"),
      .volume: Breach("UPDATE track SET volume = 12.5 WHERE id = 10"),
      .pan: Breach("UPDATE track SET pan = 2 WHERE id = 10"),
      .orderKey: Breach("UPDATE track SET orderKey = 'a0' WHERE id = 10"),
      .reverb: Breach("UPDATE instrument SET reverbDamping = 1.5 WHERE id = 11"),
      .chorus: Breach("UPDATE instrument SET chorusSpeed = 0 WHERE id = 11"),
      .midiOutput: Breach("UPDATE track SET midiOutput = 'nowhere' WHERE id = 11"),
      .instrument: Breach("UPDATE instrument SET bank = 16384 WHERE id = 11"),
      .gainReference: Breach("UPDATE instrument SET gainReference = 'loud'"),
      .commentSubject: Breach("UPDATE comment SET track = 10 WHERE id = 61"),
      .commentThread: Breach("UPDATE comment SET thread = 63 WHERE id = 62"),
      .commentAuthor: Breach("UPDATE comment SET author = '' WHERE id = 60"),
      .commentDate: Breach("UPDATE comment SET date = 1 << 60 WHERE id = 60"),
      .commentText: Breach("UPDATE comment SET text = ' x' WHERE id = 60"),
      .flag: Breach("UPDATE track SET isMuted = 2 WHERE id = 10"),
      .regionType: Breach("UPDATE region SET audioFile = NULL WHERE id = 20"),
      .regionFitsTrack: Breach("UPDATE region SET track = 12 WHERE id = 20"),
      .timeBase: Breach("UPDATE region SET timeBase = 'absolute' WHERE id = 21"),
      .regionStart: Breach("UPDATE region SET startTime = -1 WHERE id = 20"),
      .regionDuration: Breach("UPDATE region SET duration = 0 WHERE id = 20"),
      .regionWithinFile: Breach("UPDATE region SET duration = duration + 1 WHERE id = 20"),
      .channelsFitFile: Breach("UPDATE region SET channels = '3' WHERE id = 20"),
      .channelsFitTrack: Breach("UPDATE region SET channels = 'all' WHERE id = 22"),
      .gain: Breach("UPDATE region SET gain = -61 WHERE id = 20"),
      .fade: Breach("UPDATE region SET fadeInCut = 1 WHERE id = 20"),
      .reversal: Breach("UPDATE region SET isReversed = 1 WHERE id = 21"),
      .overlap: Breach("UPDATE track SET overlap = 'crossfade' WHERE id = 11"),
      .trim: Breach("UPDATE track SET trim = 24.1 WHERE id = 10"),
      .invertedSides: Breach("UPDATE track SET invertedSides = 'top' WHERE id = 10"),
      .stereoWidth: Breach("UPDATE track SET stereoWidth = -1.1 WHERE id = 10"),
      .output: Breach("UPDATE track SET outputBus = 10 WHERE id = 11"),
      .busIsFed: Breach("DELETE FROM track WHERE id = 16", found: .referenceExists),
      .routingCycle: Breach(
        "\(bus) FROM track WHERE id = 12; UPDATE track SET outputBus = 12 WHERE id = 99; "
          + "INSERT INTO send VALUES (99, 12, 99, 0, NULL, 0, 0)"),
      .send: Breach("UPDATE send SET bus = 10"),
      .sendIsOnce: Breach("INSERT INTO send SELECT 99, track, bus, 0, NULL, 0, 0 FROM send"),
      .sendLevel: Breach("UPDATE send SET level = 13"),
      .groupNameIsUnique: Breach("INSERT INTO trackGroup SELECT 99, name, nameKey, 0, 0, 0 FROM trackGroup"),
      .groupMember: Breach("UPDATE groupMember SET track = (SELECT id FROM track WHERE trackType = 'master')"),
      .memberIsOnce: Breach("INSERT INTO groupMember SELECT 99, trackGroup, track FROM groupMember WHERE id = 90"),
      .laneOwner: Breach("UPDATE lane SET track = NULL WHERE id = 120"),
      .laneParameter: Breach("UPDATE lane SET parameter = 'level' WHERE id = 122"),
      .laneIsOnce: Breach(
        "INSERT INTO lane SELECT 199, track, send, trackGroup, effect, parameter, timeBase, 1 FROM lane WHERE id = 120"),
      .pointPosition: Breach("UPDATE lanePoint SET position = -1 WHERE id = 130"),
      .pointIsOnce: Breach("UPDATE lanePoint SET position = 0"),
      .pointValue: Breach("UPDATE lanePoint SET value = 12.5 WHERE id = 130"),
      .pointShape: Breach("UPDATE lanePoint SET shape = 'bent' WHERE id = 130"),
      .effectKind: Breach("UPDATE effect SET kind = 'flanger'"),
      .effectNumber: Breach("UPDATE effect SET number = 0"),
      .effectIsOnce: Breach("INSERT INTO effect SELECT 199, track, kind, number, 0, 'x', 0, 0, NULL FROM effect"),
      .effectCount: Breach(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 34) "
          + "INSERT INTO effect SELECT 1000 + i, 10, 'gate', i, 0, 'V', 0, 0, NULL FROM n"),
      .effectKey: Breach("UPDATE effect SET key = track"),
      .effectLatency: Breach(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6) INSERT INTO track (id, name, "
          + "nameKey, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled, "
          + "outputBus) SELECT 200 + i, 'Way ' || i, 'way ' || i, 'z' || (i + 1), 'bus', 2, 'blue', 0, 0, 0, 0, 0, "
          + "iif(i > 0, 199 + i, NULL) FROM n; "
          + "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 223) "
          + "INSERT INTO effect SELECT 1000 + i, 200 + i / 32, 'limiter', i % 32 + 1, 0, 'V', 0, 0, NULL FROM n; "
          + "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 223) "
          + "INSERT INTO effectSetting SELECT 1000 + i, 1000 + i, 'lookAhead', 10 FROM n"),
      .effectSetting: Breach("UPDATE effectSetting SET value = 9e999"),
      .effectSettingIsOnce: Breach("INSERT INTO effectSetting SELECT 199, effect, parameter, 1 FROM effectSetting"),
      .audioInput: Breach("UPDATE track SET input2 = 'system:capture_2' WHERE id = 10"),
      .midiInput: Breach("UPDATE track SET midiInput = 'nowhere' WHERE id = 11"),
      .monitor: Breach("UPDATE track SET monitor = 'loud' WHERE id = 10"),
      .recordOffset: Breach("UPDATE track SET recordOffset = 192001 WHERE id = 10"),
      .regionOfTake: Breach("UPDATE take SET track = 13"),
      .retention: Breach("UPDATE project SET keepRecordings = 0"),
      .takeRating: Breach("UPDATE take SET rating = 6"),
      .takeTags: Breach("UPDATE take SET tags = 'Good'"),
      .recordingTitle: Breach("UPDATE recordingNote SET title = ' x'"),
      .recordingNotes: Breach("UPDATE recordingNote SET notes = ''"),
      .recordingFacts: Breach(
        "INSERT INTO recording (id, createdAt, startTime, bitDepth, sampleRate, folder) VALUES (1, 0, 0, 25, 1, 'x')"),
      .transcriptText: Breach("UPDATE transcriptText SET text = ''"),
      .transcriptFacts: Breach(
        "INSERT INTO transcript (id, audioFile, startFrame, frames, sampleRate, createdAt) VALUES (1, 1, 0, 0, 1, 0)"),
      .regionCoversNotes: Breach("DELETE FROM midiEvent; UPDATE region SET duration = 10 WHERE id = 21"),
      .noteStart: Breach("UPDATE midiNote SET startTime = -1 WHERE id = 30"),
      .noteDuration: Breach("UPDATE midiNote SET duration = 0 WHERE id = 30"),
      .noteWithinRegion: Breach("UPDATE midiNote SET duration = 61441 WHERE id = 30", found: .regionCoversNotes),
      .pitch: Breach("UPDATE midiNote SET pitch = 128 WHERE id = 30"),
      .velocity: Breach("UPDATE midiNote SET velocity = 128 WHERE id = 30"),
      .channel: Breach("UPDATE midiNote SET channel = 16 WHERE id = 30"),
      .eventStart: Breach("UPDATE midiEvent SET startTime = -1 WHERE id = 40"),
      .eventWithinRegion: Breach("UPDATE midiEvent SET startTime = 61441 WHERE id = 40", found: .regionCoversEvents),
      .eventKind: Breach("UPDATE midiEvent SET kind = 177 WHERE id = 40"),
      .eventValue: Breach("UPDATE midiEvent SET value = NULL WHERE id = 40"),
      .eventBytes: Breach("UPDATE midiEvent SET bytes = x'00' WHERE id = 45"),
      .regionCoversEvents: Breach("UPDATE region SET duration = 61439 WHERE id = 21"),
      .tempoPosition: Breach("UPDATE tempoChange SET startTime = 0"),
      .meterBar: Breach("UPDATE meterChange SET bar = 1"),
      .markIsOnce: Breach("INSERT INTO keySignature SELECT 99, startTime, 0, 0 FROM keySignature"),
      .keySignature: Breach("UPDATE keySignature SET fifths = 8"),
      .markPosition: Breach("UPDATE marker SET startTime = -1"),
      .markerKind: Breach("UPDATE marker SET kind = 'sign'"),
      .markerLength: Breach("UPDATE marker SET duration = 0"),
      .mediaLocation: Breach("UPDATE audioFile SET path = '' WHERE id = 2"),
      .mediaIsOnce: Breach("UPDATE audioFile SET sha256 = (SELECT sha256 FROM audioFile WHERE id = 1) WHERE id = 2"),
      .audioFileFacts: Breach("UPDATE audioFile SET duration = duration + 1 WHERE id = 2"),
      .mediumIsUnused: Breach("DELETE FROM audioFile WHERE id = 1", found: .referenceExists),
      .referenceExists: Breach("UPDATE region SET track = 999 WHERE id = 21"),
      .identifier: Breach("UPDATE midiNote SET id = -30 WHERE id = 30"),
    ][rule]
  }
}

@Suite("Rules")
struct RuleTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
  }

  @Test("The schema refuses violations by other programs, naming the rule; others are found", arguments: Rule.allCases)
  func schemaHolds(rule: Rule) throws {
    let breach = try #require(Breach.of(rule), "a new rule needs a statement that breaks it")
    let other = try plainConnection(to: folder.project)
    switch rule.enforcement {
    case .schema:
      let error = #expect(throws: DatabaseError.self) { try other.write { try $0.execute(sql: breach.sql) } }
      #expect(error.flatMap { RuleViolation($0) }?.rule == rule, "\(error?.message ?? "")")
      let (status, message) = try run("sqlite3", [folder.project, "PRAGMA foreign_keys = ON; \(breach.sql)"])
      #expect(status != 0)
      #expect(message.contains(rule.rawValue), "\(message)")
    case .commit:
      try other.write { try $0.execute(sql: breach.sql) }
    }
    try other.close()
    let store = try ProjectStore.open(at: folder.project)
    let found = try store.read { try $0.brokenRules() }.map(\.violation.rule)
    #expect(Set(found) == (rule.enforcement == .schema ? [] : [rule]))
  }

  @Test("A broken rule is found if all of SQLite's checks were off", arguments: Rule.allCases)
  func auditFinds(rule: Rule) throws {
    let breach = try #require(Breach.of(rule))
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: breach.sql) }
    let found = try other.read { try ProjectView(database: $0).brokenRules() }.map(\.violation.rule)
    #expect(found.contains(breach.found ?? rule), "found \(found)")
    try other.close()
    // Whatever is broken, using the project must end in a result or an error, never in a trap.
    let store = try? ProjectStore.open(at: folder.project)
    let project = try? store?.read { view in
      _ = try view.regions(RegionFilter(from: .zero))
      return try view.project()
    }
    let ownRow: [Rule] = [.tempo, .timeSignature, .flag, .pan, .regionStart, .pitch, .timelineEnd]
    if ownRow.contains(rule) { #expect(project == nil) }
  }

  @Test("REPLACE, which fires no trigger of deletion, cannot remove the master")
  func replaceKeepsTheMaster() throws {
    let other = try plainConnection(to: folder.project)
    let names =
      "id, name, nameKey, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled"
    let values = "id, name, nameKey, 'V5', 'audio', 2, color, volume, pan, 0, 0, 0"
    let sql = "REPLACE INTO track (\(names)) SELECT \(values) FROM track WHERE trackType = 'master'"
    let error = #expect(throws: DatabaseError.self) { try other.write { try $0.execute(sql: sql) } }
    #expect(error.flatMap { RuleViolation($0) }?.rule == .masterStays)
  }

  @Test(
    "A lane of a parameter that its effect does not have, or with a value beyond its range, is found",
    arguments: [
      ("UPDATE lane SET parameter = 'decay' WHERE id = 123", [Rule.laneParameter]),
      ("UPDATE lane SET parameter = 'lookAhead' WHERE id = 123", [.laneParameter]),
      (
        "UPDATE lane SET parameter = 'ratio' WHERE id = 123; INSERT INTO lanePoint VALUES (199, 123, 0, 0.5, 'linear')",
        [.pointValue]
      ),
      (
        "UPDATE lane SET parameter = 'ratio' WHERE id = 123; INSERT INTO lanePoint VALUES (199, 123, 0, -9e999, 'hold')",
        [.pointValue]
      ),
      (
        "UPDATE lane SET parameter = 'ratio' WHERE id = 123; INSERT INTO lanePoint VALUES (199, 123, 0, 100, 'sCurve')",
        []
      ),
    ])
  func lanesOfEffects(sql: String, rules: [Rule]) throws {
    let other = try plainConnection(to: folder.project)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
    let store = try ProjectStore.open(at: folder.project)
    #expect(try store.read { try $0.brokenRules() }.map(\.violation.rule) == rules)
  }

  @Test("Effects that look ahead further than any number says are found, not trapped on")
  func endlessLookAhead() throws {
    let other = try lawlessConnection(to: folder.project)
    try other.write {
      try $0.execute(
        sql: """
          INSERT INTO effect SELECT 101, track, kind, 2, isPostFader, 'W', 0, 0, NULL FROM effect;
          INSERT INTO effectSetting SELECT 200 + id, id, 'lookAhead', 1e308 FROM effect
          """)
    }
    let found = try other.read { try ProjectView(database: $0).brokenRules() }
    #expect(found.contains { $0.violation.rule == .effectSetting })
    let latency = try #require(found.first { $0.violation.rule == .effectLatency })
    #expect(latency.violation.value.contains("1000000000000 ms"), "\(latency.violation.value)")
  }

  @Test(
    "A file's channels change only where its regions still fit",
    arguments: [(1, Rule.channelsFitFile), (3, .channelsFitFile)])
  func channelsOfFiles(count: Int, rule: Rule) throws {
    let other = try plainConnection(to: folder.project)
    let sql =
      "UPDATE region SET channels = 'mix' WHERE id = 20; UPDATE audioFile SET channelCount = \(count) WHERE id = 1"
    let error = #expect(throws: DatabaseError.self) { try other.write { try $0.execute(sql: sql) } }
    #expect(error.flatMap { RuleViolation($0) }?.rule == rule)
  }
}
