import DAWModel
import DAWTime
import GRDB

extension MediaLocation {
  static let columns = "path, relativePath, sha256, byteCount, modificationTime"

  /// - Parameter row: with `columns` from its second column on.
  init(row: Row) {
    self.init(path: row[1], relativePath: row[2], sha256: row[3], byteCount: row[4], modificationTime: row[5])
  }

  var arguments: StatementArguments { [path, relativePath, sha256, byteCount, modificationTime] }
}

extension AudioFile {
  static let columns = "id, \(MediaLocation.columns), frames, sampleRate, channelCount, format"

  init(row: Row) {
    self.init(
      id: AudioFileID(rawValue: row[0]), location: MediaLocation(row: row), frames: FrameCount(frames: row[6]),
      sampleRate: SampleRate(hertz: row[7]), channelCount: row[8], format: row[9])
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

  init(row: Row) { self.init(id: SoundFontID(rawValue: row[0]), location: MediaLocation(row: row)) }

  static let insertSQL = "INSERT INTO soundFont (\(columns)) VALUES (?, ?, ?, ?, ?, ?)"
  static let updateSQL = """
    UPDATE soundFont SET path = ?2, relativePath = ?3, sha256 = ?4, byteCount = ?5, modificationTime = ?6 WHERE id = ?1
    """

  var arguments: StatementArguments { [id.rawValue] + location.arguments }
}
