import DAWErrors
import DAWMedia
import DAWModel
import DAWTime
import Foundation

extension IncomingMedia {
  /// A file that is brought in as Vorbis, two channels as one, or losslessly as FLAC, where its samples have 16 or 24
  /// bits.
  /// - Throws: `AudioFileError`, `AudioFileWriteError`, `MediaWorkError`, `Failure`.
  func compression(of file: IncomingFile, at source: String, to quality: Retention.Quality) throws -> Arrival {
    var plain = file
    plain.quality = nil
    let original = try arrival(of: plain)
    let path = original.copy?.path ?? source
    let facts = original.facts
    var format = AudioFileFormat(
      container: .flac, encoding: .int24, sampleRate: facts.sampleRate, channelCount: facts.channelCount)
    if let lossy = LossyQuality(rawValue: quality.rawValue) {
      format = AudioFileFormat(
        container: .vorbis, encoding: .float32, sampleRate: lossy.sampleRate,
        channelCount: facts.channelCount == 2 ? 1 : facts.channelCount, quality: lossy)
    } else {
      // FLAC has neither floating point nor more than eight channels, and what is compressed stays as it is.
      guard let encoding = facts.pcmLayout?.encoding, [.int16, .int24].contains(encoding), facts.channelCount <= 8
      else { return original }
      format.encoding = encoding
    }
    let copy = try newCopy()
    let sink = try SoundFileWriter(at: copy, format: format, replaces: false)
    do {
      let rated: any AudioFileSink =
        format.sampleRate == facts.sampleRate ? sink : try RateStage(from: facts.sampleRate, next: sink)
      try Self.write(
        try AudioFileReader(path: path), to: format.channelCount < facts.channelCount ? MonoStage(next: rated) : rated)
    } catch {
      sink.cancel()
      throw error
    }
    // The plain copy stays until the edit's end: another part of the edit may bring in the file as it is, or compressed
    // otherwise.
    return Arrival(
      facts: try AudioFileFacts.read(path: copy.path), digest: try sha256(ofFile: copy.path), copy: copy,
      name: Self.name(original.name, ending: format.container == .flac ? ".flac" : ".ogg"))
  }

  private static func write(_ reader: AudioFileReader, to sink: any AudioFileSink) throws {
    let (total, channelCount) = (reader.facts.frames.frames, reader.facts.channelCount)
    let capacity = max(1, 65_536 / channelCount)
    let block = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channelCount)
    defer { block.deallocate() }
    var done: Int64 = 0
    while done < total {
      let count = try reader.read(at: done, count: capacity, into: block)
      guard count > 0 else { break }
      try sink.append(interleaved: block, frameCount: count)
      done += Int64(count)
    }
    try sink.finish()
  }
}
