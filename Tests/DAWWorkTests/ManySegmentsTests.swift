import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore
@testable import DAWWork

@Suite("Long recordings in many regions")
struct ManySegmentsTests {
  @Test("The sound of a track, and where its words are heard, are found in about as many steps for each region")
  func steps() throws {
    let (few, many) = (try steps(of: 60), try steps(of: 600))
    // Counted in thousands; to read all segments for each region would take a hundred times as many.
    #expect(many < 40 * few, "\(few) steps for 60, \(many) for 600")
  }

  /// The steps that SQLite takes for a pass of so many segments of a second, each of which has a region.
  private func steps(of count: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    let (rate, second, now) = (SampleRate(hertz: 48_000), FrameCount(frames: 48_000), Timestamp(milliseconds: 5))
    let length = FrameCount(frames: Int64(count) * 48_000)
    let track = try session.edit(origin) { try $0.addTrack(named: "Vox").id }.value
    let recording = Recording(
      id: RecordingID(rawValue: 1), createdAt: now, startTime: now, endTime: now, isCompleted: true, sampleRate: rate,
      folder: "Audio/Recordings/x")
    let pass = RecordedPass(
      id: PassID(rawValue: 101), recording: recording.id, track: track, startTime: now, frames: length,
      trackName: "Vox")
    let segments = (0..<count).map { index in
      RecordedSegment(
        pass: pass.id, index: index, start: FrameCount(frames: Int64(index) * 48_000), frames: second,
        path: "Audio/Recordings/x/Vox.\(10_000 + index).wav", createdAt: now, state: .sealed)
    }
    try session.store.recordings.save(RecordingFacts(recording, passes: [pass], segments: segments))
    try session.work.keep(
      segments.map { segment in
        Transcript(
          range: SoundRange(.segment(pass.id, segment.index), start: segment.start, frames: second, sampleRate: rate),
          text: "hello", engine: "e", words: [TranscriptWord("hello", start: 0.25, end: 0.5)], createdAt: now)
      })
    let file = AudioFile(
      id: AudioFileID(rawValue: 8),
      location: MediaLocation(
        path: "Audio/Recordings/x/Vox.1.take", sha256: String(repeating: "8", count: 64), byteCount: 1,
        modificationTime: 0),
      frames: length, sampleRate: rate, channelCount: 1, format: "WAV")
    let take = Take(id: TakeID(rawValue: 5), track: track, name: Name(literal: "Vox"), pass: pass.id)
    let regions = (0..<Int64(count)).map { index in
      Region(
        id: RegionID(rawValue: 20 + index), track: track, name: Name(literal: "Vox"),
        start: .absolute(FlickPosition(flicks: index * FlickCount.perSecond)),
        content: .audio(AudioSpan(file: file.id, offset: .seconds(index), duration: .seconds(1))), take: take.id)
    }
    _ = try session.edit(origin) { editor in
      try editor.apply(.add(file))
      try editor.apply(.add(take))
      try editor.apply(.add(regions))
    }
    return try session.read { view in
      let found = try view.placedTranscripts(of: "Vox")
      #expect(try view.soundRanges(of: "Vox").count == count && found.missing == 0)
      #expect(found.tracks.joined().flatMap { $0.words() }.count == count)
      return session.store.connectionGuard.budget.taken
    }
  }
}
