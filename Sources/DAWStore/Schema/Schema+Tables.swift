import DAWModel
import DAWTime

extension Schema {
  /// Each `CHECK` bears the name of its rule, which `RuleViolation.init(_: DatabaseError)` reads back.
  static let tables = """
    CREATE TABLE project (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT projectIsOne CHECK (id = 1),
      uuid TEXT NOT NULL CONSTRAINT identifier
        CHECK (uuid GLOB replace('hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh', 'h', '[0-9a-f]')),
      createdDate INTEGER NOT NULL,
      name TEXT NOT NULL CONSTRAINT name CHECK (\(isName)),
      tempo INTEGER NOT NULL CONSTRAINT tempo
        CHECK (tempo BETWEEN \(Tempo.accepted.lowerBound.nanoBPM) AND \(Tempo.accepted.upperBound.nanoBPM)),
      meterNumerator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (meterNumerator BETWEEN 1 AND 64),
      meterDenominator INTEGER NOT NULL CONSTRAINT timeSignature CHECK (meterDenominator IN (1, 2, 4, 8, 16, 32, 64)),
      sampleRate INTEGER NOT NULL CONSTRAINT sampleRate
        CHECK (sampleRate IN (44100, 48000, 88200, 96000, 176400, 192000)),
      panLaw TEXT NOT NULL CONSTRAINT panLaw
        CHECK (panLaw IN ('constantPowerMinus3dB', 'linearMinus6dB', 'compromiseMinus4_5dB', 'balance0dB'))
    ) STRICT;

    CREATE TABLE audioFile (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      \(mediaColumns),
      frames INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (frames > 0),
      sampleRate INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (sampleRate BETWEEN 1 AND 10000000),
      channelCount INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (channelCount BETWEEN 1 AND 1024),
      format TEXT NOT NULL,
      duration INTEGER NOT NULL CONSTRAINT audioFileFacts CHECK (duration = frames / sampleRate * 705600000
        + frames % sampleRate * 705600000 / sampleRate) CONSTRAINT timelineEnd CHECK (duration <= \(TimelineLimit.flicks))
    ) STRICT;
    CREATE INDEX audioFileByHash ON audioFile (sha256);

    CREATE TABLE soundFont (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      \(mediaColumns)
    ) STRICT;
    CREATE INDEX soundFontByHash ON soundFont (sha256);

    CREATE TABLE track (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL CONSTRAINT name CHECK (\(isName)),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      orderKey TEXT NOT NULL CONSTRAINT orderKey CHECK (orderKey = '~'
        OR (length(orderKey) BETWEEN 1 AND 200 AND orderKey NOT GLOB '*[^0-9A-Za-z]*' AND orderKey NOT GLOB '*0')),
      trackType TEXT NOT NULL CONSTRAINT trackType CHECK (trackType IN ('audio', 'midi', 'bus', 'master')),
      channelCount INTEGER CONSTRAINT channelCount
        CHECK (CASE WHEN trackType = 'audio' THEN channelCount IS NULL OR channelCount IN (1, 2)
          ELSE channelCount IS NOT NULL AND channelCount = 2 END),
      color TEXT NOT NULL CONSTRAINT color CHECK (\(isColor)),
      volume REAL NOT NULL CONSTRAINT volume CHECK (\(isLevel("volume"))),
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
      name TEXT NOT NULL CONSTRAINT name CHECK (\(isName)),
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      regionType TEXT NOT NULL CONSTRAINT regionType CHECK (regionType IN ('audio', 'midi')),
      timeBase TEXT NOT NULL CONSTRAINT timeBase
        CHECK (timeBase = 'musical' OR (timeBase = 'absolute' AND regionType = 'audio')),
      startTime INTEGER NOT NULL CONSTRAINT regionStart CHECK (startTime >= 0) CONSTRAINT timelineEnd
        CHECK (startTime <= CASE timeBase WHEN 'musical' THEN \(TimelineLimit.ticks) ELSE \(TimelineLimit.flicks) END),
      duration INTEGER NOT NULL CONSTRAINT regionDuration CHECK (duration > 0) CONSTRAINT timelineEnd
        CHECK (duration <= CASE regionType WHEN 'midi' THEN \(TimelineLimit.ticks) ELSE \(TimelineLimit.flicks) END),
      audioFile INTEGER CONSTRAINT referenceExists REFERENCES audioFile (id) ON DELETE RESTRICT,
      audioOffset INTEGER CONSTRAINT regionWithinFile CHECK (audioOffset >= 0),
      channels TEXT CONSTRAINT channelsFitFile CHECK (\(isChannels)),
      color TEXT CONSTRAINT color CHECK (color IS NULL OR \(isColor)),
      gain REAL NOT NULL CONSTRAINT gain CHECK (\(isLevel("gain"))),
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
        CONSTRAINT timelineEnd CHECK (startTime <= \(TimelineLimit.ticks)),
      duration INTEGER NOT NULL CONSTRAINT noteDuration CHECK (duration > 0)
        CONSTRAINT timelineEnd CHECK (duration <= \(TimelineLimit.ticks)),
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

    """

  /// As `Name.validate()`, but for Unicode form NFC, which SQLite does not know. U+0000 ends a text for `length` and `GLOB`,
  /// so it is looked for by itself; the spaces are those that Foundation trims.
  static let isName = """
    length(name) BETWEEN 1 AND \(Name.maximumLength) AND instr(name, char(0)) = 0
        AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
        AND name = trim(name, char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8203,
          8232, 8233, 8239, 8287, 12288))
    """

  /// As `ChannelSelection` is written; whether the file has them is a trigger's matter.
  private static let isChannels = """
    channels IS NULL OR channels IN ('all', 'mix', 'left', 'right') OR (length(channels) <= 9
        AND channels GLOB '[1-9]*' AND channels NOT GLOB '*[^0-9,]*' AND channels NOT GLOB '*,*,*'
        AND channels NOT GLOB '*,' AND channels NOT GLOB '*,0*')
    """

  static let isColor =
    "color IN (\(Color.names.map { "'\($0)'" }.joined(separator: ", ")))"
    + " OR (length(color) = 7 AND color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]')"

  static func isLevel(_ column: String) -> String {
    "\(column) BETWEEN \(Level.acceptedDecibels.lowerBound) AND \(Level.acceptedDecibels.upperBound) OR \(column) = -9e999"
  }

  private static let mediaColumns = """
    path TEXT NOT NULL CONSTRAINT mediaLocation CHECK (path <> '' AND instr(path, char(0)) = 0),
      relativePath TEXT CONSTRAINT mediaLocation
        CHECK (relativePath IS NULL OR (relativePath <> '' AND instr(relativePath, char(0)) = 0)),
      sha256 TEXT NOT NULL CONSTRAINT mediaLocation
        CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
      byteCount INTEGER NOT NULL CONSTRAINT mediaLocation CHECK (byteCount >= 0),
      modificationTime INTEGER NOT NULL
    """
}
