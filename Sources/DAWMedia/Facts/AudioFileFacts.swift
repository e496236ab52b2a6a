import DAWTime
import Glibc

/// What there is to know of an audio file before its samples are used.
public struct AudioFileFacts: Equatable, Sendable {
  /// As many as reading gives: for compressed formats counted by decoding, not believed.
  public let frames: FrameCount
  public let sampleRate: SampleRate
  /// Within `acceptedChannelCounts`.
  public let channelCount: Int
  /// For people: "WAV, 24-bit PCM", "FLAC, 16-bit", "MP3".
  public let format: String
  /// Where a plain WAV's samples lie; `nil` for what only a decoder can read.
  public let pcmLayout: PCMLayout?
  /// Whether a jump into the middle gives the very samples that decoding from the start gives. Where it does not
  /// (MP3, Ogg), `AudioFileReader` decodes from the start at every step back: such a file is better decoded once.
  public let seeksExactly: Bool
  public let warnings: [AudioFileWarning]

  public static let acceptedChannelCounts = 1...1024
  /// Hertz.
  public static let acceptedRates = 1_000...768_000

  /// Looks at a file. Plain WAV costs one read of its header; every other format is decoded once, to be sure of its
  /// length.
  /// - Throws: see `AudioFileError`; whatever is wrong with the file, it is one of its cases.
  public static func read(path: String) throws(AudioFileError) -> AudioFileFacts {
    let file = try OpenAudioFile(path: path)
    if let wave = try WaveHeader.read(from: file) { return try AudioFileFacts(wave, path: path) }
    let decoder = try SoundFileDecoder(path: path)
    return try decoder.facts()
  }

  /// Looks at a file whose frames have been counted before and whose bytes are the same since: nothing is decoded to count
  /// them again.
  /// - Throws: as `read(path:)`.
  public static func read(path: String, countedFrames: FrameCount) throws(AudioFileError) -> AudioFileFacts {
    let file = try OpenAudioFile(path: path)
    if let wave = try WaveHeader.read(from: file) { return try AudioFileFacts(wave, path: path) }
    return try SoundFileDecoder(path: path).facts(frames: countedFrames.frames)
  }
}

extension AudioFileFacts {
  /// - Throws: where channels, rate or length are outside what can be used.
  init(
    path: String, frames: Int64, hertz: Int, channelCount: Int, format: String, pcmLayout: PCMLayout?,
    seeksExactly: Bool, warnings: [AudioFileWarning]
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
  }
}
