import CSndFile
import DAWTime
import Glibc

/// A cache of float WAVs converted from audio files: decoded, resampled if necessary, and reversed if asked for. A copy
/// is made once, by the first process that needs it, and is keyed by the content of its source, so that sources may be
/// renamed. Files may be deleted while no process uses the folder (`FolderUse`); they are made again.
public struct WaveCache: Sendable {
  public let place: Place

  /// - Parameter place: the folder, made if it is missing.
  public init(_ place: Place) { self.place = place }

  /// The copy of a file at a rate, made now if it is missing or damaged.
  /// - Parameters:
  ///   - sha256: of the source's bytes.
  ///   - isReversed: whether the copy goes from the source's last frame to its first. It holds the samples of the copy
  ///     that is not reversed, which is made for it if the source itself is not read from its end.
  ///   - progress: in frames of the copy; also called while another process makes it.
  /// - Returns: the path of a 32-bit float WAV of `AudioConversion.frameCount(of:at:)` frames.
  /// - Throws: `MediaWorkError`; the folder then holds no half copy.
  public func copy(
    of source: String, facts: AudioFileFacts, sha256: String, at rate: SampleRate, isReversed: Bool = false,
    progress: MediaProgress = { _, _ in true }
  ) throws(MediaWorkError) -> String {
    let key = Self.key(sha256: sha256, rate: rate, facts: facts, isReversed: isReversed)
    let copy = place.appending(Self.name(of: key))
    if isWhole(copy.path, facts, rate) {
      try? place.open().touch(copy.name)
      return copy.path
    }
    let total = AudioConversion.frameCount(of: facts, at: rate).frames
    let lock = try KeyLock(key: key, in: place) { progress(0, total) }
    defer { withExtendedLifetime(lock) {} }
    if isWhole(copy.path, facts, rate) { return copy.path }
    guard isReversed else {
      let reader = try Self.reader(source, facts)
      try AudioConversion.convert(reader, to: rate, at: copy, replaces: true, progress: progress)
      return copy.path
    }
    let isReadBackwards = !facts.needsCopy(at: rate)
    let forward =
      try isReadBackwards ? source : self.copy(of: source, facts: facts, sha256: sha256, at: rate, progress: progress)
    let reader = try Self.reader(forward, isReadBackwards ? facts : nil)
    try AudioConversion.reverse(reader, at: copy, replaces: true, progress: progress)
    return copy.path
  }

  private static func reader(_ path: String, _ facts: AudioFileFacts?) throws(MediaWorkError) -> AudioFileReader {
    do {
      guard let facts else { return try AudioFileReader(path: path) }
      return try AudioFileReader(path: path, facts: facts)
    } catch {
      throw .reading(error)
    }
  }

  /// The path of a copy, whether or not it exists.
  public func path(
    ofCopyWith sha256: String, facts: AudioFileFacts, at rate: SampleRate, isReversed: Bool = false
  ) -> String {
    place.appending(Self.name(of: Self.key(sha256: sha256, rate: rate, facts: facts, isReversed: isReversed))).path
  }

  private static func name(of key: String) -> String { key + ".wav" }

  /// Whether a path is that of a copy of a source, by its name.
  package static func isCopy(_ path: String, ofSHA256 sha256: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix(sha256 + "-") == true
  }

  /// Raised when a source would give different samples.
  private static let version = 1

  /// A key of everything that the samples depend on.
  private static func key(sha256: String, rate: SampleRate, facts: AudioFileFacts, isReversed: Bool) -> String {
    let decoder = String(cString: sf_version_string()).drop { !$0.isNumber }
    let resampler = rate == facts.sampleRate ? "decoded" : "soxr\(Resampler.version)"
    return
      "\(sha256)-\(rate.hertz)-\(resampler)-sndfile\(decoder)-\(version)\(facts.isTake && !facts.seeksExactly ? "-compressed" : "")\(isReversed ? "-reversed" : "")"
  }

  private func isWhole(_ path: String, _ source: AudioFileFacts, _ rate: SampleRate) -> Bool {
    guard let found = try? AudioFileFacts.read(path: path) else { return false }
    return found.frames == AudioConversion.frameCount(of: source, at: rate) && found.sampleRate == rate
      && found.channelCount == source.channelCount && found.pcmLayout?.encoding == .float32 && found.warnings.isEmpty
  }
}

extension AudioFileFacts {
  /// Whether a copy of the file is played at a rate, and not the file itself.
  package func needsCopy(at rate: SampleRate, isReversed: Bool = false) -> Bool {
    isReversed || sampleRate != rate || !seeksExactly
  }
}
