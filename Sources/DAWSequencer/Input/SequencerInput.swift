import CALSA
import DAWEngine
import DAWTime
import Foundation
import Synchronization

/// Receives MIDI through the ALSA sequencer, on one sequencer port for each input. The kernel stamps each message when
/// it arrives; a thread reads them and writes them to `messages`, with the frame of the host's clock.
///
///     let input = try SequencerInput(clientName: "daw", inputCount: 1)
///     input.set([.init(number: 0, name: "Keys in", source: "Keystation:0")])
///     input.start(following: clock)
///     while let message = input.messages.read() { … }
///     …
///     input.stop()
public final class SequencerInput: Sendable {
  /// What has arrived. Read by one thread of the caller's.
  public let messages: MIDICapture
  private let inbox: Mutex<Inbox>
  private let hasEnded = DispatchSemaphore(value: 0)

  /// An input and its port.
  public struct Port: Hashable, Sendable {
    /// The input's number in `messages`.
    public var number: Int
    public var name: String
    /// What to connect the port to, as `CLIENT:PORT`; `nil` connects nothing. A source that is not there yet is
    /// connected when it comes.
    public var source: String?
    /// What else the port is connected to when it is made, as far as it is there.
    public var senders: [SequencerAddress]
    /// Where what arrives is passed on to, as soon as it is read: what the track's output is connected to. What it has
    /// begun there is ended when it is not passed on any more.
    public var monitors: [SequencerAddress]

    public init(
      number: Int, name: String, source: String? = nil, senders: [SequencerAddress] = [],
      monitors: [SequencerAddress] = []
    ) {
      self.number = number
      self.name = name
      self.source = source
      self.senders = senders
      self.monitors = monitors
    }
  }

  struct Inbox {
    /// Ports that the thread has not taken yet.
    var ports: [Port]?
    var isStopping = false
    var isStarted = false
    var status = SequencerInputStatus()
    /// `nil` once the thread has taken it.
    var worker: InputWorker?
  }

  /// Opens the sequencer.
  /// - Parameters:
  ///   - clientName: the name that other programs see.
  ///   - inputCount: inputs are numbered from 0.
  /// - Throws: `SequencerError`.
  public convenience init(clientName: String, inputCount: Int) throws(SequencerError) {
    try self.init(clientName: clientName, inputCount: inputCount, library: nil)
  }

  /// - Parameter library: `nil` opens libasound.
  init(clientName: String, inputCount: Int, library: calsa?) throws(SequencerError) {
    // Four of the longest system exclusive messages.
    messages = MIDICapture(inputCount: inputCount, minimumByteCount: 4 << 20)
    inbox = Mutex(Inbox(worker: try InputWorker(clientName: clientName, messages: messages, library: library)))
  }

  /// The ports of other clients that can be read from.
  /// - Throws: `SequencerError`.
  public static func sources() throws(SequencerError) -> [SequencerPort] {
    try SequencerClient(name: "daw").ports(.input)
  }

  /// Control thread: the ports that there are to be. Others are removed.
  public func set(_ ports: [Port]) { inbox.withLock { $0.ports = ports } }

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
      hasEnded.signal()
    }
    thread.name = "daw-midi-in"
    thread.start()
  }

  /// Control thread, once: reads what has arrived, and closes the sequencer. `status` then says what was connected.
  public func stop() {
    let isStarted = inbox.withLock { inbox in
      inbox.isStopping = true
      inbox.worker = nil
      return inbox.isStarted
    }
    if isStarted { hasEnded.wait() }
  }

  /// Any thread.
  public var status: SequencerInputStatus { inbox.withLock { $0.status } }

  /// MIDI thread: stores the status and takes new ports.
  private func exchange(_ status: SequencerInputStatus) -> (ports: [Port]?, isStopping: Bool) {
    inbox.withLock { inbox in
      inbox.status = status
      defer { inbox.ports = nil }
      return (inbox.ports, inbox.isStopping)
    }
  }
}

/// The state of the sequencer input.
public struct SequencerInputStatus: Sendable, Equatable {
  /// What is connected to each port, by the input's number.
  public var connections: [Int: [SequencerAddress]] = [:]
  /// Sources that do not exist, as written.
  public var missingSources: [String] = []
  /// Inputs whose port could not be made, by number.
  public var failures: [Int: SequencerError] = [:]
  /// Messages and parts of messages received.
  public var receivedCount = 0
  /// Everything that arrived before this frame of the host has been read.
  public var readTo: HostFrame = 0
  /// How often the kernel's buffer for the client has overflowed, which loses what is in it.
  public var overrunCount = 0
  /// Why receiving has ended; `nil` while it works.
  public var problem: SequencerError?

  public init() {}
}
