import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// An external queue: it delivers messages that are due, and lets others be withdrawn.
private struct OutsideQueue {
  var waiting: [PortScheduler.Queued] = []
  var receiver = Receiver()

  mutating func deliver(before frame: HostFrame) {
    for entry in waiting where entry.hostFrame < frame { receiver.take(entry.message, at: entry.hostFrame.number) }
    waiting.removeAll { $0.hostFrame < frame }
  }
}

@Test func messagesWithdrawnInTimeLeaveNoTrace() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<60 {
    var events = MIDIEvent.random(200, frames: 20_000, using: &random)
    var ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: events)])
    var ahead = PortScheduler(trackID: 1)
    var queue = OutsideQueue()
    var (host, timeline): (HostFrame, TimelineFrame) = (0, 0)
    var (locateNumber, planNumber): (UInt64, UInt64) = (0, 0)
    var isRolling = true
    for _ in 0..<100 {
      let count = Int.random(in: 1...900, using: &random)
      let block = PortBlock(
        isRolling: isRolling, frame: timeline, frameCount: count, locateNumber: locateNumber, planNumber: planNumber)
      ahead.schedule(block, ports.port(1), at: host) { queue.waiting.append($0) }
      host += count
      if isRolling { timeline += count }
      let now = host - Int.random(in: 0...800, using: &random)
      queue.deliver(before: now)
      ahead.deliver(before: now)
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      let cut = HostFrame.random(in: max(0, now)...host, using: &random)
      queue.deliver(before: cut)
      queue.waiting = []
      ahead.cut(at: cut, uncertain: cut)
      if isRolling { timeline -= host - cut }
      host = cut
      switch Int.random(in: 0..<4, using: &random) {
      case 0: isRolling.toggle()
      case 1:
        timeline = TimelineFrame.random(in: 0..<20_000, using: &random)
        locateNumber += 1
      case 2:
        events = MIDIEvent.random(200, frames: 20_000, using: &random)
        ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: events)])
        planNumber += 1
      default: break
      }
    }
    let stop = PortBlock(
      isRolling: false, frame: timeline, frameCount: 1, locateNumber: locateNumber, planNumber: planNumber)
    ahead.schedule(stop, ports.port(1), at: host) { queue.waiting.append($0) }
    queue.deliver(before: .max)
    #expect(queue.receiver.faults == [], "seed \(seed)")
    #expect(queue.receiver.notes.isEmpty && queue.receiver.pedalsDown == 0, "seed \(seed)")
  }
}

@Test func notesThatMayHaveBeenDeliveredAreEnded() {
  let ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: MIDIEvent.note(60, 100..<200))])
  var ahead = PortScheduler(trackID: 1)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 500), ports.port(1), at: 0) { _ in }
  // Withdrawn when frame 300 was over: the note-on may have been delivered, and the note-off may be gone.
  ahead.cut(at: 50, uncertain: 300)
  #expect(ahead.pendingNoteOffs().map(\.text) == ["1-60", "1c120=0", "1c123=0"])
  var sent: [String] = []
  ahead.schedule(PortBlock(isRolling: false, frame: 50, frameCount: 500), ports.port(1), at: 50) {
    sent.append($0.message.text)
  }
  #expect(sent == ["1-60", "1c123=0"])
}

@Test("A stop whose note-offs were withdrawn is made up for by the next block, though that is stopped as well")
func withdrawnStop() {
  let ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: MIDIEvent.note(60, 100..<2_000))])
  var ahead = PortScheduler(trackID: 1)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 500), ports.port(1), at: 0) { _ in }
  let stop = PortBlock(isRolling: false, frame: 500, frameCount: 500)
  for _ in 0..<2 {
    var sent: [String] = []
    ahead.schedule(stop, ports.port(1), at: 500) { sent.append($0.message.text) }
    #expect(sent == ["1-60", "1c123=0"])
    ahead.cut(at: 500, uncertain: 500)
  }
}

@Test func pendingNoteOffsIncludeQueuedNotes() {
  let ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: MIDIEvent.note(60, 100..<200))])
  var ahead = PortScheduler(trackID: 1)
  #expect(ahead.pendingNoteOffs().isEmpty)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 500), ports.port(1), at: 0) { _ in }
  #expect(ahead.pendingNoteOffs().map(\.text) == ["1-60", "1c120=0", "1c123=0"])
  ahead.deliver(before: 500)
  #expect(ahead.pendingNoteOffs().map(\.text) == ["1c120=0", "1c123=0"])
}
