import CALSA
import DAWEngine
import Glibc

@testable import DAWSequencer

/// Whether this machine has a sequencer, or must have one. Without one, run `Tests/alsa-vm/run`, which runs these tests
/// in a virtual machine.
let hasSequencer = access("/dev/snd/seq", R_OK | W_OK) == 0 || getenv("DAW_SEQUENCER") != nil

/// A synthesizer connected to a port: it records the events that it receives.
final class SequencerListener {
  let client: SequencerClient
  let port: Int32
  private(set) var events: [Heard] = []
  private(set) var notes: Set<Int> = []
  private(set) var pedals: Set<Int> = []
  private(set) var faults: [String] = []
  /// System exclusive messages, assembled from their parts.
  private(set) var exclusive: [[UInt8]] = []
  private var part: [UInt8] = []

  struct Heard {
    var text: String
    /// The event's stamp, nanoseconds; 0 if it was sent without a queue.
    var stamp: Int64
  }

  init(name: String = "listener") throws {
    client = try SequencerClient(name: name)
    port = try client.addInput("in", isExported: true)
    // The largest input buffer that the sequencer allows, for bursts.
    client.setInputSize(2_000)
  }

  var address: SequencerAddress { SequencerAddress(client: client.number, port: port) }

  /// Records events for a while, or until `isEnough`.
  func listen(seconds: Double, until isEnough: (SequencerListener) -> Bool = { _ in false }) {
    var waited = 0.0
    while waited < seconds, !isEnough(self) {
      while let event = client.nextInput() { take(event) }
      usleep(5_000)
      waited += 0.005
    }
  }

  private func take(_ event: snd_seq_event_t) {
    let time = event.time.time
    let isScheduled = Int32(event.queue) != SND_SEQ_QUEUE_DIRECT
    let stamp = isScheduled ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : 0
    let note = Int(event.data.note.channel) * 128 + Int(event.data.note.note)
    let (channel, number, value) = (event.data.control.channel, event.data.control.param, event.data.control.value)
    let type = snd_seq_event_type(rawValue: UInt32(event.type))
    if type != SND_SEQ_EVENT_SYSEX, !part.isEmpty { faults.append("\(event.type) comes between parts") }
    switch type {
    case SND_SEQ_EVENT_SYSEX: takePart(event, stamp)
    case SND_SEQ_EVENT_NOTEON:
      events.append(Heard(text: "on \(note) \(event.data.note.velocity)", stamp: stamp))
      if !notes.insert(note).inserted { faults.append("\(note) is struck while it sounds") }
    case SND_SEQ_EVENT_NOTEOFF:
      events.append(Heard(text: "off \(note)", stamp: stamp))
      notes.remove(note)
    case SND_SEQ_EVENT_CONTROLLER:
      events.append(Heard(text: "\(channel) c\(number)=\(value)", stamp: stamp))
      if number == 64 {
        if value >= 64 { pedals.insert(Int(channel)) } else { pedals.remove(Int(channel)) }
      }
    case SND_SEQ_EVENT_PGMCHANGE: events.append(Heard(text: "\(channel) p\(value)", stamp: stamp))
    case SND_SEQ_EVENT_CHANPRESS: events.append(Heard(text: "\(channel) a\(value)", stamp: stamp))
    case SND_SEQ_EVENT_KEYPRESS:
      events.append(Heard(text: "touch \(note) \(event.data.note.velocity)", stamp: stamp))
    case SND_SEQ_EVENT_PITCHBEND: events.append(Heard(text: "\(channel) b\(value)", stamp: stamp))
    default: break
    }
  }

  private func takePart(_ event: snd_seq_event_t, _ stamp: Int64) {
    let bytes = UnsafeRawBufferPointer(start: event.data.ext.ptr, count: Int(event.data.ext.len))
    if bytes.first == 0xf0, !part.isEmpty { faults.append("a message begins within another") }
    part += bytes
    guard part.last == 0xf7 else { return }
    exclusive.append(part)
    events.append(Heard(text: "exclusive \(part.count)", stamp: stamp))
    part = []
  }

  var isSilent: Bool { notes.isEmpty && pedals.isEmpty }
  var texts: [String] { events.map(\.text) }

  func clear() { events = [] }
}

extension SequencerListener {
  /// The first port of the client with this name.
  func source(named name: String) -> SequencerAddress? {
    ports(of: name).first.map { SequencerAddress(client: $0.client, port: $0.port) }
  }

  /// The announcement port of the client with this name.
  func announcements(of name: String) -> SequencerAddress? {
    source(named: name).map { SequencerAddress(client: $0.client, port: 0) }
  }

  func portNames(of name: String) -> [String] {
    ports(of: name).map(\.name).filter { $0 != "announcements" }
  }

  private func ports(of clientName: String) -> [(client: Int32, port: Int32, name: String)] {
    let library = client.library
    var other: OpaquePointer?
    var port: OpaquePointer?
    _ = library.snd_seq_client_info_malloc(&other)
    _ = library.snd_seq_port_info_malloc(&port)
    guard let other, let port else { return [] }
    defer {
      library.snd_seq_client_info_free(other)
      library.snd_seq_port_info_free(port)
    }
    var found: [(client: Int32, port: Int32, name: String)] = []
    library.snd_seq_client_info_set_client(other, -1)
    while library.snd_seq_query_next_client(client.handle, other) >= 0 {
      guard library.snd_seq_client_info_get_name(other).map({ String(cString: $0) }) == clientName else { continue }
      let number = library.snd_seq_client_info_get_client(other)
      library.snd_seq_port_info_set_client(port, number)
      library.snd_seq_port_info_set_port(port, -1)
      while library.snd_seq_query_next_port(client.handle, port) >= 0 {
        let text = library.snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? ""
        if text != "announcements" { found.append((number, library.snd_seq_port_info_get_port(port), text)) }
      }
    }
    return found
  }
}
