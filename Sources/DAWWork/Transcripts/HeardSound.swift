import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A stretch of a medium on the timeline.
struct HeardPlace: Equatable {
  /// `nil`: where it was recorded.
  var region: Region?
  var start: FlickPosition
  var end: FlickPosition
}

/// Where on the timeline a medium is heard: in the regions that play it, or else where it was recorded.
struct HeardSound {
  private struct Playing {
    var region: Region
    var span: AudioSpan
    var start: FlickPosition
    /// Length of the file.
    var length: FlickCount
  }

  /// In order of start.
  private let playing: [Playing]
  private let pieces: [(start: FlickPosition, from: FlickCount, length: FlickCount)]
  /// The track that it was recorded on; it need not be there any more.
  let recordedTrack: TrackID?
  private let areChosen: Bool

  /// - Parameter chosen: the regions that count, whether in use or not; `nil`: all.
  init(_ medium: SoundRange.Medium, in view: ProjectView, only chosen: [Region]? = nil) throws {
    areChosen = chosen != nil
    let map = try view.tempoMap()
    var files: Set<AudioFileID> = []
    switch medium {
    case .file(let file):
      files = [file]
      (pieces, recordedTrack) = ([], nil)
    case .segment(let id, _):
      let pass = try view.recordings.pass(id)
      let recording = try pass.flatMap { try view.recordings.recording($0.recording) }
      recordedTrack = pass?.track
      pieces = (pass?.pieces ?? []).map { piece in
        let rate = recording?.sampleRate ?? SampleRate(hertz: 48_000)
        return (
          FramePosition(frames: piece.timelineFrame).flicks(at: rate),
          FrameCount(frames: piece.passFrame).flicks(at: rate),
          FrameCount(frames: piece.frames).flicks(at: rate)
        )
      }
      let takes = try view.rows(Take.self, where: "pass", is: id)
      files = Set(try takes.flatMap { try view.rows(Region.self, where: "take", is: $0.id) }.compactMap(\.audio?.file))
      // A region that was moved to another track is a part of no take.
      if let pass, let recording, files.isEmpty {
        let others = try view.audioFiles()
        if !others.isEmpty, let path = try view.takePath(of: pass, in: recording) {
          files = Set(others.filter { $0.location.path == path }.map(\.id))
        }
      }
    }
    let chosenIDs = chosen.map { Set($0.map(\.id)) }
    playing = try files.sorted().flatMap { id -> [Playing] in
      guard let file = try view.row(id) else { return [] }
      return try view.rows(Region.self, where: "audioFile", is: id).compactMap { region in
        guard chosenIDs?.contains(region.id) ?? true, let span = region.audio else { return nil }
        return Playing(region: region, span: span, start: region.startFlicks(in: map), length: file.duration)
      }
    }.sorted { ($0.start, $0.region.id) < ($1.start, $1.region.id) }
  }

  /// In how many places a stretch may be heard, those without a region taken for one.
  var placeCount: Int { max(1, playing.count) }

  /// Where a stretch of the medium is heard: in each region that plays its middle. Regions that are not in use count
  /// where no other plays it, and what was recorded counts where there is no region.
  func places(from start: FlickCount, to end: FlickCount) -> [HeardPlace] {
    let middle = start + FlickCount(flicks: (end - start).flicks / 2)
    let found = playing.compactMap { playing -> HeardPlace? in
      let span = playing.span
      func local(_ place: FlickCount) -> FlickCount {
        span.isReversed ? playing.length - span.offset - place : place - span.offset
      }
      let place = local(middle)
      guard place >= .zero, place < span.duration else { return nil }
      let (first, last) = span.isReversed ? (local(end), local(start)) : (local(start), local(end))
      return HeardPlace(
        region: playing.region, start: playing.start + max(.zero, first),
        end: playing.start + min(span.duration, max(.zero, last)))
    }
    if areChosen { return found }
    let inUse = found.filter { $0.region?.isInUse == true }
    if !inUse.isEmpty { return inUse }
    if !playing.isEmpty { return found }
    return pieces.filter { middle >= $0.from && middle < $0.from + $0.length }.compactMap { piece in
      let first = piece.start + (start - piece.from)
      let last = piece.start + (end - piece.from)
      return last > .zero ? HeardPlace(region: nil, start: max(.zero, first), end: last) : nil
    }
  }
}

extension ProjectView {
  /// The path of the file that stands for a recorded pass: `Vox.1.take` beside `Vox.0001.wav`.
  fileprivate func takePath(of pass: RecordedPass, in recording: Recording) throws -> String? {
    guard let segment = try recordings.firstSegment(of: pass.id) else { return nil }
    let parts = (segment.path.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    return "\(recording.folder)/\(parts.dropLast(2).joined(separator: ".")).\(pass.number).take"
  }
}

extension SoundRange {
  /// A place of the range in its medium.
  /// - Parameter seconds: from the start of the range.
  func place(_ seconds: Double) -> FlickCount {
    max(.zero, start.flicks(at: sampleRate) + (FlickCount(seconds: seconds) ?? .zero))
  }
}
