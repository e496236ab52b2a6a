import CSndFile

/// libsndfile used directly, as another program would: the reference for the library's own code.
enum LibSndFile {
  struct Content {
    let frames: Int
    let channels: Int
    let hertz: Int
    let format: Int
    /// Interleaved.
    let samples: [Float]
  }

  /// All samples of a file, or `nil` if libsndfile refuses it.
  static func read(_ path: String) -> Content? {
    var facts = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &facts) else { return nil }
    defer { sf_close(file) }
    var samples = [Float](repeating: 0, count: Int(facts.frames) * Int(facts.channels))
    let done = Int(sf_readf_float(file, &samples, facts.frames))
    samples.removeLast(samples.count - done * Int(facts.channels))
    return Content(
      frames: Int(facts.frames), channels: Int(facts.channels), hertz: Int(facts.samplerate), format: Int(facts.format),
      samples: samples)
  }

  /// Writes a file of `format` (a sum of `SF_FORMAT_…`). Returns false if libsndfile cannot.
  static func write(_ samples: [Float], channels: Int, hertz: Int = 48_000, format: Int, to path: String) -> Bool {
    var facts = SF_INFO()
    facts.channels = Int32(channels)
    facts.samplerate = Int32(hertz)
    facts.format = Int32(format)
    guard let file = sf_open(path, Int32(SFM_WRITE), &facts) else { return false }
    defer { sf_close(file) }
    return sf_write_float(file, samples, Int64(samples.count)) == samples.count
  }
}
