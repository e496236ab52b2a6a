/// A file read through a window of 64 KiB, for whoever walks through it from piece to piece and looks at few bytes of each.
struct FileWindow {
  private let file: OpenAudioFile
  private var bytes: [UInt8] = []
  /// Where the window lies in the file.
  private var start: Int64 = 0

  init(_ file: OpenAudioFile) { self.file = file }

  private static let byteCount = 1 << 16
  /// How far back one can look from the last place without the window being moved.
  private static let reach: Int64 = 1 << 12

  /// - Parameters:
  ///   - offset: at least 0.
  ///   - count: at most a few hundred.
  /// - Returns: the bytes there, counted from 0; fewer than `count` where the file ends before.
  mutating func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
    let place = try place(of: offset, count: count)
    return Array(bytes[place..<min(place + count, bytes.count)])
  }

  /// The first place from `offset` on where the four bytes are as wanted, or `nil`.
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

  /// Moves the window so that these bytes lie in it, or as many of them as there are.
  /// - Returns: where they begin in it, at most its end.
  private mutating func place(of offset: Int64, count: Int) throws(AudioFileError) -> Int {
    let end = start + Int64(bytes.count)
    if offset < start || offset + Int64(count) > end && end < file.byteCount {
      start = max(0, offset - Self.reach)
      bytes = try file.bytes(at: start, count: Self.byteCount)
    }
    return Int(min(offset - start, Int64(bytes.count)))
  }
}
