import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// How loud the part of its file is that a region plays, before its gain and its fades.
struct RegionSound: Hashable, Sendable {
  var loudness: Loudness
  /// Linear.
  var peak: Float

  /// In the unit of a target; `nil` if it is silent, or too short or quiet to have a loudness.
  func level(for target: NormalizationTarget) -> Double? {
    let level: Double? =
      switch target {
      case .loudness: loudness.integrated
      case .truePeak: loudness.truePeakLevel
      case .samplePeak: SignalStatistics(peak: peak).peakLevel
      }
    return level.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Measured spans of audio files: regions that play the same one are measured once.
public struct RegionSounds {
  private(set) var sounds: [AudioSpan: RegionSound] = [:]

  public init() {}

  /// Measures the spans that have not been measured yet.
  /// - Throws: `Failure` if a file is missing, cannot be read, or has not the channels of its span.
  mutating func measure(_ spans: [AudioSpan], _ file: (AudioFileID) throws -> (path: String, row: AudioFile)) throws {
    // By file, and in its order: some formats are decoded again at every step back.
    let new = Set(spans.filter { sounds[$0] == nil }).sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    var reader: (id: AudioFileID, reader: AudioFileReader)?
    for span in new {
      let open: AudioFileReader
      if let reader, reader.id == span.file {
        open = reader.reader
      } else {
        let (path, row) = try file(span.file)
        open = try AudioFileReader(path: path, facts: .read(path: path, countedFrames: row.frames))
        reader = (span.file, open)
      }
      sounds[span] = try Self.measure(span, open)
    }
  }

  private static func measure(_ span: AudioSpan, _ reader: AudioFileReader) throws -> RegionSound {
    let facts = reader.facts
    guard let width = span.channels.width(ofFileWith: facts.channelCount) else {
      // The rows agree, so that the file is another than they say.
      throw Failure(
        .invalid, code: Rule.channelsFitFile.rawValue,
        "A region plays channels '\(span.channels)' of '\(reader.path)', which has \(facts.channelCount). "
          + "Nothing was changed.",
        hint: "\(Rule.channelsFitFile.accepted) 'daw check' says whether the file is what the project recorded.")
    }
    let first = span.offset.frames(at: facts.sampleRate).frames
    let end = (span.offset + span.duration).frames(at: facts.sampleRate).frames
    // A reversed span counts from the file's end.
    var frame = span.isReversed ? max(0, facts.frames.frames - end) : first
    let last = min(facts.frames.frames, frame + max(1, end - first))
    guard let meter = try? LoudnessMeter(sampleRate: facts.sampleRate, channelCount: width) else {
      throw Failure(.io, code: "outOfMemory", "Memory is short: the loudness was not measured. Nothing was changed.")
    }
    let capacity = max(256, 32_768 / facts.channelCount)
    var samples = [Float](repeating: 0, count: capacity * facts.channelCount)
    var picked = [Float](repeating: 0, count: capacity * width)
    var peak: Float = 0
    while frame < last {
      let wanted = Int(min(Int64(capacity), last - frame))
      let count = try samples.withUnsafeMutableBufferPointer { buffer in
        try buffer.baseAddress.map { try reader.read(at: frame, count: wanted, into: $0) } ?? 0
      }
      guard count > 0 else { break }
      pick(span.channels, from: samples, channels: facts.channelCount, frames: count, into: &picked)
      for index in 0..<count * width { peak = max(peak, abs(picked[index])) }
      picked.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { meter.add(interleaved: base, frameCount: count) }
      }
      frame += Int64(count)
    }
    return RegionSound(loudness: meter.loudness, peak: peak)
  }

  private static func pick(
    _ selection: ChannelSelection, from samples: [Float], channels: Int, frames: Int, into picked: inout [Float]
  ) {
    for frame in 0..<frames {
      let base = frame * channels
      switch selection {
      case .all: for channel in 0..<channels { picked[base + channel] = samples[base + channel] }
      case .mix: picked[frame] = (samples[base] + samples[base + 1]) / 2
      case .single(let channel): picked[frame] = samples[base + channel]
      case .pair(let left, let right):
        picked[2 * frame] = samples[base + left]
        picked[2 * frame + 1] = samples[base + right]
      }
    }
  }
}

extension Session {
  /// Measures the regions that an edit will be about, before it holds up other writers.
  /// - Throws: `Failure`.
  public func measureRegions(_ choice: RegionChoice) throws -> RegionSounds {
    let (spans, files) = try read { view in
      let spans = try view.regions(chosenBy: choice).compactMap(\.audio)
      return (spans, try Dictionary(uniqueKeysWithValues: Set(spans.map(\.file)).map { ($0, try view.audioFile($0)) }))
    }
    var sounds = RegionSounds()
    try sounds.measure(spans) { try folder.readable(files[$0] ?? nil) }
    return sounds
  }
}

extension ProjectFolder {
  /// - Throws: `Failure` if the file is missing, or holds other bytes than the project recorded.
  func readable(_ file: AudioFile?) throws -> (path: String, row: AudioFile) {
    guard let file, let path = find(file.location) else {
      throw Failure(
        .noInput, code: "missing", "The audio file '\(file?.location.path ?? "")' is missing. Nothing was changed.",
        hint: "Bring it back to its place; 'daw check' names every file that is missing.")
    }
    if case .changed = state(of: file.location) {
      throw Failure(
        .invalid, code: "changed", "\(file.changedSentence) Nothing was changed.",
        hint: "'daw check' says how to repair it.")
    }
    return (path, file)
  }
}
