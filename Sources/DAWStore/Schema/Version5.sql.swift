extension Schema {
  /// Outputs of tracks, sends, groups, and the strip's settings before its fader. Never edited, as `version1` is not.
  static let version5 = Migration(
    version: 5, sql: version5SQL, tables: ["groupMember", "send", "trackGroup"] + version4.tables,
    fingerprint: "01e44fd6343f2bb4630d160889117c1563980f43617d6f316acd726c5f6dc7b9")

  // A bus that is removed while it is fed is refused when the statement, or the undo, is complete: hence no RESTRICT.
  private static let version5SQL = #"""
    ALTER TABLE track ADD COLUMN trim REAL NOT NULL DEFAULT 0;
    ALTER TABLE track ADD COLUMN invertedSides TEXT NOT NULL DEFAULT 'none';
    ALTER TABLE track ADD COLUMN stereoWidth REAL NOT NULL DEFAULT 1;
    ALTER TABLE track ADD COLUMN isSoloSafe INTEGER NOT NULL DEFAULT 0 CONSTRAINT flag CHECK (isSoloSafe IN (0, 1));
    ALTER TABLE track ADD COLUMN outputBus INTEGER CONSTRAINT referenceExists REFERENCES track (id);
    ALTER TABLE track ADD COLUMN isOutputConnected INTEGER NOT NULL DEFAULT 1
      CONSTRAINT flag CHECK (isOutputConnected IN (0, 1));
    CREATE INDEX trackByOutputBus ON track (outputBus) WHERE outputBus IS NOT NULL;

    CREATE TABLE send (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      bus INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id),
      level REAL NOT NULL,
      pan REAL,
      isPreFader INTEGER NOT NULL CONSTRAINT flag CHECK (isPreFader IN (0, 1)),
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      CONSTRAINT send CHECK (track <> bus)
    ) STRICT;
    CREATE INDEX sendByTrack ON send (track, bus);
    CREATE INDEX sendByBus ON send (bus);

    CREATE TABLE trackGroup (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL CONSTRAINT nameKey CHECK (length(nameKey) > 0),
      volume REAL NOT NULL,
      isMuted INTEGER NOT NULL CONSTRAINT flag CHECK (isMuted IN (0, 1)),
      isSolo INTEGER NOT NULL CONSTRAINT flag CHECK (isSolo IN (0, 1))
    ) STRICT;
    CREATE INDEX trackGroupByNameKey ON trackGroup (nameKey);

    CREATE TABLE groupMember (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      trackGroup INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES trackGroup (id) ON DELETE CASCADE,
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX groupMemberByTrack ON groupMember (track, trackGroup);
    CREATE INDEX groupMemberByGroup ON groupMember (trackGroup);

    """#
}
