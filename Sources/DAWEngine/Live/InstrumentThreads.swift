import DAWTime
import Foundation

/// The threads that render instruments ahead of the playhead.
final class InstrumentThreads: Sendable {
  /// Makes an instrument in its initial state; the plan it gets has no events.
  typealias Factory = @Sendable (InstrumentPlan) throws -> any EventPlayer

  private let shared: Monitor<InstrumentStreams>

  /// - Parameter windows: those of the pool that belong to instruments.
  init(options: LiveOptions, owner: SharedStateOwner, windows: Range<Int>, makeProducer: @escaping Factory) {
    shared = Monitor(InstrumentStreams(options: options, owner: owner, windows: windows, makeProducer: makeProducer))
    let count = max(1, options.instrumentThreadCount)
    shared.update { $0.runningThreads = count }
    for _ in 0..<count {
      Thread { [shared] in
        shared.renderUntilStopped()
        shared.update { $0.runningThreads -= 1 }
      }.start()
    }
  }

  /// Ends the threads and frees all instruments.
  func stop() {
    shared.update { $0.isStopped = true }
    // Freed outside of the lock.
    let streams = shared.wait { $0.runningThreads == 0 ? $0.takeAll() : nil }
    _ = streams
  }

  /// Any thread: sets the plans that are heard or will be, the newest last. Streams of instruments that the newest plan
  /// still has continue; those that no plan plays are parked.
  func adopt(_ plans: [LivePlan], version: Int) {
    // Not under the lock: a track's events are walked when they are new.
    for planned in plans.last?.plan.instruments ?? [] { _ = planned.plan.sequence.linked }
    // Freed outside of the lock.
    let dropped = shared.update { $0.adopt(plans, version: version) }
    _ = dropped
  }

  /// Any thread: whether everything that can be rendered ahead of the record's position has been. Pending edits only
  /// concern later frames.
  func isUpToDate(for record: TransportRecord) -> Bool { shared.read { $0.isUpToDate(for: record) } }

  /// Any thread: whether the instruments that a plan plays and the plan before does not are ready at the record's
  /// position. The others go on as they are, late or not.
  func isPrimed(_ plan: LivePlan, for record: TransportRecord) -> Bool {
    shared.read { $0.isPrimed(plan, record, isStart: false) }
  }

  /// Any thread: errors of instruments since the last call.
  func takeProblems() -> [StreamError] {
    // A change would wake the threads.
    shared.read { $0.problems.isEmpty } ? [] : shared.update { $0.takeProblems() }
  }
}
