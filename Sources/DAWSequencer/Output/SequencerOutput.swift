import CALSA
import DAWEngine
import Foundation
import Synchronization

/// Sends a plan's ports to the ALSA sequencer, each from a port of its own that other programs can connect to. A thread of
/// its own works some 150 ms ahead of the transport; what was queued is taken back where the transport or the plan turn
/// out otherwise, and no note is left sounding then.
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
    /// In order of their numbers.
    var publications: [Publication] = []
    var isStopping = false
    var isStarted = false
    var status = SequencerStatus()
    /// Until the thread takes it.
    var worker: OutputWorker?
  }

  /// Ports that sound when the engine plays the plan of a number.
  struct Publication {
    var planNumber: UInt64
    var ports: [PlannedPort]
    var linked: LinkedPorts
  }

  /// Whether this machine has a sequencer at all.
  public static var isAvailable: Bool { access("/dev/snd/seq", F_OK) == 0 }

  /// Opens the sequencer.
  /// - Parameters:
  ///   - clientName: what other programs see.
  ///   - watchdog: silences what sounds when this process is killed. It is dismissed by `stop()`.
  /// - Throws: `SequencerError`.
  public convenience init(clientName: String, watchdog: Watchdog? = nil) throws(SequencerError) {
    try self.init(clientName: clientName, watchdog: watchdog, library: nil)
  }

  /// - Parameter library: `nil`: libasound.
  init(clientName: String, watchdog: Watchdog?, library: calsa?) throws(SequencerError) {
    inbox = Mutex(Inbox(worker: try OutputWorker(clientName: clientName, watchdog: watchdog, library: library)))
  }

  /// Control thread: hands over the ports of a plan.
  /// - Parameter planNumber: what `TransportRecord.planNumber` is from when on the plan is heard; rises.
  public func publish(_ ports: [PlannedPort], planNumber: UInt64) {
    let publication = Publication(planNumber: planNumber, ports: ports, linked: LinkedPorts(ports))
    inbox.withLock { $0.publications.append(publication) }
  }

  /// Control thread, once: begins to follow the transport.
  public func start(following clock: any HostClock) {
    let worker = inbox.withLock { inbox in
      inbox.isStarted = true
      defer { inbox.worker = nil }
      return inbox.worker
    }
    guard let worker else { return }
    // Only that thread uses it from here on.
    nonisolated(unsafe) let moved = worker
    let thread = Thread { [self] in
      moved.run(clock, takeIn: { self.takeIn($0) })
      hasEnded.signal()
    }
    thread.name = "daw-midi"
    thread.start()
  }

  /// Control thread, once: silences all that sounds, and closes the sequencer.
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

  /// The thread leaves its status, and takes what has been published.
  private func takeIn(_ status: SequencerStatus) -> (publications: [Publication], isStopping: Bool) {
    inbox.withLock { inbox in
      inbox.status = status
      defer { inbox.publications = [] }
      return (inbox.publications, inbox.isStopping)
    }
  }
}
