import Foundation

@testable import DAWEngine

extension RenderedAhead {
  /// Calls `body` while threads render beside the one that reads.
  func whileRendered<Result>(byThreads count: Int, _ body: () throws -> Result) rethrows -> Result {
    let running = Monitor(count)
    for _ in 0..<count {
      Thread { [shared] in
        shared.renderUntilStopped()
        running.update { $0 -= 1 }
      }.start()
    }
    defer {
      stop()
      running.wait { $0 == 0 ? () : nil }
    }
    return try body()
  }
}
