import DAWTime
import Glibc

/// A file that a segment was compressed to.
public struct CompressedFile: Equatable, Sendable {
  public var name: String
  public var sha256: String
  public var byteCount: Int64

  public init(name: String, sha256: String, byteCount: Int64) {
    self.name = name
    self.sha256 = sha256
    self.byteCount = byteCount
  }
}

extension RecordingFolder {
  /// Writes a segment's sound to a compressed file beside it, and proves that the file can be read: lossless sound is
  /// decoded and compared sample by sample, other is decoded to its end. The segment's own file stays.
  /// - Parameters:
  ///   - segment: its name.
  ///   - sha256: of the segment's file.
  ///   - quality: `nil`: FLAC; else one channel of Vorbis at that quality.
  /// - Throws: `.damaged` if the file is not what was recorded, or cannot be kept in that form; no file is left behind.
  public func compress(
    _ segment: String, sha256: String, as sound: SegmentSound, to quality: LossyQuality?
  ) throws(MediaWorkError) -> CompressedFile {
    guard
      let name = CompressedSegment.names(for: segment).first(where: { $0.hasSuffix(quality == nil ? ".flac" : ".ogg") })
    else { throw .reading(.unrecognized(path: place.appending(segment).path)) }
    let source = try source(segment, sha256, sound)
    guard quality != nil || [.int16, .int24].contains(source.encoding) else {
      throw .reading(.damaged(path: source.reader.path, reason: "not of integers, which FLAC needs"))
    }
    let sink: SoundFileWriter
    do throws(AudioFileWriteError) {
      sink = try SoundFileWriter(
        at: place.appending(name), format: Self.format(source.encoding, sound, quality), replaces: true, mode: 0o600)
    } catch {
      throw .writing(error)
    }
    do throws(MediaWorkError) {
      let rated: any AudioFileSink =
        try sink.format.sampleRate == sound.sampleRate ? sink : Self.stage(from: sound.sampleRate, next: sink)
      try copy(
        source.reader,
        to: sink.format.channelCount < sound.channelCount ? MonoStage(next: rated) : rated)
      return try proved(name, source.reader, as: sound, isLossless: quality == nil)
    } catch {
      sink.cancel()
      if hasFile(segment) { try? folder.remove(name) }
      throw error
    }
  }

  /// Whether a compressed file is there and is what it was.
  public func holds(_ file: CompressedFile) -> Bool {
    guard let open = try? OpenAudioFile(file.name, in: folder), open.byteCount == file.byteCount else { return false }
    return (try? StreamingSHA256.hexDigest(ofFile: open.number)) == file.sha256
  }

  /// Whether there is a regular file of this name.
  public func hasFile(_ name: String) -> Bool { folder.status(of: name)?.isFile == true }

  /// Removes a file, and has that on disk.
  public func remove(_ name: String) throws(SystemCallFailure) {
    try folder.remove(name)
    try folder.sync()
  }

  private func source(
    _ segment: String, _ sha256: String, _ sound: SegmentSound
  ) throws(MediaWorkError) -> (reader: AudioFileReader, encoding: SampleEncoding) {
    do throws(AudioFileError) {
      let file = try OpenAudioFile(segment, in: folder)
      let found: String
      do throws(SystemCallFailure) {
        found = try StreamingSHA256.hexDigest(ofFile: file.number)
      } catch {
        throw AudioFileError.system(path: file.path, failure: error)
      }
      guard found == sha256, let wave = try WaveHeader.read(from: file) else {
        throw AudioFileError.damaged(path: file.path, reason: "not what was recorded")
      }
      let facts = try AudioFileFacts(wave, path: file.path)
      guard let encoding = facts.pcmLayout?.encoding, facts.frames.frames == sound.frames,
        facts.sampleRate == sound.sampleRate, facts.channelCount == sound.channelCount
      else { throw AudioFileError.damaged(path: file.path, reason: "not what was recorded") }
      return (try AudioFileReader(path: file.path, facts: facts), encoding)
    } catch {
      throw .reading(error)
    }
  }

  private static func format(
    _ encoding: SampleEncoding, _ sound: SegmentSound, _ quality: LossyQuality?
  ) -> AudioFileFormat {
    guard let quality else {
      return AudioFileFormat(
        container: .flac, encoding: encoding, sampleRate: sound.sampleRate, channelCount: sound.channelCount)
    }
    // Two channels are mixed; more than two stay.
    return AudioFileFormat(
      container: .vorbis, encoding: .float32, sampleRate: quality.sampleRate,
      channelCount: sound.channelCount == 2 ? 1 : sound.channelCount, quality: quality)
  }

  private static func stage(
    from rate: SampleRate, next: any AudioFileSink
  ) throws(MediaWorkError) -> any AudioFileSink {
    do throws(AudioFileWriteError) { return try RateStage(from: rate, next: next) } catch { throw .writing(error) }
  }

  private func copy(_ reader: AudioFileReader, to sink: any AudioFileSink) throws(MediaWorkError) {
    try Self.forEachBlock(of: reader) { (block, _, count) throws(MediaWorkError) in
      do throws(AudioFileWriteError) {
        try sink.append(interleaved: block, frameCount: count)
      } catch {
        throw .writing(error)
      }
    }
    do throws(AudioFileWriteError) { try sink.finish() } catch { throw .writing(error) }
  }

  /// Reads the file again.
  private func proved(
    _ name: String, _ source: AudioFileReader, as sound: SegmentSound, isLossless: Bool
  ) throws(MediaWorkError) -> CompressedFile {
    do throws(AudioFileError) {
      let file = try OpenAudioFile(name, in: folder)
      let reader = try CompressedSegmentReader(file, as: sound)
      if isLossless {
        try requireSame(source, reader, path: file.path)
      } else {
        try reader.readWhole()
      }
      do throws(SystemCallFailure) {
        return CompressedFile(
          name: name, sha256: try StreamingSHA256.hexDigest(ofFile: file.number), byteCount: file.byteCount)
      } catch {
        throw AudioFileError.system(path: file.path, failure: error)
      }
    } catch {
      throw .reading(error)
    }
  }

  private func requireSame(
    _ source: AudioFileReader, _ reader: CompressedSegmentReader, path: String
  ) throws(AudioFileError) {
    let channels = source.facts.channelCount
    let other = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockSamples)
    defer { other.deallocate() }
    do throws(MediaWorkError) {
      try Self.forEachBlock(of: source) { (block, frame, count) throws(MediaWorkError) in
        do throws(AudioFileError) {
          let found = try reader.read(at: frame, count: count, into: other)
          guard found == count, memcmp(block, other, count * channels * 4) == 0 else {
            throw AudioFileError.damaged(path: path, reason: "not the samples that were compressed")
          }
        } catch {
          throw .reading(error)
        }
      }
    } catch {
      if case .reading(let error) = error { throw error }
    }
  }

  private static let blockSamples = 65_536

  private static func forEachBlock(
    of reader: AudioFileReader,
    _ body: (_ block: UnsafeMutablePointer<Float>, _ frame: Int64, _ count: Int) throws(MediaWorkError) -> Void
  ) throws(MediaWorkError) {
    let channels = reader.facts.channelCount
    let block = UnsafeMutablePointer<Float>.allocate(capacity: max(blockSamples, channels))
    defer { block.deallocate() }
    let capacity = max(1, blockSamples / channels)
    var frame: Int64 = 0
    while frame < reader.facts.frames.frames {
      let count: Int
      do throws(AudioFileError) {
        count = try reader.read(at: frame, count: capacity, into: block)
      } catch {
        throw .reading(error)
      }
      try body(block, frame, count)
      frame += Int64(count)
    }
  }
}
