import DAWModel
import GRDB

extension Track {
  static let columns =
    "id, name, orderKey, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled, soundFont, bank, program"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "track") {
      let typeName: String = try row.decode(atIndex: 3)
      let trackType = try meaning(TrackType(rawValue: typeName), of: typeName, .trackType)
      var track = Track(
        id: TrackID(rawValue: try row.decode(atIndex: 0)), name: Name(unchecked: try row.decode(atIndex: 1)),
        orderKey: OrderKey(unchecked: try row.decode(atIndex: 2)), trackType: trackType,
        color: Color(unchecked: try row.decode(atIndex: 5)), volume: Level(decibels: try row.decode(atIndex: 6)),
        pan: Pan(position: try row.decode(atIndex: 7)), isMuted: try row.flag(atIndex: 8),
        isSolo: try row.flag(atIndex: 9), isRecordEnabled: try row.flag(atIndex: 10))
      track.channelCount = try row.decode(atIndex: 4)
      let soundFont: Int64? = try row.decode(atIndex: 11)
      let (bank, program): (Int?, Int?) = (try row.decode(atIndex: 12), try row.decode(atIndex: 13))
      track.instrument = nil
      if soundFont != nil || bank != nil || program != nil {
        track.instrument = Instrument(
          soundFont: soundFont.map(SoundFontID.init(rawValue:)), bank: try meaning(bank, of: nil, .instrument),
          program: try meaning(program, of: nil, .instrument))
      }
      try track.validate()
      return track
    }
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
