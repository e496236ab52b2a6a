import DAWModel
import DAWTime
import GRDB

extension MediaLocation {
  static let columns = "path, relativePath, sha256, byteCount, modificationTime"

  /// - Parameter row: with `columns` from its second column on.
  fileprivate init(row: Row) throws {
    self.init(
      path: try row.decode(atIndex: 1), relativePath: try row.decode(atIndex: 2), sha256: try row.decode(atIndex: 3),
      byteCount: try row.decode(atIndex: 4), modificationTime: try row.decode(atIndex: 5))
  }

  fileprivate var arguments: StatementArguments { [path, relativePath, sha256, byteCount, modificationTime] }
}

extension AudioFile {
  static let columns = "id, \(MediaLocation.columns), frames, sampleRate, channelCount, format"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "audioFile") {
      let file = AudioFile(
        id: AudioFileID(rawValue: try row.decode(atIndex: 0)), location: try MediaLocation(row: row),
        frames: FrameCount(frames: try row.decode(atIndex: 6)),
        sampleRate: SampleRate(hertz: try row.decode(atIndex: 7)),
        channelCount: try row.decode(atIndex: 8), format: try row.decode(atIndex: 9))
      try file.validate()
      return file
    }
  }

  static let insertSQL = "INSERT INTO audioFile (\(columns), duration) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  static let updateSQL = """
    UPDATE audioFile SET path = ?2, relativePath = ?3, sha256 = ?4, byteCount = ?5, modificationTime = ?6, frames = ?7,
      sampleRate = ?8, channelCount = ?9, format = ?10, duration = ?11 WHERE id = ?1
    """

  var arguments: StatementArguments {
    [id.rawValue] + location.arguments
      + [frames.frames, sampleRate.hertz, channelCount, format, duration.flicks]
  }
}

extension SoundFont {
  static let columns = "id, \(MediaLocation.columns)"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "soundFont") {
      let font = SoundFont(
        id: SoundFontID(rawValue: try row.decode(atIndex: 0)), location: try MediaLocation(row: row))
      try font.validate()
      return font
    }
  }

  static let insertSQL = "INSERT INTO soundFont (\(columns)) VALUES (?, ?, ?, ?, ?, ?)"
  static let updateSQL = """
    UPDATE soundFont SET path = ?2, relativePath = ?3, sha256 = ?4, byteCount = ?5, modificationTime = ?6 WHERE id = ?1
    """

  var arguments: StatementArguments { [id.rawValue] + location.arguments }
}
