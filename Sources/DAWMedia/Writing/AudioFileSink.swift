/// Takes samples, full scale ±1, block by block, and makes an audio file of them. The same samples in the same format
/// give the same bytes, however they are cut into blocks. Used by one thread at a time.
///
/// Nobody sees the file under its name before `finish` has returned. A sink that is let go before is cancelled.
public protocol AudioFileSink: AnyObject {
  var format: AudioFileFormat { get }
  /// Frames taken so far.
  var frameCount: Int64 { get }
  /// Samples that were beyond full scale in an integer format, and were brought back to it. A sample counts where its
  /// rounded value is beyond the largest or the smallest integer, or where it is not a number (it becomes silence). In a
  /// lossy format, samples beyond ±1, which players cut off.
  var clippedSampleCount: Int64 { get }
  /// For frames in any order, where the sink can take them.
  var placer: FramePlacer? { get }

  /// Takes `frameCount` frames, the channels one after the other within each.
  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError)

  /// Takes `frameCount` frames from one buffer for each channel.
  /// - Parameter channels: as many as the format has.
  func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError)

  /// Completes the file: it is on the disk and has its name when this returns. Call it once, last.
  func finish() throws(AudioFileWriteError)

  /// Removes what has been written. Does nothing once the sink is finished.
  func cancel()
}

/// Opens a sink for a file.
/// - Parameters:
///   - replaces: whether a file of that name makes way; otherwise that is `.exists`.
///   - description: what a WAV says of itself; other containers leave it out.
///   - loudness: asked when all samples have come, and put into the description.
/// - Throws: `.unsupported` where the container cannot hold the format; what creating a file throws.
public func audioFileSink(
  at place: Place, format: AudioFileFormat, replaces: Bool = false, description: WaveDescription? = nil,
  loudness: @escaping () -> Loudness? = { nil }
) throws(AudioFileWriteError) -> any AudioFileSink {
  switch format.container {
  case .wave, .rf64:
    try WaveWriter(at: place, format: format, replaces: replaces, description: description, loudness: loudness)
  case .flac, .aiff, .vorbis, .opus, .mp3: try SoundFileWriter(at: place, format: format, replaces: replaces)
  }
}
