import DAWModel

extension StoredRule {
  /// Inputs of tracks, takes and notes about recordings, which version 7 brought, and texts of transcripts, of version
  /// 9.
  static let ofRecording = [
    Self(
      rule: .audioInput, table: "track", columns: ["input1", "input2", "trackType", "channelCount"],
      condition: """
        (\(isNoPort("input1", of: "audio", maximumLength: 320)))
        OR (\(isNoPort("input2", of: "audio", maximumLength: 320)))
        OR (row.input2 IS NOT NULL AND (row.input1 IS NULL OR row.channelCount IS 1))
        """, since: 7),
    Self(
      rule: .midiInput, table: "track", columns: ["midiInput", "trackType"],
      condition: isNoPort("midiInput", of: "midi", maximumLength: 255), since: 7),
    limit(.monitor, "track", "monitor", "IN ('off', 'input', 'auto')", since: 7),
    limit(.recordOffset, "track", "recordOffset", "BETWEEN -192000 AND 192000", since: 7),
    Self(
      rule: .regionOfTake, table: "region", columns: ["track", "take"],
      condition: "(SELECT track FROM take WHERE id = row.take) <> row.track",
      value: "'the region ''' || row.name || ''''",
      parents: [Parent(table: "take", reference: "take", columns: ["track"])], since: 7),
    name(of: "take", since: 7),
    limit(.takeRating, "take", "rating", "BETWEEN 0 AND 5", since: 7),
    Self(
      rule: .takeTags, table: "take", columns: ["tags"],
      condition: """
        length(row.tags) > 1024 OR instr(row.tags, char(0)) > 0 OR row.tags GLOB '*[^a-z0-9_ -]*'
        OR row.tags GLOB '* ' OR row.tags GLOB ' *' OR row.tags GLOB '*  *'
        OR row.tags GLOB '*' || replace(hex(zeroblob(65)), '00', '[^ ]') || '*'
        """, since: 7),
    Self(
      rule: .recordingTitle, table: "recordingNote", columns: ["title"],
      condition: """
        NOT (length(row.title) <= 255 AND instr(row.title, char(0)) = 0
          AND row.title NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
          AND row.title = trim(row.title, char(\(spaces))))
        """, since: 7),
    Self(
      rule: .recordingNotes, table: "recordingNote", columns: ["notes"],
      condition: """
        NOT (length(row.notes) BETWEEN 1 AND 65536 AND instr(row.notes, char(0)) = 0
          AND row.notes = trim(row.notes, char(9, 10, 11, 12, 13, 133, \(spaces))))
        """, since: 7),
    Self(
      rule: .retention, table: "project",
      columns: [
        "keepRecordings", "keepTranscripts", "keepNewest", "keepThread", "compressAfter", "compressQuality",
        "keepTrash", "retentionScope",
      ],
      condition: """
        row.keepRecordings NOT BETWEEN 1 AND 36500 OR row.keepTranscripts NOT BETWEEN 1 AND 36500
        OR row.compressAfter NOT BETWEEN 1 AND 36500 OR row.keepNewest NOT BETWEEN 1 AND 1000000
        OR row.keepThread NOT BETWEEN 1 AND 1000 OR row.keepTrash NOT BETWEEN 0 AND 36500
        OR row.compressQuality NOT IN ('lossless', 'low', 'medium', 'high')
        OR row.retentionScope NOT IN ('unused', 'all')
        """, since: 8),
    Self(
      rule: .transcriptText, table: "transcriptText", columns: ["text"],
      condition: """
        NOT (length(row.text) BETWEEN 1 AND 65536 AND instr(row.text, char(0)) = 0
          AND row.text = trim(row.text, char(9, 10, 11, 12, 13, 133, \(spaces))))
        """, since: 9),
    references(of: "region", ["track": "track", "audioFile": "audioFile", "take": "take"], since: 7),
    references(of: "take", ["track": "track"], since: 7),
  ]
}
