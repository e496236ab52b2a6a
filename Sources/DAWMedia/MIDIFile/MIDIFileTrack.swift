/// One `MTrk` chunk.
public struct MIDIFileTrack: Equatable, Sendable {
  /// In order of tick; those of one tick in the order of the file. The End of Track is not among them.
  public internal(set) var events: [MIDIFileEvent] = []
  /// Where the End of Track stands: at or after the last event.
  public var endTick: Int64 = 0
  /// What the events carry: four bytes of length, the lowest first, and as many bytes, one after the other.
  private var payloads: [UInt8] = []

  public init() {}

  /// The bytes of a meta event's body, of a system exclusive message after its 0xF0, or of an escape. Empty for a channel
  /// message.
  public func payload(of event: MIDIFileEvent) -> ArraySlice<UInt8> {
    guard !event.isChannelMessage else { return [] }
    let start = Int(event.payloadOffset) + 4
    let count = (0..<4).reduce(0) { $0 | Int(payloads[start - 4 + $1]) << (8 * $1) }
    return payloads[start..<start + count]
  }

  /// Adds a channel message behind the others. One that is earlier than the last comes to its place by `sort()`.
  public mutating func append(_ event: MIDIFileEvent) {
    events.append(event)
    endTick = max(endTick, event.tick)
  }

  public mutating func append(
    _ message: MIDIChannelMessage, channel: Int, data1: Int, data2: Int = 0, at tick: Int64
  ) {
    append(
      MIDIFileEvent(
        tick: tick, status: message.rawValue | UInt8(channel & 0x0f), data1: UInt8(data1 & 0x7f),
        data2: UInt8(data2 & 0x7f)))
  }

  /// - Parameter status: `MIDIFileEvent.systemExclusive` or `.escape`.
  public mutating func append(status: UInt8, payload: some Collection<UInt8>, at tick: Int64) {
    append(status: status, data1: 0, payload: payload, at: tick)
  }

  /// - Parameter type: 0 … 127.
  public mutating func append(metaType type: UInt8, payload: some Collection<UInt8>, at tick: Int64) {
    append(status: MIDIFileEvent.meta, data1: type, payload: payload, at: tick)
  }

  private mutating func append(status: UInt8, data1: UInt8, payload: some Collection<UInt8>, at tick: Int64) {
    var event = MIDIFileEvent(tick: tick, status: status, data1: data1)
    event.payloadOffset = UInt32(truncatingIfNeeded: payloads.count)
    let count = payload.count
    for place in 0..<4 { payloads.append(UInt8(truncatingIfNeeded: count >> (8 * place))) }
    payloads.append(contentsOf: payload)
    append(event)
  }

  /// Puts the events in order of tick; at one tick metas first, then ends of notes, then all else as it was added, and
  /// beginnings of notes last. So a note is played with what was set for it, and a repeated note ends before it begins
  /// again.
  public mutating func sort() {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.order <= $1.order }
    if !isSorted { sortByCounting() }
  }

  /// Stable, and in a time that grows with the number of events alone: by eleven bits of their order at a time, the lowest
  /// first.
  private mutating func sortByCounting() {
    let (lowest, highest) = events.reduce((Int64.max, Int64.min)) { (min($0.0, $1.order), max($0.1, $1.order)) }
    let radix = 1 << 11
    var sorted = events
    var shift: Int64 = 0
    while (highest - lowest) >> shift > 0 {
      func digit(_ event: MIDIFileEvent) -> Int { Int((event.order - lowest) >> shift) & (radix - 1) }
      var places = [Int](repeating: 0, count: radix)
      for event in events { places[digit(event)] += 1 }
      var start = 0
      for value in places.indices { (places[value], start) = (start, start + places[value]) }
      for event in events {
        let value = digit(event)
        sorted[places[value]] = event
        places[value] += 1
      }
      swap(&events, &sorted)
      shift += 11
    }
  }

  public mutating func reserveCapacity(_ count: Int) { events.reserveCapacity(count) }
}

extension MIDIFileEvent {
  /// Ticks are far below 2⁶⁰.
  fileprivate var order: Int64 {
    let rank: Int64
    switch status & 0xf0 {
    case 0xf0: rank = status == Self.meta ? 0 : 2
    case 0x80: rank = 1
    case 0x90: rank = data2 == 0 ? 1 : 3
    default: rank = 2
    }
    return tick << 2 | rank
  }
}
