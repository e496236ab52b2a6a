import DAWMedia

extension AudioFileReader {
  /// Frames from `frame` on, interleaved; fewer at the end of the file.
  func samples(at frame: Int64, count: Int) throws -> [Float] {
    // No sample of a file, so that one that is not written is noticed.
    var samples = [Float](repeating: 1e30, count: count * facts.channelCount)
    let done = try read(at: frame, count: count, into: &samples)
    samples.removeLast((count - done) * facts.channelCount)
    return samples
  }

  func allSamples() throws -> [Float] { try samples(at: 0, count: Int(facts.frames.frames)) }
}

extension [Float] {
  /// Bit patterns, which distinguish −0 from 0, and NaNs.
  var bits: [UInt32] { map(\.bitPattern) }
}
