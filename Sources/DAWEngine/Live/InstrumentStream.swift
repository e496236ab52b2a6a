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
  /// The plan that they are of; their frames are its timeline's.
  private var planNumber: UInt64
  /// The plans that are heard or are to be, while it renders.
  var plans: [LivePlan] = []
  /// The timeline frame behind what the producer has been told.
  private var told: Int64 = 0
  /// Whether the timeline has moved under what was told ahead, and what was told and what is to be heard do not meet yet.
  private var isMoving = false
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

  /// Other events, from where it has rendered on.
  struct Edit {
    var events: LinkedPorts
    /// The plan that they are of.
    var planNumber: UInt64
    /// Set where the timeline has moved: the plan that the events before were of.
    var movedFrom: UInt64?
  }

  /// - Parameters:
  ///   - planNumber: of the plan that the events are of.
  ///   - ticket: to a window that nobody else uses.
  init(
    _ key: Key, events: [MIDIEvent], planNumber: UInt64, ticket: StreamTicket, crossing: UnsafeMutablePointer<Crossing>
  ) {
    self.key = key
    self.planNumber = planNumber
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

  /// An edit.
  func take(_ edit: Edit) {
    events = edit.events
    eventsVersion += 1
    isMoving = false
    if let from = edit.movedFrom, let moved = plans.frame(told, from: from, to: edit.planNumber) {
      told = moved
      isMoving = true
    }
    planNumber = edit.planNumber
  }

  /// Any thread: counted from the last locate, the first frame that is not rendered.
  var renderedFrames: Int64 { crossing.pointee.windows[ticket.window].end.load(ordering: .acquiring) }

  /// Renders one piece, beginning anew where the playhead has been put elsewhere.
  /// - Parameter record: as it was when the stream had been told of every edit. What it begins with is what was true then: a
  ///   place that the playhead was put at since may be of a plan that it does not know.
  func render(
    for record: TransportRecord, _ newest: () -> TransportRecord,
    makeProducer: (InstrumentPlan) throws -> any EventPlayer
  ) {
    do {
      if producer == nil || locateNumber != record.locateNumber {
        producer = try makeProducer(key.instrument)
        let now = newest()
        guard now.locateNumber == record.locateNumber else {
          producer = nil
          return
        }
        begin(at: now)
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
    isMoving = false
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
    while !crossing.pointee.windows[ticket.window].beginFilling(crossing.pointee.turns) {}
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
    // As the plan has it that the events are of, though it may not be heard yet.
    let there = plans.record(record, inPlan: planNumber)
    let frame = timelineFrame(of: origin + known, there)
    var done = 0
    if isMoving {
      let gap = frame - told
      if abs(gap) > min(Int64(key.instrument.sampleRate.hertz), there.loop.map { Int64($0.count) / 2 } ?? .max) {
        isMoving = false
      } else if gap > 0 {
        // Faster now: what lies between has not been told, and is told at once.
        tell(producer, PortBlock(isRolling: true, frame: told, frameCount: Int(gap)), there.loop) { _ in 0 }
      } else {
        // Slower now: it has been told already what comes next.
        done = Int(min(-gap, Int64(count)))
        isMoving = gap < 0 || record.planNumber < planNumber
      }
    }
    if done < count {
      let block = PortBlock(isRolling: true, frame: frame + Int64(done), frameCount: count - done)
      tell(producer, block, there.loop) { Int64(done + $0) }
    }
    known += Int64(count)
  }

  /// - Parameter place: where a message of the block is told, behind what the producer knows.
  private func tell(
    _ producer: any EventPlayer, _ block: PortBlock, _ loop: Range<Int64>?, at place: (Int) -> Int64
  ) {
    var block = block
    block.loop = loop
    block.locateNumber = locateNumber
    block.planNumber = eventsVersion
    cursor.begin(block, events.port(key.slot))
    while let event = cursor.next() {
      var message = event.message
      message.frame = known + place(event.offset)
      producer.play(message)
    }
    told = Self.wrapped(block.frame, block.frame + Int64(block.frameCount), loop)
  }

  /// Where the playhead will be when so many frames have been played since the last locate.
  private func timelineFrame(of rolled: Int64, _ record: TransportRecord) -> Int64 {
    Self.wrapped(record.nextFrame, record.nextFrame + rolled - record.rolledFrameCount, record.loop)
  }

  /// Where one comes to on the way to a frame.
  private static func wrapped(_ first: Int64, _ frame: Int64, _ loop: Range<Int64>?) -> Int64 {
    guard let loop, first < loop.upperBound, frame >= loop.upperBound else { return frame }
    return loop.lowerBound + (frame - loop.upperBound) % Int64(loop.count)
  }
}
