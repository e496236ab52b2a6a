extension Schema {
  /// Version 1, as it was released, to the letter: files made then have these texts in `sqlite_schema`, with which a
  /// file is compared when it is opened. No constant of the program is part of it; what comes later is a `Migration`.
  static let version1 = #"""
    CREATE TABLE project (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT projectIsOne CHECK (id = 1),
      uuid TEXT NOT NULL CONSTRAINT identifier
        CHECK (uuid GLOB replace('hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh', 'h', '[0-9a-f]')),
      createdDate INTEGER NOT NULL,
      name TEXT NOT NULL CONSTRAINT name CHECK (length(name) BETWEEN 1 AND 255 AND instr(name, char(0)) = 0
        AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
        AND name = trim(name, char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, \#
    8202, 8203,
          8232, 8233, 8239, 8287, 12288))),
      tempo INTEGER NOT NULL CONSTRAINT tempo
        CHECK (tempo BETWEEN 5000000000 AND 999000000000),
      meterNumerator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (meterNumerator BETWEEN 1 AND 64),
      meterDenominator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (meterDenominator IN (1, 2, 4, 8, 16, 32, \#
    64)),
      sampleRate INTEGER NOT NULL CONSTRAINT sampleRate
        CHECK (sampleRate IN (44100, 48000, 88200, 96000, 176400, 192000)),
      panLaw TEXT NOT NULL CONSTRAINT panLaw
        CHECK (panLaw IN ('constantPowerMinus3dB', 'linearMinus6dB', 'compromiseMinus4_5dB', 'balance0dB'))
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
      sampleRate INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (sampleRate BETWEEN 1 AND 10000000),
      channelCount INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (channelCount BETWEEN 1 AND 1024),
      format TEXT NOT NULL,
      duration INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (duration = frames / sampleRate * 705600000
        + frames % sampleRate * 705600000 / sampleRate) CONSTRAINT timelineEnd CHECK (duration <= 72057594037927936)
    ) STRICT;
    CREATE INDEX audioFileByHash ON audioFile (sha256);

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

    CREATE TABLE track (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL CONSTRAINT name CHECK (length(name) BETWEEN 1 AND 255 AND instr(name, char(0)) = 0
        AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
        AND name = trim(name, char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, \#
    8202, 8203,
          8232, 8233, 8239, 8287, 12288))),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      orderKey TEXT NOT NULL CONSTRAINT orderKey CHECK (orderKey = '~'
        OR (length(orderKey) BETWEEN 1 AND 200 AND orderKey NOT GLOB '*[^0-9A-Za-z]*' AND orderKey NOT GLOB '*0')),
      trackType TEXT NOT NULL CONSTRAINT trackType CHECK (trackType IN ('audio', 'midi', 'bus', 'master')),
      channelCount INTEGER CONSTRAINT channelCount
        CHECK (CASE WHEN trackType = 'audio' THEN channelCount IS NULL OR channelCount IN (1, 2)
          ELSE channelCount IS NOT NULL AND channelCount = 2 END),
      color TEXT NOT NULL CONSTRAINT color CHECK (color IN ('red', 'orange', 'yellow', 'green', 'mint', 'teal', \#
    'cyan', 'blue', 'indigo', 'purple', 'magenta', 'pink', 'brown', 'gray', 'black', 'white') OR (length(color) = \#
    7 AND color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]')),
      volume REAL NOT NULL CONSTRAINT volume CHECK (volume BETWEEN -60.0 AND 12.0 OR volume = -9e999),
      pan REAL NOT NULL CONSTRAINT pan CHECK (pan BETWEEN -1 AND 1),
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      isSolo INTEGER NOT NULL CONSTRAINT flag CHECK (isSolo IN (0, 1)),
      isRecordEnabled INTEGER NOT NULL CONSTRAINT flag CHECK (isRecordEnabled IN (0, 1)),
      soundFont INTEGER CONSTRAINT referenceExists REFERENCES soundFont (id) ON DELETE RESTRICT,
      bank INTEGER CONSTRAINT instrument CHECK ((bank IS NOT NULL) = (trackType = 'midi')
        AND (bank IS NULL OR bank BETWEEN 0 AND 16383)),
      program INTEGER CONSTRAINT instrument CHECK ((program IS NOT NULL) = (trackType = 'midi')
        AND (program IS NULL OR program BETWEEN 0 AND 127)),
      CONSTRAINT instrument CHECK (soundFont IS NULL OR trackType = 'midi'),
      CONSTRAINT masterIsLast CHECK ((trackType = 'master') = (orderKey = '~'))
    ) STRICT;
    CREATE INDEX trackByOrder ON track (orderKey, id);
    CREATE INDEX trackByNameKey ON track (nameKey);
    CREATE INDEX trackSoloed ON track (orderKey) WHERE isSolo = 1;
    CREATE INDEX trackBySoundFont ON track (soundFont) WHERE soundFont IS NOT NULL;

    CREATE TABLE region (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      name TEXT NOT NULL CONSTRAINT name CHECK (length(name) BETWEEN 1 AND 255 AND instr(name, char(0)) = 0
        AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
        AND name = trim(name, char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, \#
    8202, 8203,
          8232, 8233, 8239, 8287, 12288))),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      regionType TEXT NOT NULL CONSTRAINT regionType CHECK (regionType IN ('audio', 'midi')),
      timeBase TEXT NOT NULL CONSTRAINT timeBase
        CHECK (timeBase = 'musical' OR (timeBase = 'absolute' AND regionType = 'audio')),
      startTime INTEGER NOT NULL CONSTRAINT regionStart CHECK (startTime >= 0) CONSTRAINT timelineEnd
        CHECK (startTime <= CASE timeBase WHEN 'musical' THEN 1099511627776 ELSE 72057594037927936 END),
      duration INTEGER NOT NULL CONSTRAINT regionDuration CHECK (duration > 0) CONSTRAINT timelineEnd
        CHECK (duration <= CASE regionType WHEN 'midi' THEN 1099511627776 ELSE 72057594037927936 END),
      audioFile INTEGER CONSTRAINT referenceExists REFERENCES audioFile (id) ON DELETE RESTRICT,
      audioOffset INTEGER CONSTRAINT regionWithinFile CHECK (audioOffset >= 0),
      channels TEXT CONSTRAINT channelsFitFile CHECK (channels IS NULL OR channels IN ('all', 'mix', 'left', \#
    'right') OR (length(channels) <= 9
        AND channels GLOB '[1-9]*' AND channels NOT GLOB '*[^0-9,]*' AND channels NOT GLOB '*,*,*'
        AND channels NOT GLOB '*,' AND channels NOT GLOB '*,0*')),
      color TEXT CONSTRAINT color CHECK (color IS NULL OR color IN ('red', 'orange', 'yellow', 'green', 'mint', \#
    'teal', 'cyan', 'blue', 'indigo', 'purple', 'magenta', 'pink', 'brown', 'gray', 'black', 'white') OR \#
    (length(color) = 7 AND color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]')),
      gain REAL NOT NULL CONSTRAINT gain CHECK (gain BETWEEN -60.0 AND 12.0 OR gain = -9e999),
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      CONSTRAINT regionType CHECK ((regionType = 'audio') = (audioFile IS NOT NULL)
        AND (regionType = 'audio') = (audioOffset IS NOT NULL) AND (regionType = 'audio') = (channels IS NOT NULL))
    ) STRICT;
    CREATE INDEX regionByTrack ON region (track, timeBase, startTime);
    CREATE INDEX regionByType ON region (regionType, timeBase, startTime);
    CREATE INDEX regionByDuration ON region (regionType, timeBase, duration);
    CREATE INDEX regionByFile ON region (audioFile) WHERE audioFile IS NOT NULL;
    CREATE INDEX regionByNameKey ON region (nameKey);

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
    ) STRICT;
    CREATE INDEX midiNoteByRegion ON midiNote (region, startTime, duration);

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
    CREATE TRIGGER masterIsOne_track_insert BEFORE INSERT
    ON track WHEN NEW.trackType = 'master' AND EXISTS (SELECT 1 FROM track WHERE trackType = 'master' AND id <> \#
    NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule masterIsOne'); END;
    CREATE TRIGGER masterStays_track_insert BEFORE INSERT
    ON track WHEN EXISTS (SELECT 1 FROM track WHERE id = NEW.id AND trackType = 'master')
    BEGIN SELECT RAISE(ABORT, 'rule masterStays'); END;
    CREATE TRIGGER masterStays_track_delete BEFORE DELETE
    ON track WHEN OLD.trackType = 'master'
    BEGIN SELECT RAISE(ABORT, 'rule masterStays'); END;
    CREATE TRIGGER masterStays_track_update BEFORE UPDATE OF trackType
    ON track WHEN (OLD.trackType = 'master') <> (NEW.trackType = 'master')
    BEGIN SELECT RAISE(ABORT, 'rule masterStays'); END;
    CREATE TRIGGER trackTypeStays_track_update BEFORE UPDATE OF trackType
    ON track WHEN OLD.trackType <> NEW.trackType AND EXISTS (SELECT 1 FROM region WHERE track = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule trackTypeStays'); END;
    CREATE TRIGGER trackNameIsUnique_track_insert BEFORE INSERT
    ON track WHEN EXISTS (SELECT 1 FROM track WHERE nameKey = NEW.nameKey AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule trackNameIsUnique'); END;
    CREATE TRIGGER trackNameIsUnique_track_update BEFORE UPDATE OF nameKey
    ON track WHEN EXISTS (SELECT 1 FROM track WHERE nameKey = NEW.nameKey AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule trackNameIsUnique'); END;
    CREATE TRIGGER channelsFitTrack_track_update BEFORE UPDATE OF channelCount
    ON track WHEN NEW.channelCount = 1 AND EXISTS (SELECT 1 FROM region JOIN audioFile ON audioFile.id = \#
    region.audioFile
      WHERE region.track = NEW.id AND ((region.channels = 'all' AND audioFile.channelCount = 2) OR \#
    instr(region.channels, ',') > 0))
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitTrack'); END;
    CREATE TRIGGER referenceExists_track_insert BEFORE INSERT
    ON track WHEN NEW.soundFont IS NOT NULL AND NOT EXISTS (SELECT 1 FROM soundFont WHERE id = NEW.soundFont)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER referenceExists_track_update BEFORE UPDATE OF soundFont
    ON track WHEN NEW.soundFont IS NOT NULL AND NOT EXISTS (SELECT 1 FROM soundFont WHERE id = NEW.soundFont)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER regionFitsTrack_region_insert BEFORE INSERT
    ON region WHEN (SELECT trackType FROM track WHERE id = NEW.track) <> NEW.regionType
    BEGIN SELECT RAISE(ABORT, 'rule regionFitsTrack'); END;
    CREATE TRIGGER regionFitsTrack_region_update BEFORE UPDATE OF track, regionType
    ON region WHEN (SELECT trackType FROM track WHERE id = NEW.track) <> NEW.regionType
    BEGIN SELECT RAISE(ABORT, 'rule regionFitsTrack'); END;
    CREATE TRIGGER regionType_region_update BEFORE UPDATE OF regionType
    ON region WHEN OLD.regionType <> NEW.regionType
    BEGIN SELECT RAISE(ABORT, 'rule regionType'); END;
    CREATE TRIGGER regionWithinFile_region_insert BEFORE INSERT
    ON region WHEN NEW.audioOffset + NEW.duration > (SELECT duration FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule regionWithinFile'); END;
    CREATE TRIGGER regionWithinFile_region_update BEFORE UPDATE OF audioFile, audioOffset, duration
    ON region WHEN NEW.audioOffset + NEW.duration > (SELECT duration FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule regionWithinFile'); END;
    CREATE TRIGGER channelsFitFile_region_insert BEFORE INSERT
    ON region WHEN NOT (SELECT CASE NEW.channels WHEN 'all' THEN channelCount <= 2 WHEN 'mix' THEN channelCount = \#
    2 WHEN 'left' THEN 1
      WHEN 'right' THEN channelCount >= 2 ELSE CAST(NEW.channels AS INTEGER) BETWEEN 1 AND channelCount
        AND CAST(substr(NEW.channels, instr(NEW.channels, ',') + 1) AS INTEGER) BETWEEN 1 AND channelCount END \#
    FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitFile'); END;
    CREATE TRIGGER channelsFitFile_region_update BEFORE UPDATE OF audioFile, channels
    ON region WHEN NOT (SELECT CASE NEW.channels WHEN 'all' THEN channelCount <= 2 WHEN 'mix' THEN channelCount = \#
    2 WHEN 'left' THEN 1
      WHEN 'right' THEN channelCount >= 2 ELSE CAST(NEW.channels AS INTEGER) BETWEEN 1 AND channelCount
        AND CAST(substr(NEW.channels, instr(NEW.channels, ',') + 1) AS INTEGER) BETWEEN 1 AND channelCount END \#
    FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitFile'); END;
    CREATE TRIGGER channelsFitTrack_region_insert BEFORE INSERT
    ON region WHEN (SELECT channelCount FROM track WHERE id = NEW.track) = 1
    AND (SELECT ((NEW.channels = 'all' AND channelCount = 2) OR instr(NEW.channels, ',') > 0) FROM audioFile \#
    WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitTrack'); END;
    CREATE TRIGGER channelsFitTrack_region_update BEFORE UPDATE OF track, audioFile, channels
    ON region WHEN (SELECT channelCount FROM track WHERE id = NEW.track) = 1
    AND (SELECT ((NEW.channels = 'all' AND channelCount = 2) OR instr(NEW.channels, ',') > 0) FROM audioFile \#
    WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitTrack'); END;
    CREATE TRIGGER referenceExists_region_insert BEFORE INSERT
    ON region WHEN NOT EXISTS (SELECT 1 FROM track WHERE id = NEW.track)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER referenceExists_region_update BEFORE UPDATE OF track
    ON region WHEN NOT EXISTS (SELECT 1 FROM track WHERE id = NEW.track)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER audioFileExists_region_insert BEFORE INSERT
    ON region WHEN NEW.audioFile IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER audioFileExists_region_update BEFORE UPDATE OF audioFile
    ON region WHEN NEW.audioFile IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audioFile WHERE id = NEW.audioFile)
    BEGIN SELECT RAISE(ABORT, 'rule referenceExists'); END;
    CREATE TRIGGER noteFitsRegion_midiNote_insert BEFORE INSERT ON midiNote
    WHEN NOT EXISTS (SELECT 1 FROM region
      WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime + NEW.duration)
    BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
      WHEN 'midi' THEN RAISE(ABORT, 'rule noteWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
      ELSE RAISE(ABORT, 'rule referenceExists') END;
    END;
    CREATE TRIGGER noteFitsRegion_midiNote_update BEFORE UPDATE OF region, startTime, duration ON midiNote
    WHEN NOT EXISTS (SELECT 1 FROM region
      WHERE id = NEW.region AND regionType = 'midi' AND duration >= NEW.startTime + NEW.duration)
    BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
      WHEN 'midi' THEN RAISE(ABORT, 'rule noteWithinRegion') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
      ELSE RAISE(ABORT, 'rule referenceExists') END;
    END;
    CREATE TRIGGER mediaIsOnce_audioFile_insert BEFORE INSERT
    ON audioFile WHEN EXISTS (SELECT 1 FROM audioFile WHERE sha256 = NEW.sha256 AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediaIsOnce'); END;
    CREATE TRIGGER mediaIsOnce_audioFile_update BEFORE UPDATE OF sha256
    ON audioFile WHEN EXISTS (SELECT 1 FROM audioFile WHERE sha256 = NEW.sha256 AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediaIsOnce'); END;
    CREATE TRIGGER mediaIsOnce_soundFont_insert BEFORE INSERT
    ON soundFont WHEN EXISTS (SELECT 1 FROM soundFont WHERE sha256 = NEW.sha256 AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediaIsOnce'); END;
    CREATE TRIGGER mediaIsOnce_soundFont_update BEFORE UPDATE OF sha256
    ON soundFont WHEN EXISTS (SELECT 1 FROM soundFont WHERE sha256 = NEW.sha256 AND id <> NEW.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediaIsOnce'); END;
    CREATE TRIGGER mediumIsUnused_audioFile_delete BEFORE DELETE
    ON audioFile WHEN EXISTS (SELECT 1 FROM region WHERE audioFile = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediumIsUnused'); END;
    CREATE TRIGGER mediumIsUnused_soundFont_delete BEFORE DELETE
    ON soundFont WHEN EXISTS (SELECT 1 FROM track WHERE soundFont = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'rule mediumIsUnused'); END;
    CREATE TRIGGER regionWithinFile_audioFile_update BEFORE UPDATE OF duration
    ON audioFile WHEN EXISTS (SELECT 1 FROM region WHERE audioFile = NEW.id AND audioOffset + duration > \#
    NEW.duration)
    BEGIN SELECT RAISE(ABORT, 'rule regionWithinFile'); END;
    CREATE TRIGGER channelsFitFile_audioFile_update BEFORE UPDATE OF channelCount
    ON audioFile WHEN EXISTS (SELECT 1 FROM region WHERE audioFile = NEW.id AND NOT CASE channels WHEN 'all' THEN \#
    NEW.channelCount <= 2 WHEN 'mix' THEN NEW.channelCount = 2 WHEN 'left' THEN 1
      WHEN 'right' THEN NEW.channelCount >= 2 ELSE CAST(channels AS INTEGER) BETWEEN 1 AND NEW.channelCount
        AND CAST(substr(channels, instr(channels, ',') + 1) AS INTEGER) BETWEEN 1 AND NEW.channelCount END)
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitFile'); END;
    CREATE TRIGGER channelsFitTrack_audioFile_update BEFORE UPDATE OF channelCount
    ON audioFile WHEN EXISTS (SELECT 1 FROM region JOIN track ON track.id = region.track WHERE region.audioFile = \#
    NEW.id
      AND track.channelCount = 1 AND ((region.channels = 'all' AND NEW.channelCount = 2) OR \#
    instr(region.channels, ',') > 0))
    BEGIN SELECT RAISE(ABORT, 'rule channelsFitTrack'); END;
    CREATE TRIGGER identifier_midiNote_update BEFORE UPDATE OF id
    ON midiNote WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_region_update BEFORE UPDATE OF id
    ON region WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_track_update BEFORE UPDATE OF id
    ON track WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_audioFile_update BEFORE UPDATE OF id
    ON audioFile WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_soundFont_update BEFORE UPDATE OF id
    ON soundFont WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER identifier_project_update BEFORE UPDATE OF id
    ON project WHEN NEW.id <> OLD.id
    BEGIN SELECT RAISE(ABORT, 'rule identifier'); END;
    CREATE TRIGGER projectIsOne_project_delete BEFORE DELETE
    ON project WHEN 1
    BEGIN SELECT RAISE(ABORT, 'rule projectIsOne'); END;
    CREATE TRIGGER projectIsOne_project_insert BEFORE INSERT
    ON project WHEN EXISTS (SELECT 1 FROM project)
    BEGIN SELECT RAISE(ABORT, 'rule projectIsOne'); END;
    CREATE TRIGGER outside_midiNote_insert AFTER INSERT ON midiNote
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_midiNote_update AFTER UPDATE ON midiNote
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_midiNote_delete AFTER DELETE ON midiNote
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_region_insert AFTER INSERT ON region
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_region_update AFTER UPDATE ON region
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_region_delete AFTER DELETE ON region
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_track_insert AFTER INSERT ON track
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_track_update AFTER UPDATE ON track
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_track_delete AFTER DELETE ON track
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_audioFile_insert AFTER INSERT ON audioFile
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_audioFile_update AFTER UPDATE ON audioFile
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_audioFile_delete AFTER DELETE ON audioFile
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_soundFont_insert AFTER INSERT ON soundFont
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_soundFont_update AFTER UPDATE ON soundFont
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_soundFont_delete AFTER DELETE ON soundFont
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_project_insert AFTER INSERT ON project
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_project_update AFTER UPDATE ON project
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;
    CREATE TRIGGER outside_project_delete AFTER DELETE ON project
    WHEN (SELECT isWriting FROM journalState) = 0
    BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END;

    """#
}
