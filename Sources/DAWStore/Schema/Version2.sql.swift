extension Schema {
  /// Events, the timeline's marks, and what an instrument does beside its program. Never edited, as `version1` is not.
  static let version2 = Migration(
    version: 2, sql: version2SQL,
    tables: ["midiEvent", "tempoMark", "meterMark", "keyMark", "marker"] + modelTables,
    fingerprint: "48dafe117bf4ee7569d9e275ef23e467fd077519cfb768d21ff324e2374de592")

  private static let version2SQL = #"""
    ALTER TABLE project ADD COLUMN isTempoRamp INTEGER NOT NULL DEFAULT 0
      CONSTRAINT flag CHECK (isTempoRamp IN (0, 1));
    ALTER TABLE midiNote ADD COLUMN releaseVelocity INTEGER NOT NULL DEFAULT 64
      CONSTRAINT velocity CHECK (releaseVelocity BETWEEN 0 AND 127);
    ALTER TABLE track ADD COLUMN instrumentGain REAL NOT NULL DEFAULT 0 CONSTRAINT gain CHECK (instrumentGain \#
    BETWEEN -60.0 AND 12.0 OR instrumentGain = -9e999);
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
      OR (trackType = 'midi' AND length(midiOutput) <= 255 AND midiOutput GLOB '?*:?*' AND instr(midiOutput, \#
    char(0)) = 0
        AND midiOutput NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'));
    CREATE TABLE midiEvent (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      region INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES region (id) ON DELETE CASCADE,
      startTime INTEGER NOT NULL CONSTRAINT eventStart CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= 1099511627776),
      kind INTEGER NOT NULL CONSTRAINT eventKind CHECK (kind IN (160, 176, 192, 208, 224, 240, 255)),
      channel INTEGER NOT NULL CONSTRAINT channel CHECK (channel BETWEEN 0 AND CASE WHEN kind < 240 THEN 15 ELSE \#
    0 END),
      number INTEGER,
      value INTEGER,
      bytes BLOB CONSTRAINT eventBytes CHECK (CASE
        WHEN kind < 240 THEN bytes IS NULL
        WHEN kind = 240 THEN bytes IS NOT NULL AND length(bytes) BETWEEN 1 AND 1048576
          AND substr(bytes, 1, 1) IN (x'F0', x'F7')
        ELSE bytes IS NOT NULL AND length(bytes) <= 1048576 END),
      CONSTRAINT eventValue CHECK (CASE kind
        WHEN 160 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND value IS NOT NULL AND value BETWEEN 0 \#
    AND 127
        WHEN 176 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND value IS NOT NULL AND value BETWEEN 0 \#
    AND 127
        WHEN 192 THEN (number IS NULL OR number BETWEEN 0 AND 16383) AND value IS NOT NULL AND value BETWEEN 0 \#
    AND 127
        WHEN 208 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 224 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN -8192 AND 8191
        WHEN 240 THEN number IS NULL AND value IS NULL
        WHEN 255 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND number NOT IN (47, 81, 88) AND value IS \#
    NULL
        ELSE 1 END)
    ) STRICT;
    CREATE INDEX midiEventByRegion ON midiEvent (region, startTime);

    CREATE TABLE tempoMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT tempoPosition CHECK (startTime > 0)
        CONSTRAINT timelineEnd CHECK (startTime <= 1099511627776),
      tempo INTEGER NOT NULL CONSTRAINT tempo
        CHECK (tempo BETWEEN 5000000000 AND 999000000000),
      isRamp INTEGER NOT NULL CONSTRAINT flag CHECK (isRamp IN (0, 1))
    ) STRICT;
    CREATE INDEX tempoMarkByStart ON tempoMark (startTime);

    CREATE TABLE meterMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      bar INTEGER NOT NULL CONSTRAINT meterBar
        CHECK (bar BETWEEN 2 AND 262144),
      numerator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (numerator BETWEEN 1 AND 64),
      denominator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (denominator IN (1, 2, 4, 8, 16, 32, 64))
    ) STRICT;
    CREATE INDEX meterMarkByBar ON meterMark (bar);

    CREATE TABLE keyMark (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= 1099511627776),
      fifths INTEGER NOT NULL CONSTRAINT keySignature CHECK (fifths BETWEEN -7 AND 7),
      isMinor INTEGER NOT NULL CONSTRAINT flag CHECK (isMinor IN (0, 1))
    ) STRICT;
    CREATE INDEX keyMarkByStart ON keyMark (startTime);

    CREATE TABLE marker (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL CONSTRAINT name CHECK (length(name) BETWEEN 1 AND 255 AND instr(name, char(0)) = 0
        AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
        AND name = trim(name, char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, \#
    8202, 8203,
          8232, 8233, 8239, 8287, 12288))),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      kind TEXT NOT NULL CONSTRAINT markerKind CHECK (kind IN ('marker', 'cue')),
      timeBase TEXT NOT NULL CONSTRAINT timeBase CHECK (timeBase IN ('musical', 'absolute')),
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0) CONSTRAINT timelineEnd
        CHECK (startTime <= CASE timeBase WHEN 'musical' THEN 1099511627776 ELSE 72057594037927936 END),
      duration INTEGER CONSTRAINT markerLength CHECK (duration IS NULL OR duration > 0) CONSTRAINT timelineEnd
        CHECK (duration IS NULL
          OR duration <= CASE timeBase WHEN 'musical' THEN 1099511627776 ELSE 72057594037927936 END),
      color TEXT CONSTRAINT color CHECK (color IS NULL OR color IN ('red', 'orange', 'yellow', 'green', 'mint', \#
    'teal', 'cyan', 'blue', 'indigo', 'purple', 'magenta', 'pink', 'brown', 'gray', 'black', 'white') OR \#
    (length(color) = 7 AND color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'))
    ) STRICT;
    CREATE INDEX markerByStart ON marker (timeBase, startTime);
    CREATE INDEX markerByNameKey ON marker (nameKey);
    CREATE TRIGGER identifier_midiEvent_update BEFORE UPDATE OF id
    ON midiEvent WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_tempoMark_update BEFORE UPDATE OF id
    ON tempoMark WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_meterMark_update BEFORE UPDATE OF id
    ON meterMark WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_keyMark_update BEFORE UPDATE OF id
    ON keyMark WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_marker_update BEFORE UPDATE OF id
    ON marker WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER markIsOnce_tempoMark_insert BEFORE INSERT
    ON tempoMark WHEN EXISTS (SELECT 1 FROM tempoMark WHERE startTime = NEW.startTime AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER markIsOnce_tempoMark_update BEFORE UPDATE OF startTime
    ON tempoMark WHEN EXISTS (SELECT 1 FROM tempoMark WHERE startTime = NEW.startTime AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER markIsOnce_meterMark_insert BEFORE INSERT
    ON meterMark WHEN EXISTS (SELECT 1 FROM meterMark WHERE bar = NEW.bar AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER markIsOnce_meterMark_update BEFORE UPDATE OF bar
    ON meterMark WHEN EXISTS (SELECT 1 FROM meterMark WHERE bar = NEW.bar AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER markIsOnce_keyMark_insert BEFORE INSERT
    ON keyMark WHEN EXISTS (SELECT 1 FROM keyMark WHERE startTime = NEW.startTime AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER markIsOnce_keyMark_update BEFORE UPDATE OF startTime
    ON keyMark WHEN EXISTS (SELECT 1 FROM keyMark WHERE startTime = NEW.startTime AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule markIsOnce'); END;
    CREATE TRIGGER eventFitsRegion_midiEvent_insert BEFORE INSERT ON midiEvent
    WHEN NOT EXISTS (SELECT 1 FROM region
      WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime)
    BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
      WHEN 'midi' THEN RAISE(ABORT, 'rule eventWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
      ELSE RAISE(ABORT, 'rule referenceExists') END;
    END;
    CREATE TRIGGER eventFitsRegion_midiEvent_update BEFORE UPDATE OF region, startTime ON midiEvent
    WHEN NOT EXISTS (SELECT 1 FROM region
      WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime)
    BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
      WHEN 'midi' THEN RAISE(ABORT, 'rule eventWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
      ELSE RAISE(ABORT, 'rule referenceExists') END;
    END;

    CREATE TRIGGER outside_midiEvent_insert AFTER INSERT ON midiEvent
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_midiEvent_update AFTER UPDATE ON midiEvent
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_midiEvent_delete AFTER DELETE ON midiEvent
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_tempoMark_insert AFTER INSERT ON tempoMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_tempoMark_update AFTER UPDATE ON tempoMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_tempoMark_delete AFTER DELETE ON tempoMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_meterMark_insert AFTER INSERT ON meterMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_meterMark_update AFTER UPDATE ON meterMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_meterMark_delete AFTER DELETE ON meterMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_keyMark_insert AFTER INSERT ON keyMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_keyMark_update AFTER UPDATE ON keyMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_keyMark_delete AFTER DELETE ON keyMark
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_marker_insert AFTER INSERT ON marker
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_marker_update AFTER UPDATE ON marker
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_marker_delete AFTER DELETE ON marker
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;

    """#
}
