extension AudioFileFormat {
  /// Fewest bytes that frames take: in compressed formats those of silence.
  func leastByteCount(of frames: Int64) -> Int64 {
    switch container {
    case .wave, .rf64, .aiff:
      let (bytes, isTooMany) = frames.multipliedReportingOverflow(by: Int64(channelCount * encoding.bytesPerSample))
      return isTooMany ? .max : bytes
    case .flac, .vorbis, .opus, .mp3, .m4a: return frames / Self.silentFramesPerByte
    }
  }

  /// More than any has: Vorbis, which has most, has about 400.
  private static let silentFramesPerByte: Int64 = 1_000

  /// Refuses what the disk cannot hold before anything is written, as the length that another's project names.
  /// - Parameters:
  ///   - place: the file's.
  ///   - count: how many files of this length are written there.
  /// - Throws: `.noRoom`. A folder that is not there is left to who writes.
  public func requireRoom(for frames: Int64, at place: Place, count: Int = 1) throws(AudioFileWriteError) {
    guard let free = (try? place.parent.open())?.freeByteCount else { return }
    let (needed, isTooMuch) = leastByteCount(of: frames).multipliedReportingOverflow(by: Int64(count))
    guard isTooMuch || needed > free else { return }
    throw .noRoom(path: place.path, needed: isTooMuch ? .max : needed, free: free)
  }
}
