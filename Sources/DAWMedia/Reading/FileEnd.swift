import DAWTime
import Glibc

/// Whether a file has its end, and is read to it: sound may be missing that the header promises, or follow after the
/// point at which libsndfile stops, as in concatenated files, and in MP3 files without a length, which libmpg123
/// estimates.
enum FileEnd {
  /// Walks through the pages of an Ogg file or the frames of an MP3 file by their lengths, and searches a FLAC for the
  /// start of another; reads the header of others.
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
    if try window.bytes(at: start, count: 4) == Array("fLaC".utf8),
      let place = try placeOfFLAC(in: file, behind: start)
    {
      return .moreFollows(found: found, sampleRate: sampleRate, joinedAt: place)
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

  /// The first byte of a FLAC stream that begins behind the metadata of the one that begins at `start`; `nil` if none
  /// does.
  private static func placeOfFLAC(in file: OpenAudioFile, behind start: Int64) throws(AudioFileError) -> Int64? {
    // A picture or another block of metadata may hold anything.
    var offset = start + 4
    var isLast = false
    for _ in 0..<WaveHeader.maximumChunkCount where !isLast {
      let head = try file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return nil }
      isLast = head[0] & 0x80 != 0
      offset += 4 + (Int64(head[1]) << 16 | Int64(head[2]) << 8 | Int64(head[3]))
    }
    guard isLast else { return nil }
    let count = 1 << 20
    while true {
      let bytes = try file.bytes(at: offset, count: count)
      if let place = startOfFLAC(in: bytes) { return offset + Int64(place) }
      guard bytes.count == count else { return nil }
      offset += Int64(count - flacStartByteCount + 1)
    }
  }

  /// Bytes of the mark, the head of the first block and the least length of a block of sound.
  private static let flacStartByteCount = 10

  /// - SeeAlso: RFC 9639, sections 6 and 8.2: the mark, and STREAMINFO, which comes first and has 34 bytes.
  private static func startOfFLAC(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress else { return nil }
      var place = 0
      while place + flacStartByteCount <= buffer.count,
        let hit = memchr(base + place, 0x66, buffer.count - place - flacStartByteCount + 1)
      {
        place = base.distance(to: UnsafeRawPointer(hit))
        let isMarked = buffer[place..<place + 4].elementsEqual("fLaC".utf8)
        if isMarked, buffer[place + 4] & 0x7f == 0, buffer[place + 5..<place + 8].elementsEqual([0, 0, 34]),
          buffer[place + 8] > 0 || buffer[place + 9] >= 16
        {
          return place
        }
        place += 1
      }
      return nil
    }
  }
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
