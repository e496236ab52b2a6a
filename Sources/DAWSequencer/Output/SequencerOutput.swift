import CALSA
import DAWEngine
import Foundation
import Synchronization

/// Plays a plan's MIDI through the ALSA sequencer, from one sequencer port for each track. A thread queues events about
/// 150 ms ahead of the transport; if the transport or the plan changes, queued events are withdrawn, and no note is
/// left sounding.
///
///     let output = try SequencerOutput(clientName: "daw", watchdog: try Watchdog(arguments: ["…"]))
///     output.publish(plan.ports, planNumber: engine.publish(plan))
///     output.start(following: clock)
///     …
///     output.stop()
public final class SequencerOutput: Sendable {
  private let inbox: Mutex<Inbox>
  private let hasEnded = DispatchSemaphore(value: 0)

  struct Inbox {
    /// In order of plan number.
    var publications: [Publication] = []
    var isStopping = false
    var isStarted = false
    /// Whether the thread has ended, so that nothing takes what is published.
    var isOver = false
    var status = SequencerStatus()
    /// `nil` once the thread has taken it.
    var worker: OutputWorker?
  }

  /// The ports of a plan.
  struct Publication {
    var planNumber: UInt64
    var ports: [PlannedPort]
    var linked: LinkedPorts
  }

  /// Whether this machine has an ALSA sequencer.
  public static var isAvailable: Bool { access("/dev/snd/seq", F_OK) == 0 }

  /// Opens the sequencer.
  /// - Parameters:
  ///   - clientName: the name that other programs see.
  ///   - watchdog: silences the ports if this process is killed. Dismissed by `stop()`.
  /// - Throws: `SequencerError`.
  public convenience init(clientName: String, watchdog: Watchdog? = nil) throws(SequencerError) {
    try self.init(clientName: clientName, watchdog: watchdog, library: nil)
  }

  /// - Parameter library: `nil` opens libasound.
  init(clientName: String, watchdog: Watchdog?, library: calsa?) throws(SequencerError) {
    inbox = Mutex(Inbox(worker: try OutputWorker(clientName: clientName, watchdog: watchdog, library: library)))
  }

  /// Control thread: passes a plan's ports to the thread.
  /// - Parameter planNumber: `TransportRecord.planNumber` once the plan is heard; increasing.
  public func publish(_ ports: [PlannedPort], planNumber: UInt64) {
    let publication = Publication(planNumber: planNumber, ports: ports, linked: LinkedPorts(ports))
    inbox.withLock { inbox in
      // Kept, they would take memory for each edit as long as the player plays.
      if !inbox.isOver { inbox.publications.append(publication) }
    }
  }

  /// Control thread, once: starts the thread.
  public func start(following clock: any HostClock) {
    let worker = inbox.withLock { inbox in
      inbox.isStarted = true
      defer { inbox.worker = nil }
      return inbox.worker
    }
    guard let worker else { return }
    // Used by that thread alone from here on.
    nonisolated(unsafe) let moved = worker
    let thread = Thread { [self] in
      moved.run(clock, exchange: { self.exchange($0) })
      inbox.withLock { inbox in
        inbox.isOver = true
        inbox.publications = []
      }
      hasEnded.signal()
    }
    thread.name = "daw-midi"
    thread.start()
  }

  /// Control thread, once: silences the ports and closes the sequencer.
  public func stop() {
    let (isStarted, watchdog) = inbox.withLock { inbox in
      inbox.isStopping = true
      defer { inbox.worker = nil }
      return (inbox.isStarted, inbox.worker?.watchdog)
    }
    if isStarted { hasEnded.wait() } else { watchdog?.dismiss() }
  }

  /// Any thread.
  public var status: SequencerStatus { inbox.withLock { $0.status } }

  /// MIDI thread: stores the status and takes new publications.
  private func exchange(_ status: SequencerStatus) -> (publications: [Publication], isStopping: Bool) {
    inbox.withLock { inbox in
      inbox.status = status
      defer { inbox.publications = [] }
      return (inbox.publications, inbox.isStopping)
    }
  }
}
