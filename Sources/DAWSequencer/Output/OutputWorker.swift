import CALSA
import DAWEngine
import Glibc

/// What the MIDI thread does, over and over: looks where the transport is, takes back what turned out otherwise, and hands
/// the sequencer what comes next.
final class OutputWorker {
  let client: SequencerClient
  let queue: SequencerQueue
  let watchdog: Watchdog?
  /// Where announcements and our own probes come in.
  let inlet: Int32
  var ports: [OutputPort] = []
  var status = SequencerStatus()

  private var pace = Pace()
  private var probes = ProbeTrack()
  private var plan: SequencerOutput.Publication?
  private var waiting: [SequencerOutput.Publication] = []
  /// Counts the plans that were taken up.
  private var generation: UInt64 = 0
  private var motion = Motion()
  /// While it rolls, the timeline frame up to which all is queued; and the host frame at which the playhead is there. Later
  /// than what is queued where the host has passed over frames, and with them has the playhead come later than foreseen.
  private var saidTo: Int64 = 0
  private var resumesAt = Int64.min
  /// The queue's clock at the newest look, and the host's when the queue's was first seen there.
  private var queueTime: Int64 = -1
  private var queueTimeSince: UInt64 = 0
  private var backlog = Backlog()

  /// Milliseconds between two looks.
  private static let period: Int32 = 4
  /// Events in the kernel's pool; more than these many are not queued at a time.
  private static let poolSize = 2_000
  private static let mostQueued = 1_500
  /// Events of others that are taken in at a look; what is left waits for the next.
  private static let mostInput = 1_000
  /// Microseconds without which the queue's clock stands.
  private static let patience: Int64 = 3_000_000

  /// - Throws: `SequencerError`.
  init(clientName: String, watchdog: Watchdog?, library: calsa? = nil) throws(SequencerError) {
    self.watchdog = watchdog
    client = try SequencerClient(name: clientName, library: library)
    inlet = try client.addInput("announcements")
    queue = try SequencerQueue(of: client, name: clientName)
    _ = client.library.snd_seq_set_client_pool_output(client.handle, Self.poolSize)
    client.listenToAnnouncements(inlet)
  }

  func run(
    _ clock: any HostClock,
    takeIn: (SequencerStatus) -> (publications: [SequencerOutput.Publication], isStopping: Bool)
  ) {
    // Where it may not, it runs as any thread does, and is sometimes late.
    var priority = sched_param()
    priority.sched_priority = 10
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
    defer { watchdog?.dismiss() }
    do throws(SequencerError) {
      while true {
        let (publications, isStopping) = takeIn(status)
        waiting += publications
        if isStopping { break }
        try look(clock)
        client.wait(milliseconds: Self.period)
        try takeInput(clock)
      }
      try finish(clock)
    } catch {
      status.problem = error
      for port in ports { silenceAtOnce(port, at: port.subscribers) }
      _ = takeIn(status)
    }
  }

  // MARK: One look

  private func look(_ clock: any HostClock) throws(SequencerError) {
    let now = try measure(clock)
    let record = clock.record()
    let isNewPlan = try takeUpPlan(record)
    sendBacklog()
    guard let places = pace.places(at: now, clock, record) else { return }
    let reached = pace.line.frame(after: queueTime)
    for port in ports { port.ahead.deliver(before: min(places.due, reached)) }
    pace.forget(places)

    let seen = Motion(record)
    if let frame = pace.restart(places, reached: reached, clock) { try restart(at: frame, reached: reached) }
    if !motion.goesOn(as: seen) {
      try follow(seen, record, places, isNewPlan: isNewPlan)
    } else if isNewPlan {
      // Where it is late, nothing is passed over for that. What ends with the other plan does not wait for the playhead.
      resumesAt = .min
      try cut(at: min(places.earliest, pace.queuedTo))
    }
    fill(places, clock)
    for port in ports { watchdog?.table.row(port.row).set(port.ahead) }
    probe(now)
  }

  /// The playhead does something else than was foreseen.
  private func follow(
    _ seen: Motion, _ record: TransportRecord, _ places: Pace.Places, isNewPlan: Bool
  ) throws(SequencerError) {
    let change = seen.isRolling ? seen.hostFrame : Int64(clamping: record.hostFrame)
    if !motion.isRolling || motion.locateNumber != seen.locateNumber {
      motion = seen.fromStart(record, mostFrames: places.second / 4)
      let start = motion.isRolling ? motion.hostFrame : change
      resumesAt = .min
      try cut(at: max(places.earliest, min(start, pace.queuedTo)))
      return
    }
    let from = min(max(places.earliest, change), pace.queuedTo)
    try cut(at: from)
    let isSameRoll = motion.isSameRoll(as: seen) && !isNewPlan
    motion = seen
    resumesAt = .min
    // An xrun: what has been said is not said again, and nothing is left out.
    let resumption = seen.hostFrame + seen.distance(to: saidTo)
    guard isSameRoll, abs(resumption - from) < places.second else { return }
    resumesAt = resumption
    if resumption < from { pace.cut(at: resumption) }
  }

  /// Compares the clocks.
  /// - Returns: the host's, microseconds.
  private func measure(_ clock: any HostClock) throws(SequencerError) -> UInt64 {
    let (before, earlier) = (clock.microseconds, queueTime)
    queueTime = try queue.now()
    let now = clock.microseconds
    pace.measure(before: before, queue: queueTime, after: now)
    status.drift = pace.follower.drift
    if queueTime != earlier { queueTimeSince = now }
    guard Int64(bitPattern: now &- queueTimeSince) < Self.patience else {
      throw .failed("keep time", "its queue stands still")
    }
    return now
  }

  /// Takes back what is queued for a host frame or later; the ports go on from there.
  private func cut(at frame: Int64) throws(SequencerError) {
    defer { pace.cut(at: frame) }
    if frame >= resumesAt { saidTo = motion.frameReached(at: frame) }
    guard frame < pace.queuedTo else { return }
    let stamp = pace.line.stamp(of: frame)
    try queue.removeEvents(from: stamp)
    let uncertain = pace.line.frame(after: try queue.now())
    backlog.cut(at: frame, stamp: stamp)
    for port in ports { port.ahead.cut(at: frame, uncertain: uncertain) }
  }

  /// Takes back all that is queued, wherever its stamps have got to; the ports go on from a host frame.
  /// - Parameter reached: the first host frame that is not sent, as they were counted so far.
  private func restart(at frame: Int64, reached: Int64) throws(SequencerError) {
    try queue.removeEvents(from: 0)
    let time = try queue.now()
    let uncertain = max(reached, pace.line.frame(after: time))
    backlog.cut(at: reached, stamp: time)
    for port in ports { port.ahead.cut(at: reached, uncertain: uncertain) }
    if reached >= resumesAt { saidTo = motion.frameReached(at: reached) }
    pace.begin(at: frame)
  }

  private func fill(_ places: Pace.Places, _ clock: any HostClock) {
    while let end = pace.nextEnd(places), backlog.isEmpty,
      ports.reduce(0, { $0 + $1.ahead.queuedCount }) < Self.mostQueued
    {
      let first = pace.queuedTo
      guard first >= resumesAt else {
        let next = min(end, resumesAt)
        pace.extend(to: next, clock)
        pace.advance(to: next)
        continue
      }
      let isRolling = motion.isRolling(at: first)
      let next = motion.isRolling && !isRolling ? min(end, motion.hostFrame) : end
      pace.extend(to: next, clock)
      let block = PortBlock(
        isRolling: isRolling, frame: isRolling ? motion.frame(at: first) : 0, frameCount: Int(next - first),
        loop: motion.loop, locateNumber: motion.locateNumber, planNumber: generation)
      for port in ports {
        port.ahead.schedule(block, plan?.linked.port(port.slot), at: first) { send($0, of: port) }
      }
      pace.advance(to: next)
    }
  }

  private func send(_ queued: PortAhead.Queued, of port: OutputPort) {
    watchdog?.table.row(port.row).add(queued.message)
    backlog.append(
      queued.message, hostFrame: queued.hostFrame, at: pace.line.stamp(of: queued.hostFrame), from: port)
    sendBacklog()
  }

  /// Hands the kernel what its pool has room for.
  private func sendBacklog() {
    let late = queueTime
    backlog.hand(to: client, queue, now: queueTime) { port, stamp in
      status.sentCount += 1
      if stamp < late { status.lateCount += 1 }
      status.failures.removeAll { $0.slot == port.slot }
    } hasFailed: { port, error in
      noteFailure(of: port.slot, port.name, error)
    }
  }

  /// A track's port is not there, or does not take what it is sent. The others go on.
  func noteFailure(of slot: Int64, _ name: String, _ error: SequencerError) {
    status.failures.removeAll { $0.slot == slot }
    status.failures.append(SequencerStatus.PortFailure(slot: slot, name: name, error: error))
  }

  /// Tells who has just begun to hear a port what the others have been told: its settings as they are in two
  /// milliseconds. What is queued for later comes to all of them.
  func tellSettings(of port: OutputPort, to address: SequencerAddress) throws(SequencerError) {
    let frame = pace.line.frame(after: try queue.now() + 2_000_000)
    let stamp = max(0, pace.line.stamp(of: frame) - 1)
    for message in port.ahead.settings(before: frame) {
      backlog.append(message, hostFrame: frame - 1, at: stamp, from: port, to: address)
    }
    sendBacklog()
  }

  // MARK: Plans

  /// - Returns: whether another plan's ports are played from here on.
  private func takeUpPlan(_ record: TransportRecord) throws(SequencerError) -> Bool {
    guard let index = waiting.lastIndex(where: { $0.planNumber <= record.planNumber }) else { return false }
    let plan = waiting[index]
    waiting.removeFirst(index + 1)
    try setPorts(plan.ports)
    self.plan = plan
    generation += 1
    return true
  }

  // MARK: The end

  /// Silences all ports, and waits until they have been told.
  private func finish(_ clock: any HostClock) throws(SequencerError) {
    let record = clock.record()
    motion = Motion()
    if let places = pace.places(at: clock.microseconds, clock, record) {
      try cut(at: max(places.earliest, 0))
    } else {
      try restart(at: 0, reached: pace.line.frame(after: try queue.now()))
    }
    sendBacklog()
    // What is queued already comes first; half a second is more than that ever takes.
    let end = max(try queue.now() + Int64(Pace.margin) * 1_000, backlog.lastStamp)
    for _ in 0..<1_000 {
      guard try queue.now() < end else { break }
      usleep(500)
    }
    for port in ports { silenceAtOnce(port, at: port.subscribers) }
  }

  /// Tells destinations that they hear no more of a port.
  func silenceAtOnce(_ port: OutputPort, at destinations: [SequencerAddress]) {
    let owed = port.ahead.owed()
    for address in destinations { client.sendAtOnce(owed, from: port.number, to: address) }
  }

  // MARK: Probes

  private func probe(_ now: UInt64) {
    guard let due = probes.due(at: now) else { return }
    var event = probes.event(due: due, to: client.number, inlet, on: queue.number, at: pace.follower.queueTime(at: due))
    _ = try? client.send(&event)
  }

  private func takeInput(_ clock: any HostClock) throws(SequencerError) {
    for _ in 0..<Self.mostInput {
      guard let event = client.nextInput() else { return }
      if probes.take(event, at: clock.microseconds) {
        status.offset = probes.offset
        status.jitter = probes.jitter
      } else {
        try takeAnnouncement(event)
      }
    }
  }
}
