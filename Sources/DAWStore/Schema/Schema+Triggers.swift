import DAWModel

extension Schema {
  /// Rules of a row and its parent, and of rows that must differ, for any program that writes the file. They only raise.
  static let triggers =
    raising(
      .masterIsOne, on: "track", before: ["INSERT"],
      when: "NEW.trackType = 'master' AND EXISTS (SELECT 1 FROM track WHERE trackType = 'master')")
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
          WHERE region.track = NEW.id AND \(isStereo))
        """)
    + raising(
      .regionFitsTrack, on: "region", before: ["INSERT", "UPDATE OF track, regionType"],
      when: "(SELECT trackType FROM track WHERE id = NEW.track) <> NEW.regionType")
    + raising(
      .regionType, on: "region", before: ["UPDATE OF regionType"], when: "OLD.regionType <> NEW.regionType")
    + raising(
      .regionWithinFile, on: "region", before: ["INSERT", "UPDATE OF audioFile, audioOffset, duration"],
      when: "NEW.audioOffset + NEW.duration > (SELECT duration FROM audioFile WHERE id = NEW.audioFile)")
    + raising(
      .channelsFitFile, on: "region", before: ["INSERT", "UPDATE OF audioFile, channels"],
      when: """
        NEW.channels IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audioFile WHERE id = NEW.audioFile AND CASE
          WHEN NEW.channels = 'all' THEN channelCount <= 2
          WHEN NEW.channels = 'mix' THEN channelCount = 2
          WHEN NEW.channels = 'left' THEN 1
          WHEN NEW.channels = 'right' THEN channelCount >= 2
          WHEN NEW.channels GLOB '[1-9]*' AND NEW.channels NOT GLOB '*[^0-9,]*' THEN
            CAST(NEW.channels AS INTEGER) <= channelCount
            AND CAST(substr(NEW.channels, instr(NEW.channels, ',') + 1) AS INTEGER) BETWEEN 1 AND channelCount
          ELSE 0 END)
        """)
    + raising(
      .channelsFitTrack, on: "region", before: ["INSERT", "UPDATE OF track, audioFile, channels"],
      when: """
        NEW.channels IS NOT NULL AND (SELECT channelCount FROM track WHERE id = NEW.track) = 1
        AND (SELECT \(isStereo.replacingOccurrences(of: "region.", with: "NEW.")) FROM audioFile
          WHERE id = NEW.audioFile)
        """)
    + raising(
      .noteWithinRegion, on: "midiNote", before: ["INSERT", "UPDATE OF region, startTime, duration"],
      when: "NEW.startTime + NEW.duration > (SELECT duration FROM region WHERE id = NEW.region)")
    + raising(
      .regionFitsTrack, on: "midiNote", before: ["INSERT", "UPDATE OF region"],
      when: "(SELECT regionType FROM region WHERE id = NEW.region) = 'audio'")
    + raising(
      .mediaIsOnce, on: "audioFile", before: ["INSERT", "UPDATE OF sha256"],
      when: "EXISTS (SELECT 1 FROM audioFile WHERE sha256 = NEW.sha256 AND id <> NEW.id)")
    + raising(
      .mediaIsOnce, on: "soundFont", before: ["INSERT", "UPDATE OF sha256"],
      when: "EXISTS (SELECT 1 FROM soundFont WHERE sha256 = NEW.sha256 AND id <> NEW.id)")
    + raising(
      .regionWithinFile, on: "audioFile", before: ["UPDATE OF duration"],
      when: "EXISTS (SELECT 1 FROM region WHERE audioFile = NEW.id AND audioOffset + duration > NEW.duration)")
    + raising(.projectIsOne, on: "project", before: ["DELETE"], when: "1")

  /// Whether an audio region, joined with its file, comes out on two channels.
  private static let isStereo =
    "((region.channels = 'all' AND audioFile.channelCount = 2) OR instr(region.channels, ',') > 0)"

  private static func raising(_ rule: Rule, on table: String, before events: [String], when condition: String) -> String {
    events.map { event in
      let name = "\(rule.rawValue)_\(table)_\(event.split(separator: " ")[0].lowercased())"
      return """
        CREATE TRIGGER \(name) BEFORE \(event) ON \(table) WHEN \(condition)
        BEGIN SELECT RAISE(ABORT, 'rule \(rule.rawValue)'); END;

        """
    }.joined()
  }

  /// What tells our writes from another program's: ours raise `isWriting` for the length of their transaction. They touch
  /// the journal's state alone, which no changeset records.
  static let outsideTriggers = modelTables.flatMap { table in
    ["INSERT", "UPDATE", "DELETE"].map { event in
      """
      CREATE TRIGGER outside_\(table)_\(event.lowercased()) AFTER \(event) ON \(table)
      WHEN (SELECT isWriting FROM journalState) = 0
      BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;

      """
    }
  }.joined()
}
