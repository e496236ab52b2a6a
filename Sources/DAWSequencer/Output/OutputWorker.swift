import CALSA
import DAWEngine
import DAWTime
import Glibc

/// The MIDI thread's loop: reads the transport's state, withdraws queued events that no longer apply, and queues the
/// next ones.
final class OutputWorker {
  let client: SequencerClient
  let queue: SequencerQueue
  let watchdog: Watchdog?
  /// The port that receives announcements and our own probes.
  let inlet: Int32
  var ports: [OutputPort] = []
  var status = SequencerStatus()

  private var timing = QueueTiming()
  private var probes = LatencyProbes()
  private var plan: SequencerOutput.Publication?
  private var waiting: [SequencerOutput.Publication] = []
  /// The number of plans taken up.
  private var generation: UInt64 = 0
  private var motion = Motion()
  /// While it rolls: the timeline frame up to which events are queued, and the host frame at which the playhead reaches
  /// it. That is later than the end of the queued frames if the host skipped cycles, because the playhead is then later
  /// than predicted.
  private var queuedFrame: TimelineFrame = 0
  private var resumesAt = HostFrame.min
  private var reading = QueueReading()
  /// The queue's time in the newest round.
  private var queueTime: Int64 { reading.time }
  private var backlog = Backlog()

  /// Milliseconds between rounds.
  private static let period: Int32 = 4
  /// The size of the kernel's pool, and the most events queued at a time.
  private static let poolSize = 2_000
  private static let maximumQueued = 1_500
  /// The most input events handled in a round.
  private static let maximumInput = 1_000

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
    exchange: (SequencerStatus) -> (publications: [SequencerOutput.Publication], isStopping: Bool)
  ) {
    // Without the permission it runs at normal priority, and is sometimes late.
    var priority = sched_param()
    priority.sched_priority = 10
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
    defer { watchdog?.dismiss() }
    do throws(SequencerError) {
      while true {
        let (publications, isStopping) = exchange(status)
        waiting += publications
        if isStopping { break }
        try runRound(clock)
        client.wait(milliseconds: Self.period)
        try readInput(clock)
      }
      try finish(clock)
    } catch {
      status.problem = error
      for port in ports { silenceAtOnce(port, at: port.subscribers) }
      _ = exchange(status)
    }
  }

  // MARK: One round

  private func runRound(_ clock: any HostClock) throws(SequencerError) {
    let now = try measure(clock)
    let record = clock.record()
    let isNewPlan = try takeUpPlan(record)
    sendBacklog()
    guard let deadlines = timing.deadlines(at: now, clock, record) else { return }
    let reached = timing.stampMap.frame(after: queueTime)
    for port in ports { port.scheduler.deliver(before: min(deadlines.due, reached)) }
    timing.forget(deadlines)

    let observed = Motion(record)
    if let frame = timing.restart(deadlines, reached: reached, clock) { try restart(at: frame, reached: reached) }
    if !motion.predicts(observed) {
      try follow(observed, record, deadlines, isNewPlan: isNewPlan)
    } else if isNewPlan {
      // Even if it is late, no events are skipped. Notes that end with the new plan do not wait for the playhead.
      resumesAt = .min
      try cut(at: min(deadlines.earliest, timing.queuedTo))
    }
    fill(deadlines, clock)
    for port in ports { watchdog?.table.row(port.row).set(port.scheduler) }
    probe(now)
  }

  /// The playhead does not move as predicted.
  private func follow(
    _ observed: Motion, _ record: TransportRecord, _ deadlines: QueueTiming.Deadlines, isNewPlan: Bool
  ) throws(SequencerError) {
    let change = !observed.isRolling ? record.hostFrame : isNewPlan ? observed.start(of: record) : observed.hostFrame
    if !motion.isRolling || motion.locateNumber != observed.locateNumber {
      motion = observed.fromStart(record, maximumFrames: deadlines.second / 4)
      let start = motion.isRolling ? motion.hostFrame : change
      resumesAt = .min
      try cut(at: max(deadlines.earliest, min(start, timing.queuedTo)))
      return
    }
    let from = min(max(deadlines.earliest, change), timing.queuedTo)
    try cut(at: from)
    let isSameRoll = motion.isSameRoll(as: observed) && !isNewPlan
    motion = observed
    resumesAt = .min
    // An xrun: events sent are not sent again, and none is left out.
    let resumption = observed.hostFrame + observed.distance(to: queuedFrame)
    guard isSameRoll, abs(resumption - from) < deadlines.second else { return }
    resumesAt = resumption
    if resumption < from { timing.cut(at: resumption) }
  }

  /// Measures both clocks.
  /// - Returns: the host's time, microseconds.
  private func measure(_ clock: any HostClock) throws(SequencerError) -> UInt64 {
    let measured = try reading.measure(queue, clock)
    timing.measure(before: measured.before, queue: queueTime, after: measured.after)
    status.drift = timing.follower.drift
    return measured.after
  }

  /// Withdraws events queued for a host frame or later; the ports continue from there.
  private func cut(at frame: HostFrame) throws(SequencerError) {
    defer { timing.cut(at: frame) }
    if frame >= resumesAt { queuedFrame = motion.frameReached(at: frame) }
    guard frame < timing.queuedTo else { return }
    let stamp = timing.stampMap.stamp(of: frame)
    try queue.removeEvents(from: stamp)
    let uncertain = timing.stampMap.frame(after: try queue.now())
    backlog.cut(at: frame, stamp: stamp)
    for port in ports { port.scheduler.cut(at: frame, uncertain: uncertain) }
  }

  /// Withdraws all queued events, whatever their stamps; the ports continue from a host frame.
  /// - Parameter reached: the first host frame not sent, on the host's clock before the restart.
  private func restart(at frame: HostFrame, reached: HostFrame) throws(SequencerError) {
    try queue.removeEvents(from: 0)
    let time = try queue.now()
    let uncertain = max(reached, timing.stampMap.frame(after: time))
    backlog.cut(at: reached, stamp: time)
    for port in ports { port.scheduler.cut(at: reached, uncertain: uncertain) }
    if reached >= resumesAt { queuedFrame = motion.frameReached(at: reached) }
    timing.begin(at: frame)
  }

  private func fill(_ deadlines: QueueTiming.Deadlines, _ clock: any HostClock) {
    while let end = timing.nextEnd(deadlines), backlog.isEmpty,
      ports.reduce(0, { $0 + $1.scheduler.queuedCount }) < Self.maximumQueued
    {
      let first = timing.queuedTo
      guard first >= resumesAt else {
        let next = min(end, resumesAt)
        timing.extend(to: next, clock)
        timing.advance(to: next)
        continue
      }
      let isRolling = motion.isRolling(at: first)
      let next = motion.isRolling && !isRolling ? min(end, motion.hostFrame) : end
      timing.extend(to: next, clock)
      let block = PortBlock(
        isRolling: isRolling, frame: isRolling ? motion.frame(at: first) : 0, frameCount: next - first,
        loop: motion.loop, locateNumber: motion.locateNumber, planNumber: generation)
      for port in ports {
        port.scheduler.schedule(block, plan?.linked.port(port.trackID), at: first) { send($0, of: port) }
      }
      timing.advance(to: next)
    }
  }

  private func send(_ queued: PortScheduler.Queued, of port: OutputPort) {
    watchdog?.table.row(port.row).add(queued.message)
    backlog.append(
      queued.message, hostFrame: queued.hostFrame, at: timing.stampMap.stamp(of: queued.hostFrame), from: port)
    sendBacklog()
  }

  /// Sends as much as the kernel's pool has room for.
  private func sendBacklog() {
    let late = queueTime
    backlog.send(to: client, queue, now: queueTime) { port, stamp in
      status.sentCount += 1
      if stamp < late { status.lateCount += 1 }
      status.failures.removeAll { $0.trackID == port.trackID }
    } hasFailed: { port, error in
      recordFailure(of: port.trackID, port.name, error)
    }
  }

  /// Records that a track's port could not be made or refuses messages. The other ports are not affected.
  func recordFailure(of trackID: Int64, _ name: String, _ error: SequencerError) {
    status.failures.removeAll { $0.trackID == trackID }
    status.failures.append(SequencerStatus.PortFailure(trackID: trackID, name: name, error: error))
  }

  /// Sends a new subscriber of a port the settings in force two milliseconds from now. Later ones reach all subscribers
  /// through the queue.
  func sendSettings(of port: OutputPort, to address: SequencerAddress) throws(SequencerError) {
    let frame = timing.stampMap.frame(after: try queue.now() + 2_000_000)
    let stamp = max(0, timing.stampMap.stamp(of: frame) - 1)
    for message in port.scheduler.settings(before: frame) {
      backlog.append(message, hostFrame: frame - 1, at: stamp, from: port, to: address)
    }
    sendBacklog()
  }

  // MARK: Plans

  /// - Returns: whether a new plan was taken up.
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

  /// Silences all ports, and waits until the messages are sent.
  private func finish(_ clock: any HostClock) throws(SequencerError) {
    let record = clock.record()
    motion = Motion()
    if let deadlines = timing.deadlines(at: clock.microseconds, clock, record) {
      try cut(at: max(deadlines.earliest, 0))
    } else {
      try restart(at: 0, reached: timing.stampMap.frame(after: try queue.now()))
    }
    sendBacklog()
    // Queued events come first; half a second is always enough for them.
    let end = max(try queue.now() + Int64(QueueTiming.margin) * 1_000, backlog.lastStamp)
    for _ in 0..<1_000 {
      guard try queue.now() < end else { break }
      usleep(500)
    }
    for port in ports { silenceAtOnce(port, at: port.subscribers) }
  }

  /// Sends pending note-offs of a port to destinations, at once.
  func silenceAtOnce(_ port: OutputPort, at destinations: [SequencerAddress]) {
    let messages = port.scheduler.pendingNoteOffs()
    for address in destinations { client.sendAtOnce(messages, from: port.number, to: address) }
  }

  // MARK: Probes

  private func probe(_ now: UInt64) {
    guard let due = probes.due(at: now) else { return }
    var event = probes.event(
      due: due, to: client.number, inlet, on: queue.number, at: timing.follower.queueTime(at: due))
    _ = try? client.send(&event)
  }

  private func readInput(_ clock: any HostClock) throws(SequencerError) {
    for _ in 0..<Self.maximumInput {
      guard let event = client.nextInput() else { return }
      if probes.take(event, at: clock.microseconds) {
        status.offset = probes.offset
        status.jitter = probes.jitter
      } else {
        try handleAnnouncement(event)
      }
    }
  }
}
