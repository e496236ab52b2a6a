import DAWModel
import DAWStore
import Foundation
import Testing

@testable import DAWWork

extension WorkerTests {
  @Test("A job that is cancelled and put into the queue again is done by one thread of a worker alone")
  func cancelledAndRetried() throws {
    let (first, mark) = (folder.path("first"), folder.path("mark"))
    try script(
      "script",
      """
      if mkdir '\(first)' 2>/dev/null; then
        echo $$ >'\(first)/pid'
        touch '\(mark)'
        sleep 20
        echo '{"word":"first","start":0,"end":1}'
      else
        while kill -0 "$(cat '\(first)/pid')" 2>/dev/null; do sleep 0.05; done
        echo '{"word":"second","start":0,"end":1}'
      fi
      """)
    try bringIn(tone(2))
    let job = try queue()[0]
    let work = session.work
    Thread.detachNewThread {
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      _ = try? work.change(job.id, of: nil, keeping: nil) { job in
        _ = job.cancel(at: .now())
        return job.retry(at: .now())
      }
    }
    try worker().run(.idle, atOnce: 2)
    #expect(try session.work.job(job.id)?.state == .completed)
    #expect(try entries().map(\.text) == ["second"])
  }
}
