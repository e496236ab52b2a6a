import DAWModel
import DAWTime
import GRDB

extension Region {
  static let columns =
    "id, track, name, regionType, timeBase, startTime, duration, audioFile, audioOffset, channels, color, gain, isMuted"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    let timeBase = try decode(TimeBase(rawValue: row[4]), "region.timeBase")
    let content: Content
    switch try decode(RegionType(rawValue: row[3]), "region.regionType") {
    case .midi: content = .midi(TickCount(ticks: row[6]))
    case .audio:
      content = .audio(
        AudioSpan(
          file: AudioFileID(rawValue: try decode(row[7], "region.audioFile")),
          offset: FlickCount(flicks: try decode(row[8], "region.audioOffset")), duration: FlickCount(flicks: row[6]),
          channels: try decode((row[9] as String?).flatMap { ChannelSelection($0) }, "region.channels")))
    }
    self.init(
      id: RegionID(rawValue: row[0]), track: TrackID(rawValue: row[1]), name: Name(unchecked: row[2]),
      start: timeBase == .musical ? .musical(TickPosition(ticks: row[5])) : .absolute(FlickPosition(flicks: row[5])),
      content: content, color: (row[10] as String?).map(Color.init(unchecked:)), gain: Level(decibels: row[11]),
      isMuted: row[12])
  }

  static let insertSQL = """
    INSERT INTO region (id, track, name, regionType, timeBase, startTime, duration, audioFile, audioOffset, channels,
      color, gain, isMuted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let updateSQL = """
    UPDATE region SET track = ?2, name = ?3, regionType = ?4, timeBase = ?5, startTime = ?6, duration = ?7,
      audioFile = ?8, audioOffset = ?9, channels = ?10, color = ?11, gain = ?12, isMuted = ?13 WHERE id = ?1
    """

  var arguments: StatementArguments {
    let startTime =
      switch start {
      case .musical(let ticks): ticks.ticks
      case .absolute(let flicks): flicks.flicks
      }
    let length =
      switch duration {
      case .musical(let ticks): ticks.ticks
      case .absolute(let flicks): flicks.flicks
      }
    return [
      id.rawValue, track.rawValue, name.text, regionType.rawValue, start.timeBase.rawValue, startTime, length,
      audio?.file.rawValue, audio?.offset.flicks, audio?.channels.description, color?.name, gain.decibels, isMuted,
    ]
  }
}
