extension Schema {
  /// Takes, what the user says about recordings, inputs of tracks, and facts about recordings, which no changeset
  /// records. Never edited, as `version1` is not.
  static let version7 = Migration(
    version: 7, sql: version7SQL,
    tables: ["recordingNote"] + version6.tables.flatMap { $0 == "region" ? ["region", "take"] : [$0] },
    factTables: ["gap", "segment", "pass", "recording", "factState"],
    fingerprint: "14e06a336df1a78bca48bb883d7fc042ad51c8d9a80db2d184ffad6edf48ce16")

  private static let version7SQL = #"""
    ALTER TABLE track ADD COLUMN input1 TEXT;
    ALTER TABLE track ADD COLUMN input2 TEXT;
    ALTER TABLE track ADD COLUMN midiInput TEXT;
    ALTER TABLE track ADD COLUMN monitor TEXT NOT NULL DEFAULT 'auto';
    ALTER TABLE track ADD COLUMN recordOffset INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE take (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      rating INTEGER NOT NULL,
      tags TEXT NOT NULL,
      pass INTEGER CONSTRAINT identifier CHECK (pass > 0)
    ) STRICT;
    CREATE INDEX takeByTrack ON take (track);
    CREATE INDEX takeByNameKey ON take (nameKey);
    CREATE INDEX takeByPass ON take (pass) WHERE pass IS NOT NULL;

    ALTER TABLE region ADD COLUMN take INTEGER CONSTRAINT referenceExists REFERENCES take (id) ON DELETE CASCADE;
    ALTER TABLE region ADD COLUMN isInUse INTEGER NOT NULL DEFAULT 1 CONSTRAINT flag CHECK (isInUse IN (0, 1));
    CREATE INDEX regionByTake ON region (take) WHERE take IS NOT NULL;

    CREATE TABLE recordingNote (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      title TEXT NOT NULL,
      notes TEXT
    ) STRICT;

    CREATE TABLE recording (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      createdAt INTEGER NOT NULL,
      startTime INTEGER NOT NULL,
      endTime INTEGER,
      isCompleted INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (isCompleted IN (0, 1)),
      duration INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (duration >= 0),
      sampleRate INTEGER NOT NULL CONSTRAINT recordingFacts CHECK (sampleRate BETWEEN 1 AND 10000000),
      bitDepth INTEGER NOT NULL DEFAULT 24 CONSTRAINT recordingFacts CHECK (bitDepth IN (16, 24, 32)),
      format TEXT NOT NULL DEFAULT 'wav' CONSTRAINT recordingFacts CHECK (format IN ('wav')),
      folder TEXT NOT NULL CONSTRAINT recordingFacts CHECK (folder <> ''),
      ownerProcess INTEGER CONSTRAINT recordingFacts CHECK (ownerProcess > 0),
      ownerStartTime INTEGER,
      ownerBoot TEXT CONSTRAINT recordingFacts CHECK (ownerBoot <> ''),
      CONSTRAINT recordingFacts CHECK ((ownerProcess IS NULL) = (ownerStartTime IS NULL)
        AND (ownerProcess IS NULL) = (ownerBoot IS NULL)),
      CONSTRAINT recordingFacts CHECK (isCompleted = 0 OR (endTime IS NOT NULL AND ownerProcess IS NULL))
    ) STRICT;
    CREATE INDEX recordingByDate ON recording (createdAt);
    CREATE INDEX recordingRunning ON recording (createdAt) WHERE isCompleted = 0;

    CREATE TABLE pass (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      recording INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES recording (id) ON DELETE CASCADE,
      track INTEGER NOT NULL CONSTRAINT recordingFacts CHECK (track > 0),
      number INTEGER NOT NULL DEFAULT 1 CONSTRAINT recordingFacts CHECK (number >= 1),
      channelCount INTEGER NOT NULL DEFAULT 1 CONSTRAINT recordingFacts CHECK (channelCount BETWEEN 0 AND 64),
      startTime INTEGER NOT NULL,
      firstHostFrame INTEGER NOT NULL,
      frames INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (frames >= 0),
      captureLatency INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (captureLatency >= 0),
      playbackLatency INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (playbackLatency >= 0),
      inputs TEXT NOT NULL DEFAULT '[]',
      pieces TEXT NOT NULL DEFAULT '[]',
      foundTags TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE UNIQUE INDEX passByRecording ON pass (recording, track, number);

    CREATE TABLE segment (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      pass INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES pass (id) ON DELETE CASCADE,
      segmentIndex INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (segmentIndex >= 0),
      startFrame INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (startFrame >= 0),
      frames INTEGER NOT NULL CONSTRAINT recordingFacts CHECK (frames >= 0),
      path TEXT NOT NULL CONSTRAINT recordingFacts CHECK (path <> ''),
      fileSize INTEGER NOT NULL DEFAULT 0 CONSTRAINT recordingFacts CHECK (fileSize >= 0),
      sha256 TEXT CONSTRAINT recordingFacts CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
      createdAt INTEGER NOT NULL,
      state TEXT NOT NULL CONSTRAINT recordingFacts
        CHECK (state IN ('recording', 'sealed', 'recovered', 'missing', 'trashed'))
    ) STRICT;
    CREATE UNIQUE INDEX segmentByPass ON segment (pass, segmentIndex);

    CREATE TABLE gap (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      pass INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES pass (id) ON DELETE CASCADE,
      start INTEGER NOT NULL CONSTRAINT recordingFacts CHECK (start >= 0),
      frames INTEGER NOT NULL CONSTRAINT recordingFacts CHECK (frames > 0),
      cause TEXT NOT NULL CONSTRAINT recordingFacts
        CHECK (cause IN ('xrun', 'overrun', 'diskFull', 'ioError', 'serverLost', 'lostEvents'))
    ) STRICT;
    CREATE UNIQUE INDEX gapByPass ON gap (pass, start);
    CREATE INDEX gapByCause ON gap (cause);

    CREATE TABLE factState (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id = 1),
      number INTEGER NOT NULL
    ) STRICT;
    INSERT INTO factState (id, number) VALUES (1, 0);

    """#
}
