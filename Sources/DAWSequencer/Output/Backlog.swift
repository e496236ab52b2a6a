import CALSA
import DAWEngine

/// Messages on their way to the kernel, in order: what its pool has no room for yet, and long system exclusive messages,
/// which go in parts.
struct Backlog {
  /// A message and how far it has been handed over.
  private struct Entry {
    var hostFrame: Int64
    var message: MIDIEvent
    var port: OutputPort
    /// `nil`: whoever hears the port.
    var address: SequencerAddress?
    /// Of the first part, and whether it is later than the message's frame says.
    var stamp: Int64
    var isDelayed: Bool
    var bytes: [UInt8] = []
    var doneParts = 0
    var isCounted = false

    var partCount: Int { max(1, (bytes.count + Backlog.partSize - 1) / Backlog.partSize) }
    var lastStamp: Int64 { stamp(ofPart: partCount - 1) }
    func stamp(ofPart part: Int) -> Int64 { stamp + Int64(part) * Backlog.partInterval }

    /// - Returns: false where the kernel has no room; what is done is kept in mind.
    mutating func hand(to client: SequencerClient, _ queue: Int32) throws(SequencerError) -> Bool {
      guard message.isSystemExclusive else {
        let event = snd_seq_event_t(message, from: port.number, on: queue, at: stamp, to: address)
        guard var event else { return true }
        return try client.send(&event)
      }
      let size = Backlog.partSize
      while doneParts * size < bytes.count {
        let part = Array(bytes[doneParts * size..<min(bytes.count, (doneParts + 1) * size)])
        guard try client.send(part, from: port.number, on: queue, at: stamp(ofPart: doneParts)) else { return false }
        doneParts += 1
      }
      return true
    }

    /// What was to be sent at `stamp` or later has been taken back.
    mutating func takeBack(from stamp: Int64) {
      doneParts = min(doneParts, (0..<partCount).first { self.stamp(ofPart: $0) >= stamp } ?? partCount)
    }
  }

  /// Bytes of a system exclusive message that go at a time, and nanoseconds from one part to the next: as many as the
  /// memory of a client that reads, or of an interface's driver, holds by default, and the time in which one reads it.
  private static let partSize = 4_096
  private static let partInterval: Int64 = 20_000_000

  private var waiting: [Entry] = []
  /// Handed over, and not sent yet when their frame is: long messages, and what comes behind them from the same port.
  private var delayed: [Entry] = []

  /// Whether all is handed over.
  var isEmpty: Bool { waiting.isEmpty }

  /// When the last one is sent that is later than its frame.
  var lastStamp: Int64 { delayed.reduce(0) { max($0, $1.lastStamp) } }

  mutating func append(
    _ message: MIDIEvent, hostFrame: Int64, at stamp: Int64, from port: OutputPort, to address: SequencerAddress? = nil
  ) {
    // Nothing may come between the parts of a message.
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

  /// Hands over what the kernel has room for.
  /// - Parameters:
  ///   - now: the queue's clock, nanoseconds.
  ///   - isSent: is called for each message, once, with its stamp.
  ///   - hasFailed: is called for each that cannot be sent; the others go on.
  mutating func hand(
    to client: SequencerClient, _ queue: SequencerQueue, now: Int64, isSent: (OutputPort, Int64) -> Void,
    hasFailed: (OutputPort, SequencerError) -> Void
  ) {
    delayed.removeAll { $0.lastStamp < now }
    while !waiting.isEmpty {
      do throws(SequencerError) {
        guard try waiting[0].hand(to: client, queue.number) else { return }
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

  /// The queue has given back what was to be sent at `stamp` or later, and all for `hostFrame` or later is void. What
  /// belongs before that, and was given back with it, waits again.
  mutating func cut(at hostFrame: Int64, stamp: Int64) {
    var kept = (delayed + waiting).filter { $0.hostFrame < hostFrame }
    for index in kept.indices { kept[index].takeBack(from: stamp) }
    waiting = kept.filter { entry in
      !entry.isCounted || entry.lastStamp >= stamp
    }
    delayed = kept.filter { entry in
      entry.isCounted && entry.lastStamp < stamp
    }
  }
}
