import CSndFile
import DAWTime
import Glibc

/// A folder of float WAVs made from audio files: decoded, and resampled where a project's rate asks for it. A copy is made
/// once, by whichever process comes first, and known by the content of its source, so that a source may be renamed.
/// Anyone may delete what is in the folder while nobody works with it (`FolderUse`); it is made again.
public struct WaveCache: Sendable {
  public let place: Place

  /// - Parameter place: of the folder, which is made where it is missing.
  public init(_ place: Place) { self.place = place }

  /// The copy of a file at a rate, made now where it is not there yet or is damaged.
  /// - Parameters:
  ///   - sha256: of the source's bytes.
  ///   - progress: in frames of the copy; also asked while another process makes it.
  /// - Returns: the path of a 32-bit float WAV of `AudioConversion.frameCount(of:at:)` frames.
  /// - Throws: `MediaWorkError`; the folder then holds no half copy.
  public func copy(
    of source: String, facts: AudioFileFacts, sha256: String, at rate: SampleRate,
    progress: MediaProgress = { _, _ in true }
  ) throws(MediaWorkError) -> String {
    let key = Self.key(sha256: sha256, rate: rate, facts: facts)
    let copy = place.appending(Self.name(of: key))
    if isWhole(copy.path, facts, rate) {
      try? place.open().touch(copy.name)
      return copy.path
    }
    let total = AudioConversion.frameCount(of: facts, at: rate).frames
    let lock = try KeyLock(key: key, in: place) { progress(0, total) }
    defer { withExtendedLifetime(lock) {} }
    if isWhole(copy.path, facts, rate) { return copy.path }
    let reader: AudioFileReader
    do {
      reader = try AudioFileReader(path: source, facts: facts)
    } catch {
      throw .reading(error)
    }
    try AudioConversion.convert(reader, to: rate, at: copy, replaces: true, progress: progress)
    return copy.path
  }

  /// The path that a copy has, or would have.
  public func path(ofCopyWith sha256: String, facts: AudioFileFacts, at rate: SampleRate) -> String {
    place.appending(Self.name(of: Self.key(sha256: sha256, rate: rate, facts: facts))).path
  }

  private static func name(of key: String) -> String { key + ".wav" }

  /// Grows when the same source would give other samples.
  private static let version = 1

  /// All that the samples depend on.
  private static func key(sha256: String, rate: SampleRate, facts: AudioFileFacts) -> String {
    let decoder = String(cString: sf_version_string()).drop { !$0.isNumber }
    let resampler = rate == facts.sampleRate ? "decoded" : "soxr\(Resampler.version)"
    return "\(sha256)-\(rate.hertz)-\(resampler)-sndfile\(decoder)-\(version)"
  }

  private func isWhole(_ path: String, _ source: AudioFileFacts, _ rate: SampleRate) -> Bool {
    guard let found = try? AudioFileFacts.read(path: path) else { return false }
    return found.frames == AudioConversion.frameCount(of: source, at: rate) && found.sampleRate == rate
      && found.channelCount == source.channelCount && found.pcmLayout?.encoding == .float32 && found.warnings.isEmpty
  }
}
