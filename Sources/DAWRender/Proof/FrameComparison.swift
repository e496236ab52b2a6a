import DAWMedia

/// The first frame whose samples are not the same in both files: the length of the shorter one where it is the
/// beginning of the other, 0 where rate or width differ; `nil` where all are equal.
/// - Parameter progress: in frames.
/// - Throws: `AudioFileError`, `MediaWorkError.cancelled`.
func firstDifferentFrame(_ path: String, _ other: String, _ progress: MediaProgress) throws -> Int64? {
  let files = try [path, other].map { path in
    let facts = try AudioFileFacts.read(path: path)
    return (facts: facts, reader: try AudioFileReader(path: path, facts: facts))
  }
  let channelCount = files[0].facts.channelCount
  guard channelCount == files[1].facts.channelCount, files[0].facts.sampleRate == files[1].facts.sampleRate else {
    return 0
  }
  let blockFrames = 16_384
  var blocks = [[Float]](repeating: [Float](repeating: 0, count: blockFrames * channelCount), count: 2)
  var done: Int64 = 0
  while true {
    var counts = [0, 0]
    for side in 0..<2 {
      let left = min(Int64(blockFrames), files[side].facts.frames.frames - done)
      if left > 0 { counts[side] = try files[side].reader.read(at: done, count: Int(left), into: &blocks[side]) }
    }
    let common = min(counts[0], counts[1])
    let pair = zip(blocks[0].prefix(common * channelCount), blocks[1])
    if let sample = pair.enumerated().first(where: { $1.0.bitPattern != $1.1.bitPattern })?.offset {
      return done + Int64(sample / channelCount)
    }
    if counts[0] != counts[1] { return done + Int64(common) }
    if common == 0 { return nil }
    done += Int64(common)
    guard progress(done, files[0].facts.frames.frames) else { throw MediaWorkError.cancelled }
  }
}
