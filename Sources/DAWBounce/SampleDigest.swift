import DAWMedia

/// A digest of samples: SHA-256 of them as interleaved stereo 32-bit floats, little-endian.
public struct SampleDigest: Hashable, Sendable {
  public var frameCount: Int64
  /// 64 hexadecimal digits.
  public var sha256: String
  /// Frames in a span; 0 without spans.
  public var spanFrames: Int64
  /// For each span, the first 16 hexadecimal digits of its SHA-256; the last span may be shorter.
  public var spans: [String]

  public init(frameCount: Int64, sha256: String, spanFrames: Int64, spans: [String]) {
    self.frameCount = frameCount
    self.sha256 = sha256
    self.spanFrames = spanFrames
    self.spans = spans
  }

  /// The frames of the first span that differs, from the beginning of the samples; `nil` if the samples are equal.
  public func firstDifference(from other: SampleDigest) -> Range<Int64>? {
    guard self != other else { return nil }
    let frames = min(frameCount, other.frameCount)
    let longest = max(frameCount, other.frameCount)
    guard spanFrames > 0, spanFrames == other.spanFrames else { return 0..<longest }
    guard let span = zip(spans, other.spans).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return frames..<longest
    }
    let start = Int64(span) * spanFrames
    return start..<min(start + spanFrames, longest)
  }
}

/// Computes a digest of samples on their way to a sink.
public final class DigestingSink: AudioFileSink {
  private let sink: (any AudioFileSink)?
  public let format: AudioFileFormat
  private let spanFrames: Int64
  private var whole = StreamingSHA256()
  private var span = StreamingSHA256()
  private var spans: [String] = []
  private var interleaved: [Float] = []
  public private(set) var frameCount: Int64 = 0

  /// - Parameters:
  ///   - sink: the next sink; `nil` for none.
  ///   - format: the samples' format; two channels.
  ///   - spanFrames: frames in a span; 0 for no spans.
  public init(into sink: (any AudioFileSink)?, format: AudioFileFormat, spanFrames: Int64 = 0) {
    self.sink = sink
    self.format = format
    self.spanFrames = spanFrames
  }

  public var clippedSampleCount: Int64 { sink?.clippedSampleCount ?? 0 }

  /// The digest of all samples so far.
  public var digest: SampleDigest {
    let isOpen = spanFrames > 0 && frameCount % spanFrames > 0
    return SampleDigest(
      frameCount: frameCount, sha256: whole.hexDigest(), spanFrames: spanFrames,
      spans: isOpen ? spans + [String(span.hexDigest().prefix(16))] : spans)
  }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    try sink?.append(interleaved: samples, frameCount: frameCount)
    add(samples, frameCount)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try sink?.append(planar: channels, frameCount: frameCount)
    if interleaved.count < 2 * frameCount { interleaved = [Float](repeating: 0, count: 2 * frameCount) }
    let (left, right) = (channels[0], channels[1])
    interleaved.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for frame in 0..<frameCount {
        base[2 * frame] = left[frame]
        base[2 * frame + 1] = right[frame]
      }
      add(base, frameCount)
    }
  }

  public func finish() throws(AudioFileWriteError) { try sink?.finish() }

  public func cancel() { sink?.cancel() }

  private func add(_ samples: UnsafePointer<Float>, _ count: Int) {
    whole.update(UnsafeRawBufferPointer(start: samples, count: 8 * count))
    var done = 0
    while spanFrames > 0, done < count {
      let length = min(count - done, Int(spanFrames - frameCount % spanFrames))
      span.update(UnsafeRawBufferPointer(start: samples + 2 * done, count: 8 * length))
      done += length
      frameCount += Int64(length)
      if frameCount % spanFrames == 0 {
        spans.append(String(span.hexDigest().prefix(16)))
        span = StreamingSHA256()
      }
    }
    if spanFrames == 0 { frameCount += Int64(count) }
  }
}
