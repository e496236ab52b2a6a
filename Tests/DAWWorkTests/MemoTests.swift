import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@testable import DAWWork

@Suite("Sounds of comments")
struct MemoTests {
  private let song: RecordedSong
  private let now = Timestamp.now()

  init() throws { song = try RecordedSong() }

  /// When everything that was edited until now is old.
  private var later: Timestamp { Timestamp(milliseconds: now.milliseconds + 40 * RecordedSong.day) }

  private func addMemo(of recording: RecordingID) throws -> DAWModel.Comment {
    let take = try song.path(recording) + "/Vox.1.take"
    return try song.session.edit(song.origin) { editor in
      try editor.addMemo(
        "Listen", on: "Vox", file: take, quality: nil, at: nil, by: .pocketsphinx, language: "en"
      ).comment
    }.value
  }

  @Test("A recording whose sound a comment has is not removed, nor compressed, also while undo could bring it back")
  func recordingInUse() throws {
    let id = try song.record(7, endingAt: now)
    let comment = try addMemo(of: id)
    for job in try song.session.work.jobs(JobFilter()).jobs {
      _ = try song.session.work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: now) }
    }
    try song.set(Retention(recordings: Days(30), compressAfter: Days(30)))
    #expect(throws: Failure.self) { try song.session.removeRecording(id) }
    let kept = try song.session.retain(now: later)
    #expect(kept.kept.map(\.entry.recording.id) == [id] && kept.trashed.isEmpty && kept.compressed.isEmpty)
    #expect(kept.failures.isEmpty)
    _ = try song.session.edit(song.origin) { try $0.removeComments(["id:\(comment.id)"]) }
    // The history has it.
    let young = try song.session.retain(now: Timestamp(milliseconds: now.milliseconds + 1))
    #expect(young.trashed.isEmpty && young.compressed.isEmpty)
    #expect(try song.session.store.audioFilesInHistory().contains(#require(comment.audioFile)))
    #expect(try song.soundFiles(id).allSatisfy { $0.hasSuffix(".wav") })
    #expect(try song.session.retain(now: later).trashed.map(\.entry.recording.id) == [id])
  }

  @Test("The row of a comment's sound stays while the comment is there")
  func soundIsUsed() throws {
    let id = try song.record(7, endingAt: now)
    let comment = try addMemo(of: id)
    let file = try #require(comment.audioFile)
    #expect(throws: Failure.self) {
      try song.session.edit(song.origin) { try $0.apply(.remove(file)) }
    }
    _ = try song.session.edit(song.origin) { editor in
      _ = try editor.removeComments(["id:\(comment.id)"])
      try editor.apply(.remove(file))
    }
    _ = try song.session.store.undo(origin: song.origin)
    #expect(try song.session.read { try $0.memos(of: $0.all(DAWModel.Comment.self)) }[comment.id]?.duration == 1)
  }

  @Test("Of the jobs of its stretches the worst counts, and of each stretch the latest job")
  func states() throws {
    let id = try song.record(7, endingAt: now, isUsed: true)
    let comment = try addMemo(of: id)
    let work = song.session.work
    func memo() throws -> Memo { try #require(try song.session.read { try $0.memos(of: [comment]) }[comment.id]) }
    func set(_ state: Job.State) throws {
      let job = try #require(try work.jobs(JobFilter(limit: .max)).jobs.last)
      _ = try work.change(job.id, of: nil, keeping: nil) { job in
        job.owner = state == .processing ? OwnerProcess(processID: 1, startTime: 1, bootID: "x") : nil
        job.state = state
        return true
      }
    }
    #expect(try memo().state == .pending && memo().isThinking && !memo().isError && memo().text == nil)
    for (state, isThinking, isError) in [
      (Job.State.processing, true, false), (.retrying, false, true), (.failed, false, true), (.cancelled, false, false),
    ] {
      try set(state)
      #expect(try memo().state == state && memo().isThinking == isThinking && memo().isError == isError)
    }
    try set(.failed)
    let range = try #require(try work.jobs(JobFilter()).jobs.first?.range)
    _ = try work.add([Job(kind: .transcribe, range: range, engine: "x", createdAt: now)])
    #expect(try memo().state == .pending)
    #expect(try work.jobs(JobFilter(files: [])).jobs.isEmpty)
    #expect(try work.jobs(JobFilter(files: [#require(comment.audioFile)])).jobs.count == 2)
  }
}
