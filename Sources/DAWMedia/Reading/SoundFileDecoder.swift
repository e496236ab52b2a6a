import CSndFile
import DAWTime

/// A file that libsndfile decodes, read from front to back. Used by one thread at a time.
final class SoundFileDecoder {
  let channelCount: Int
  /// Of the next frame that `decode` gives.
  private(set) var position: Int64 = 0

  private let file: OpenAudioFile
  private let handle: OpaquePointer
  private let description: SF_INFO

  init(path: String) throws(AudioFileError) {
    file = try OpenAudioFile(path: path)
    var description = SF_INFO()
    // By descriptor, not by name: then no name's ending makes libsndfile take a text for headerless sound.
    do throws(SoundFileOpening.Refusal) {
      handle = try SoundFileOpening.open(descriptor: file.number, mode: SFM_READ, &description)
    } catch {
      throw error.code == Int32(SF_ERR_UNRECOGNISED_FORMAT)
        ? .unrecognized(path: path) : .damaged(path: path, reason: error.sentence.trimmingFullStop)
    }
    self.description = description
    self.channelCount = Int(description.channels)
    guard AudioFileFacts.acceptedChannelCounts.contains(channelCount) else {
      sf_close(handle)
      throw .channelCount(path: path, found: channelCount)
    }
  }

  deinit { sf_close(handle) }

  /// Decodes the next frames.
  /// - Parameter samples: room for `count` frames, interleaved; full scale ±1. What is not finite is left so.
  /// - Returns: how many frames came; fewer than asked for where the file ends or breaks off.
  func decode(into samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let done = max(0, Int(sf_readf_float(handle, samples, sf_count_t(count))))
    position += Int64(done)
    return done
  }

  /// Goes to a frame, where that gives the same samples as decoding from the start would.
  /// - Returns: false where it cannot be done; then the position is undefined, and the file must be opened anew.
  func seek(to frame: Int64) -> Bool {
    guard seeksExactly, description.seekable != 0, sf_seek(handle, frame, Int32(SF_SEEK_SET)) == frame else {
      return false
    }
    position = frame
    return true
  }

  /// What libsndfile complained of since the file was opened; `nil` where all is well.
  var complaint: String? {
    sf_error(handle) == SF_ERR_NO_ERROR ? nil : String(cString: sf_strerror(handle)).trimmingFullStop
  }

  private var format: SoundFileFormat { SoundFileFormat(code: description.format) }

  private var seeksExactly: Bool { format.seeksExactly }

  /// Decodes all that is left to count it. Call it on a file just opened.
  func facts() throws(AudioFileError) -> AudioFileFacts {
    var frames: Int64 = 0
    var notFinite: Int64 = 0
    let blockFrames = max(1, 65_536 / channelCount)
    let block = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * channelCount)
    defer { block.deallocate() }
    while true {
      let count = decode(into: block, count: blockFrames)
      if count == 0 { break }
      notFinite += Samples.silenceNotFinite(block, count: count * channelCount)
      frames += Int64(count)
    }
    let found = FrameCount(frames: frames)
    var warnings: [AudioFileWarning] = []
    if let complaint {
      guard frames > 0 else { throw .damaged(path: file.path, reason: complaint) }
      warnings.append(.breaksOff(found: found, reason: complaint))
    } else if format.promisesExactly, description.frames > frames, description.frames < Int64.max {
      warnings.append(.shorterThanPromised(promised: FrameCount(frames: description.frames), found: found))
    }
    if try SoundBehindTheEnd.isThere(in: file, frames: frames) {
      warnings.append(.moreFollows(found: found, sampleRate: SampleRate(hertz: Int(description.samplerate))))
    }
    if notFinite > 0 { warnings.append(.notFinite(sampleCount: notFinite)) }
    return try facts(frames: frames, warnings: warnings)
  }

  /// - Parameter frames: as counted by decoding.
  func facts(frames: Int64, warnings: [AudioFileWarning] = []) throws(AudioFileError) -> AudioFileFacts {
    try AudioFileFacts(
      path: file.path, frames: frames, hertz: Int(description.samplerate), channelCount: channelCount,
      format: format.name, pcmLayout: nil, seeksExactly: seeksExactly && description.seekable != 0, warnings: warnings)
  }
}

extension String {
  /// Without the full stop that libsndfile ends its sentences with, and what is around it.
  fileprivate var trimmingFullStop: String {
    var text = Substring(self)
    while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
