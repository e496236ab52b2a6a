import DAWRealtime

/// An instrument that plays live: its producer, what it has been told, and the window that the audio thread reads. One of
/// the instruments' threads uses it at a time.
final class InstrumentStream {
  /// What makes two streams the same: everything about the instrument but what it plays.
  struct Key: Hashable {
    var slot: Int64
    var instrument: InstrumentPlan

    init(_ planned: PlannedInstrument) {
      slot = planned.slot
      instrument = planned.plan
      instrument.events = []
    }
  }

  let key: Key
  let ticket: StreamTicket
  /// Of the window.
  static let capacity = 65_536
  /// Rendered at a time: whole quanta.
  static let pieceFrames = 256

  private let crossing: UnsafeMutablePointer<Crossing>
  private var producer: (any EventPlayer)?
  private var cursor: PortCursor
  private var events: LinkedPorts
  private var eventsVersion: UInt64 = 0
  /// Frames that the producer has made, and of how many it knows the events.
  private var made: Int64 = 0
  private var known: Int64 = 0
  /// The frame, counted from the last locate, that the producer's frame 0 is.
  private var origin: Int64 = 0
  private let left: UnsafeMutablePointer<Float>

  /// The place of the playhead that it plays from.
  private(set) var locateNumber: UInt64 = 0
  /// Why it cannot go on.
  private(set) var problem: StreamError?

  /// - Parameter ticket: to a window that nobody else uses.
  init(_ key: Key, events: [MIDIEvent], ticket: StreamTicket, crossing: UnsafeMutablePointer<Crossing>) {
    self.key = key
    self.ticket = ticket
    self.crossing = crossing
    cursor = PortCursor(slot: key.slot)
    self.events = Self.linked(events, key)
    left = .allocate(capacity: 2 * Self.pieceFrames)
    left.initialize(repeating: 0, count: 2 * Self.pieceFrames)
  }

  deinit { left.deallocate() }

  private static func linked(_ events: [MIDIEvent], _ key: Key) -> LinkedPorts {
    LinkedPorts([
      PlannedPort(
        slot: key.slot, name: "", events: events, systemExclusive: key.instrument.systemExclusive)
    ])
  }

  /// An edit: from where it has rendered on, it plays these.
  func replaceEvents(_ events: LinkedPorts) {
    self.events = events
    eventsVersion += 1
  }

  /// Any thread: counted from the last locate, the first frame that is not rendered.
  var renderedFrames: Int64 { crossing.pointee.windows[ticket.window].end.load(ordering: .acquiring) }

  /// Renders one piece, beginning anew where the playhead has been put elsewhere.
  func render(
    _ newest: () -> TransportRecord, makeProducer: (InstrumentPlan) throws -> any EventPlayer
  ) {
    do {
      if producer == nil || locateNumber != newest().locateNumber {
        producer = try makeProducer(key.instrument)
        begin(at: newest())
      }
      try render(newest())
    } catch let error as StreamError {
      problem = error
    } catch {
      problem = .instrument(path: key.instrument.soundFontPath, reason: String(describing: error))
    }
  }

  private func begin(at record: TransportRecord) {
    cursor = PortCursor(slot: key.slot)
    made = 0
    known = 0
    locateNumber = record.locateNumber
    align(at: record.rolledFrameCount)
    // The cursor tells the rest of what came before.
    guard let producer, let port = events.port(key.slot) else { return }
    let first = port.firstEvent(from: timelineFrame(of: origin, record))
    for event in port.systemExclusive(before: first) { producer.play(event) }
  }

  /// What is made next is heard at a frame counted from the last locate.
  private func align(at rolled: Int64) {
    origin = rolled - made
    while !crossing.pointee.windows[ticket.window].beginFilling() {}
    crossing.pointee.windows[ticket.window].move(to: rolled)
    crossing.pointee.windows[ticket.window].endFilling()
  }

  private func render(_ record: TransportRecord) throws {
    guard let producer, record.locateNumber == locateNumber else { return }
    let window = crossing.pointee.windows + ticket.window
    // The playhead is past what comes next: that would never be heard.
    if window.pointee.end.load(ordering: .relaxed) < record.rolledFrameCount { align(at: record.rolledFrameCount) }
    let count = Self.pieceFrames
    let held = renderedFrames - window.pointee.first.load(ordering: .acquiring)
    guard window.pointee.capacity - Int(held) >= count else { return }
    while known < made + Int64(count + producer.eventLeadFrames) { tell(producer, count, record) }
    try producer.produce(frameCount: count, left: left, right: left + count)
    made += Int64(count)
    var done = 0
    while done < count {
      let room = window.pointee.room()
      let part = min(room.count, count - done)
      guard part > 0 else { return }
      let target = window.pointee.bytes.assumingMemoryBound(to: Float.self) + room.place
      target.update(from: left + done, count: part)
      (target + window.pointee.capacity).update(from: left + count + done, count: part)
      window.pointee.extend(by: part)
      done += part
    }
  }

  /// Tells the producer what happens in the next frames that it does not know.
  private func tell(_ producer: any EventPlayer, _ count: Int, _ record: TransportRecord) {
    let block = PortBlock(
      isRolling: true, frame: timelineFrame(of: origin + known, record), frameCount: count, loop: record.loop,
      locateNumber: locateNumber, planNumber: eventsVersion)
    cursor.begin(block, events.port(key.slot))
    while let event = cursor.next() {
      var message = event.message
      message.frame = known + Int64(event.offset)
      producer.play(message)
    }
    known += Int64(count)
  }

  /// Where the playhead will be when so many frames have been played since the last locate.
  private func timelineFrame(of rolled: Int64, _ record: TransportRecord) -> Int64 {
    let frame = record.nextFrame + rolled - record.rolledFrameCount
    guard let loop = record.loop, record.nextFrame < loop.upperBound, frame >= loop.upperBound else { return frame }
    return loop.lowerBound + (frame - loop.upperBound) % Int64(loop.count)
  }
}
