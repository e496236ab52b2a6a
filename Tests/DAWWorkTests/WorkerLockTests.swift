import DAWErrors
import DAWModel
import DAWStore
import Foundation
import Testing

@testable import DAWProject
@testable import DAWWork

extension WorkerTests {
  /// A worker that waits for another process that writes for a tenth of a second at a time.
  private func impatientWorker() throws -> Worker {
    let store = try ProjectStore.open(at: session.folder.database, busyTimeout: 0.1)
    return Worker(
      Session(folder: session.folder, store: store), work: store.work, engines: engines, program: "/bin/true",
      environment: environment, clock: { .now() })
  }

  /// Another process writes for a second.
  /// - Parameters:
  ///   - begun: it begins when there is a file at this path; `nil`: at once.
  ///   - locked: a file at this path says that it writes.
  private func writeElsewhere(from begun: String?, _ locked: String) throws {
    let other = try ProjectStore.open(at: session.folder.database)
    Thread {
      while let begun, !FileManager.default.fileExists(atPath: begun) { usleep(10_000) }
      try? other.recordings.save { _ -> (facts: RecordingFacts?, value: Void) in
        _ = FileManager.default.createFile(atPath: locked, contents: nil)
        usleep(1_000_000)
        return (nil, ())
      }
      // Where it could not write, nothing waits for ever either.
      _ = FileManager.default.createFile(atPath: locked, contents: nil)
    }.start()
  }

  @Test("What a job has brought is kept also where another process writes for longer than an edit waits")
  func resultWhileLocked() throws {
    let (begun, locked) = (folder.path("begun"), folder.path("locked"))
    try script(
      "script",
      """
      touch '\(begun)'
      while [ ! -e '\(locked)' ]; do sleep 0.02; done
      echo '{"word":"hello","start":0,"end":1}'
      """)
    try bringIn(tone(2))
    _ = try queue()
    try writeElsewhere(from: begun, locked)
    try impatientWorker().run(.ready, atOnce: 1)
    #expect(try entries().map(\.text) == ["hello"])
    #expect(try session.work.jobs(JobFilter()).jobs.map(\.retryCount) == [0])
  }

  @Test("A job that cannot be begun, since another process writes for long, does not end the one that is under way")
  func otherJobWhileLocked() throws {
    let (begun, locked, slow) = (folder.path("begun"), folder.path("locked"), folder.path("slow"))
    // One of the first two jobs ends while the other process writes, the other one before.
    try script(
      "script",
      """
      if mkdir '\(slow)' 2>/dev/null; then
        while [ ! -e '\(locked)' ]; do sleep 0.02; done
        sleep 0.5
      fi
      echo '{"word":"hello","start":0,"end":1}'
      """)
    try bringIn(tone(75))
    #expect(try queue().count == 3)
    try writeElsewhere(from: begun, locked)
    let worker = try impatientWorker()
    let failure = #expect(throws: Failure.self) {
      try worker.run(
        .ready, atOnce: 2,
        report: { _ in
          _ = FileManager.default.createFile(atPath: begun, contents: nil)
          while !FileManager.default.fileExists(atPath: locked) { usleep(1_000) }
        })
    }
    #expect(failure?.kind == .tryAgain)
    #expect(try session.work.counts() == JobCounts(byState: [.completed: 2, .pending: 1], offline: 0))
  }

  @Test("What waits for jobs goes on where another process writes for longer than an edit waits")
  func claimWhileLocked() throws {
    try script("script", #"echo '{"word":"hello","start":0,"end":1}'"#)
    try bringIn(tone(2))
    _ = try queue()
    let locked = folder.path("locked")
    try writeElsewhere(from: nil, locked)
    while !FileManager.default.fileExists(atPath: locked) { usleep(1_000) }
    let work = session.work
    try impatientWorker().run(
      .watch, atOnce: 1, while: { (try? work.counts()).map { $0[.completed] + $0[.failed] == 0 } ?? true })
    #expect(try entries().map(\.text) == ["hello"])
  }

  @Test("It begins also while another process writes for long, and 'retain' is a job when that has ended")
  func beginningWhileLocked() throws {
    var retention = Retention()
    retention.recordings = Days(90)
    var change = Change<ProjectSettings>()
    change.set(\.retention, to: retention)
    _ = try session.edit(.current) { try $0.setProject(change) }
    let locked = folder.path("locked")
    try writeElsewhere(from: nil, locked)
    while !FileManager.default.fileExists(atPath: locked) { usleep(1_000) }
    let work = session.work
    try impatientWorker().run(
      .watch, atOnce: 1, retainsDaily: true,
      while: { (try? work.counts()).map { $0[.completed] + $0[.failed] == 0 } ?? true })
    #expect(try session.work.jobs(JobFilter(states: [.completed], word: "retain")).jobs.count == 1)
  }
}
