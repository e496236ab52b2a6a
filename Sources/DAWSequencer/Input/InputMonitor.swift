import CALSA
import DAWEngine

/// Passes what arrives at a port on to other clients' ports, and ends there what it has begun.
struct InputMonitor {
  /// The port of ours that the messages come from.
  private let port: Int32
  private(set) var destinations: [SequencerAddress] = []
  /// The notes that sound there, channel << 8 | pitch, and the pedals that are down, channel << 8 | controller.
  private var notes: Set<UInt16> = []
  private var pedals: Set<UInt16> = []

  init(port: Int32) { self.port = port }

  /// Sends an event that has just been read.
  /// - Parameter messages: the event's.
  mutating func pass(_ event: snd_seq_event_t, _ messages: [[UInt8]], by client: SequencerClient) {
    guard !destinations.isEmpty else { return }
    for message in messages where message.count == 3 {
      let (kind, channel) = (message[0] & 0xf0, message[0] & 0x0f)
      let key = UInt16(channel) << 8 | UInt16(message[1])
      switch kind {
      case 0x90 where message[2] > 0: notes.insert(key)
      case 0x80, 0x90: notes.remove(key)
      case 0xb0 where MIDIEvent(frame: 0, status: message[0], data1: message[1], data2: message[2]).movesHoldingPedal:
        if message[2] >= 64 { pedals.insert(key) } else { pedals.remove(key) }
      default: break
      }
    }
    var event = event
    event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    event.source.port = UInt8(truncatingIfNeeded: port)
    for destination in destinations {
      event.dest = snd_seq_addr_t(destination)
      // A receiver that refuses a message loses it, as it would from any other program.
      _ = try? client.send(&event)
    }
  }

  /// Sets where messages go. What sounds at other destinations because of earlier ones is ended.
  mutating func setDestinations(_ new: [SequencerAddress], _ client: SequencerClient) {
    guard new != destinations else { return }
    for former in destinations where !new.contains(former) { client.sendAtOnce(releases, from: port, to: former) }
    destinations = new
    if new.isEmpty { (notes, pedals) = ([], []) }
  }

  /// Ends what sounds: messages are missing, or there will be no more.
  mutating func release(_ client: SequencerClient) {
    for destination in destinations { client.sendAtOnce(releases, from: port, to: destination) }
    (notes, pedals) = ([], [])
  }

  private var releases: [MIDIEvent] {
    let noteOffs = notes.sorted().map { note in
      MIDIEvent(frame: 0, status: 0x80 | UInt8(note >> 8), data1: UInt8(note & 0x7f), data2: 0)
    }
    let pedalsUp = pedals.sorted().map { pedal in
      MIDIEvent(frame: 0, status: 0xb0 | UInt8(pedal >> 8), data1: UInt8(pedal & 0x7f), data2: 0)
    }
    return noteOffs + pedalsUp
  }
}
