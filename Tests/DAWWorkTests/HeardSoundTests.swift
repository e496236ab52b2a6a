import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWWork

/// All times in seconds, at 48,000 Hz and a tempo of 120.
@Suite("Where a medium is heard")
struct HeardSoundTests {
  private let folder: TemporaryFolder
  private let session: Session
  private let origin = EditOrigin(author: "test", commandLine: "test")
  private let track = Track(
    id: TrackID(rawValue: 10), name: Name(literal: "Vox"), orderKey: OrderKey.between(nil, nil), trackType: .audio)
  private let other = Track(
    id: TrackID(rawValue: 11), name: Name(literal: "Else"), orderKey: OrderKey(unchecked: "y"), trackType: .audio)

  init() throws {
    folder = try TemporaryFolder()
    session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    try add(.add(track), .add(other), .add(Self.file(7, "Audio/speech.wav")))
  }

  private func add(_ edits: Edit...) throws {
    _ = try session.edit(origin) { editor in for edit in edits { try editor.apply(edit) } }
  }

  /// Of 100 s.
  private static func file(_ id: Int64, _ path: String) -> AudioFile {
    let digit = String(id, radix: 16)
    return AudioFile(
      id: AudioFileID(rawValue: id),
      location: MediaLocation(
        path: path, sha256: String(repeating: digit, count: 64), byteCount: 1, modificationTime: 0),
      frames: FrameCount(frames: 4_800_000), sampleRate: SampleRate(hertz: 48_000), channelCount: 1, format: "WAV")
  }

  private func region(
    _ id: Int64, at start: Int64, offset: Int64 = 0, _ duration: Int64 = 100, file: Int64 = 7, take: Int64? = nil,
    isReversed: Bool = false, isInUse: Bool = true
  ) -> Region {
    Region(
      id: RegionID(rawValue: id), track: track.id, name: Name(unchecked: "r\(id)"),
      start: .absolute(FlickPosition(flicks: start * FlickCount.perSecond)),
      content: .audio(
        AudioSpan(
          file: AudioFileID(rawValue: file), offset: .seconds(offset), duration: .seconds(duration),
          isReversed: isReversed)), take: take.map(TakeID.init(rawValue:)), isInUse: isInUse)
  }

  /// "20@14.0...15.0": the region and the place, in seconds.
  private func places(
    _ start: Int64, _ end: Int64, of medium: SoundRange.Medium = .file(AudioFileID(rawValue: 7))
  ) throws -> [String] {
    try session.read { try HeardSound(medium, in: $0) }.places(from: .seconds(start), to: .seconds(end)).map {
      "\($0.region.map { "\($0.id.rawValue)" } ?? "-")@\($0.start.seconds)...\($0.end.seconds)"
    }
  }

  @Test("In each region that plays it, in order; a word belongs where its middle is played, and is cut at the edges")
  func regions() throws {
    #expect(try places(0, 1) == [])
    try add(.add(region(21, at: 200)), .add(region(20, at: 10, offset: 20, 30)))
    #expect(try places(34, 35) == ["20@24.0...25.0", "21@234.0...235.0"])
    // 20 … 50 of the file.
    #expect(try places(17, 22) == ["21@217.0...222.0"])
    #expect(try places(18, 24) == ["20@10.0...14.0", "21@218.0...224.0"])
    #expect(try places(47, 52) == ["20@37.0...40.0", "21@247.0...252.0"])
    #expect(try places(48, 52) == ["21@248.0...252.0"])
    #expect(try places(99, 102) == [])
    #expect(try places(0, 1, of: .file(AudioFileID(rawValue: 8))) == [])
  }

  @Test("A reversed region plays it from its end")
  func reversed() throws {
    // Plays 70 … 90 backwards.
    try add(.add(region(20, at: 10, offset: 10, 20, isReversed: true)))
    #expect(try places(80, 82) == ["20@18.0...20.0"])
    #expect(try places(89, 90) == ["20@10.0...11.0"])
    #expect(try places(60, 61) == [])
  }

  @Test("A region that is not in use counts where no other plays it")
  func unused() throws {
    try add(.add(region(20, at: 10, 50, isInUse: false)), .add(region(21, at: 200, offset: 0, 20)))
    #expect(try places(5, 6) == ["21@205.0...206.0"])
    #expect(try places(30, 31) == ["20@40.0...41.0"])
  }

  @Test("What was recorded is heard in the regions of its take, also on another track, and without one where it was")
  func recorded() throws {
    let id = RecordingID(rawValue: 1)
    let pass = RecordedPass(
      id: PassID(rawValue: 101), recording: id, track: track.id, startTime: Timestamp(milliseconds: 5),
      frames: FrameCount(frames: 4_800_000),
      pieces: [
        RecordedPiece(passFrame: 0, timelineFrame: -96_000, frames: 480_000),
        RecordedPiece(passFrame: 480_000, timelineFrame: 4_800_000, frames: 480_000),
      ], trackName: "Vox")
    try session.store.recordings.save(
      RecordingFacts(
        Recording(
          id: id, createdAt: Timestamp(milliseconds: 5), startTime: Timestamp(milliseconds: 5),
          endTime: Timestamp(milliseconds: 9), isCompleted: true, sampleRate: SampleRate(hertz: 48_000),
          folder: "Audio/Recordings/x"),
        passes: [pass],
        segments: [
          RecordedSegment(
            pass: pass.id, frames: FrameCount(frames: 4_800_000), path: "Audio/Recordings/x/Vox 1.0.0001.flac",
            createdAt: Timestamp(milliseconds: 5), state: .sealed)
        ], gaps: []))
    let medium = SoundRange.Medium.segment(pass.id, 0)
    // Where it was recorded: the first piece begins 2 s before the timeline.
    #expect(try places(0, 1, of: medium) == [])
    #expect(try places(1, 4, of: medium) == ["-@0.0...2.0"])
    #expect(try places(5, 6, of: medium) == ["-@3.0...4.0"])
    #expect(try places(11, 12, of: medium) == ["-@101.0...102.0"])
    #expect(try places(30, 31, of: medium) == [])
    try add(
      .add(Take(id: TakeID(rawValue: 5), track: track.id, name: Name(literal: "Vox"), pass: pass.id)),
      .add(Self.file(8, "Audio/Recordings/x/Vox 1.0.1.take")),
      .add(region(20, at: 50, offset: 2, 8, file: 8, take: 5)))
    #expect(try places(5, 6, of: medium) == ["20@53.0...54.0"])
    // What no region plays any more.
    #expect(try places(11, 12, of: medium) == [])
    var moved = region(20, at: 60, offset: 2, 8, file: 8, take: 5)
    moved.move(to: other.id)
    try add(.set(moved))
    #expect(try places(5, 6, of: medium) == ["20@63.0...64.0"])
    #expect(try session.read { try HeardSound(medium, in: $0).recordedTrack } == track.id)
  }

  @Test("Times that no word can have do no harm")
  func hostile() throws {
    try add(.add(region(20, at: 10)))
    var range = SoundRange(
      .file(AudioFileID(rawValue: 7)), start: FrameCount(frames: .max - 5), frames: FrameCount(frames: 5),
      sampleRate: SampleRate(hertz: 1))
    let sound = try session.read { try HeardSound(range.medium, in: $0) }
    for seconds in [0, -1e300, 1e300, 1e9, -5] {
      #expect(sound.places(from: range.place(seconds), to: range.place(seconds + 1)).isEmpty)
    }
    range.start = .zero
    #expect(sound.places(from: range.place(-1e300), to: range.place(0)).map(\.start.seconds) == [10])
  }

  @Test("A region that is played reversed is transcribed by the part of the file that it plays")
  func transcribedReversed() throws {
    // The file's last 20 s; then 20 … 40 s of it.
    try add(.add(region(20, at: 0, offset: 0, 20, isReversed: true)))
    func starts() throws -> [Int64] {
      try session.read { try $0.soundRanges(of: "Vox") }.map { $0.start.frames / 48_000 }.sorted()
    }
    #expect(try starts() == [60, 90])
    try add(.add(region(21, at: 30, offset: 60, 20, isReversed: true)))
    #expect(try starts() == [0, 30, 60, 90])
  }
}
