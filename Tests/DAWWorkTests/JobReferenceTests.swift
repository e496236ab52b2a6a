import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import DAWWork
import Foundation
import Testing

@Suite("References to jobs and transcripts")
struct JobReferenceTests {
  @Test("Transcripts are found by the ends of their ids")
  func transcripts() throws {
    let folder = try TemporaryFolder()
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")),
      origin: EditOrigin(author: "test", commandLine: "test"))
    defer { session.close() }
    let transcripts = (Int64(0)..<3).map { number -> Transcript in
      let range = SoundRange(
        .file(AudioFileID(rawValue: 1)), start: FrameCount(frames: number * 480_000),
        frames: FrameCount(frames: 480_000), sampleRate: SampleRate(hertz: 16_000))
      return Transcript(range: range, text: "word", createdAt: .now())
    }
    try session.work.keep(transcripts)
    let ids = try session.work.transcriptIDs().sorted()
    let references = [ids[2].uuidString, "id:" + ids[0].uuidString.suffix(12)]
    #expect(try session.read { try $0.transcriptIDs(calledBy: references) } == [ids[2], ids[0]])
    let failure = #expect(throws: Failure.self) {
      _ = try session.read { try $0.transcriptIDs(calledBy: ["id:ffffffffffff"]) }
    }
    #expect(failure?.code == "transcriptNotFound")
  }

  @Test("Thousands of jobs are found at once, and a project is not called damaged for it")
  func many() throws {
    let folder = try TemporaryFolder()
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")),
      origin: EditOrigin(author: "test", commandLine: "test"))
    defer { session.close() }
    let job = Job(kind: .command, command: ["check"], folder: "/", createdAt: .now())
    let ids = try session.work.add(Array(repeating: job, count: 6_000)).map(\.id)
    #expect(try session.read { try $0.jobIDs(calledBy: ids.map(\.uuidString)) } == ids)
    // The same digits behind 'id:', and without hyphens.
    let last = ids[5_999].uuidString
    let references = ["id:" + last, last.replacing("-", with: "").uppercased(), "id:" + last.suffix(12)]
    #expect(try session.read { try $0.jobIDs(calledBy: references) } == [ids[5_999], ids[5_999], ids[5_999]])
    for (reference, code) in [("id:ffffffffffff", "jobNotFound"), ("check", "jobNotFound"), ("id:1", "usage")] {
      let failure = #expect(throws: Failure.self) {
        _ = try session.read { try $0.jobIDs(calledBy: [last, reference]) }
      }
      #expect(failure?.code == code)
    }
  }
}
