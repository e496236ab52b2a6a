import DAWModel
import DAWTime
import GRDB

extension Region {
  static let columns =
    "id, track, name, regionType, timeBase, startTime, duration, audioFile, audioOffset, channels, color, gain, isMuted"

  /// - Parameter row: with `columns` in order.
  init(row: some StoredColumns) throws {
    do {
      self = try Self.region(row)
      try validate()
    } catch let violation as RuleViolation {
      throw BrokenRow(violation: violation, table: "region", id: try row.integer(0))
    }
  }

  private static func region(_ row: some StoredColumns) throws -> Region {
    let (typeName, timeBaseName) = (try row.text(3), try row.text(4))
    let (start, length) = (try row.integer(5), try row.integer(6))
    let content: Content
    switch try meaning(RegionType(rawValue: typeName), of: typeName, .regionType) {
    case .midi: content = .midi(TickCount(ticks: length))
    case .audio:
      let (file, offset) = (try row.optionalInteger(7), try row.optionalInteger(8))
      let channels = try row.optionalText(9)
      content = .audio(
        AudioSpan(
          file: AudioFileID(rawValue: try meaning(file, of: nil, .regionType)),
          offset: FlickCount(flicks: try meaning(offset, of: nil, .regionType)), duration: FlickCount(flicks: length),
          channels: try meaning(channels.flatMap { ChannelSelection($0) }, of: channels, .channelsFitFile)))
    }
    let isMusical = try meaning(TimeBase(rawValue: timeBaseName), of: timeBaseName, .timeBase) == .musical
    let flag = try row.integer(12)
    return Region(
      id: RegionID(rawValue: try row.integer(0)), track: TrackID(rawValue: try row.integer(1)),
      name: Name(unchecked: try row.text(2)),
      start: isMusical ? .musical(TickPosition(ticks: start)) : .absolute(FlickPosition(flicks: start)),
      content: content, color: try row.optionalText(10).map(Color.init(unchecked:)),
      gain: Level(decibels: try row.real(11)),
      isMuted: try meaning(flag == 0 ? false : flag == 1 ? true : nil, of: "\(flag)", .flag))
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
