import DAWModel

extension Audit {
  /// A rule over several rows, as a query for rows that break it.
  struct Relation {
    var rule: Rule
    var table: String
    /// Other tables whose changes can break the rule, with the column that refers to them.
    var parents: [(table: String, column: String)] = []
    /// An SQL expression that describes the violation in words.
    var value: String
    var from: String
    var condition: String
    /// Whether the rule concerns the number of rows, so that it is always checked as a whole.
    var isCount = false

    /// The tables whose changes can break the rule, each with the column that selects the affected rows of this
    /// relation.
    var columns: [(table: String, column: String)] { [(table, "\(table).id")] + parents }
  }
}

extension Audit.Relation {
  static let all = ofCounts + ofTracks + ofRegions + ofNotes + ofEvents + ofMarks + ofMedia

  private static let ofCounts = [
    Self(
      rule: .projectIsOne, table: "project", value: "n || ' projects'",
      from: "(SELECT count(*) AS n FROM project)", condition: "n <> 1", isCount: true),
    Self(
      rule: .masterIsOne, table: "track", value: "n || ' master tracks'",
      from: "(SELECT count(*) AS n FROM track WHERE trackType = 'master')", condition: "n <> 1", isCount: true),
  ]

  private static let ofTracks = [
    Self(
      rule: .trackNameIsUnique, table: "track", value: "'the name ''' || track.name || ''''", from: "track",
      condition: "EXISTS (SELECT 1 FROM track AS other WHERE other.nameKey = track.nameKey AND other.id <> track.id)")
  ]

  private static let regionName = "'the region ''' || region.name || ''''"
  private static let regionsWithTracks = "region JOIN track ON track.id = region.track"
  private static let regionsWithFiles = "region JOIN audioFile ON audioFile.id = region.audioFile"

  private static let ofRegions = [
    Self(
      rule: .regionFitsTrack, table: "region", parents: [("track", "region.track")], value: regionName,
      from: regionsWithTracks, condition: "track.trackType <> region.regionType"),
    Self(
      rule: .regionWithinFile, table: "region", parents: [("audioFile", "region.audioFile")], value: regionName,
      from: regionsWithFiles, condition: "region.audioOffset + region.duration > audioFile.duration"),
    Self(
      rule: .channelsFitFile, table: "region", parents: [("audioFile", "region.audioFile")], value: regionName,
      from: regionsWithFiles, condition: "NOT \(areThere("region.channels", of: "audioFile.channelCount"))"),
    Self(
      rule: .channelsFitTrack, table: "region",
      parents: [("audioFile", "region.audioFile"), ("track", "region.track")],
      value: regionName, from: regionsWithFiles + " JOIN track ON track.id = region.track",
      condition: "track.channelCount = 1 AND \(isStereo("region.channels", of: "audioFile.channelCount"))"),
  ]

  private static let ofNotes = [
    Self(
      rule: .regionCoversNotes, table: "midiNote", parents: [("region", "midiNote.region")],
      value: "'a note in the region ''' || region.name || ''''",
      from: "region JOIN midiNote ON midiNote.region = region.id",
      condition: "midiNote.startTime + midiNote.duration > region.duration AND region.regionType = 'midi'"),
    Self(
      rule: .regionFitsTrack, table: "midiNote", parents: [("region", "midiNote.region")],
      value: "'a note in the audio region ''' || region.name || ''''",
      from: "region JOIN midiNote ON midiNote.region = region.id", condition: "region.regionType = 'audio'"),
  ]

  private static let ofEvents = [
    Self(
      rule: .regionCoversEvents, table: "midiEvent", parents: [("region", "midiEvent.region")],
      value: "'an event in the region ''' || region.name || ''''",
      from: "region JOIN midiEvent ON midiEvent.region = region.id",
      condition: "midiEvent.startTime > region.duration AND region.regionType = 'midi'"),
    Self(
      rule: .regionFitsTrack, table: "midiEvent", parents: [("region", "midiEvent.region")],
      value: "'an event in the audio region ''' || region.name || ''''",
      from: "region JOIN midiEvent ON midiEvent.region = region.id", condition: "region.regionType = 'audio'"),
  ]

  private static let ofMarks = [("tempoMark", "startTime"), ("meterMark", "bar"), ("keyMark", "startTime")].map {
    table, place in
    Self(
      rule: .markIsOnce, table: table, value: "'a second row of \(table) at ' || \(table).\(place)", from: table,
      condition: """
        EXISTS (SELECT 1 FROM \(table) AS other WHERE other.\(place) = \(table).\(place) AND other.id <> \(table).id)
        """)
  }

  private static let ofMedia =
    ["audioFile", "soundFont"].map { table in
      Self(
        rule: .mediaIsOnce, table: table, value: "'the file ''' || \(table).path || ''''", from: table,
        condition: """
          EXISTS (SELECT 1 FROM \(table) AS other WHERE other.sha256 = \(table).sha256 AND other.id <> \(table).id)
          """)
    }
    + [
      Self(
        rule: .audioFileFacts, table: "audioFile",
        value: "'the length stored of ''' || audioFile.path || ''''", from: "audioFile",
        condition: """
          audioFile.duration <> audioFile.frames / audioFile.sampleRate * 705600000
            + audioFile.frames % audioFile.sampleRate * 705600000 / audioFile.sampleRate
          """)
    ]

  /// SQL: whether a selection of channels fits a file, as `ChannelSelection.width(ofFileWith:)` is not `nil`.
  private static func areThere(_ channels: String, of count: String) -> String {
    """
    CASE \(channels) WHEN 'all' THEN \(count) <= 2 WHEN 'mix' THEN \(count) = 2 WHEN 'left' THEN 1
      WHEN 'right' THEN \(count) >= 2 ELSE CAST(\(channels) AS INTEGER) BETWEEN 1 AND \(count)
        AND CAST(substr(\(channels), instr(\(channels), ',') + 1) AS INTEGER) BETWEEN 1 AND \(count) END
    """
  }

  /// SQL: whether a selection of channels is stereo, as `ChannelSelection.width(ofFileWith:)` is 2.
  private static func isStereo(_ channels: String, of count: String) -> String {
    "((\(channels) = 'all' AND \(count) = 2) OR instr(\(channels), ',') > 0)"
  }
}
