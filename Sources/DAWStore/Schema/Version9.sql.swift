extension Schema {
  /// Transcripts and jobs, which are facts, and what the user says was spoken. Never edited, as `version1` is not.
  static let version9 = Migration(
    version: 9, sql: version9SQL, tables: ["transcriptText"] + version8.tables,
    factTables: ["job", "transcript"] + version8.factTables,
    fingerprint: "185182140f0e049273e34af0a9765d0d1c89de6747090c4298d775fc19252744")

  private static let version9SQL = #"""
    CREATE TABLE transcriptText (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      text TEXT NOT NULL
    ) STRICT;

    CREATE TABLE transcript (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      pass INTEGER CONSTRAINT transcriptFacts CHECK (pass > 0),
      segmentIndex INTEGER CONSTRAINT transcriptFacts CHECK (segmentIndex >= 0),
      audioFile INTEGER CONSTRAINT transcriptFacts CHECK (audioFile > 0),
      startFrame INTEGER NOT NULL CONSTRAINT transcriptFacts CHECK (startFrame >= 0),
      frames INTEGER NOT NULL CONSTRAINT transcriptFacts CHECK (frames > 0),
      sampleRate INTEGER NOT NULL CONSTRAINT transcriptFacts CHECK (sampleRate BETWEEN 1 AND 10000000),
      isCurrent INTEGER NOT NULL DEFAULT 1 CONSTRAINT transcriptFacts CHECK (isCurrent IN (0, 1)),
      text TEXT NOT NULL DEFAULT '',
      language TEXT NOT NULL DEFAULT 'en' CONSTRAINT transcriptFacts CHECK (language <> ''),
      confidence REAL CONSTRAINT transcriptFacts CHECK (confidence BETWEEN 0 AND 1),
      engine TEXT CONSTRAINT transcriptFacts CHECK (engine <> ''),
      processingTime INTEGER NOT NULL DEFAULT 0 CONSTRAINT transcriptFacts CHECK (processingTime >= 0),
      words TEXT NOT NULL DEFAULT '[]',
      details TEXT,
      createdAt INTEGER NOT NULL,
      CONSTRAINT transcriptFacts CHECK ((pass IS NULL) = (segmentIndex IS NULL) AND (pass IS NULL) <> (audioFile IS NULL)),
      CONSTRAINT referenceExists FOREIGN KEY (pass, segmentIndex) REFERENCES segment (pass, segmentIndex)
        ON DELETE CASCADE
    ) STRICT;
    CREATE UNIQUE INDEX transcriptOfSegment ON transcript (pass, segmentIndex) WHERE isCurrent = 1 AND pass IS NOT NULL;
    CREATE UNIQUE INDEX transcriptOfFile ON transcript (audioFile, startFrame)
      WHERE isCurrent = 1 AND audioFile IS NOT NULL;
    CREATE INDEX transcriptBySegment ON transcript (pass, segmentIndex, createdAt);
    CREATE INDEX transcriptByFile ON transcript (audioFile, startFrame, createdAt);
    CREATE INDEX transcriptByConfidence ON transcript (confidence) WHERE isCurrent = 1;
    CREATE INDEX transcriptByDate ON transcript (createdAt);

    CREATE TABLE job (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      kind TEXT NOT NULL CONSTRAINT transcriptFacts CHECK (kind IN ('transcribe', 'command')),
      pass INTEGER CONSTRAINT transcriptFacts CHECK (pass > 0),
      segmentIndex INTEGER CONSTRAINT transcriptFacts CHECK (segmentIndex >= 0),
      audioFile INTEGER CONSTRAINT transcriptFacts CHECK (audioFile > 0),
      startFrame INTEGER CONSTRAINT transcriptFacts CHECK (startFrame >= 0),
      frames INTEGER CONSTRAINT transcriptFacts CHECK (frames > 0),
      sampleRate INTEGER CONSTRAINT transcriptFacts CHECK (sampleRate BETWEEN 1 AND 10000000),
      state TEXT NOT NULL DEFAULT 'pending' CONSTRAINT transcriptFacts
        CHECK (state IN ('pending', 'processing', 'completed', 'retrying', 'failed', 'cancelled')),
      progress REAL NOT NULL DEFAULT 0 CONSTRAINT transcriptFacts CHECK (progress BETWEEN 0 AND 1),
      retryCount INTEGER NOT NULL DEFAULT 0 CONSTRAINT transcriptFacts CHECK (retryCount >= 0),
      lastError TEXT,
      isOffline INTEGER NOT NULL DEFAULT 0 CONSTRAINT transcriptFacts CHECK (isOffline IN (0, 1)),
      engine TEXT CONSTRAINT transcriptFacts CHECK (engine <> ''),
      fallback TEXT CONSTRAINT transcriptFacts CHECK (fallback <> ''),
      language TEXT NOT NULL DEFAULT 'en' CONSTRAINT transcriptFacts CHECK (language <> ''),
      nextAttempt INTEGER NOT NULL,
      startedAt INTEGER,
      endedAt INTEGER,
      createdAt INTEGER NOT NULL,
      command TEXT NOT NULL DEFAULT '[]',
      folder TEXT,
      ownerProcess INTEGER CONSTRAINT transcriptFacts CHECK (ownerProcess > 0),
      ownerStartTime INTEGER,
      ownerBoot TEXT CONSTRAINT transcriptFacts CHECK (ownerBoot <> ''),
      CONSTRAINT transcriptFacts CHECK ((pass IS NULL) = (segmentIndex IS NULL)),
      CONSTRAINT transcriptFacts CHECK ((kind = 'transcribe') = ((pass IS NULL) <> (audioFile IS NULL))),
      CONSTRAINT transcriptFacts CHECK ((pass IS NULL AND audioFile IS NULL) = (startFrame IS NULL)
        AND (startFrame IS NULL) = (frames IS NULL) AND (frames IS NULL) = (sampleRate IS NULL)),
      CONSTRAINT transcriptFacts CHECK ((ownerProcess IS NULL) = (ownerStartTime IS NULL)
        AND (ownerProcess IS NULL) = (ownerBoot IS NULL) AND (state = 'processing') = (ownerProcess IS NOT NULL)),
      CONSTRAINT referenceExists FOREIGN KEY (pass, segmentIndex) REFERENCES segment (pass, segmentIndex)
        ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX jobByState ON job (state, nextAttempt);
    CREATE INDEX jobBySegment ON job (pass, segmentIndex) WHERE pass IS NOT NULL;
    CREATE INDEX jobByFile ON job (audioFile, startFrame) WHERE audioFile IS NOT NULL;
    CREATE INDEX jobByStart ON job (engine, startedAt) WHERE startedAt IS NOT NULL;

    """#
}
