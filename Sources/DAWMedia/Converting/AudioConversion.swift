import DAWTime

/// Converts audio files to float WAV at any rate. Memory does not grow with the length.
public enum AudioConversion {
  /// The length of a file at another rate: frames × new rate / old rate, to the nearest, at least 1.
  public static func frameCount(of facts: AudioFileFacts, at rate: SampleRate) -> FrameCount {
    FrameCount(frames: max(1, RateStage.frameCount(facts.frames.frames, from: facts.sampleRate, to: rate)))
  }

  /// Decodes a file and resamples it if the rate differs: frame n of the copy is the sound at time n / `rate` of the
  /// source. At the same rate the samples are the source's own.
  /// - Parameters:
  ///   - rate: within `AudioFileFacts.acceptedRates`.
  ///   - place: the 32-bit float WAV, written to a temporary name and then renamed.
  ///   - replaces: whether an existing file is replaced.
  ///   - progress: in frames of the copy.
  /// - Throws: `MediaWorkError`; no new file is left at `place`.
  public static func convert(
    _ reader: AudioFileReader, to rate: SampleRate, at place: Place, replaces: Bool = false,
    progress: MediaProgress = { _, _ in true }
  ) throws(MediaWorkError) {
    let facts = reader.facts
    let total = frameCount(of: facts, at: rate).frames
    let source = BlockSource(reader)
    let sink: WaveWriter
    do {
      let format = AudioFileFormat(encoding: .float32, sampleRate: rate, channelCount: facts.channelCount)
      try format.requireRoom(for: total, at: place)
      sink = try WaveWriter(at: place, format: format, replaces: replaces)
    } catch {
      throw .writing(error)
    }
    if rate == facts.sampleRate {
      while let block = try source.next() {
        try append(block, to: sink)
        guard progress(sink.frameCount, total) else { throw .cancelled }
      }
    } else {
      try resample(source, to: sink, from: reader, frames: total, progress)
    }
    do {
      try sink.finish()
    } catch {
      throw .writing(error)
    }
  }

  /// Writes a file's frames from the last to the first.
  /// - Parameters: as of `convert`.
  /// - Throws: `MediaWorkError`; no new file is left at `place`.
  static func reverse(
    _ reader: AudioFileReader, at place: Place, replaces: Bool, progress: MediaProgress
  ) throws(MediaWorkError) {
    let facts = reader.facts
    let channels = facts.channelCount
    let total = facts.frames.frames
    let capacity = BlockSource.frameCount(channels: channels)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity * channels)
    defer { samples.deallocate() }
    let reversed = samples + capacity * channels
    let sink: WaveWriter
    do {
      let format = AudioFileFormat(encoding: .float32, sampleRate: facts.sampleRate, channelCount: channels)
      try format.requireRoom(for: total, at: place)
      sink = try WaveWriter(at: place, format: format, replaces: replaces)
    } catch {
      throw .writing(error)
    }
    var end = total
    while end > 0 {
      let count = Int(min(Int64(capacity), end))
      do {
        _ = try reader.read(at: end - Int64(count), count: count, into: samples)
      } catch {
        throw .reading(error)
      }
      for frame in 0..<count {
        let source = samples + (count - 1 - frame) * channels
        (reversed + frame * channels).update(from: source, count: channels)
      }
      try append(Block(samples: UnsafePointer(reversed), frames: count), to: sink)
      end -= Int64(count)
      guard progress(sink.frameCount, total) else { throw .cancelled }
    }
    do {
      try sink.finish()
    } catch {
      throw .writing(error)
    }
  }

  private static func resample(
    _ source: BlockSource, to sink: WaveWriter, from reader: AudioFileReader, frames total: Int64,
    _ progress: MediaProgress
  ) throws(MediaWorkError) {
    let channels = reader.facts.channelCount
    let capacity = BlockSource.frameCount(channels: channels)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
    defer { output.deallocate() }
    let resampler: Resampler
    do {
      resampler = try Resampler(from: reader.facts.sampleRate, to: sink.format.sampleRate, channelCount: channels)
    } catch {
      throw .resampling(path: reader.path, reason: error.reason)
    }
    var block = try source.next()
    while sink.frameCount < total {
      let room = Int(min(Int64(capacity), total - sink.frameCount))
      var given: Int
      let taken: Int
      do {
        (taken, given) = try resampler.process(block?.samples, count: block?.frames ?? 0, into: output, capacity: room)
      } catch {
        throw .resampling(path: reader.path, reason: error.reason)
      }
      if given == 0, block == nil {
        // The rounded length may be a frame more than soxr returns; it is silent.
        output.update(repeating: 0, count: room * channels)
        given = room
      }
      try append(Block(samples: UnsafePointer(output), frames: given), to: sink)
      block?.drop(taken, channels: channels)
      if block?.frames == 0 { block = try source.next() }
      guard progress(sink.frameCount, total) else { throw .cancelled }
    }
  }

  private static func append(_ block: Block, to sink: WaveWriter) throws(MediaWorkError) {
    do {
      try sink.append(interleaved: block.samples, frameCount: block.frames)
    } catch {
      throw .writing(error)
    }
  }
}
