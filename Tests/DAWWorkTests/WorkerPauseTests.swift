import DAWModel
import DAWTestSupport
import Foundation
import Synchronization
import Testing

@testable import DAWWork

extension WorkerTests {
  @Test("No job is begun while it pauses")
  func pause() throws {
    try script("script", #"touch '\#(folder.path("begun"))'; echo '{"word":"hello","start":0,"end":1}'"#)
    try bringIn(tone(2))
    _ = try queue()
    let looks = Mutex(0)
    let begun = folder.path("begun")
    try worker().run(
      .ready, atOnce: 1,
      pausingWhile: {
        let number = looks.withLock { looks in
          looks += 1
          return looks
        }
        if number <= 4 { #expect(!FileManager.default.fileExists(atPath: begun)) }
        return number <= 4
      })
    #expect(looks.withLock { $0 } > 4)
    #expect(try entries().map(\.text) == ["hello"])
  }

  /// The states of the processes of a group, such as "T" for a stopped one.
  private func states(ofGroup group: Int) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
      guard Int(name) != nil, let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[end...].split(separator: " ").dropFirst()
      return fields.count > 3 && fields.dropFirst(2).first == "\(group)" ? String(fields.first ?? "") : nil
    }
  }

  @Test("An engine under way is stopped, with what it has started, while it pauses; that does not count as its time")
  func pauseUnderWay() throws {
    let (pid, ready) = (folder.path("pid"), folder.path("go"))
    try script(
      "script",
      """
      echo $$ >'\(pid).new'; mv '\(pid).new' '\(pid)'
      while [ ! -e '\(ready)' ]; do sleep 0.02; done
      echo '{"word":"hello","start":0,"end":1}'
      """, #", "timeLimit": 5"#)
    try bringIn(tone(2))
    _ = try queue()
    let stopped = Mutex<(since: ContinuousClock.Instant?, states: [String])>((nil, []))
    try worker().run(
      .ready, atOnce: 1,
      pausingWhile: {
        guard let text = try? String(contentsOfFile: pid, encoding: .utf8),
          let group = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return false }
        return stopped.withLock { stopped in
          guard let since = stopped.since else {
            stopped.since = .now
            return true
          }
          // Longer than its time limit.
          if .now - since < .seconds(5.5) { return true }
          if stopped.states.isEmpty {
            stopped.states = states(ofGroup: group)
            _ = FileManager.default.createFile(atPath: ready, contents: nil)
          }
          return false
        }
      })
    let found = stopped.withLock { $0.states }
    // What the script had started may have ended before, and waits for it.
    #expect(found.contains("T") && found.allSatisfy { $0 == "T" || $0 == "Z" }, "\(found)")
    #expect(try entries().map(\.text) == ["hello"])
    #expect(try session.work.jobs(JobFilter()).jobs.map(\.retryCount) == [0])
  }

  @Test("A job that is cancelled while its engine is stopped ends, and no process stays")
  func cancelledInPause() throws {
    let pid = folder.path("pid")
    try script("script", "echo $$ >'\(pid).new'; mv '\(pid).new' '\(pid)'; sleep 600 & wait")
    try bringIn(tone(2))
    let job = try queue()[0]
    let group = Mutex(0)
    let work = session.work
    try worker().run(
      .ready, atOnce: 1,
      pausingWhile: {
        guard let text = try? String(contentsOfFile: pid, encoding: .utf8),
          let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return false }
        group.withLock { $0 = number }
        if states(ofGroup: number).contains("T") {
          _ = try? work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: .now()) }
        }
        return !states(ofGroup: number).isEmpty
      })
    #expect(try session.work.job(job.id)?.state == .cancelled)
    let number = group.withLock { $0 }
    #expect(number > 0)
    while !states(ofGroup: number).filter({ $0 != "Z" }).isEmpty { usleep(10_000) }
  }
}
