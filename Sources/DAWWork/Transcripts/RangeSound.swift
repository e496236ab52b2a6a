import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// The sound of a range as one channel, with some of what is around it.
struct RangeSound {
  private(set) var samples: [Float] = []
  var sampleRate: SampleRate
  /// How many of the samples lie before the range.
  var lead: Int
  var rangeCount: Int

  /// Seconds of sound on each side that an engine hears as well, so that no word is cut in two.
  static let surroundings = 1

  /// - Parameter isAlone: without what is around it.
  /// - Throws: `Failure` if a file is missing or cannot be read.
  init(_ range: SoundRange, of session: Session, isAlone: Bool) throws {
    sampleRate = range.sampleRate
    let around = isAlone ? 0 : Int64(Self.surroundings * sampleRate.hertz)
    let start = max(0, range.start.frames - around)
    let end = range.start.frames + min(range.frames.frames, .max - range.start.frames - around) + around
    guard end - start <= Int64(sampleRate.hertz) * 86_400 else {
      throw Failure(.invalid, code: "tooLong", "A range of more than a day cannot be transcribed.")
    }
    lead = Int(range.start.frames - start)
    rangeCount = Int(range.frames.frames)
    // What is read is what the files have: their rows may claim more.
    switch range.medium {
    case .file(let id):
      guard let file = try session.read({ try $0.row(id) }) else {
        throw Failure(.noInput, code: "audioFileNotFound", "The audio file is no longer in the project.")
      }
      guard let path = session.folder.find(file.location) else {
        throw Failure(.noInput, code: "missing", file.missingSentence)
      }
      // To count the frames again would decode a whole file that is compressed, for each of its ranges.
      let facts =
        session.folder.state(of: file.location) == .asRecorded
        ? try AudioFileFacts.read(path: path, countedFrames: file.frames) : try AudioFileFacts.read(path: path)
      let reader = try AudioFileReader(path: path, facts: facts)
      try append(facts.channelCount, at: start, to: min(end, facts.frames.frames), reader.read)
    case .segment(let pass, let index):
      guard let row = try session.read({ try $0.recordings.pass(pass) }) else {
        throw Failure(.noInput, code: "recordingNotFound", "Nothing is known of the recording any more.")
      }
      let last = min(end, row.frames.frames)
      let segments = try session.read { try $0.recordings.segments(of: row.recording) }.filter {
        // The header of one that is written may be behind.
        $0.pass == pass && $0.state != .recording
      }
      for segment in segments.sorted(by: { $0.start < $1.start }) {
        let from = max(start, segment.start.frames)
        let to = min(last, (segment.start + segment.frames).frames)
        guard from < to else { continue }
        guard segment.index != index else {
          try append(segment, of: row, in: session, from: from, to: to, place: from - start)
          if Int64(samples.count) < to - start { break }
          continue
        }
        // What is around the range may be lost: it is silent then.
        try? append(segment, of: row, in: session, from: from, to: to, place: from - start)
      }
    }
    rangeCount = min(rangeCount, samples.count - lead)
    guard rangeCount > 0 else {
      throw Failure(.invalid, code: "endsEarly", "The sound ends before the range that is to be transcribed.")
    }
  }

  /// Appends frames of a segment, with silence before them where nothing was there to be read.
  /// - Parameters:
  ///   - from: in frames of the pass, as `to`.
  ///   - place: of the first frame in `samples`, unless there are more already.
  private mutating func append(
    _ segment: RecordedSegment, of pass: RecordedPass, in session: Session, from: Int64, to: Int64, place: Int64
  ) throws {
    let path = session.folder.absolute(segment.path)
    let silence = [Float](repeating: 0, count: Int(max(0, place - Int64(samples.count))))
    let (first, end) = (from - segment.start.frames, to - segment.start.frames)
    if segment.recordedSHA256 == nil {
      let reader = try AudioFileReader(path: path)
      samples += silence
      try append(reader.facts.channelCount, at: first, to: end, reader.read)
    } else {
      let sound = SegmentSound(
        sampleRate: sampleRate, channelCount: pass.channelCount, frames: segment.frames.frames)
      let reader = try CompressedSegmentReader(path: path, as: sound)
      samples += silence
      try append(pass.channelCount, at: first, to: end, reader.read)
    }
  }

  /// Appends frames as one channel, their mean; fewer where the file ends.
  private mutating func append(
    _ channels: Int, at first: Int64, to end: Int64,
    _ read: (_ frame: Int64, _ count: Int, _ samples: UnsafeMutablePointer<Float>) throws -> Int
  ) throws {
    let capacity = max(1, 65_536 / channels)
    var block = [Float](repeating: 0, count: capacity * channels)
    var place = first
    while place < end {
      let step = try block.withUnsafeMutableBufferPointer { block in
        guard let base = block.baseAddress else { return 0 }
        return try read(place, Int(min(Int64(capacity), end - place)), base)
      }
      if step == 0 { break }
      for frame in 0..<step {
        var sum: Float = 0
        for channel in 0..<channels { sum += block[frame * channels + channel] }
        samples.append(sum / Float(channels))
      }
      place += Int64(step)
    }
  }

  /// Whether no 100 ms of the range are above −50 dBFS RMS.
  var isSilent: Bool {
    let window = max(1, sampleRate.hertz / 10)
    let limit = Foundation.pow(10, -50.0 / 10)
    var start = lead
    while start < lead + rangeCount {
      let end = min(start + window, lead + rangeCount)
      var power = 0.0
      for index in start..<end { power += Double(samples[index]) * Double(samples[index]) }
      if power / Double(end - start) > limit { return false }
      start += max(1, window / 2)
    }
    return true
  }

  /// Writes it as an engine takes it, into a folder that is there: a WAV file with the shortest header, since some
  /// engines read no other.
  func write(for engine: Engine, at place: Place) throws {
    let converted = try AudioConversion.resampled(samples, from: sampleRate, to: engine.rate, path: place.path)
    let width = engine.bits / 8
    let frameBytes = width * engine.channels
    let byteCount = converted.count * frameBytes
    guard byteCount < Int(UInt32.max) - 36 else {
      throw Failure(.invalid, code: "tooLong", "The sound does not fit in a WAV file.")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + byteCount)
    func append(_ value: Int, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    bytes += Array("RIFF".utf8)
    append(36 + byteCount, 4)
    bytes += Array("WAVEfmt ".utf8)
    for (value, count) in [
      (16, 4), (1, 2), (engine.channels, 2), (engine.rate.hertz, 4), (engine.rate.hertz * frameBytes, 4),
      (frameBytes, 2), (engine.bits, 2),
    ] { append(value, count) }
    bytes += Array("data".utf8)
    append(byteCount, 4)
    let full = Double(1 << (engine.bits - 1))
    for sample in converted {
      // Channels near the largest number have no finite mean, and what is resampled from that is NaN.
      let value = sample.isNaN ? 0 : Int(min(max((Double(sample) * full).rounded(), -full), full - 1))
      for _ in 0..<engine.channels { append(value, width) }
    }
    let folder = try place.parent.open()
    try folder.makeFile(place.name, bytes)
  }
}

extension EngineAnswer {
  /// The transcript of the range: the words whose middle lies in it.
  /// - Parameters:
  ///   - lead: seconds of the sound before the range.
  ///   - length: seconds of the range.
  func transcript(_ job: Job, _ range: SoundRange, lead: Double, length: Double, took: Int64, at now: Timestamp)
    -> Transcript
  {
    var result = Transcript(
      range: range, language: job.language, engine: job.engine, processingTime: took, details: details, createdAt: now)
    let own = words.filter { word in
      let middle = (word.start + word.end) / 2 - lead
      return middle >= 0 && middle < length
    }
    result.words = own.map { word in
      var word = word
      word.start = Self.milliseconds(word.start - lead)
      word.end = max(word.start, Self.milliseconds(word.end - lead))
      return word
    }
    result.text = own.isEmpty && words.isEmpty ? text ?? "" : own.map(\.word).joined(separator: " ")
    let known = own.compactMap(\.confidence)
    result.confidence = known.isEmpty ? confidence : known.reduce(0, +) / Double(known.count)
    return result
  }

  private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
