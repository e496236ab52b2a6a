import CSndFile
import DAWTime

/// Decodes a file with libsndfile, sequentially. Used by one thread at a time.
final class SoundFileDecoder {
  let channelCount: Int
  /// The next frame to decode.
  private(set) var position: Int64 = 0

  private let file: OpenAudioFile
  private let handle: OpaquePointer
  private let description: SF_INFO

  convenience init(path: String) throws(AudioFileError) { try self.init(OpenAudioFile(path: path)) }

  init(_ file: OpenAudioFile) throws(AudioFileError) {
    self.file = file
    let path = file.path
    var description = SF_INFO()
    // By descriptor, not by name: by its extension libsndfile would take a text file for headerless audio.
    do throws(SoundFileOpening.Refusal) {
      handle = try SoundFileOpening.open(descriptor: file.number, mode: SFM_READ, &description)
    } catch {
      if let failure = SoundFileOpening.readFailure(code: error.code, sentence: error.sentence) {
        throw .system(path: path, failure: failure)
      }
      // It may have been refused for want of bytes that cannot be read.
      _ = try file.bytes(at: 0, count: 1 << 16)
      let isUnknown = [SF_ERR_UNRECOGNISED_FORMAT, SF_ERR_UNSUPPORTED_ENCODING].contains(Int(error.code))
      // libsndfile 1.2.0 takes FLAC in Ogg for a format of its own, and fails.
      let isFLACInOgg = try OggPages.beginWithFLAC(in: file)
      throw isUnknown || isFLACInOgg
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
  /// - Parameter samples: room for `count` frames, interleaved; full scale ±1. NaN and infinite samples are not
  ///   replaced.
  /// - Returns: frames decoded; fewer than requested if the file ends or is damaged.
  /// - Throws: `.system` if the disk cannot be read.
  func decode(into samples: UnsafeMutablePointer<Float>, count: Int) throws(AudioFileError) -> Int {
    let done = max(0, Int(sf_readf_float(handle, samples, sf_count_t(count))))
    position += Int64(done)
    if done < count,
      let failure = SoundFileOpening.readFailure(code: sf_error(handle), sentence: String(cString: sf_strerror(handle)))
    {
      throw .system(path: file.path, failure: failure)
    }
    return done
  }

  /// Seeks, if that gives the same samples as decoding from the start.
  /// - Returns: false if it is not possible; then the position is undefined, and the file has to be opened again.
  func seek(to frame: Int64) -> Bool {
    guard seeksExactly, description.seekable != 0, sf_seek(handle, frame, Int32(SF_SEEK_SET)) == frame else {
      return false
    }
    position = frame
    return true
  }

  /// libsndfile's error since the file was opened; `nil` if there is none.
  var libraryError: String? {
    sf_error(handle) == SF_ERR_NO_ERROR ? nil : String(cString: sf_strerror(handle)).trimmingFullStop
  }

  var sampleRate: SampleRate { SampleRate(hertz: Int(description.samplerate)) }

  private var format: SoundFileFormat { SoundFileFormat(code: description.format) }

  private var seeksExactly: Bool { format.seeksExactly }

  /// Counts the frames by decoding all of them. To be called right after opening.
  func facts() throws(AudioFileError) -> AudioFileFacts {
    var frames: Int64 = 0
    var notFinite: Int64 = 0
    let blockFrames = max(1, 65_536 / channelCount)
    let block = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * channelCount)
    defer { block.deallocate() }
    while true {
      let count = try decode(into: block, count: blockFrames)
      if count == 0 { break }
      notFinite += Samples.silenceNotFinite(block, count: count * channelCount)
      frames += Int64(count)
    }
    let found = FrameCount(frames: frames)
    var warnings: [AudioFileWarning] = []
    if let libraryError {
      guard frames > 0 else { throw .damaged(path: file.path, reason: libraryError) }
      warnings.append(.breaksOff(found: found, reason: libraryError))
    } else if format.promisesExactly, description.frames > frames, description.frames < Int64.max {
      warnings.append(.shorterThanPromised(promised: FrameCount(frames: description.frames), found: found))
    }
    if let warning = try FileEnd.warning(in: file, found: found, sampleRate: sampleRate) {
      // That something is missing is said once.
      if case .moreFollows = warning { warnings.append(warning) } else if warnings.isEmpty { warnings.append(warning) }
    }
    if notFinite > 0 { warnings.append(.notFinite(sampleCount: notFinite)) }
    return try facts(frames: frames, warnings: warnings)
  }

  /// - Parameter frames: counted by decoding.
  func facts(frames: Int64, warnings: [AudioFileWarning] = []) throws(AudioFileError) -> AudioFileFacts {
    try AudioFileFacts(
      path: file.path, frames: frames, hertz: Int(description.samplerate), channelCount: channelCount,
      format: format.name, pcmLayout: nil, seeksExactly: seeksExactly && description.seekable != 0, warnings: warnings)
  }
}

extension String {
  /// Without libsndfile's trailing full stop and whitespace.
  fileprivate var trimmingFullStop: String {
    var text = Substring(self)
    while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
