extension Schema {
  /// How long recordings are kept, comments on them, and what is in the trash. Never edited, as `version1` is not.
  static let version8 = Migration(
    version: 8, sql: version8SQL, tables: version7.tables, factTables: version7.factTables,
    fingerprint: "889829681ffd22a27f010109641c5683a30d9349d07f29784c610c38c069ab3c")

  private static let version8SQL = #"""
    ALTER TABLE project ADD COLUMN keepRecordings INTEGER;
    ALTER TABLE project ADD COLUMN keepTranscripts INTEGER;
    ALTER TABLE project ADD COLUMN keepNewest INTEGER;
    ALTER TABLE project ADD COLUMN keepThread INTEGER NOT NULL DEFAULT 10;
    ALTER TABLE project ADD COLUMN compressAfter INTEGER;
    ALTER TABLE project ADD COLUMN compressQuality TEXT NOT NULL DEFAULT 'lossless';
    ALTER TABLE project ADD COLUMN keepTrash INTEGER NOT NULL DEFAULT 7;
    ALTER TABLE project ADD COLUMN retentionScope TEXT NOT NULL DEFAULT 'unused';

    ALTER TABLE comment ADD COLUMN recording INTEGER CONSTRAINT identifier CHECK (recording > 0);
    CREATE INDEX commentByRecording ON comment (recording) WHERE recording IS NOT NULL;

    ALTER TABLE recording ADD COLUMN trashedAt INTEGER;
    CREATE INDEX recordingTrashed ON recording (trashedAt) WHERE trashedAt IS NOT NULL;
    ALTER TABLE pass ADD COLUMN trackName TEXT NOT NULL DEFAULT ''
      CONSTRAINT recordingFacts CHECK (length(trackName) <= 255);
    ALTER TABLE segment ADD COLUMN recordedSHA256 TEXT CONSTRAINT recordingFacts
      CHECK (length(recordedSHA256) = 64 AND recordedSHA256 NOT GLOB '*[^0-9a-f]*');

    """#
}
