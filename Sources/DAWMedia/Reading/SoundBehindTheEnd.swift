import DAWTime

/// Whether a file goes on with sound where libsndfile stops reading it: as where files were joined end to end, or where
/// libmpg123 guesses the length of an MP3 that does not say it.
enum SoundBehindTheEnd {
  /// Walks through the file by what its pages or frames say of their length. Other formats than Ogg and MP3 are not
  /// looked at.
  /// - Parameter frames: as many as come out of it.
  static func isThere(in file: OpenAudioFile, frames: Int64) throws(AudioFileError) -> Bool {
    var window = FileWindow(file)
    let start = ID3Tag.byteCount(try window.bytes(at: 0, count: 10)) ?? 0
    let first = try window.bytes(at: start, count: 4)
    if first == Array("OggS".utf8) { return try OggPages.areChained(in: &window, from: start) }
    guard try MP3Frames.begin(in: &window, at: start) else { return false }
    let extent = try MP3Frames.extent(in: &window, from: start)
    return extent.samples - frames > extent.trimmedSamples + leeway
  }

  /// A decoder's own delay, and a few frames that it passes over because they are damaged. Samples.
  private static let leeway: Int64 = 8 * 1_152
}

extension AudioFileFacts {
  /// What `read(path:)` would say of sound that lies behind the end of what is read, without decoding anything.
  /// - Parameter countedFrames: as many as were read of these bytes.
  /// - Returns: `nil` where there is none.
  /// - Throws: `AudioFileError`, where the file cannot be read.
  public static func warningOfMore(
    path: String, countedFrames: FrameCount, sampleRate: SampleRate
  ) throws(AudioFileError) -> AudioFileWarning? {
    let file = try OpenAudioFile(path: path)
    guard try SoundBehindTheEnd.isThere(in: file, frames: countedFrames.frames) else { return nil }
    return .moreFollows(found: countedFrames, sampleRate: sampleRate)
  }
}
