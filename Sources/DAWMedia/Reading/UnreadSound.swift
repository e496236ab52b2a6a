import DAWTime

/// Finds sound after the point at which libsndfile stops reading: in concatenated files, and in MP3 files without a
/// length, which libmpg123 estimates.
enum UnreadSound {
  /// Walks through the pages of an Ogg file or the frames of an MP3 file by their lengths. Other formats are not
  /// examined.
  /// - Parameter frames: the frames that libsndfile reads.
  static func exists(in file: OpenAudioFile, frames: Int64) throws(AudioFileError) -> Bool {
    var window = FileWindow(file)
    let start = ID3Tag.byteCount(try window.bytes(at: 0, count: 10)) ?? 0
    let first = try window.bytes(at: start, count: 4)
    if first == Array("OggS".utf8) { return try OggPages.areChained(in: &window, from: start) }
    guard try MP3Frames.begin(in: &window, at: start) else { return false }
    let extent = try MP3Frames.extent(in: &window, from: start)
    return extent.samples - frames > extent.trimmedSamples + leeway
  }

  /// Samples of tolerance: a decoder's delay, and a few damaged frames that it skips.
  private static let leeway: Int64 = 8 * 1_152
}

extension AudioFileFacts {
  /// The warning of `read(path:)` about sound after the end of what is read, without decoding.
  /// - Parameter countedFrames: the frames counted when the file was read.
  /// - Returns: `nil` if there is none.
  /// - Throws: `AudioFileError` if the file cannot be read.
  public static func warningOfMore(
    path: String, countedFrames: FrameCount, sampleRate: SampleRate
  ) throws(AudioFileError) -> AudioFileWarning? {
    let file = try OpenAudioFile(path: path)
    guard try UnreadSound.exists(in: file, frames: countedFrames.frames) else { return nil }
    return .moreFollows(found: countedFrames, sampleRate: sampleRate)
  }
}
