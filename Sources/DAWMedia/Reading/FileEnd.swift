import DAWTime

/// Whether a file has its end, and is read to it: sound may be missing that the header promises, or follow after the
/// point at which libsndfile stops, as in concatenated files, and in MP3 files without a length, which libmpg123
/// estimates.
enum FileEnd {
  /// Walks through the pages of an Ogg file or the frames of an MP3 file by their lengths; reads the header of others.
  /// - Parameter found: the frames that libsndfile reads.
  /// - Returns: `.shorterThanPromised`, `.breaksOff` or `.moreFollows`; `nil` if neither is known.
  static func warning(
    in file: OpenAudioFile, found: FrameCount, sampleRate: SampleRate
  ) throws(AudioFileError) -> AudioFileWarning? {
    var window = FileWindow(file)
    let start = ID3Tag.byteCount(try window.bytes(at: 0, count: 10)) ?? 0
    if try window.bytes(at: start, count: 4) == Array("OggS".utf8) {
      switch try OggPages.end(in: &window, from: start) {
      case .marked: return nil
      case .chained: return .moreFollows(found: found, sampleRate: sampleRate)
      case .withinPage: return .breaksOff(found: found, reason: "its last page is incomplete")
      case .unmarked:
        return .breaksOff(found: found, reason: "its last page is missing; a recording of a broadcast ends so, too")
      }
    }
    if let promised = try PromisedFrames.count(in: file, from: start, found: found.frames) {
      return promised > found.frames
        ? .shorterThanPromised(promised: FrameCount(frames: promised), found: found) : nil
    }
    guard try MP3Frames.begin(in: &window, at: start) else { return nil }
    let extent = try MP3Frames.extent(in: &window, from: start)
    let read = (found + FrameCount(frames: extent.trimmedSamples)).frames
    if extent.samples - read > mostSkipped { return .moreFollows(found: found, sampleRate: sampleRate) }
    guard let promised = extent.promisedSamples else {
      return extent.endsWithinFrame ? .breaksOff(found: found, reason: "its last frame is incomplete") : nil
    }
    let missing = promised - max(read, extent.samples)
    return missing > (extent.endsWithinFrame ? 0 : extent.mostMiscounted)
      ? .shorterThanPromised(promised: FrameCount(frames: promised - extent.trimmedSamples), found: found) : nil
  }

  /// Samples of an MP3 that a decoder leaves out: its delay, and a few damaged frames.
  private static let mostSkipped: Int64 = 8 * 1_152
}

extension AudioFileFacts {
  /// The warning of `read(path:)` about a file that is cut short, or about sound after the end of what is read, without
  /// decoding.
  /// - Parameter countedFrames: the frames counted when the file was read.
  /// - Returns: `nil` if there is none.
  /// - Throws: `AudioFileError` if the file cannot be read.
  public static func warningOfEnd(
    path: String, countedFrames: FrameCount, sampleRate: SampleRate
  ) throws(AudioFileError) -> AudioFileWarning? {
    try FileEnd.warning(in: OpenAudioFile(path: path), found: countedFrames, sampleRate: sampleRate)
  }
}
