import DAWTime

/// A cache of peak files, keyed by the audio file's content. Files may be deleted at any time; they are made again.
public struct PeakCache: Sendable {
  public let place: Place

  /// - Parameter place: the folder, made if it is missing.
  public init(_ place: Place) { self.place = place }

  /// The peaks of an audio file, made now if they are missing or damaged.
  /// - Parameters:
  ///   - sha256: of the file's bytes.
  ///   - progress: in frames; also called while another process makes them.
  /// - Throws: `MediaWorkError`; no incomplete file is left.
  public func peaks(
    of source: String, facts: AudioFileFacts, sha256: String, progress: MediaProgress = { _, _ in true }
  ) throws(MediaWorkError) -> PeakFile {
    let kept = place.appending(sha256 + ".peaks")
    let path = kept.path
    if let peaks = PeakFile(path: path, sha256: sha256, facts: facts) {
      try? place.open().touch(kept.name)
      return peaks
    }
    let lock = try KeyLock(key: sha256 + ".peaks", in: place) { progress(0, facts.frames.frames) }
    defer { withExtendedLifetime(lock) {} }
    if let peaks = PeakFile(path: path, sha256: sha256, facts: facts) { return peaks }
    try build(source, facts, sha256, kept, progress)
    guard let peaks = PeakFile(path: path, sha256: sha256, facts: facts) else {
      throw .reading(.changedWhileRead(path: path))
    }
    return peaks
  }

  /// Whether there is a whole file of peaks of an audio file.
  public func holdsPeaks(sha256: String, channelCount: Int, frames: FrameCount) -> Bool {
    let layout = PeakLayout(channelCount: channelCount, frames: frames.frames)
    return PeakFile(path: place.appending(sha256 + ".peaks").path, sha256: sha256, layout: layout) != nil
  }

  private func build(
    _ source: String, _ facts: AudioFileFacts, _ sha256: String, _ place: Place, _ progress: MediaProgress
  ) throws(MediaWorkError) {
    let layout = PeakLayout(channelCount: facts.channelCount, frames: facts.frames.frames)
    let blocks: BlockSource
    do {
      blocks = BlockSource(try AudioFileReader(path: source, facts: facts))
    } catch {
      throw .reading(error)
    }
    let file: PartialFile
    do {
      file = try PartialFile(at: place, replaces: true)
    } catch {
      throw .writing(error)
    }
    let path = place.path
    let builder = PeakBuilder(layout: layout, file: file)
    var done: Int64 = 0
    while let block = try blocks.next() {
      try Self.writing(path) { () throws(SystemCallFailure) in try builder.append(block) }
      done += Int64(block.frames)
      guard progress(done, facts.frames.frames) else { throw .cancelled }
    }
    try Self.writing(path) { () throws(SystemCallFailure) in
      try builder.finish()
      try FileDescriptor.write(layout.header(sha256: sha256), to: file.number, at: 0)
    }
    do {
      try file.commit()
    } catch {
      throw .writing(error)
    }
  }

  private static func writing(_ path: String, _ body: () throws(SystemCallFailure) -> Void) throws(MediaWorkError) {
    do {
      try body()
    } catch {
      throw .writing(AudioFileWriteError(path: path, error))
    }
  }
}
