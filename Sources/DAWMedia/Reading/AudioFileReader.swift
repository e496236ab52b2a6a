import DAWTime

/// Reads any audio file's samples by frame, at the file's rate: PCM WAV and takes directly, other formats through
/// libsndfile, with equal results where both apply. A sample that is NaN or infinite becomes 0. Used by one thread at a
/// time.
///
/// A frame always has the same samples, whatever was read before. For formats without `seeksExactly`, a step back
/// decodes from the start again: read those in order, or convert them once (`WaveCache`).
public final class AudioFileReader {
  public let path: String
  public let facts: AudioFileFacts

  private var source: Source

  private enum Source {
    case plain(PCMReader)
    case take(TakeReader)
    case decoded(SoundFileDecoder)
  }

  /// Opens and examines a file; `AudioFileFacts.read(path:)` describes the cost.
  public convenience init(path: String) throws(AudioFileError) {
    try self.init(path: path, facts: try AudioFileFacts.read(path: path))
  }

  /// Opens a file whose facts are known, without examining it again.
  public init(path: String, facts: AudioFileFacts) throws(AudioFileError) {
    self.path = path
    self.facts = facts
    if let layout = facts.pcmLayout {
      source = .plain(PCMReader(file: try OpenAudioFile(path: path), layout: layout))
    } else if facts.isTake {
      let reader = try TakeReader(path: path)
      guard reader.channelCount == facts.channelCount else { throw .changedWhileRead(path: path) }
      source = .take(reader)
    } else {
      source = .decoded(try Self.decoder(path, facts))
    }
  }

  /// Reads frames.
  /// - Parameters:
  ///   - frame: the first frame, ≥ 0; at or after the end of the file nothing is read.
  ///   - count: ≥ 0.
  ///   - samples: room for `count` frames, `frames × channels`, interleaved; full scale ±1. PCM of b bits is exactly
  ///     x / 2^(b−1). Not written after the end of the file.
  /// - Returns: frames read; fewer than `count` only at the end of the file.
  /// - Throws: `.endsEarly` if there are fewer frames than the facts say, and the errors of opening.
  public func read(
    at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(AudioFileError) -> Int {
    guard frame >= 0, frame < facts.frames.frames, count > 0 else { return 0 }
    let wanted = Int(min(Int64(count), facts.frames.frames - frame))
    let done: Int
    switch source {
    case .plain(let reader): done = try reader.read(at: frame, count: wanted, into: samples)
    case .take(let reader): done = try reader.read(at: frame, count: wanted, into: samples)
    case .decoded: done = try decode(at: frame, count: wanted, into: samples)
    }
    guard done == wanted else {
      throw .endsEarly(path: path, atFrame: frame + Int64(done), expectedFrames: facts.frames.frames)
    }
    return done
  }

  private func decode(
    at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(AudioFileError) -> Int {
    var decoder = try current()
    if decoder.position != frame, !decoder.seek(to: frame) {
      if decoder.position > frame || facts.seeksExactly {
        decoder = try Self.decoder(path, facts)
        source = .decoded(decoder)
      }
      try skip(decoder, to: frame)
    }
    var done = 0
    while done < count {
      let step = try decoder.decode(into: samples + done * facts.channelCount, count: count - done)
      if step == 0 { break }
      done += step
    }
    _ = Samples.silenceNotFinite(samples, count: done * facts.channelCount)
    return done
  }

  private func current() throws(AudioFileError) -> SoundFileDecoder {
    switch source {
    case .decoded(let decoder): return decoder
    case .plain, .take: return try Self.decoder(path, facts)
    }
  }

  private func skip(_ decoder: SoundFileDecoder, to frame: Int64) throws(AudioFileError) {
    let blockFrames = max(1, 16_384 / facts.channelCount)
    let block = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * facts.channelCount)
    defer { block.deallocate() }
    while decoder.position < frame {
      let step = try decoder.decode(into: block, count: Int(min(Int64(blockFrames), frame - decoder.position)))
      guard step > 0 else {
        throw .endsEarly(path: path, atFrame: decoder.position, expectedFrames: facts.frames.frames)
      }
    }
  }

  private static func decoder(_ path: String, _ facts: AudioFileFacts) throws(AudioFileError) -> SoundFileDecoder {
    let decoder = try SoundFileDecoder(path: path)
    // The caller's buffers are sized by the facts' channels.
    guard decoder.channelCount == facts.channelCount else { throw .changedWhileRead(path: path) }
    return decoder
  }
}
