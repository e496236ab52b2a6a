import DAWModel
import DAWTime

extension Schema {
  /// Events, the timeline's marks, and what an instrument does beside its program. Never edited, as `version1` is not.
  static let version2 = Migration(
    version: 2, sql: version2Columns + version2Tables + version2Triggers, tables: newTables)

  private static let newTables = ["midiEvent", "tempoMark", "meterMark", "keyMark", "marker"]

  private static let version2Columns = """
    ALTER TABLE project ADD COLUMN isTempoRamp INTEGER NOT NULL DEFAULT 0
      CONSTRAINT flag CHECK (isTempoRamp IN (0, 1));
    ALTER TABLE midiNote ADD COLUMN releaseVelocity INTEGER NOT NULL DEFAULT 64
      CONSTRAINT velocity CHECK (releaseVelocity BETWEEN 0 AND 127);
    ALTER TABLE track ADD COLUMN instrumentGain REAL NOT NULL DEFAULT 0 CONSTRAINT gain CHECK (\(isLevel("instrumentGain")));
    ALTER TABLE track ADD COLUMN hasReverb INTEGER NOT NULL DEFAULT 0 CONSTRAINT flag CHECK (hasReverb IN (0, 1));
    ALTER TABLE track ADD COLUMN reverbRoomSize REAL NOT NULL DEFAULT 0.2
      CONSTRAINT reverb CHECK (reverbRoomSize BETWEEN 0 AND 1);
    ALTER TABLE track ADD COLUMN reverbDamping REAL NOT NULL DEFAULT 0
      CONSTRAINT reverb CHECK (reverbDamping BETWEEN 0 AND 1);
    ALTER TABLE track ADD COLUMN reverbWidth REAL NOT NULL DEFAULT 0.5
      CONSTRAINT reverb CHECK (reverbWidth BETWEEN 0 AND 100);
    ALTER TABLE track ADD COLUMN reverbLevel REAL NOT NULL DEFAULT 0.9
      CONSTRAINT reverb CHECK (reverbLevel BETWEEN 0 AND 1);
    ALTER TABLE track ADD COLUMN hasChorus INTEGER NOT NULL DEFAULT 0 CONSTRAINT flag CHECK (hasChorus IN (0, 1));
    ALTER TABLE track ADD COLUMN chorusVoices INTEGER NOT NULL DEFAULT 3
      CONSTRAINT chorus CHECK (chorusVoices BETWEEN 0 AND 99);
    ALTER TABLE track ADD COLUMN chorusLevel REAL NOT NULL DEFAULT 2
      CONSTRAINT chorus CHECK (chorusLevel BETWEEN 0 AND 10);
    ALTER TABLE track ADD COLUMN chorusSpeed REAL NOT NULL DEFAULT 0.3
      CONSTRAINT chorus CHECK (chorusSpeed BETWEEN 0.1 AND 5);
    ALTER TABLE track ADD COLUMN chorusDepth REAL NOT NULL DEFAULT 8
      CONSTRAINT chorus CHECK (chorusDepth BETWEEN 0 AND 256);
    ALTER TABLE track ADD COLUMN midiOutput TEXT CONSTRAINT midiOutput CHECK (midiOutput IS NULL
      OR (trackType = 'midi' AND length(midiOutput) <= 255 AND midiOutput GLOB '?*:?*' AND instr(midiOutput, char(0)) = 0
        AND midiOutput NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'));

    """

  private static let version2Tables = """
    CREATE TABLE midiEvent (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      region INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES region (id) ON DELETE CASCADE,
      startTime INTEGER NOT NULL CONSTRAINT eventStart CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= \(TimelineLimit.ticks)),
      kind INTEGER NOT NULL CONSTRAINT eventKind CHECK (kind IN (160, 176, 192, 208, 224, 240, 255)),
      channel INTEGER NOT NULL CONSTRAINT channel CHECK (channel BETWEEN 0 AND CASE WHEN kind < 240 THEN 15 ELSE 0 END),
      number INTEGER,
      value INTEGER,
      bytes BLOB CONSTRAINT eventBytes CHECK (CASE
        WHEN kind < 240 THEN bytes IS NULL
        WHEN kind = 240 THEN bytes IS NOT NULL AND length(bytes) BETWEEN 1 AND \(RegionEvent.maximumByteCount)
          AND substr(bytes, 1, 1) IN (x'F0', x'F7')
        ELSE bytes IS NOT NULL AND length(bytes) <= \(RegionEvent.maximumByteCount) END),
      CONSTRAINT eventValue CHECK (CASE kind
        WHEN 160 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 176 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 192 THEN (number IS NULL OR number BETWEEN 0 AND 16383) AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 208 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 224 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN -8192 AND 8191
        WHEN 240 THEN number IS NULL AND value IS NULL
        WHEN 255 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND number NOT IN (47, 81, 88) AND value IS NULL
        ELSE 1 END)
    ) STRICT;
    CREATE INDEX midiEventByRegion ON midiEvent (region, startTime);

    CREATE TABLE tempoMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT tempoPosition CHECK (startTime > 0)
        CONSTRAINT timelineEnd CHECK (startTime <= \(TimelineLimit.ticks)),
      tempo INTEGER NOT NULL CONSTRAINT tempo
        CHECK (tempo BETWEEN \(Tempo.accepted.lowerBound.nanoBPM) AND \(Tempo.accepted.upperBound.nanoBPM)),
      isRamp INTEGER NOT NULL CONSTRAINT flag CHECK (isRamp IN (0, 1))
    ) STRICT;
    CREATE INDEX tempoMarkByStart ON tempoMark (startTime);

    CREATE TABLE meterMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      bar INTEGER NOT NULL CONSTRAINT meterBar
        CHECK (bar BETWEEN \(MeterMark.acceptedBars.lowerBound) AND \(MeterMark.acceptedBars.upperBound)),
      numerator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (numerator BETWEEN 1 AND 64),
      denominator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (denominator IN (1, 2, 4, 8, 16, 32, 64))
    ) STRICT;
    CREATE INDEX meterMarkByBar ON meterMark (bar);

    CREATE TABLE keyMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= \(TimelineLimit.ticks)),
      fifths INTEGER NOT NULL CONSTRAINT keySignature CHECK (fifths BETWEEN -7 AND 7),
      isMinor INTEGER NOT NULL CONSTRAINT flag CHECK (isMinor IN (0, 1))
    ) STRICT;
    CREATE INDEX keyMarkByStart ON keyMark (startTime);

    CREATE TABLE marker (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL CONSTRAINT name CHECK (\(isName)),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      kind TEXT NOT NULL CONSTRAINT markerKind CHECK (kind IN ('marker', 'cue')),
      timeBase TEXT NOT NULL CONSTRAINT timeBase CHECK (timeBase IN ('musical', 'absolute')),
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0) CONSTRAINT timelineEnd
        CHECK (startTime <= CASE timeBase WHEN 'musical' THEN \(TimelineLimit.ticks) ELSE \(TimelineLimit.flicks) END),
      duration INTEGER CONSTRAINT markerLength CHECK (duration IS NULL OR duration > 0) CONSTRAINT timelineEnd
        CHECK (duration IS NULL
          OR duration <= CASE timeBase WHEN 'musical' THEN \(TimelineLimit.ticks) ELSE \(TimelineLimit.flicks) END),
      color TEXT CONSTRAINT color CHECK (color IS NULL OR \(isColor))
    ) STRICT;
    CREATE INDEX markerByStart ON marker (timeBase, startTime);
    CREATE INDEX markerByNameKey ON marker (nameKey);

    """

  private static let version2Triggers =
    newTables.map { raising(.identifier, on: $0, before: ["UPDATE OF id"], when: "NEW.id <> OLD.id") }.joined()
    + [("tempoMark", "startTime"), ("meterMark", "bar"), ("keyMark", "startTime")].map { table, place in
      raising(
        .markIsOnce, on: table, before: ["INSERT", "UPDATE OF \(place)"],
        when: "EXISTS (SELECT 1 FROM \(table) WHERE \(place) = NEW.\(place) AND id <> NEW.id)")
    }.joined()
    + ["INSERT", "UPDATE OF region, startTime"].map { event in
      """
      CREATE TRIGGER eventFitsRegion_midiEvent_\(event.split(separator: " ")[0].lowercased()) BEFORE \(event) ON midiEvent
      WHEN NOT EXISTS (SELECT 1 FROM region
        WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime)
      BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
        WHEN 'midi' THEN RAISE(ABORT, 'rule eventWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
        ELSE RAISE(ABORT, 'rule referenceExists') END;
      END;

      """
    }.joined()
}
