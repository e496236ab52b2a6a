import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A word of a transcript with its place: on the timeline, or in a medium.
public struct PlacedWord: Hashable, Sendable {
  /// Without control characters.
  public var word: String
  public var start: FlickPosition
  public var end: FlickPosition
  public var confidence: Double?
  public var speaker: String?
}

/// A transcript, with the places of its words.
struct PlacedTranscript {
  let text: SpokenText
  private let place: (SpokenText.Word) -> [(start: FlickPosition, end: FlickPosition)]

  fileprivate init(
    _ text: SpokenText, _ place: @escaping (SpokenText.Word) -> [(start: FlickPosition, end: FlickPosition)]
  ) {
    (self.text, self.place) = (text, place)
  }

  /// - Parameter isWanted: tells by its place in the text whether a word is wanted.
  func words(where isWanted: (Range<String.Index>) -> Bool = { _ in true }) -> [PlacedWord] {
    text.words.filter { isWanted($0.range) }.flatMap { word in
      place(word).map {
        PlacedWord(
          word: Self.plain(text.text[word.range]), start: $0.start, end: $0.end, confidence: word.confidence,
          speaker: word.speaker.map { Self.plain($0[...]) }.flatMap { $0.isEmpty ? nil : $0 })
      }
    }.filter { !$0.word.isEmpty }
  }

  private static func plain(_ text: Substring) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

/// What was spoken in some sound.
struct PlacedTranscripts {
  /// Those of a track together.
  var tracks: [[PlacedTranscript]]
  /// How many stretches of the sound have no transcript.
  var missing: Int
}

extension ProjectView {
  /// The transcripts of a sound. The words of a track or a region are placed on the timeline, as far as they are heard
  /// in it; those of a recording from its start, those of a file from the file's.
  /// - Parameter onTimeline: whether words of a recording and of a file, too, are placed where they are heard.
  /// - Throws: `Failure` if there is no such sound, or nothing of it was transcribed.
  func placedTranscripts(of reference: String, onTimeline: Bool = false) throws -> PlacedTranscripts {
    let source = try soundSource(calledBy: reference)
    let ranges = try soundRanges(of: source, calledBy: reference)
    let media = TranscriptFilter.Media(
      passes: Set(ranges.compactMap(\.pass)), files: Set(ranges.compactMap(\.audioFile)))
    let found = try work.transcripts(TranscriptFilter(media: media, limit: .max)).transcripts
    guard !found.isEmpty else {
      throw Failure(
        .invalid, code: "notTranscribed", "Nothing of '\(reference)' has been transcribed. Nothing was changed.",
        hint: "'daw transcribe \(shellQuoted(reference)) --wait' does that.")
    }
    let known = Set(found.map { Self.place(of: $0.range) })
    let missing = ranges.count { !known.contains(Self.place(of: $0)) }
    let place = try placement(of: source, onTimeline: onTimeline)
    var tracks: [Int64: [PlacedTranscript]] = [:]
    for transcript in found {
      let own = try row(TranscriptTextID(rawValue: transcript.id.rawValue))?.text
      let text = SpokenText(
        own ?? transcript.text, heard: transcript.words, length: transcript.range.seconds(transcript.range.frames))
      let (track, places) = try place(transcript.range)
      tracks[track, default: []].append(PlacedTranscript(text, places))
    }
    return PlacedTranscripts(tracks: tracks.sorted { $0.key < $1.key }.map(\.value), missing: missing)
  }

  /// Equal for the ranges that are at the same place.
  /// - SeeAlso: `SoundRange.isSamePlace`
  private static func place(of range: SoundRange) -> SoundRange {
    SoundRange(
      range.medium, start: range.pass == nil ? range.start : .zero, frames: .zero, sampleRate: SampleRate(hertz: 0))
  }

  private typealias Placement = (SpokenText.Word) -> [(start: FlickPosition, end: FlickPosition)]

  /// - Returns: for a range the track that it was recorded on, if that matters, and the places of its words.
  private func placement(
    of source: SoundSource, onTimeline: Bool
  ) throws -> (SoundRange) throws -> (track: Int64, places: Placement) {
    switch source {
    case .track(let track):
      return try placement(in: rows(Region.self, where: "track", is: track.id).filter(\.isInUse))
    case .region(let region): return try placement(in: [region])
    case .file where onTimeline, .recording where onTimeline: return try placement(in: nil)
    case .file:
      return { range in
        (0, { [(.zero + range.place($0.start), .zero + range.place($0.end))] })
      }
    case .recording(let recording):
      let passes = try recordings.passes(of: [recording.id])
      let first = passes.map(\.firstHostFrame).min() ?? 0
      return { range in
        let pass = passes.first { $0.id == range.pass }
        let (frames, overflow) = (pass?.firstHostFrame ?? first).subtractingReportingOverflow(first)
        let start = FramePosition(frames: overflow ? 0 : frames).flicks(at: range.sampleRate)
        return (pass?.track.rawValue ?? 0, { [(start + range.place($0.start), start + range.place($0.end))] })
      }
    }
  }

  /// - Parameter regions: `nil`: wherever it is heard.
  private func placement(in regions: [Region]?) throws -> (SoundRange) throws -> (track: Int64, places: Placement) {
    var sounds: [SoundRange.Medium: HeardSound] = [:]
    return { range in
      // All segments of a pass are heard in the same regions.
      let medium = range.pass.map { SoundRange.Medium.segment($0, 0) } ?? range.medium
      let sound = try sounds[medium] ?? HeardSound(medium, in: self, only: regions)
      sounds[medium] = sound
      return (
        0, { word in sound.places(from: range.place(word.start), to: range.place(word.end)).map { ($0.start, $0.end) } }
      )
    }
  }
}
