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

  private var follower = ClockFollower()
  private var line = StampLine()
  private var probes = ProbeTrack()
  private var plan: SequencerOutput.Publication?
  private var waiting: [SequencerOutput.Publication] = []
  /// Counts the plans that were taken up.
  private var generation: UInt64 = 0
  private var motion = Motion()
  /// The queue's clock at the newest look.
  private var queueTime: Int64 = 0
  /// All ports are queued up to this host frame.
  private var queuedTo: Int64 = 0
  /// What the kernel's pool had no room for.
  private var backlog: [Waiting] = []

  private struct Waiting {
    var queued: PortAhead.Queued
    var stamp: Int64
    var port: OutputPort
  }

  /// Microseconds that are queued ahead; that a cut leaves alone, so that it is done before they are over; between two
  /// looks.
  private static let horizon: UInt64 = 150_000
  private static let margin: UInt64 = 3_000
  private static let period: Int32 = 4
  /// Events in the kernel's pool; more than these many are not queued at a time.
  private static let poolSize = 2_000
  private static let mostQueued = 1_500

  /// - Throws: `SequencerError`.
  init(clientName: String, watchdog: Watchdog?) throws(SequencerError) {
    self.watchdog = watchdog
    client = try SequencerClient(name: clientName)
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
    let before = clock.microseconds
    queueTime = try queue.now()
    let now = clock.microseconds
    follower.measure(before: before, queue: queueTime, after: now)
    status.drift = follower.drift
    let record = clock.record()
    let due = frame(dueAt: now, clock, record)
    for port in ports { port.ahead.deliver(before: min(due, line.frame(after: queueTime))) }
    line.forget(before: due - Int64(clock.sampleRate / 4))
    try sendBacklog()

    let isNewPlan = try takeUpPlan(record)
    let seen = Motion(record)
    let earliest = frame(dueAt: now + Self.margin, clock, record)
    if !motion.goesOn(as: seen) {
      let begins = !motion.isRolling || motion.locateNumber != seen.locateNumber
      motion = begins ? seen.fromStart(record, mostFrames: Int64(clock.sampleRate / 4)) : seen
      let change = motion.isRolling ? motion.hostFrame : Int64(record.hostFrame)
      try cut(at: max(earliest, min(change, queuedTo)))
    } else if isNewPlan {
      try cut(at: earliest)
    }
    // Asleep for a second, never begun, or a host that counts anew: what was due meanwhile is passed over.
    let horizon = frame(dueAt: now + Self.horizon, clock, record)
    if queuedTo < due - Int64(clock.sampleRate) || queuedTo > horizon + Int64(clock.sampleRate) { queuedTo = due }
    try fill(to: horizon, clock)
    for port in ports { watchdog?.table.set(port.row, port.ahead) }
    try probe(now)
  }

  /// The host frame that is heard at a time.
  private func frame(dueAt microseconds: UInt64, _ clock: any HostClock, _ record: TransportRecord) -> Int64 {
    let distance = Int64(bitPattern: microseconds &- clock.microseconds(ofHostFrame: record.hostFrame))
    return Int64(record.hostFrame) + Int64((Double(distance) * clock.sampleRate / 1e6).rounded(.down))
      - Int64(clock.playbackLatencyFrames)
  }

  /// Takes back what is queued for a host frame or later; the ports go on from there.
  private func cut(at frame: Int64) throws(SequencerError) {
    defer { queuedTo = frame }
    guard frame < queuedTo else { return }
    try queue.removeEvents(from: line.stamp(of: frame))
    let uncertain = line.frame(after: try queue.now())
    backlog.removeAll { $0.queued.hostFrame >= frame }
    for port in ports { port.ahead.cut(at: frame, uncertain: uncertain) }
    line.cut(at: frame)
  }

  /// Queues up to a host frame.
  private func fill(to end: Int64, _ clock: any HostClock) throws(SequencerError) {
    let piece = max(1, Int64(clock.sampleRate / 100))
    while queuedTo + piece <= end, backlog.isEmpty, ports.reduce(0, { $0 + $1.ahead.queuedCount }) < Self.mostQueued {
      let isRolling = motion.isRolling(at: queuedTo)
      var next = queuedTo + piece
      if motion.isRolling, !isRolling { next = min(next, motion.hostFrame) }
      extendLine(to: next, clock)
      let block = PortBlock(
        isRolling: isRolling, frame: isRolling ? motion.frame(at: queuedTo) : 0, frameCount: Int(next - queuedTo),
        loop: motion.loop, locateNumber: motion.locateNumber, planNumber: generation)
      var problem: SequencerError?
      for port in ports {
        port.ahead.schedule(block, plan?.linked.port(port.slot), at: queuedTo) { queued in
          do throws(SequencerError) { try send(queued, of: port) } catch { problem = error }
        }
      }
      if let problem { throw problem }
      queuedTo = next
    }
  }

  private func extendLine(to end: Int64, _ clock: any HostClock) {
    line.extend(from: queuedTo, to: end) { frame in
      let heard = max(0, frame + Int64(clock.playbackLatencyFrames))
      return follower.queueTime(at: clock.microseconds(ofHostFrame: UInt64(heard)))
    }
  }

  private func send(_ queued: PortAhead.Queued, of port: OutputPort) throws(SequencerError) {
    let next = Waiting(queued: queued, stamp: line.stamp(of: queued.hostFrame), port: port)
    watchdog?.table.add(queued.message, toRow: port.row)
    guard backlog.isEmpty, try hand(next) else { return backlog.append(next) }
  }

  /// - Returns: false where the kernel's pool is full.
  private func hand(_ next: Waiting) throws(SequencerError) -> Bool {
    let (message, port) = (next.queued.message, next.port)
    if message.isSystemExclusive {
      let strings = port.systemExclusive
      guard Int(message.bytesIndex) < strings.count else { return true }
      let bytes = strings[Int(message.bytesIndex)]
      guard try client.send(bytes, from: port.number, on: queue.number, at: next.stamp) else { return false }
    } else {
      let event = snd_seq_event_t(message, from: port.number, on: queue.number, at: next.stamp)
      guard var event else { return true }
      guard try client.send(&event) else { return false }
    }
    status.sentCount += 1
    if next.stamp < queueTime { status.lateCount += 1 }
    return true
  }

  private func sendBacklog() throws(SequencerError) {
    var sent = 0
    while sent < backlog.count, try hand(backlog[sent]) { sent += 1 }
    backlog.removeFirst(sent)
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
    let now = clock.microseconds
    motion = Motion()
    let record = clock.record()
    try cut(at: max(frame(dueAt: now + Self.margin, clock, record), 0))
    try sendBacklog()
    // Those that are queued already come first.
    let end = try queue.now() + Int64(Self.margin) * 1_000
    while try queue.now() < end { usleep(500) }
    for port in ports { silenceAtOnce(port, at: port.subscribers) }
  }

  /// Tells destinations that they hear no more of a port.
  func silenceAtOnce(_ port: OutputPort, at destinations: [SequencerAddress]) {
    let owed = port.ahead.owed()
    for address in destinations { client.sendAtOnce(owed, from: port.number, to: address) }
  }

  // MARK: Probes

  private func probe(_ now: UInt64) throws(SequencerError) {
    guard let due = probes.due(at: now) else { return }
    var event = probes.event(due: due, to: client.number, inlet, on: queue.number, at: follower.queueTime(at: due))
    _ = try client.send(&event)
  }

  private func takeInput(_ clock: any HostClock) throws(SequencerError) {
    while let event = client.nextInput() {
      if probes.take(event, at: clock.microseconds) {
        status.offset = probes.offset
        status.jitter = probes.jitter
      } else {
        try takeAnnouncement(event)
      }
    }
  }
}
