import DAWModel
import GRDB

extension Track {
  static let columns =
    "id, name, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled, soundFont, bank, program"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    let trackType = try decode(TrackType(rawValue: row[3]), "track.trackType")
    let instrument: Instrument? =
      trackType == .midi
      ? Instrument(
        soundFont: (row[11] as Int64?).map(SoundFontID.init(rawValue:)), bank: row[12], program: row[13]) : nil
    self.init(
      id: TrackID(rawValue: row[0]), name: Name(unchecked: row[1]), orderKey: OrderKey(unchecked: row[2]),
      trackType: trackType, channelCount: row[4], color: Color(unchecked: row[5]), volume: Level(decibels: row[6]),
      pan: Pan(position: row[7]), isMuted: row[8], isSolo: row[9], isRecordEnabled: row[10], instrument: instrument)
  }

  static let insertSQL = """
    INSERT INTO track (id, name, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled,
      soundFont, bank, program, nameKey) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let updateSQL = """
    UPDATE track SET name = ?2, orderKey = ?3, trackType = ?4, channelCount = ?5, color = ?6, volume = ?7, pan = ?8,
      isMuted = ?9, isSolo = ?10, isRecordEnabled = ?11, soundFont = ?12, bank = ?13, program = ?14, nameKey = ?15
    WHERE id = ?1
    """

  var arguments: StatementArguments {
    [
      id.rawValue, name.text, orderKey.digits, trackType.rawValue, channelCount, color.name, volume.decibels,
      pan.position, isMuted, isSolo, isRecordEnabled, instrument?.soundFont?.rawValue, instrument?.bank,
      instrument?.program, name.key,
    ]
  }
}

/// A value that the schema's checks make sure of; a file whose checks were bypassed can still break the promise.
func decode<Value>(_ value: Value?, _ column: String) throws -> Value {
  guard let value else {
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value in \(column) that the schema forbids")
  }
  return value
}
