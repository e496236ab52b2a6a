import CALSA
import DAWEngine
import DAWTime

/// Messages on their way to the kernel, in order: those for which its pool has no room yet, and long system exclusive
/// messages, which are sent in parts.
struct Backlog {
  /// A message and how much of it has been sent to the kernel.
  private struct Entry {
    var hostFrame: HostFrame
    var message: MIDIEvent
    var port: OutputPort
    /// `nil` for the port's subscribers.
    var address: SequencerAddress?
    /// The stamp of the first part, and whether it is later than that of the message's frame.
    var stamp: Int64
    var isDelayed: Bool
    var bytes: [UInt8] = []
    var sentParts = 0
    var isCounted = false

    var partCount: Int { max(1, (bytes.count + Backlog.partSize - 1) / Backlog.partSize) }
    var lastStamp: Int64 { stamp(ofPart: partCount - 1) }
    func stamp(ofPart part: Int) -> Int64 { stamp + Int64(part) * Backlog.partInterval }

    /// Sends the message, or the parts that are left.
    /// - Returns: false if the kernel has no room; progress is kept.
    mutating func send(to client: SequencerClient, _ queue: Int32) throws(SequencerError) -> Bool {
      guard message.isSystemExclusive else {
        let event = snd_seq_event_t(message, from: port.number, on: queue, at: stamp, to: address)
        guard var event else { return true }
        return try client.send(&event)
      }
      let size = Backlog.partSize
      while sentParts * size < bytes.count {
        let part = Array(bytes[sentParts * size..<min(bytes.count, (sentParts + 1) * size)])
        guard try client.send(part, from: port.number, on: queue, at: stamp(ofPart: sentParts)) else { return false }
        sentParts += 1
      }
      return true
    }

    /// Marks parts that are due at `stamp` or later as not sent.
    mutating func withdraw(from stamp: Int64) {
      sentParts = min(sentParts, (0..<partCount).first { self.stamp(ofPart: $0) >= stamp } ?? partCount)
    }
  }

  /// Bytes of a system exclusive message sent at a time, and nanoseconds between parts: the default buffer size of a
  /// receiving client or an interface's driver, and the time in which it is read.
  private static let partSize = 4_096
  private static let partInterval: Int64 = 20_000_000

  private var waiting: [Entry] = []
  /// Sent to the kernel with a stamp later than their frame's: long messages, and later messages from the same port.
  private var delayed: [Entry] = []

  /// Whether everything is sent to the kernel.
  var isEmpty: Bool { waiting.isEmpty }

  /// The stamp of the last message that is later than its frame.
  var lastStamp: Int64 { delayed.reduce(0) { max($0, $1.lastStamp) } }

  mutating func append(
    _ message: MIDIEvent, hostFrame: HostFrame, at stamp: Int64, from port: OutputPort,
    to address: SequencerAddress? = nil
  ) {
    // No other message may come between the parts of a message.
    var begin = stamp
    for entry in delayed where entry.port === port { begin = max(begin, entry.lastStamp) }
    for entry in waiting where entry.port === port { begin = max(begin, entry.lastStamp) }
    var entry = Entry(
      hostFrame: hostFrame, message: message, port: port, address: address, stamp: begin, isDelayed: begin > stamp)
    if message.isSystemExclusive {
      guard Int(message.bytesIndex) < port.systemExclusive.count else { return }
      entry.bytes = port.systemExclusive[Int(message.bytesIndex)]
    }
    waiting.append(entry)
  }

  /// Sends as much as the kernel has room for.
  /// - Parameters:
  ///   - now: the queue's clock, nanoseconds.
  ///   - isSent: called once for each message sent, with its stamp.
  ///   - hasFailed: called for each message that cannot be sent; it is dropped.
  mutating func send(
    to client: SequencerClient, _ queue: SequencerQueue, now: Int64, isSent: (OutputPort, Int64) -> Void,
    hasFailed: (OutputPort, SequencerError) -> Void
  ) {
    delayed.removeAll { $0.lastStamp < now }
    while !waiting.isEmpty {
      do throws(SequencerError) {
        guard try waiting[0].send(to: client, queue.number) else { return }
      } catch {
        hasFailed(waiting.removeFirst().port, error)
        continue
      }
      var entry = waiting.removeFirst()
      if !entry.isCounted { isSent(entry.port, entry.stamp) }
      entry.isCounted = true
      if entry.isDelayed || entry.partCount > 1 { delayed.append(entry) }
    }
  }

  /// Events due at `stamp` or later have been removed from the queue, and messages for `hostFrame` or later are
  /// dropped. Earlier ones whose parts were removed are sent again.
  mutating func cut(at hostFrame: HostFrame, stamp: Int64) {
    var kept = (delayed + waiting).filter { $0.hostFrame < hostFrame }
    for index in kept.indices { kept[index].withdraw(from: stamp) }
    waiting = kept.filter { entry in
      !entry.isCounted || entry.lastStamp >= stamp
    }
    delayed = kept.filter { entry in
      entry.isCounted && entry.lastStamp < stamp
    }
  }
}
