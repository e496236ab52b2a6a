import DAWTime
import Glibc

/// An audio file's format and length.
public struct AudioFileFacts: Equatable, Sendable {
  /// Frames that can be read; for compressed formats counted by decoding, not taken from the header.
  public let frames: FrameCount
  public let sampleRate: SampleRate
  /// Within `acceptedChannelCounts`.
  public let channelCount: Int
  /// For display: "WAV, 24-bit PCM", "FLAC, 16-bit", "MP3".
  public let format: String
  /// The layout of a PCM WAV's samples; `nil` if a decoder is needed.
  public let pcmLayout: PCMLayout?
  /// Whether seeking gives the same samples as decoding from the start. If not (MP3, Ogg), `AudioFileReader` decodes
  /// from the start at every step back; such a file is better converted once.
  public let seeksExactly: Bool
  /// Whether it is a take's manifest; its segments are read directly.
  public let isTake: Bool
  public let warnings: [AudioFileWarning]

  public static let acceptedChannelCounts = 1...1024
  /// Hertz.
  public static let acceptedRates = 1_000...768_000

  /// Whether reading it takes a decoder.
  public var isDecoded: Bool { pcmLayout == nil && !isTake }

  /// Examines a file. For PCM WAV only the header is read, and of a take's segments nothing but whether they are there;
  /// any other format is decoded once, to count its frames.
  /// - Throws: `AudioFileError`.
  public static func read(path: String) throws(AudioFileError) -> AudioFileFacts {
    let file = try OpenAudioFile(path: path)
    if let take = try TakeManifest.read(from: file) {
      if let fault = try take.faults(path: path, hashes: false).first { throw fault }
      return try AudioFileFacts(take, path: path)
    }
    if let wave = try WaveHeader.read(from: file) { return try AudioFileFacts(wave, path: path) }
    if try WaveHeader.isMisread(file) { throw .unrecognized(path: path) }
    let decoder = try SoundFileDecoder(path: path)
    return try decoder.facts()
  }

  /// Examines a take's manifest alone: its segments may be missing.
  /// - Throws: `.changedWhileRead` if the file is no manifest; as `TakeManifest.read`.
  public static func read(take path: String) throws(AudioFileError) -> AudioFileFacts {
    guard let take = try TakeManifest.read(path: path) else { throw .changedWhileRead(path: path) }
    return try AudioFileFacts(take, path: path)
  }

  /// Examines a file whose frames were counted before and whose bytes have not changed since: nothing is decoded.
  /// - Throws: as `read(path:)`.
  public static func read(path: String, countedFrames: FrameCount) throws(AudioFileError) -> AudioFileFacts {
    let file = try OpenAudioFile(path: path)
    if let take = try TakeManifest.read(from: file) { return try AudioFileFacts(take, path: path) }
    if let wave = try WaveHeader.read(from: file) { return try AudioFileFacts(wave, path: path) }
    if try WaveHeader.isMisread(file) { throw .unrecognized(path: path) }
    return try SoundFileDecoder(path: path).facts(frames: countedFrames.frames)
  }
}

extension AudioFileFacts {
  /// - Throws: if channels, rate or length are outside of the accepted ranges.
  init(
    path: String, frames: Int64, hertz: Int, channelCount: Int, format: String, pcmLayout: PCMLayout?,
    seeksExactly: Bool, warnings: [AudioFileWarning], isTake: Bool = false
  ) throws(AudioFileError) {
    guard Self.acceptedChannelCounts.contains(channelCount) else {
      throw .channelCount(path: path, found: channelCount)
    }
    guard Self.acceptedRates.contains(hertz) else { throw .sampleRate(path: path, found: hertz) }
    guard frames > 0 else { throw .noFrames(path: path) }
    self.frames = FrameCount(frames: frames)
    self.sampleRate = SampleRate(hertz: hertz)
    self.channelCount = channelCount
    self.format = format
    self.pcmLayout = pcmLayout
    self.seeksExactly = seeksExactly
    self.warnings = warnings
    self.isTake = isTake
  }
}
