import DAWModel

extension StoredRule {
  static let all =
    ofOneRow + ofNames + ofTracks + ofRegions + ofContents + ofTimeline + ofMedia + ofComments + references + ofRouting
    + ofLanes + ofEffectLanes + ofEffects + ofRecording

  /// Limits of single values, which may widen. `Entity.validate()` has the same.
  private static let ofOneRow =
    [
      limit(.tempo, "project", "tempo", "BETWEEN 5000000000 AND 999000000000"),
      limit(.tempo, "tempoChange", "tempo", "BETWEEN 5000000000 AND 999000000000"),
      limit(.sampleRate, "project", "sampleRate", "IN (44100, 48000, 88200, 96000, 176400, 192000)"),
      limit(
        .panLaw, "project", "panLaw",
        "IN ('constantPowerMinus3dB', 'linearMinus6dB', 'compromiseMinus4_5dB', 'balance0dB')"),
      timeSignature("project", "meterNumerator", "meterDenominator"),
      timeSignature("meterChange", "numerator", "denominator"),
      limit(.meterBar, "meterChange", "bar", "<= 262144"),
      Self(
        rule: .overlap, table: "track", columns: ["overlap", "trackType"],
        condition: "NOT (row.overlap = 'sum' OR (row.overlap = 'crossfade' AND row.trackType = 'audio'))", since: 4),
      limit(.trackType, "track", "trackType", "IN ('audio', 'midi', 'bus', 'master')"),
      Self(
        rule: .channelCount, table: "track", columns: ["channelCount", "trackType"],
        condition: """
          CASE WHEN row.trackType = 'audio' THEN row.channelCount IS NOT NULL AND row.channelCount NOT IN (1, 2)
            ELSE row.channelCount IS NOT 2 END
          """),
      limit(.pan, "track", "pan", "BETWEEN -1 AND 1"),
      Self(
        rule: .midiOutput, table: "track", columns: ["midiOutput", "trackType"],
        condition: isNoPort("midiOutput", of: "midi", maximumLength: 255)),
      level(.volume, "track", "volume"), level(.gain, "region", "gain"), level(.gain, "instrument", "gain"),
      Self(
        rule: .reverb, table: "instrument",
        columns: ["reverbRoomSize", "reverbDamping", "reverbWidth", "reverbLevel"],
        condition: """
          NOT (row.reverbRoomSize BETWEEN 0 AND 1 AND row.reverbDamping BETWEEN 0 AND 1
            AND row.reverbWidth BETWEEN 0 AND 100 AND row.reverbLevel BETWEEN 0 AND 1)
          """),
      Self(
        rule: .chorus, table: "instrument", columns: ["chorusVoices", "chorusLevel", "chorusSpeed", "chorusDepth"],
        condition: """
          NOT (row.chorusVoices BETWEEN 0 AND 99 AND row.chorusLevel BETWEEN 0 AND 10
            AND row.chorusSpeed BETWEEN 0.1 AND 5 AND row.chorusDepth BETWEEN 0 AND 256)
          """),
      limit(.gainReference, "instrument", "gainReference", "IN ('fluidSynth', 'calibrated')"),
      limit(.regionType, "region", "regionType", "IN ('audio', 'midi')"),
      Self(
        rule: .timeBase, table: "region", columns: ["timeBase", "regionType"],
        condition: "NOT (row.timeBase = 'musical' OR (row.timeBase = 'absolute' AND row.regionType = 'audio'))"),
      limit(.timeBase, "marker", "timeBase", "IN ('musical', 'absolute')"),
      limit(.timeBase, "comment", "timeBase", "IN ('musical', 'absolute')"),
      limit(.markerKind, "marker", "kind", "IN ('marker', 'cue')"),
      Self(
        rule: .audioFileFacts, table: "audioFile", columns: ["sampleRate", "channelCount"],
        condition: "row.sampleRate > 10000000 OR row.channelCount > 1024"),
    ] + ["track", "region", "marker"].map(color) + ends

  static func limit(
    _ rule: Rule, _ table: String, _ column: String, _ accepted: String, since: Int = firstVersion
  ) -> Self {
    Self(rule: rule, table: table, columns: [column], condition: "NOT row.\(column) \(accepted)", since: since)
  }

  static func level(_ rule: Rule, _ table: String, _ column: String, since: Int = firstVersion) -> Self {
    Self(
      rule: rule, table: table, columns: [column],
      condition: "NOT (row.\(column) BETWEEN -60.0 AND 12.0 OR row.\(column) = -9e999)", since: since)
  }

  /// Whether a column of a track holds something that is no port, or that a track of its type does not have.
  static func isNoPort(_ column: String, of type: String, maximumLength: Int) -> String {
    """
    row.\(column) IS NOT NULL AND (row.trackType <> '\(type)' OR length(row.\(column)) > \(maximumLength)
      OR row.\(column) NOT GLOB '?*:?*' OR instr(row.\(column), char(0)) > 0
      OR row.\(column) GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*')
    """
  }

  private static func timeSignature(_ table: String, _ numerator: String, _ denominator: String) -> Self {
    Self(
      rule: .timeSignature, table: table, columns: [numerator, denominator],
      condition:
        "NOT (row.\(numerator) BETWEEN 1 AND 64 AND row.\(denominator) IN (1, 2, 4, 8, 16, 32, 64))")
  }

  private static func color(of table: String) -> Self {
    Self(
      rule: .color, table: table, columns: ["color"],
      condition: """
        NOT (row.color IN ('red', 'orange', 'yellow', 'green', 'mint', 'teal', 'cyan', 'blue', 'indigo', 'purple',
          'magenta', 'pink', 'brown', 'gray', 'black', 'white')
          OR (length(row.color) = 7 AND row.color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'))
        """)
  }

  /// The end of the timeline, in ticks or flicks.
  private static let ends: [Self] = {
    func end(_ table: String, _ columns: [String], _ condition: String) -> Self {
      Self(rule: .timelineEnd, table: table, columns: columns, condition: condition)
    }
    let (ticks, flicks) = ("1099511627776", "72057594037927936")
    let start = "row.startTime > CASE row.timeBase WHEN 'musical' THEN \(ticks) ELSE \(flicks) END"
    return [
      end("audioFile", ["duration"], "row.duration > \(flicks)"),
      end(
        "region", ["timeBase", "startTime", "duration", "regionType"],
        "\(start) OR row.duration > CASE row.regionType WHEN 'midi' THEN \(ticks) ELSE \(flicks) END"),
      end(
        "marker", ["timeBase", "startTime", "duration"],
        "\(start) OR row.duration > CASE row.timeBase WHEN 'musical' THEN \(ticks) ELSE \(flicks) END"),
      end("comment", ["timeBase", "startTime"], start),
      end("tempoChange", ["startTime"], "row.startTime > \(ticks)"),
      end("keySignature", ["startTime"], "row.startTime > \(ticks)"),
    ]
  }()

  private static let ofNames = ["project", "track", "region", "marker"].map { name(of: $0) }

  static func name(of table: String, since: Int = firstVersion) -> Self {
    Self(
      rule: .name, table: table, columns: ["name"],
      condition: """
        NOT (length(row.name) BETWEEN 1 AND 255 AND instr(row.name, char(0)) = 0
          AND row.name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
          AND row.name = trim(row.name, char(\(spaces))))
        """, since: since)
  }

  /// Unicode's spaces, without control characters.
  static let spaces = """
    32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8203, 8232, 8233, 8239, 8287,
          12288
    """

  private static let ofTracks = [
    Self(
      rule: .masterIsOne, table: "track", columns: ["trackType"],
      condition: """
        row.trackType = 'master' AND EXISTS (SELECT 1 FROM track WHERE trackType = 'master' AND id <> row.id)
        """),
    Self(
      rule: .trackNameIsUnique, table: "track", columns: ["nameKey"],
      condition: "EXISTS (SELECT 1 FROM track WHERE nameKey = row.nameKey AND id <> row.id)",
      value: "'the name ''' || row.name || ''''"),
    Self(
      rule: .instrument, table: "instrument", columns: ["id"],
      condition: "(SELECT trackType FROM track WHERE id = row.id) <> 'midi'",
      value: "'an instrument on a track of type ' || (SELECT trackType FROM track WHERE id = row.id)",
      parents: [Parent(table: "track", reference: "id", columns: ["trackType"])]),
  ]

  // MARK: Regions and what they contain

  private static let regionName = "'the region ''' || row.name || ''''"

  private static let ofRegions = [
    Self(
      rule: .regionFitsTrack, table: "region", columns: ["track", "regionType"],
      condition: "(SELECT trackType FROM track WHERE id = row.track) <> row.regionType", value: regionName,
      parents: [Parent(table: "track", reference: "track", columns: ["trackType"])]),
    Self(
      rule: .fade, table: "region",
      columns: [
        "regionType", "fadeInLength", "fadeInCut", "fadeInShape", "fadeOutLength", "fadeOutCut", "fadeOutShape",
      ],
      condition: ["fadeIn", "fadeOut"].map { fade in
        """
        NOT (row.\(fade)Length <= 72057594037927936
          AND row.\(fade)Cut < max(1, row.\(fade)Length)
          AND (row.\(fade)Shape = 'linear'
            OR (row.regionType = 'audio' AND row.\(fade)Shape IN ('equalPower', 'exponential', 'sCurve')))
          AND (row.regionType = 'audio' OR row.\(fade)Length = 0))
        """
      }.joined(separator: " OR "), since: 4),
    Self(
      rule: .reversal, table: "region", columns: ["regionType", "isReversed"],
      condition: "row.isReversed AND row.regionType <> 'audio'", since: 4),
    Self(
      rule: .regionWithinFile, table: "region", columns: ["audioFile", "audioOffset", "duration"],
      condition: "row.audioOffset + row.duration > (SELECT duration FROM audioFile WHERE id = row.audioFile)",
      value: regionName, parents: [Parent(table: "audioFile", reference: "audioFile", columns: ["duration"])]),
    // The syntax, then the channels of the file, as `ChannelSelection.width(ofFileWith:)` is not `nil`.
    Self(
      rule: .channelsFitFile, table: "region", columns: ["audioFile", "channels"],
      condition: """
        NOT (row.channels IN ('all', 'mix', 'left', 'right') OR (length(row.channels) <= 9
          AND row.channels GLOB '[1-9]*' AND row.channels NOT GLOB '*[^0-9,]*' AND row.channels NOT GLOB '*,*,*'
          AND row.channels NOT GLOB '*,' AND row.channels NOT GLOB '*,0*'))
        OR NOT (SELECT CASE row.channels WHEN 'all' THEN channelCount <= 2 WHEN 'mix' THEN channelCount = 2
          WHEN 'left' THEN 1 WHEN 'right' THEN channelCount >= 2
          ELSE CAST(row.channels AS INTEGER) BETWEEN 1 AND channelCount
            AND CAST(substr(row.channels, instr(row.channels, ',') + 1) AS INTEGER) BETWEEN 1 AND channelCount END
          FROM audioFile WHERE id = row.audioFile)
        """, value: regionName,
      parents: [Parent(table: "audioFile", reference: "audioFile", columns: ["channelCount"])]),
    // As `ChannelSelection.width(ofFileWith:)` is 2.
    Self(
      rule: .channelsFitTrack, table: "region", columns: ["track", "audioFile", "channels"],
      condition: """
        (SELECT channelCount FROM track WHERE id = row.track) = 1
        AND (SELECT (row.channels = 'all' AND channelCount = 2) OR instr(row.channels, ',') > 0
          FROM audioFile WHERE id = row.audioFile)
        """, value: regionName,
      parents: [
        Parent(table: "audioFile", reference: "audioFile", columns: ["channelCount"]),
        Parent(table: "track", reference: "track", columns: ["channelCount"]),
      ]),
  ]

  /// The triggers that refuse notes and events outside their region are `contentTriggers`.
  private static let ofContents = [
    ("midiNote", "a note", Rule.regionCoversNotes, "row.startTime + row.duration"),
    ("midiEvent", "an event", Rule.regionCoversEvents, "row.startTime"),
  ].flatMap { table, noun, rule, end in
    let source = "region JOIN \(table) AS row ON row.region = region.id"
    let parent = Parent(table: "region", reference: "region", columns: [])
    return [
      Self(
        rule: rule, table: table, columns: [], condition: "\(end) > region.duration AND region.regionType = 'midi'",
        value: "'\(noun) in the region ''' || region.name || ''''", parents: [parent], source: source),
      Self(
        rule: .regionFitsTrack, table: table, columns: [], condition: "region.regionType = 'audio'",
        value: "'\(noun) in the audio region ''' || region.name || ''''", parents: [parent], source: source),
    ]
  }

  // MARK: The rest

  private static let ofTimeline = [("tempoChange", "startTime"), ("meterChange", "bar"), ("keySignature", "startTime")]
    .map { table, column in
      Self(
        rule: .markIsOnce, table: table, columns: [column],
        condition: "EXISTS (SELECT 1 FROM \(table) WHERE \(column) = row.\(column) AND id <> row.id)",
        value: "'a second row of \(table) at ' || row.\(column)")
    }

  private static let ofMedia = ["audioFile", "soundFont"].map { table in
    Self(
      rule: .mediaIsOnce, table: table, columns: ["sha256"],
      condition: "EXISTS (SELECT 1 FROM \(table) WHERE sha256 = row.sha256 AND id <> row.id)",
      value: "'the file ''' || row.path || ''''")
  }

  private static let ofComments = [
    Self(
      rule: .commentText, table: "comment", columns: ["text"],
      condition: """
        NOT (length(row.text) BETWEEN 1 AND 65536 AND instr(row.text, char(0)) = 0
          AND row.text = trim(row.text, char(9, 10, 11, 12, 13, 133, \(spaces))))
        """),
    Self(
      rule: .commentAuthor, table: "comment", columns: ["author"],
      condition: "NOT (length(row.author) BETWEEN 1 AND 255 AND instr(row.author, char(0)) = 0)"),
    Self(
      rule: .commentDate, table: "comment", columns: ["date"],
      condition: "NOT row.date BETWEEN -62135596800000 AND 253402300799999"),
    Self(
      rule: .commentSubject, table: "comment", columns: ["track", "region"],
      condition: "row.track IS NOT NULL AND row.region IS NOT NULL", until: 7),
    Self(
      rule: .commentSubject, table: "comment", columns: ["track", "region", "recording"],
      condition: "(row.track IS NOT NULL) + (row.region IS NOT NULL) + (row.recording IS NOT NULL) > 1", since: 8),
    commentThread(subjects: ["track", "region"], until: 7),
    commentThread(subjects: ["track", "region", "recording"], since: 8),
  ]

  private static func commentThread(subjects: [String], since: Int = firstVersion, until: Int = .max) -> Self {
    let ofItsOwn = (subjects + ["startTime"]).map { "row.\($0) IS NOT NULL" }.joined(separator: " OR ")
    return Self(
      rule: .commentThread, table: "comment",
      columns: subjects + ["thread", "startTime", "isResolved"],
      condition: """
        row.thread IS NOT NULL AND (\(ofItsOwn)
          OR row.isResolved = 1 OR row.thread = row.id
          OR (SELECT thread FROM comment AS first WHERE first.id = row.thread) IS NOT NULL)
        """, value: "'a reply that is not one to the first comment of a thread'",
      parents: [Parent(table: "comment", reference: "thread", columns: ["thread"])], since: since, until: until)
  }

  /// For programs that do not turn foreign keys on.
  private static let references = [
    Self.references(of: "region", ["track": "track", "audioFile": "audioFile"], until: 6),
    Self.references(of: "instrument", ["id": "track", "soundFont": "soundFont"]),
    Self.references(of: "comment", ["track": "track", "region": "region", "thread": "comment"], until: 9),
    Self.references(
      of: "comment", ["track": "track", "region": "region", "thread": "comment", "audioFile": "audioFile"], since: 10),
  ]

  /// - Parameter references: tables by the columns that refer to them.
  static func references(of table: String, _ references: [String: String], since: Int = firstVersion, until: Int = .max)
    -> Self
  {
    let columns = references.sorted { $0.key < $1.key }
    return Self(
      rule: .referenceExists, table: table, columns: columns.map(\.key),
      condition: columns.map { column, parent in
        "(row.\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(parent) AS other WHERE other.id = row.\(column)))"
      }.joined(separator: " OR "), since: since, until: until)
  }
}
