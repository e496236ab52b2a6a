import DAWRealtime
import DAWTime

/// An instrument played live: its producer, the events sent to it, and the window that the audio thread reads. Used by
/// one of the instruments' threads at a time.
final class InstrumentStream {
  /// The identity of an instrument's stream: everything about the instrument but its events.
  struct Key: Hashable {
    var trackID: Int64
    var instrument: InstrumentPlan

    init(_ planned: PlannedInstrument) {
      trackID = planned.trackID
      instrument = planned.plan
      let messages = planned.plan.systemExclusive
      instrument.sequence = messages.isEmpty ? .empty : MIDISequence([], systemExclusive: messages)
    }
  }

  let key: Key
  let handle: StreamHandle
  /// Frames in the window.
  static let capacity = 65_536
  /// Frames rendered at a time; a multiple of `InstrumentPlan.quantum`.
  static let pieceFrames = 256

  private let shared: UnsafeMutablePointer<SharedState>
  private let makeProducer: InstrumentThreads.Factory
  private var producer: (any EventPlayer)?
  private var cursor: PortCursor
  private var events: MIDISequence
  /// The plan that `events` belong to; their frames are on its timeline.
  private var planNumber: UInt64
  /// The plans that are heard or will be, set while it renders.
  var plans: [LivePlan] = []
  /// The timeline frame up to which events have been sent to the producer.
  private var sentUntil: TimelineFrame = 0
  /// Whether a tempo edit has moved the timeline under the events sent ahead, and events sent and events to be heard
  /// have not met yet.
  private var isRemapping = false
  /// Frames that the producer has rendered, and frames for which it has been sent the events.
  private var rendered = 0
  private var scheduled = 0
  /// Where the producer's frame 0 is heard.
  private var origin: RolledFrame = 0
  private let left: UnsafeMutablePointer<Float>

  /// Whether nothing reads it, and what rang on then has ended.
  private(set) var isParked = false
  private(set) var isDrained = false
  /// The producer's frame at which what sounded was ended.
  private var drainedFrom = 0
  /// Whether it was parked, and goes on at the playhead with the same producer.
  private var mustResume = false

  /// The locate number of the playhead's position that it renders from.
  private(set) var locateNumber: UInt64 = 0
  /// Why it cannot continue.
  private(set) var problem: StreamError?

  /// New events, for the frames not rendered yet.
  struct Edit {
    var events: MIDISequence
    /// The plan that `events` belong to.
    var planNumber: UInt64
    /// Set after a tempo edit: the plan that the events before belonged to.
    var movedFrom: UInt64?
  }

  /// - Parameters:
  ///   - planNumber: of the plan that the events belong to.
  ///   - handle: of a window that no other stream uses.
  init(
    _ key: Key, events: MIDISequence, planNumber: UInt64, handle: StreamHandle,
    shared: UnsafeMutablePointer<SharedState>, makeProducer: @escaping InstrumentThreads.Factory
  ) {
    self.key = key
    self.planNumber = planNumber
    self.handle = handle
    self.shared = shared
    self.makeProducer = makeProducer
    cursor = PortCursor(trackID: key.trackID)
    self.events = events
    left = .allocate(capacity: 2 * Self.pieceFrames)
    left.initialize(repeating: 0, count: 2 * Self.pieceFrames)
  }

  deinit { left.deallocate() }

  /// Replaces the events; after a tempo edit, converts the position that has been sent up to.
  func apply(_ edit: Edit) {
    events = edit.events
    isRemapping = false
    if let from = edit.movedFrom, let moved = plans.frame(sentUntil, from: from, to: edit.planNumber) {
      sentUntil = moved
      isRemapping = true
    }
    planNumber = edit.planNumber
  }

  /// Any thread: the first frame not rendered yet.
  var renderedFrame: RolledFrame { RolledFrame(shared.pointee.windows[handle.window].end.load(ordering: .acquiring)) }

  /// Renders one piece, from a new producer after a locate.
  /// - Parameter record: from when the stream was given its last edit. If its locate number is not the newest one's,
  ///   nothing is rendered: the position may belong to a plan that the stream does not know yet.
  func render(for record: TransportRecord) {
    do {
      if isParked { return try drain() }
      if producer == nil || !mustResume && locateNumber != record.locateNumber {
        producer = try makeProducer(key.instrument)
        let now = shared.pointee.record.read()
        guard now.locateNumber == record.locateNumber else {
          producer = nil
          return
        }
        begin(at: now)
      }
      let now = shared.pointee.record.read()
      if mustResume {
        guard now.locateNumber == record.locateNumber else { return }
        goOn(at: now, plans.record(now, inPlan: planNumber))
      }
      try render(now)
    } catch let error as StreamError {
      problem = error
    } catch {
      problem = .instrument(path: key.instrument.soundFontPath, reason: String(describing: error))
    }
  }

  private func begin(at record: TransportRecord) {
    cursor = PortCursor(trackID: key.trackID)
    rendered = 0
    scheduled = 0
    goOn(at: record, record)
  }

  /// Makes the next rendered frame the one at the playhead; settings are sent again, and notes that sound across are
  /// struck.
  /// - Parameter there: the record on the timeline of the events' plan.
  private func goOn(at record: TransportRecord, _ there: TransportRecord) {
    mustResume = false
    isRemapping = false
    locateNumber = record.locateNumber
    align(at: record.rolledFrame)
    // The cursor sends the rest of the events before.
    let linked = events.linked
    for var event in linked.systemExclusive(
      before: linked.firstEvent(from: there.timelineFrame(of: origin + scheduled)))
    {
      event.frame = TimelineFrame(scheduled)
      producer?.play(event)
    }
  }

  /// Makes the next rendered frame the one played `rolled` frames after the last locate, and empties the window.
  private func align(at rolled: RolledFrame) {
    origin = rolled - rendered
    while !shared.pointee.windows[handle.window].beginExclusive(shared.pointee.readEpoch) {}
    shared.pointee.windows[handle.window].move(to: StreamFrame(rolled))
    shared.pointee.windows[handle.window].endExclusive()
  }

  private func render(_ record: TransportRecord) throws {
    guard let producer, record.locateNumber == locateNumber else { return }
    let window = shared.pointee.windows + handle.window
    // The playhead has passed the next frame to render: continue at the playhead.
    if renderedFrame < record.rolledFrame { align(at: record.rolledFrame) }
    let count = Self.pieceFrames
    let held = StreamFrame(renderedFrame) - window.pointee.first.load(ordering: .acquiring)
    guard window.pointee.capacity - held >= count else { return }
    while scheduled < rendered + count + producer.eventLeadFrames { send(producer, count, record) }
    try producer.produce(frameCount: count, left: left, right: left + count)
    rendered += count
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

  // MARK: Parking

  /// Ends what sounds; from here on `render` renders what rings on, into nothing, until `isDrained`. No plan reads the
  /// stream until `unpark`.
  func park() {
    guard !isParked else { return }
    isParked = true
    isDrained = producer == nil
    mustResume = false
    guard let producer else { return }
    cursor.beginSilence()
    while let event = cursor.next() {
      var message = event.message
      message.frame = TimelineFrame(scheduled)
      producer.play(message)
    }
    drainedFrom = scheduled
  }

  /// A plan reads the stream again: it goes on at the playhead, with the same producer. If the playhead has not moved
  /// since its last locate, it begins with a new one, so that what is heard is what is bounced.
  func unpark(at record: TransportRecord) {
    guard isParked else { return }
    isParked = false
    mustResume = producer != nil && record.rolledFrame > 0
    if !mustResume { producer = nil }
  }

  /// Renders a piece of what rings on.
  private func drain() throws {
    guard let producer, !isDrained else {
      isDrained = true
      return
    }
    try producer.produce(frameCount: Self.pieceFrames, left: left, right: left + Self.pieceFrames)
    rendered += Self.pieceFrames
    while scheduled < rendered + producer.eventLeadFrames { scheduled += Self.pieceFrames }
    let passed = rendered - drainedFrom
    let isSilent = (0..<2 * Self.pieceFrames).allSatisfy { abs(left[$0]) < Self.silence }
    isDrained =
      passed >= Self.pieceFrames && isSilent || passed >= 10 * key.instrument.sampleRate.hertz
  }

  /// −100 dB.
  private static let silence: Float = 0.000_01

  // MARK: Events

  /// Sends the events of the next `count` frames to the producer.
  private func send(_ producer: any EventPlayer, _ count: Int, _ record: TransportRecord) {
    // Positions on the timeline of the events' plan, which may not be heard yet.
    let there = plans.record(record, inPlan: planNumber)
    let frame = there.timelineFrame(of: origin + scheduled)
    var done = 0
    if isRemapping {
      let gap = frame - sentUntil
      if abs(gap) > min(key.instrument.sampleRate.hertz, there.loop.map { $0.count / 2 } ?? .max) {
        isRemapping = false
      } else if gap > 0 {
        // The new tempo is faster: the events skipped are sent at once.
        send(producer, PortBlock(isRolling: true, frame: sentUntil, frameCount: gap), there.loop) { _ in 0 }
      } else {
        // The new tempo is slower: the next frames' events have been sent already.
        done = min(-gap, count)
        isRemapping = gap < 0 || record.planNumber < planNumber
      }
    }
    if done < count {
      let block = PortBlock(isRolling: true, frame: frame + done, frameCount: count - done)
      send(producer, block, there.loop) { done + $0 }
    }
    scheduled += count
  }

  /// - Parameter place: maps a message's offset in the block to the producer's frames, from `scheduled` on.
  private func send(
    _ producer: any EventPlayer, _ block: PortBlock, _ loop: Range<TimelineFrame>?, at place: (Int) -> Int
  ) {
    var block = block
    block.loop = loop
    block.locateNumber = locateNumber
    cursor.begin(block, LinkedPort(trackID: key.trackID, events))
    while let event = cursor.next() {
      var message = event.message
      message.frame = TimelineFrame(scheduled + place(event.offset))
      producer.play(message)
    }
    sentUntil = block.frame.played(block.frameCount, loop: loop)
  }

}
