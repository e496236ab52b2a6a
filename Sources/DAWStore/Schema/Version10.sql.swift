extension Schema {
  /// Summaries of recordings and the jobs that make them, which are facts, the seals of queued commands, and the sound
  /// of spoken comments. Never edited, as `version1` is not.
  static let version10 = Migration(
    version: 10, sql: version10SQL, tables: version9.tables,
    factTables: ["job", "summary", "transcript"] + version8.factTables,
    fingerprint: "2add15c15c3d67f1b076c9df991c2a7ddc8a8367051b4d94809410330a942b86")

  private static let version10SQL = #"""
    ALTER TABLE comment ADD COLUMN audioFile INTEGER
      CONSTRAINT referenceExists REFERENCES audioFile (id) ON DELETE RESTRICT;
    CREATE INDEX commentByFile ON comment (audioFile) WHERE audioFile IS NOT NULL;

    CREATE TABLE summary (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0)
        CONSTRAINT referenceExists REFERENCES recording (id) ON DELETE CASCADE,
      text TEXT NOT NULL CONSTRAINT transcriptFacts CHECK (text <> ''),
      engine TEXT NOT NULL CONSTRAINT transcriptFacts CHECK (engine <> ''),
      processingTime INTEGER NOT NULL DEFAULT 0 CONSTRAINT transcriptFacts CHECK (processingTime >= 0),
      createdAt INTEGER NOT NULL
    ) STRICT;

    CREATE TEMP TABLE old_job AS SELECT * FROM main.job;
    DROP TABLE main.job;
    CREATE TABLE job (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      kind TEXT NOT NULL CONSTRAINT transcriptFacts CHECK (kind IN ('transcribe', 'summarize', 'command')),
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
      seal TEXT,
      recording INTEGER CONSTRAINT referenceExists REFERENCES recording (id) ON DELETE CASCADE,
      ownerProcess INTEGER CONSTRAINT transcriptFacts CHECK (ownerProcess > 0),
      ownerStartTime INTEGER,
      ownerBoot TEXT CONSTRAINT transcriptFacts CHECK (ownerBoot <> ''),
      CONSTRAINT transcriptFacts CHECK ((pass IS NULL) = (segmentIndex IS NULL)),
      CONSTRAINT transcriptFacts CHECK ((kind = 'transcribe') = ((pass IS NULL) <> (audioFile IS NULL))),
      CONSTRAINT transcriptFacts CHECK ((kind = 'summarize') = (recording IS NOT NULL)),
      CONSTRAINT transcriptFacts CHECK ((pass IS NULL AND audioFile IS NULL) = (startFrame IS NULL)
        AND (startFrame IS NULL) = (frames IS NULL) AND (frames IS NULL) = (sampleRate IS NULL)),
      CONSTRAINT transcriptFacts CHECK ((ownerProcess IS NULL) = (ownerStartTime IS NULL)
        AND (ownerProcess IS NULL) = (ownerBoot IS NULL) AND (state = 'processing') = (ownerProcess IS NOT NULL)),
      CONSTRAINT referenceExists FOREIGN KEY (pass, segmentIndex) REFERENCES segment (pass, segmentIndex)
        ON DELETE CASCADE
    ) STRICT;
    INSERT INTO main.job (id, kind, pass, segmentIndex, audioFile, startFrame, frames, sampleRate, state, progress,
      retryCount, lastError, isOffline, engine, fallback, language, nextAttempt, startedAt, endedAt,
      createdAt, command, folder, ownerProcess, ownerStartTime, ownerBoot)
    SELECT id, kind, pass, segmentIndex, audioFile, startFrame, frames, sampleRate, state, progress,
      retryCount, lastError, isOffline, engine, fallback, language, nextAttempt, startedAt, endedAt,
      createdAt, command, folder, ownerProcess, ownerStartTime, ownerBoot FROM temp.old_job;
    DROP TABLE temp.old_job;
    CREATE INDEX jobByState ON job (state, nextAttempt);
    CREATE INDEX jobBySegment ON job (pass, segmentIndex) WHERE pass IS NOT NULL;
    CREATE INDEX jobByFile ON job (audioFile, startFrame) WHERE audioFile IS NOT NULL;
    CREATE INDEX jobByStart ON job (engine, startedAt) WHERE startedAt IS NOT NULL;
    CREATE INDEX jobByRecording ON job (recording) WHERE recording IS NOT NULL;

    """#
}
