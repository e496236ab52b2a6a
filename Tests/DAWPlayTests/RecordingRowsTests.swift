import DAWErrors
import DAWMedia
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWProject

/// Rows of recordings, and the folders that they name.
@Suite("Rows of recordings")
struct RecordingRowsTests {
  private let folder: TemporaryFolder
  private let session: Session
  private let id = RecordingID(rawValue: 7)
  private let date = Timestamp(milliseconds: 1_795_357_380_000)

  init() throws {
    folder = try TemporaryFolder()
    session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")),
      origin: .init(author: "test", commandLine: "test"))
    try FileManager.default.createDirectory(
      atPath: folder.path("Song.daw/Audio/Recordings"), withIntermediateDirectories: true)
  }

  /// The path of the only recording's folder.
  private var place: String { folder.path("Song.daw/Audio/Recordings/Verse") }

  private func facts() throws -> RecordingFacts? { try session.read { try $0.recordings.facts(of: id) } }

  @Test("Sizes of files at the end of numbers are added up without a trap")
  func farthestSizes() throws {
    defer { session.close() }
    let end = FrameCount(frames: .max)
    let pass = RecordedPass(
      id: PassID(rawValue: 8), recording: id, track: TrackID(rawValue: 9), startTime: date, firstHostFrame: .max,
      frames: end)
    let segments = (0..<3).map { index in
      RecordedSegment(
        pass: pass.id, index: index, start: end, frames: end, path: "Audio/Recordings/Verse/\(index).wav",
        fileSize: .max, createdAt: date, state: .sealed)
    }
    let recording = Recording(
      id: id, createdAt: date, startTime: date, endTime: date, isCompleted: true, duration: end,
      sampleRate: SampleRate(hertz: 48_000), folder: "Audio/Recordings/Verse")
    try session.save(RecordingFacts(recording, passes: [pass], segments: segments))
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for index in 0..<3 { try Data([1]).write(to: URL(fileURLWithPath: "\(place)/\(index).wav")) }
    for removed in [
      try session.removeRecording(id, isTrial: true), try session.removeRecording(id),
      try session.restoreRecording(id),
    ] {
      #expect(removed.fileCount == 3 && removed.byteCount == .max && removed.missing.isEmpty)
    }
  }

  // MARK: Folders that cannot be read

  /// Saves what a process has saved that is gone now.
  private func saveLeft() throws {
    var owner = RecordingOwner.current
    owner.startTime += 1
    let header = RecordingHeader(
      project: "", recording: id.rawValue, title: "", startTime: date.milliseconds, sampleRate: 48_000,
      encoding: .int24, segmentFrames: 48_000, owner: owner)
    try session.save(RecordingFacts(RecordingDescription(header: header), folder: "Audio/Recordings/Verse"))
  }

  /// That it is neither said to be lost nor forgotten.
  private func expectKept() throws {
    #expect(try session.lostRecordings().isEmpty)
    let failure = #expect(throws: Failure.self) { _ = try session.forgetRecording(id) }
    #expect(failure?.code == "recordingRuns", "\(String(describing: failure))")
    #expect(try facts() != nil)
  }

  @Test("A recording is not lost where something else than a folder has its name; where nothing has, it is")
  func noFolder() throws {
    defer { session.close() }
    try saveLeft()
    try Data([1]).write(to: URL(fileURLWithPath: place))
    try expectKept()
    try FileManager.default.removeItem(atPath: place)
    #expect(try session.lostRecordings().map(\.recording.id) == [id])
    _ = try session.forgetRecording(id)
    #expect(try facts() == nil)
  }

  @Test(
    "A recording is not lost where its folder may not be read",
    .enabled(if: OtherUser.isPossible, "no thread can be another user's"))
  func closedFolder() throws {
    defer { session.close() }
    try saveLeft()
    for name in ["", "Song.daw", "Song.daw/Audio", "Song.daw/Audio/Recordings"] {
      #expect(chmod(folder.path(name), 0o755) == 0)
    }
    #expect(mkdir(place, 0) == 0)
    defer { chmod(place, 0o700) }
    try OtherUser.run { try expectKept() }
  }
}
