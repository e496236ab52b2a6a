/// Reads a file through a buffer of 64 KiB, for scans that read a few bytes at many offsets.
struct FileWindow {
  private let file: OpenAudioFile
  private var bytes: [UInt8] = []
  /// The window's offset in the file.
  private var start: Int64 = 0

  init(_ file: OpenAudioFile) { self.file = file }

  /// The file's length.
  var fileByteCount: Int64 { file.byteCount }

  private static let byteCount = 1 << 16
  /// Bytes kept before the last offset, for short steps back.
  private static let reach: Int64 = 1 << 12

  /// Reads bytes.
  /// - Parameters:
  ///   - offset: ≥ 0.
  ///   - count: at most a few hundred.
  /// - Returns: the bytes; fewer than `count` at the end of the file.
  mutating func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
    let place = try place(of: offset, count: count)
    return Array(bytes[place..<min(place + count, bytes.count)])
  }

  /// The first offset, from `offset` on, whose four bytes fulfil the condition, or `nil`.
  mutating func firstPlace(
    from offset: Int64, where isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(AudioFileError) -> Int64? {
    var offset = offset
    while true {
      var place = try place(of: offset, count: 4)
      guard place + 4 <= bytes.count else { return nil }
      while place + 4 <= bytes.count {
        if isWanted(bytes[place..<place + 4]) { return start + Int64(place) }
        place += 1
      }
      offset = start + Int64(place)
    }
  }

  /// Moves the window so that it contains these bytes, as far as the file has them.
  /// - Returns: their index in the window, at most its end.
  private mutating func place(of offset: Int64, count: Int) throws(AudioFileError) -> Int {
    let end = start + Int64(bytes.count)
    if offset < start || offset + Int64(count) > end && end < file.byteCount {
      start = max(0, offset - Self.reach)
      bytes = try file.bytes(at: start, count: Self.byteCount)
    }
    return Int(min(offset - start, Int64(bytes.count)))
  }
}
