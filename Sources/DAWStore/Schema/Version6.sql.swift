extension Schema {
  /// Automation lanes and effects. Never edited, as `version1` is not.
  static let version6 = Migration(
    version: 6, sql: version6SQL, tables: ["lanePoint", "lane", "effectSetting", "effect"] + version5.tables,
    fingerprint: "7b62b7a904110e26dd487c79a37612060bbc9e4c2c3c826661a6423002807a27")

  private static let version6SQL = #"""
    CREATE TABLE effect (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      number INTEGER NOT NULL CONSTRAINT effectNumber CHECK (number >= 1),
      isPostFader INTEGER NOT NULL CONSTRAINT flag CHECK (isPostFader IN (0, 1)),
      orderKey TEXT NOT NULL CONSTRAINT orderKey CHECK (length(orderKey) BETWEEN 1 AND 200
        AND orderKey NOT GLOB '*[^0-9A-Za-z]*' AND orderKey NOT GLOB '*0'),
      isBypassed INTEGER NOT NULL CONSTRAINT flag CHECK (isBypassed IN (0, 1)),
      isOff INTEGER NOT NULL CONSTRAINT flag CHECK (isOff IN (0, 1)),
      key INTEGER CONSTRAINT referenceExists REFERENCES track (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX effectByTrack ON effect (track, orderKey);
    CREATE INDEX effectByKey ON effect (key) WHERE key IS NOT NULL;

    CREATE TABLE effectSetting (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      effect INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES effect (id) ON DELETE CASCADE,
      parameter TEXT NOT NULL,
      value REAL NOT NULL
    ) STRICT;
    CREATE INDEX effectSettingByEffect ON effectSetting (effect, parameter);

    CREATE TABLE lane (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      track INTEGER CONSTRAINT referenceExists REFERENCES track (id) ON DELETE CASCADE,
      send INTEGER CONSTRAINT referenceExists REFERENCES send (id) ON DELETE CASCADE,
      trackGroup INTEGER CONSTRAINT referenceExists REFERENCES trackGroup (id) ON DELETE CASCADE,
      effect INTEGER CONSTRAINT referenceExists REFERENCES effect (id) ON DELETE CASCADE,
      parameter TEXT NOT NULL,
      timeBase TEXT NOT NULL,
      isRead INTEGER NOT NULL CONSTRAINT flag CHECK (isRead IN (0, 1)),
      CONSTRAINT laneOwner CHECK (
        (track IS NOT NULL) + (send IS NOT NULL) + (trackGroup IS NOT NULL) + (effect IS NOT NULL) = 1)
    ) STRICT;
    CREATE INDEX laneByTrack ON lane (track, parameter) WHERE track IS NOT NULL;
    CREATE INDEX laneBySend ON lane (send, parameter) WHERE send IS NOT NULL;
    CREATE INDEX laneByGroup ON lane (trackGroup, parameter) WHERE trackGroup IS NOT NULL;
    CREATE INDEX laneByEffect ON lane (effect, parameter) WHERE effect IS NOT NULL;

    CREATE TABLE lanePoint (
      id INTEGER PRIMARY KEY NOT NULL CONSTRAINT identifier CHECK (id > 0),
      lane INTEGER NOT NULL CONSTRAINT referenceExists REFERENCES lane (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CONSTRAINT pointPosition CHECK (position >= 0),
      value REAL NOT NULL,
      shape TEXT NOT NULL
    ) STRICT;
    CREATE INDEX lanePointByPlace ON lanePoint (lane, position);

    """#
}
