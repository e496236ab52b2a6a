/// A track: an `MTrk` chunk.
public struct MIDIFileTrack: Equatable, Sendable {
  /// In order of tick, and at the same tick in file order; without End of Track.
  public internal(set) var events: [MIDIFileEvent] = []
  /// The tick of End of Track: at or after the last event.
  public var endTick: Int64 = 0
  /// The events' payloads: for each, a four-byte little-endian length and the bytes.
  private var payloads: [UInt8] = []

  public init() {}

  /// The body of a meta event, of a system exclusive message after 0xF0, or of an escape. Empty for a channel message.
  public func payload(of event: MIDIFileEvent) -> ArraySlice<UInt8> {
    guard !event.isChannelMessage else { return [] }
    let start = Int(event.payloadOffset) + 4
    let count = (0..<4).reduce(0) { $0 | Int(payloads[start - 4 + $1]) << (8 * $1) }
    return payloads[start..<start + count]
  }

  /// Appends a channel message. Events out of order are put in place by `sort()`.
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

  /// Sorts the events by tick; at the same tick meta events come first, then note-offs, then others in order of
  /// addition, then note-ons. So settings precede the notes that they apply to, and a repeated note ends before it
  /// begins again.
  public mutating func sort() {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.order <= $1.order }
    if !isSorted { sortByCounting() }
  }

  /// A stable LSD radix sort with 11 bits per pass.
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
  /// Ticks are less than 2⁶⁰.
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
