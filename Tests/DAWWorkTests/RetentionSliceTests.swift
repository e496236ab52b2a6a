import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWWork

@Suite("Slices of retention")
struct RetentionSliceTests {
  @Test("At most 500 transcripts go at once, and another process that waits for nothing writes between two slices")
  func transcripts() throws {
    let scratch = try TemporaryFolder()
    let folder = ProjectFolder(path: scratch.path("Song.daw"))
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(folder, settings: ProjectSettings(name: Name("Song")), origin: origin)
    let other = try ProjectStore.open(at: folder.database, busyTimeout: 0)
    let time = Timestamp(milliseconds: 1_000_000_000_000)
    @Sendable func transcript(_ number: Int, file: Int64) -> Transcript {
      let start = FrameCount(frames: Int64(number) * 480_000)
      let range = SoundRange(
        .file(AudioFileID(rawValue: file)), start: start, frames: FrameCount(frames: 480_000),
        sampleRate: SampleRate(hertz: 16_000))
      return Transcript(range: range, text: "word", createdAt: time)
    }
    try session.work.keep((0..<1_200).map { transcript($0, file: 1) })
    let before = Timestamp(milliseconds: time.milliseconds + 1)
    #expect(try session.removeTexts(before: time, isTrial: false) == RemovedTexts())
    #expect(try session.removeTexts(before: before, isTrial: true).transcripts == 1_200)
    let counts = Mutex([try session.work.transcriptIDs().count])
    let removed = try session.removeTexts(before: before, isTrial: false) {
      let count = try session.work.transcriptIDs().count
      let slices = counts.withLock { counts in
        counts.append(count)
        return counts.count
      }
      var new = transcript(slices, file: 2)
      new.createdAt = before
      try other.work.keep([new])
    }
    #expect(removed == RemovedTexts(transcripts: 1_200))
    // Each slice has one transcript of the other process more than the one before left.
    #expect(counts.withLock { $0 } == [1_200, 700, 201, 2])
    #expect(try session.work.transcriptIDs().count == 3)
  }

  @Test("What is transcribed again between two slices stays")
  func transcribedAgain() throws {
    let scratch = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: scratch.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    let time = Timestamp(milliseconds: 1_000_000_000_000)
    var transcripts = (0..<1_200).map { number in
      Transcript(
        range: SoundRange(
          .file(AudioFileID(rawValue: 1)), start: FrameCount(frames: Int64(number) * 480_000),
          frames: FrameCount(frames: 480_000), sampleRate: SampleRate(hertz: 16_000)),
        text: "word", createdAt: time)
    }
    try session.work.keep(transcripts)
    let before = Timestamp(milliseconds: time.milliseconds + 1)
    transcripts[1_100].text = "better"
    transcripts[1_100].createdAt = before
    var sliceCount = 0
    let removed = try session.removeTexts(before: before, isTrial: false) {
      sliceCount += 1
      if sliceCount == 1 { try session.work.keep([transcripts[1_100]]) }
    }
    #expect(removed == RemovedTexts(transcripts: 1_199))
    #expect(try session.work.transcripts(TranscriptFilter()).transcripts.map(\.text) == ["better"])
  }
}
