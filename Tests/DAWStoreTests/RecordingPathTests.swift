import DAWModel
import DAWTestSupport
import Testing

@testable import DAWStore

@Suite("Paths of recordings that lead elsewhere")
struct RecordingPathTests {
  /// What the audit says of recordings.
  private func found(_ change: (inout RecordingFacts) -> Void) throws -> [String] {
    let store = try ProjectStore.inMemory()
    var facts = RecordingRepositoryTests.facts()
    change(&facts)
    try store.recordings.save(facts)
    return try store.read { try $0.brokenRules() }.filter { $0.violation.rule == .recordingFacts }
      .map { "\($0.table) \($0.id): \($0.violation.value)" }
  }

  @Test(
    "A folder that is none in Audio/Recordings is found, and said once",
    arguments: [
      "../../outside", "Audio/Recordings/..", "Audio/Recordings/.", "/etc", "Audio/Recordings", "Audio/Recordings/a/b",
      "Audio//Recordings/x", "Audio/Recordings/", "Audio/.trash/x", "Audio/Recordings/.hidden",
    ])
  func folders(path: String) throws {
    #expect(try found { $0.recording.folder = path } == ["recording 1: the folder '\(path)'"])
  }

  @Test(
    "A segment that is not in the folder of its recording is found",
    arguments: [
      "../x.wav", "Audio/Recordings/x", "Audio/Recordings/x/", "Audio/Recordings/x/../../y.wav",
      "Audio/Recordings/x/a/b.wav", "Audio/Recordings/x/.hidden.wav", "Audio/Recordings/y/a.wav", "a.wav", "/",
      "/tmp/.hidden.wav", "/tmp/",
    ])
  func segments(path: String) throws {
    #expect(try found { $0.segments[1].path = path } == ["pass 101: the file '\(path)'"])
    #expect(try found { for index in 0..<2 { $0.segments[index].path = path } }.count == 1)
  }

  @Test("What was recorded, into the project or into a spill folder, is in order")
  func inOrder() throws {
    #expect(try found { _ in }.isEmpty)
    #expect(try found { $0.segments[1].path = "/mnt/disk/2026-11-23 14.03 Verse/Vox.0002.wav" }.isEmpty)
    #expect(try found { $0.segments[1].path = "Audio/Recordings/x/Vox.0002.flac" }.isEmpty)
  }
}
