/// Writes samples, full scale ±1, to an audio file. The same samples in the same format give the same bytes, whatever
/// the block sizes. Used by one thread at a time.
///
/// The file gets its name in `finish`. A sink that is freed before is cancelled.
public protocol AudioFileSink: AnyObject {
  var format: AudioFileFormat { get }
  /// Frames appended so far.
  var frameCount: Int64 { get }
  /// Samples clipped in an integer format: those whose rounded value is out of range, or that are NaN (written as 0).
  /// In a lossy format, samples beyond ±1, which players clip.
  var clippedSampleCount: Int64 { get }
  /// For writing frames in any order; `nil` if the sink does not support it.
  var placer: FramePlacer? { get }

  /// Appends interleaved frames.
  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError)

  /// Appends planar frames.
  /// - Parameter channels: as many as in the format.
  func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError)

  /// Completes the file: it is flushed to disk and renamed when this returns. To be called once, last.
  func finish() throws(AudioFileWriteError)

  /// Removes the incomplete file. Does nothing after `finish`.
  func cancel()
}

/// Opens a sink for a file.
/// - Parameters:
///   - replaces: whether an existing file is replaced; otherwise it is `.exists`.
///   - description: metadata of a WAV; ignored for other containers.
///   - tags: ignored by the containers that do not take them.
///   - loudness: called after the last sample; added to the description.
/// - Throws: `.unsupported` if the container does not support the format; errors of creating a file.
public func audioFileSink(
  at place: Place, format: AudioFileFormat, replaces: Bool = false, description: WaveDescription? = nil,
  tags: FileTags? = nil, loudness: @escaping () -> Loudness? = { nil }
) throws(AudioFileWriteError) -> any AudioFileSink {
  switch format.container {
  case .wave, .rf64:
    try WaveWriter(at: place, format: format, replaces: replaces, description: description, loudness: loudness)
  case .flac, .aiff, .vorbis, .opus, .mp3:
    try SoundFileWriter(at: place, format: format, replaces: replaces, tags: tags)
  case .m4a: try FFmpegWriter(at: place, format: format, replaces: replaces, tags: tags ?? FileTags())
  }
}
