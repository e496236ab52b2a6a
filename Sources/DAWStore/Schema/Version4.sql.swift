extension Schema {
  /// Fades of regions, and what overlapping regions of a track do. Never edited, as `version1` is not.
  static let version4 = Migration(
    version: 4, sql: version4SQL, tables: version3.tables,
    fingerprint: "6c375aa9a052acb3a57551644577de5283fdc69b74ee1f27ef6c9c7464ee9416")

  private static let version4SQL = #"""
    ALTER TABLE track ADD COLUMN overlap TEXT NOT NULL DEFAULT 'sum';
    ALTER TABLE region ADD COLUMN fadeInLength INTEGER NOT NULL DEFAULT 0 CONSTRAINT fade CHECK (fadeInLength >= 0);
    ALTER TABLE region ADD COLUMN fadeInCut INTEGER NOT NULL DEFAULT 0 CONSTRAINT fade CHECK (fadeInCut >= 0);
    ALTER TABLE region ADD COLUMN fadeInShape TEXT NOT NULL DEFAULT 'linear';
    ALTER TABLE region ADD COLUMN fadeOutLength INTEGER NOT NULL DEFAULT 0 CONSTRAINT fade CHECK (fadeOutLength >= 0);
    ALTER TABLE region ADD COLUMN fadeOutCut INTEGER NOT NULL DEFAULT 0 CONSTRAINT fade CHECK (fadeOutCut >= 0);
    ALTER TABLE region ADD COLUMN fadeOutShape TEXT NOT NULL DEFAULT 'linear';
    ALTER TABLE region ADD COLUMN isReversed INTEGER NOT NULL DEFAULT 0
      CONSTRAINT reversal CHECK (isReversed IN (0, 1));

    """#
}
