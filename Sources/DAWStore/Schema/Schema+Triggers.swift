import DAWModel

extension Schema {
  /// Rules of a row and its parent, and of rows that must differ, for any program that writes the file. They only raise.
  static let triggers = trackTriggers + regionTriggers + noteTriggers + mediaTriggers + identifierTriggers

  private static let trackTriggers =
    raising(
      .masterIsOne, on: "track", before: ["INSERT"],
      when: "NEW.trackType = 'master' AND EXISTS (SELECT 1 FROM track WHERE trackType = 'master' AND id <> NEW.id)")
    // The insertion is a `REPLACE`, which fires no trigger of deletion.
    + raising(
      .masterStays, on: "track", before: ["INSERT"],
      when: "EXISTS (SELECT 1 FROM track WHERE id = NEW.id AND trackType = 'master')")
    + raising(.masterStays, on: "track", before: ["DELETE"], when: "OLD.trackType = 'master'")
    + raising(
      .masterStays, on: "track", before: ["UPDATE OF trackType"],
      when: "(OLD.trackType = 'master') <> (NEW.trackType = 'master')")
    + raising(
      .trackTypeStays, on: "track", before: ["UPDATE OF trackType"],
      when: "OLD.trackType <> NEW.trackType AND EXISTS (SELECT 1 FROM region WHERE track = NEW.id)")
    + raising(
      .trackNameIsUnique, on: "track", before: ["INSERT", "UPDATE OF nameKey"],
      when: "EXISTS (SELECT 1 FROM track WHERE nameKey = NEW.nameKey AND id <> NEW.id)")
    + raising(
      .channelsFitTrack, on: "track", before: ["UPDATE OF channelCount"],
      when: """
        NEW.channelCount = 1 AND EXISTS (SELECT 1 FROM region JOIN audioFile ON audioFile.id = region.audioFile
          WHERE region.track = NEW.id AND \(isStereo("region.channels", of: "audioFile.channelCount")))
        """)
    + raising(
      .referenceExists, on: "track", before: ["INSERT", "UPDATE OF soundFont"],
      when: "NEW.soundFont IS NOT NULL AND NOT EXISTS (SELECT 1 FROM soundFont WHERE id = NEW.soundFont)")

  private static let regionTriggers =
    raising(
      .regionFitsTrack, on: "region", before: ["INSERT", "UPDATE OF track, regionType"],
      when: "(SELECT trackType FROM track WHERE id = NEW.track) <> NEW.regionType")
    + raising(
      .regionType, on: "region", before: ["UPDATE OF regionType"], when: "OLD.regionType <> NEW.regionType")
    + raising(
      .regionWithinFile, on: "region", before: ["INSERT", "UPDATE OF audioFile, audioOffset, duration"],
      when: "NEW.audioOffset + NEW.duration > (SELECT duration FROM audioFile WHERE id = NEW.audioFile)")
    + raising(
      .channelsFitFile, on: "region", before: ["INSERT", "UPDATE OF audioFile, channels"],
      when: "NOT (SELECT \(areThere("NEW.channels", of: "channelCount")) FROM audioFile WHERE id = NEW.audioFile)")
    + raising(
      .channelsFitTrack, on: "region", before: ["INSERT", "UPDATE OF track, audioFile, channels"],
      when: """
        (SELECT channelCount FROM track WHERE id = NEW.track) = 1
        AND (SELECT \(isStereo("NEW.channels", of: "channelCount")) FROM audioFile WHERE id = NEW.audioFile)
        """)
    + raising(
      .referenceExists, on: "region", before: ["INSERT", "UPDATE OF track"],
      when: "NOT EXISTS (SELECT 1 FROM track WHERE id = NEW.track)")
    + raising(
      .referenceExists, on: "region", before: ["INSERT", "UPDATE OF audioFile"],
      when: "NEW.audioFile IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audioFile WHERE id = NEW.audioFile)",
      name: "audioFileExists")

  /// One trigger for all rules of a note and its region, since notes come by the million.
  private static let noteTriggers = ["INSERT", "UPDATE OF region, startTime, duration"].map { event in
    """
    CREATE TRIGGER noteFitsRegion_midiNote_\(event.split(separator: " ")[0].lowercased()) BEFORE \(event) ON midiNote
    WHEN NOT EXISTS (SELECT 1 FROM region
      WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime + NEW.duration)
    BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
      WHEN 'midi' THEN RAISE(ABORT, 'rule noteWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
      ELSE RAISE(ABORT, 'rule referenceExists') END;
    END;

    """
  }.joined()

  private static let mediaTriggers =
    ["audioFile", "soundFont"].map { table in
      raising(
        .mediaIsOnce, on: table, before: ["INSERT", "UPDATE OF sha256"],
        when: "EXISTS (SELECT 1 FROM \(table) WHERE sha256 = NEW.sha256 AND id <> NEW.id)")
    }.joined()
    + raising(
      .mediumIsUnused, on: "audioFile", before: ["DELETE"],
      when: "EXISTS (SELECT 1 FROM region WHERE audioFile = OLD.id)")
    + raising(
      .mediumIsUnused, on: "soundFont", before: ["DELETE"],
      when: "EXISTS (SELECT 1 FROM track WHERE soundFont = OLD.id)")
    + raising(
      .regionWithinFile, on: "audioFile", before: ["UPDATE OF duration"],
      when: "EXISTS (SELECT 1 FROM region WHERE audioFile = NEW.id AND audioOffset + duration > NEW.duration)")
    + raising(
      .channelsFitFile, on: "audioFile", before: ["UPDATE OF channelCount"],
      when: """
        EXISTS (SELECT 1 FROM region WHERE audioFile = NEW.id AND NOT \(areThere("channels", of: "NEW.channelCount")))
        """)
    + raising(
      .channelsFitTrack, on: "audioFile", before: ["UPDATE OF channelCount"],
      when: """
        EXISTS (SELECT 1 FROM region JOIN track ON track.id = region.track WHERE region.audioFile = NEW.id
          AND track.channelCount = 1 AND \(isStereo("region.channels", of: "NEW.channelCount")))
        """)

  private static let identifierTriggers =
    modelTables.map { raising(.identifier, on: $0, before: ["UPDATE OF id"], when: "NEW.id <> OLD.id") }.joined()
    + raising(.projectIsOne, on: "project", before: ["DELETE"], when: "1")
    + raising(.projectIsOne, on: "project", before: ["INSERT"], when: "EXISTS (SELECT 1 FROM project)")

  /// Whether a selection of channels fits a file: `ChannelSelection.width(ofFileWith:)` is not `nil`.
  static func areThere(_ channels: String, of count: String) -> String {
    """
    CASE \(channels) WHEN 'all' THEN \(count) <= 2 WHEN 'mix' THEN \(count) = 2 WHEN 'left' THEN 1
      WHEN 'right' THEN \(count) >= 2 ELSE CAST(\(channels) AS INTEGER) BETWEEN 1 AND \(count)
        AND CAST(substr(\(channels), instr(\(channels), ',') + 1) AS INTEGER) BETWEEN 1 AND \(count) END
    """
  }

  /// Whether a selection of channels comes out on two: `ChannelSelection.width(ofFileWith:)` is 2.
  static func isStereo(_ channels: String, of count: String) -> String {
    "((\(channels) = 'all' AND \(count) = 2) OR instr(\(channels), ',') > 0)"
  }

  /// - Parameter name: where a rule has two triggers for the same events.
  static func raising(
    _ rule: Rule, on table: String, before events: [String], when condition: String, name: String? = nil
  ) -> String {
    events.map { event in
      """
      CREATE TRIGGER \(name ?? rule.rawValue)_\(table)_\(event.split(separator: " ")[0].lowercased()) BEFORE \(event)
      ON \(table) WHEN \(condition)
      BEGIN SELECT RAISE(ABORT, 'rule \(rule.rawValue)'); END;

      """
    }.joined()
  }

  /// What tells our writes from another program's: ours raise `isWriting` for the length of their transaction. They touch
  /// the journal's state alone, which no changeset records.
  static func outsideTriggers(for tables: [String]) -> String {
    tables.flatMap { table in
      ["INSERT", "UPDATE", "DELETE"].map { event in
        """
        CREATE TRIGGER outside_\(table)_\(event.lowercased()) AFTER \(event) ON \(table)
        WHEN (SELECT isWriting FROM journalState) = 0
        BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;

        """
      }
    }.joined()
  }
}
