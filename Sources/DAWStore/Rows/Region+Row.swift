import DAWModel
import DAWTime
import GRDB

extension Region {
  static let columns =
    "id, track, name, regionType, timeBase, startTime, duration, audioFile, audioOffset, channels, color, gain, isMuted"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "region") {
      let (typeName, timeBaseName): (String, String) = (try row.decode(atIndex: 3), try row.decode(atIndex: 4))
      let (start, length): (Int64, Int64) = (try row.decode(atIndex: 5), try row.decode(atIndex: 6))
      let content: Content
      switch try meaning(RegionType(rawValue: typeName), of: typeName, .regionType) {
      case .midi: content = .midi(TickCount(ticks: length))
      case .audio:
        let (file, offset): (Int64?, Int64?) = (try row.decode(atIndex: 7), try row.decode(atIndex: 8))
        let channels: String? = try row.decode(atIndex: 9)
        content = .audio(
          AudioSpan(
            file: AudioFileID(rawValue: try meaning(file, of: nil, .regionType)),
            offset: FlickCount(flicks: try meaning(offset, of: nil, .regionType)), duration: FlickCount(flicks: length),
            channels: try meaning(channels.flatMap { ChannelSelection($0) }, of: channels, .channelsFitFile)))
      }
      let isMusical = try meaning(TimeBase(rawValue: timeBaseName), of: timeBaseName, .timeBase) == .musical
      let region = Region(
        id: RegionID(rawValue: try row.decode(atIndex: 0)), track: TrackID(rawValue: try row.decode(atIndex: 1)),
        name: Name(unchecked: try row.decode(atIndex: 2)),
        start: isMusical ? .musical(TickPosition(ticks: start)) : .absolute(FlickPosition(flicks: start)),
        content: content, color: try (row.decode(atIndex: 10) as String?).map(Color.init(unchecked:)),
        gain: Level(decibels: try row.decode(atIndex: 11)), isMuted: try row.flag(atIndex: 12))
      try region.validate()
      return region
    }
  }

  static let insertSQL = """
    INSERT INTO region (id, track, name, regionType, timeBase, startTime, duration, audioFile, audioOffset, channels,
      color, gain, isMuted, nameKey) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let updateSQL = """
    UPDATE region SET track = ?2, name = ?3, regionType = ?4, timeBase = ?5, startTime = ?6, duration = ?7,
      audioFile = ?8, audioOffset = ?9, channels = ?10, color = ?11, gain = ?12, isMuted = ?13, nameKey = ?14
    WHERE id = ?1
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
      name.key,
    ]
  }
}
