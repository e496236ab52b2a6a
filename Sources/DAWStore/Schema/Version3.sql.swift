extension Schema {
  /// Instruments with rows of their own, comments, and tables without limits that may widen, which triggers made from
  /// `StoredRule.all` enforce. Never edited, as `version1` is not.
  static let version3 = Migration(
    version: 3, sql: savedTables + version3Tables + restoredRows,
    tables: [
      "comment", "midiNote", "midiEvent", "region", "instrument", "track", "audioFile", "soundFont", "tempoChange",
      "meterChange", "keySignature", "marker", "project",
    ], fingerprint: "7cb7dcfc9fdd88bdfd464f2a13d9fe772f21012069d91d674ba1db627f110539",
    wholeSQL: keptTables + version3Tables, convert: Version3Journal.convert)

  private static let version3Tables = #"""
    CREATE TABLE project (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT projectIsOne CHECK (id = 1),
      uuid TEXT NOT NULL CONSTRAINT identifier
        CHECK (uuid GLOB replace('hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh', 'h', '[0-9a-f]')),
      createdDate INTEGER NOT NULL,
      name TEXT NOT NULL,
      tempo INTEGER NOT NULL,
      meterNumerator INTEGER NOT NULL,
      meterDenominator INTEGER NOT NULL,
      sampleRate INTEGER NOT NULL,
      panLaw TEXT NOT NULL,
      isTempoRamp INTEGER NOT NULL DEFAULT 0 CONSTRAINT flag CHECK (isTempoRamp IN (0, 1))
    ) STRICT;

    CREATE TABLE audioFile (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      path TEXT NOT NULL CONSTRAINT mediaLocation CHECK (path <> '' AND instr(path, char(0)) = 0),
      relativePath TEXT CONSTRAINT mediaLocation
        CHECK (relativePath IS NULL OR (relativePath <> '' AND instr(relativePath, char(0)) = 0)),
      sha256 TEXT NOT NULL CONSTRAINT mediaLocation
        CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
      byteCount INTEGER NOT NULL CONSTRAINT mediaLocation CHECK (byteCount >= 0),
      modificationTime INTEGER NOT NULL,
      frames INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (frames > 0),
      sampleRate INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (sampleRate >= 1),
      channelCount INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (channelCount >= 1),
      format TEXT NOT NULL,
      duration INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (duration = frames / sampleRate * 705600000
        + frames % sampleRate * 705600000 / sampleRate)
    ) STRICT;
    CREATE INDEX audioFileByHash ON audioFile (sha256);

    CREATE TABLE track (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      orderKey TEXT NOT NULL CONSTRAINT orderKey CHECK (orderKey = '~'
        OR (length(orderKey) BETWEEN 1 AND 200 AND orderKey NOT GLOB '*[^0-9A-Za-z]*' AND orderKey NOT GLOB '*0')),
      trackType TEXT NOT NULL,
      channelCount INTEGER,
      color TEXT NOT NULL,
      volume REAL NOT NULL,
      pan REAL NOT NULL,
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      isSolo INTEGER NOT NULL CONSTRAINT flag CHECK (isSolo IN (0, 1)),
      isRecordEnabled INTEGER NOT NULL CONSTRAINT flag CHECK (isRecordEnabled IN (0, 1)),
      midiOutput TEXT,
      CONSTRAINT masterIsLast CHECK ((trackType = 'master') = (orderKey = '~'))
    ) STRICT;
    CREATE INDEX trackByOrder ON track (orderKey, id);
    CREATE INDEX trackByNameKey ON track (nameKey);
    CREATE INDEX trackSoloed ON track (orderKey) WHERE isSolo = 1;

    CREATE TABLE instrument (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0)
        CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      soundFont INTEGER CONSTRAINT referenceExists REFERENCES soundFont (id) ON DELETE RESTRICT,
      bank INTEGER NOT NULL CONSTRAINT instrument CHECK (bank BETWEEN 0 AND 16383),
      program INTEGER NOT NULL CONSTRAINT instrument CHECK (program BETWEEN 0 AND 127),
      gain REAL NOT NULL,
      hasReverb INTEGER NOT NULL CONSTRAINT flag CHECK (hasReverb IN (0, 1)),
      reverbRoomSize REAL NOT NULL,
      reverbDamping REAL NOT NULL,
      reverbWidth REAL NOT NULL,
      reverbLevel REAL NOT NULL,
      hasChorus INTEGER NOT NULL CONSTRAINT flag CHECK (hasChorus IN (0, 1)),
      chorusVoices INTEGER NOT NULL,
      chorusLevel REAL NOT NULL,
      chorusSpeed REAL NOT NULL,
      chorusDepth REAL NOT NULL,
      gainReference TEXT NOT NULL
    ) STRICT;
    CREATE INDEX instrumentBySoundFont ON instrument (soundFont) WHERE soundFont IS NOT NULL;

    CREATE TABLE region (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      regionType TEXT NOT NULL,
      timeBase TEXT NOT NULL,
      startTime INTEGER NOT NULL CONSTRAINT regionStart CHECK (startTime >= 0),
      duration INTEGER NOT NULL CONSTRAINT regionDuration CHECK (duration > 0),
      audioFile INTEGER CONSTRAINT referenceExists REFERENCES audioFile (id) ON DELETE RESTRICT,
      audioOffset INTEGER CONSTRAINT regionWithinFile CHECK (audioOffset >= 0),
      channels TEXT,
      color TEXT,
      gain REAL NOT NULL,
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      CONSTRAINT regionType CHECK ((regionType = 'audio') = (audioFile IS NOT NULL)
        AND (regionType = 'audio') = (audioOffset IS NOT NULL) AND (regionType = 'audio') = (channels IS NOT NULL))
    ) STRICT;
    CREATE INDEX regionByTrack ON region (track, timeBase, startTime);
    CREATE INDEX regionByType ON region (regionType, timeBase, startTime);
    CREATE INDEX regionByDuration ON region (regionType, timeBase, duration);
    CREATE INDEX regionByFile ON region (audioFile) WHERE audioFile IS NOT NULL;
    CREATE INDEX regionByNameKey ON region (nameKey);

    CREATE TABLE tempoChange (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT tempoPosition CHECK (startTime > 0),
      tempo INTEGER NOT NULL,
      isRamp INTEGER NOT NULL CONSTRAINT flag CHECK (isRamp IN (0, 1))
    ) STRICT;
    CREATE INDEX tempoChangeByStart ON tempoChange (startTime);

    CREATE TABLE meterChange (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      bar INTEGER NOT NULL CONSTRAINT meterBar CHECK (bar >= 2),
      numerator INTEGER NOT NULL,
      denominator INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX meterChangeByBar ON meterChange (bar);

    CREATE TABLE keySignature (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0),
      fifths INTEGER NOT NULL CONSTRAINT keySignature CHECK (fifths BETWEEN -7 AND 7),
      isMinor INTEGER NOT NULL CONSTRAINT flag CHECK (isMinor IN (0, 1))
    ) STRICT;
    CREATE INDEX keySignatureByStart ON keySignature (startTime);

    CREATE TABLE marker (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      kind TEXT NOT NULL,
      timeBase TEXT NOT NULL,
      startTime INTEGER NOT NULL CONSTRAINT markPosition CHECK (startTime >= 0),
      duration INTEGER CONSTRAINT markerLength CHECK (duration IS NULL OR duration > 0),
      color TEXT
    ) STRICT;
    CREATE INDEX markerByStart ON marker (timeBase, startTime);
    CREATE INDEX markerByNameKey ON marker (nameKey);

    CREATE TABLE comment (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      region INTEGER CONSTRAINT referenceExists REFERENCES region (id) ON DELETE CASCADE,
      thread INTEGER CONSTRAINT referenceExists REFERENCES comment (id) ON DELETE CASCADE,
      timeBase TEXT,
      startTime INTEGER CONSTRAINT markPosition CHECK (startTime >= 0),
      author TEXT NOT NULL,
      date INTEGER NOT NULL,
      text TEXT NOT NULL,
      isResolved INTEGER NOT NULL CONSTRAINT flag CHECK (isResolved IN (0, 1)),
      CONSTRAINT markPosition CHECK ((timeBase IS NULL) = (startTime IS NULL))
    ) STRICT;
    CREATE INDEX commentByTrack ON comment (track) WHERE track IS NOT NULL;
    CREATE INDEX commentByRegion ON comment (region) WHERE region IS NOT NULL;
    CREATE INDEX commentByThread ON comment (thread) WHERE thread IS NOT NULL;

    """#

  /// The tables of version 2 that stay as they are, for new files.
  private static let keptTables = #"""
    CREATE TABLE soundFont (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      path TEXT NOT NULL CONSTRAINT mediaLocation CHECK (path <> '' AND instr(path, char(0)) = 0),
      relativePath TEXT CONSTRAINT mediaLocation
        CHECK (relativePath IS NULL OR (relativePath <> '' AND instr(relativePath, char(0)) = 0)),
      sha256 TEXT NOT NULL CONSTRAINT mediaLocation
        CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
      byteCount INTEGER NOT NULL CONSTRAINT mediaLocation CHECK (byteCount >= 0),
      modificationTime INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX soundFontByHash ON soundFont (sha256);

    CREATE TABLE midiNote (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      region INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES region (id) ON DELETE CASCADE,
      startTime INTEGER NOT NULL CONSTRAINT noteStart CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= 1099511627776),
      duration INTEGER NOT NULL CONSTRAINT noteDuration CHECK (duration > 0)
        CONSTRAINT timelineEnd CHECK (duration <= 1099511627776),
      pitch INTEGER NOT NULL CONSTRAINT pitch CHECK (pitch BETWEEN 0 AND 127),
      velocity INTEGER NOT NULL CONSTRAINT velocity CHECK (velocity BETWEEN 0 AND 127),
      channel INTEGER NOT NULL CONSTRAINT channel CHECK (channel BETWEEN 0 AND 15)
    , releaseVelocity INTEGER NOT NULL DEFAULT 64
      CONSTRAINT velocity CHECK (releaseVelocity BETWEEN 0 AND 127)) STRICT;
    CREATE INDEX midiNoteByRegion ON midiNote (region, startTime, duration);

    CREATE TABLE midiEvent (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      region INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES region (id) ON DELETE CASCADE,
      startTime INTEGER NOT NULL CONSTRAINT eventStart CHECK (startTime >= 0)
        CONSTRAINT timelineEnd CHECK (startTime <= 1099511627776),
      kind INTEGER NOT NULL CONSTRAINT eventKind CHECK (kind IN (160, 176, 192, 208, 224, 240, 255)),
      channel INTEGER NOT NULL CONSTRAINT channel CHECK (channel BETWEEN 0 AND CASE WHEN kind < 240 THEN 15 ELSE 0 \#
    END),
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
        WHEN 192 THEN (number IS NULL OR number BETWEEN 0 AND 16383) AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 208 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN 0 AND 127
        WHEN 224 THEN number IS NULL AND value IS NOT NULL AND value BETWEEN -8192 AND 8191
        WHEN 240 THEN number IS NULL AND value IS NULL
        WHEN 255 THEN number IS NOT NULL AND number BETWEEN 0 AND 127 AND number NOT IN (47, 81, 88) AND value IS NULL
        ELSE 1 END)
    ) STRICT;
    CREATE INDEX midiEventByRegion ON midiEvent (region, startTime);

    CREATE TABLE journalEntry (
      revision INTEGER PRIMARY KEY NOT NULL,
      entryID INTEGER NOT NULL,
      parent INTEGER NOT NULL,
      target INTEGER,
      kind TEXT NOT NULL CHECK (kind IN ('create', 'do', 'undo', 'redo', 'revert', 'merge', 'outside', 'identity',
        'base')),
      schemaVersion INTEGER NOT NULL,
      date INTEGER NOT NULL,
      author TEXT NOT NULL,
      summary TEXT NOT NULL,
      commandLine TEXT NOT NULL,
      isCompressed INTEGER NOT NULL CHECK (isCompressed IN (0, 1)),
      changeset BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX journalEntryByID ON journalEntry (entryID);

    CREATE TABLE journalState (
      id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
      revision INTEGER NOT NULL,
      modifiedDate INTEGER NOT NULL,
      node INTEGER NOT NULL,
      isWriting INTEGER NOT NULL CHECK (isWriting IN (0, 1)),
      outsideChanges INTEGER NOT NULL,
      maximumCount INTEGER CHECK (maximumCount > 0),
      maximumAge INTEGER CHECK (maximumAge > 0),
      maximumBytes INTEGER CHECK (maximumBytes > 0),
      entryCount INTEGER NOT NULL,
      byteCount INTEGER NOT NULL
    ) STRICT;

    """#

  private static let savedTables = #"""
    CREATE TEMP TABLE old_project AS SELECT * FROM main.project;
    DROP TABLE main.project;
    CREATE TEMP TABLE old_audioFile AS SELECT * FROM main.audioFile;
    DROP TABLE main.audioFile;
    CREATE TEMP TABLE old_track AS SELECT * FROM main.track;
    DROP TABLE main.track;
    CREATE TEMP TABLE old_region AS SELECT * FROM main.region;
    DROP TABLE main.region;
    CREATE TEMP TABLE old_tempoMark AS SELECT * FROM main.tempoMark;
    DROP TABLE main.tempoMark;
    CREATE TEMP TABLE old_meterMark AS SELECT * FROM main.meterMark;
    DROP TABLE main.meterMark;
    CREATE TEMP TABLE old_keyMark AS SELECT * FROM main.keyMark;
    DROP TABLE main.keyMark;
    CREATE TEMP TABLE old_marker AS SELECT * FROM main.marker;
    DROP TABLE main.marker;

    """#

  private static let restoredRows = #"""
    INSERT INTO main.project (id, uuid, createdDate, name, tempo, meterNumerator, meterDenominator,
      sampleRate, panLaw, isTempoRamp)
    SELECT id, uuid, createdDate, name, tempo, meterNumerator, meterDenominator, sampleRate, panLaw,
      isTempoRamp FROM temp.old_project;
    INSERT INTO main.audioFile (id, path, relativePath, sha256, byteCount, modificationTime, frames,
      sampleRate, channelCount, format, duration)
    SELECT id, path, relativePath, sha256, byteCount, modificationTime, frames, sampleRate,
      channelCount, format, duration FROM temp.old_audioFile;
    INSERT INTO main.track (id, name, nameKey, orderKey, trackType, channelCount, color, volume, pan,
      isMuted, isSolo, isRecordEnabled, midiOutput)
    SELECT id, name, nameKey, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo,
      isRecordEnabled, midiOutput FROM temp.old_track;
    INSERT INTO main.instrument
    SELECT id, soundFont, bank, coalesce(program, 0), instrumentGain, hasReverb, reverbRoomSize, reverbDamping, reverbWidth,
      reverbLevel, hasChorus, chorusVoices, chorusLevel, chorusSpeed, chorusDepth, 'fluidSynth'
    FROM temp.old_track WHERE bank IS NOT NULL;
    INSERT INTO main.region (id, track, name, nameKey, regionType, timeBase, startTime, duration,
      audioFile, audioOffset, channels, color, gain, isMuted)
    SELECT id, track, name, nameKey, regionType, timeBase, startTime, duration, audioFile, audioOffset,
      channels, color, gain, isMuted FROM temp.old_region;
    INSERT INTO main.tempoChange (id, startTime, tempo, isRamp)
    SELECT id, startTime, tempo, isRamp FROM temp.old_tempoMark;
    INSERT INTO main.meterChange (id, bar, numerator, denominator)
    SELECT id, bar, numerator, denominator FROM temp.old_meterMark;
    INSERT INTO main.keySignature (id, startTime, fifths, isMinor)
    SELECT id, startTime, fifths, isMinor FROM temp.old_keyMark;
    INSERT INTO main.marker (id, name, nameKey, kind, timeBase, startTime, duration, color)
    SELECT id, name, nameKey, kind, timeBase, startTime, duration, color FROM temp.old_marker;
    DROP TABLE temp.old_project;
    DROP TABLE temp.old_audioFile;
    DROP TABLE temp.old_track;
    DROP TABLE temp.old_region;
    DROP TABLE temp.old_tempoMark;
    DROP TABLE temp.old_meterMark;
    DROP TABLE temp.old_keyMark;
    DROP TABLE temp.old_marker;

    """#
}
