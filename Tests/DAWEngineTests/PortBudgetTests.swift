import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Suite("The work of a port in a block")
struct PortBudgetTests {
  @Test("A chase is spread over blocks: nothing is sent before it is done, and nothing is lost")
  func chaseIsSpread() throws {
    var events: [MIDIEvent] = [.control(7, 99, at: 5)]
    for pitch in 0..<100 {
      let start = TimelineFrame(10 * pitch)
      events += MIDIEvent.note(UInt8(pitch), start..<start + 10)
    }
    events += MIDIEvent.note(110, 500..<5_000)
    events += MIDIEvent.note(120, 1_050..<1_150)
    var drive = try OutletDrive(events)
    drive.budget = 25
    drive.frame = 1_000
    drive.run(100)
    #expect(drive.receiver.log == [])
    for _ in 0..<9 where drive.receiver.log.isEmpty { drive.run(100) }
    #expect(drive.receiver.log.prefix(1).first?.hasSuffix("1c7=99") == true, "settings first: \(drive.receiver.log)")
    drive.budget = 100
    for _ in 0..<9 { drive.run(100) }
    let log = drive.receiver.log
    #expect(log.contains { $0.hasSuffix("1+120/80") }, "a note that was over by then is sent")
    #expect(log.contains { $0.hasSuffix("1-120") }, "and ended")
    #expect(drive.receiver.notes == [110])
    #expect(drive.receiver.faults == [])
  }

  @Test("With whatever budget, no note hangs, and the state is the plan's as soon as there is enough of it")
  func anyBudget() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var events = MIDIEvent.random(1_500, frames: 20_000, using: &random)
      var sequence = MIDISequence(events)
      var drive = try OutletDrive(events)
      drive.publish(sequence)
      for _ in 0..<300 {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: drive.isRolling.toggle()
        case 1:
          drive.frame = TimelineFrame.random(in: 0..<22_000, using: &random)
          drive.locateNumber += 1
        case 2:
          if Bool.random(using: &random) {
            events = MIDIEvent.random(1_500, frames: 20_000, using: &random)
            sequence = MIDISequence(events)
          }
          drive.publish(sequence)
        case 3: drive.room = [1, 3, 20, .max].randomElement(using: &random) ?? 1
        case 4...6: drive.budget = [0, 1, 10, 50, 200, 10_000].randomElement(using: &random) ?? 1
        case 7:
          let first = TimelineFrame.random(in: 0..<20_000, using: &random)
          let length: Int = [1, 2, 100, 5_000].randomElement(using: &random) ?? 1
          drive.loop = Bool.random(using: &random) ? nil : first..<first + length
        default: break
        }
        drive.run(Int.random(in: 1...700, using: &random))
        #expect(drive.receiver.faults.filter { !$0.contains("let go while silent") } == [], "seed \(seed)")
      }
      (drive.room, drive.budget, drive.loop, drive.isRolling) = (.max, 20_000, nil, true)
      for _ in 0..<20 { drive.run(100) }
      let whole = Receiver(playing: events, before: drive.frame)
      let due = Set(
        events.filter { $0.frame == drive.frame && $0.endsNote }.map {
          UInt16($0.status & 0x0f) << 8 | UInt16($0.data1)
        })
      #expect(drive.receiver.notes.subtracting(due).isSubset(of: whole.notes), "seed \(seed)")
      for (key, value) in whole.controllers { #expect(drive.receiver.controllers[key] == value, "seed \(seed)") }
      drive.isRolling = false
      for _ in 0..<20 { drive.run(100) }
      #expect(drive.receiver.notes.isEmpty && drive.receiver.pedalsDown == 0, "seed \(seed)")
      let isBehind = drive.outlet.isBehind
      #expect(!isBehind, "seed \(seed)")
    }
  }

  @Test("A loop of two frames takes no more than the budget, and ends without a hanging note")
  func shortestLoop() throws {
    var events: [MIDIEvent] = []
    for pitch in 0..<2_000 {
      let frame = TimelineFrame(pitch)
      events += MIDIEvent.note(UInt8(pitch % 100), frame..<frame + 1)
    }
    let linked = LinkedPorts([PlannedPort(trackID: 7, name: "Keys", events: MIDIEvent.sorted(events))])
    var outlet = PortOutlet(trackID: 7)
    var receiver = Receiver()
    for number in 0..<500 {
      var budget = 200
      outlet.begin(
        PortBlock(isRolling: number < 490, frame: 1_000, frameCount: 256, loop: 1_000..<1_002), linked.port(7))
      while let event = outlet.next(&budget) { receiver.take(event.message, at: number * 256 + event.offset) }
      #expect(budget > -200)
    }
    #expect(receiver.log.count > 1_000)
    #expect(receiver.notes.isEmpty)
    #expect(receiver.faults == [])
  }

  @Test("A new plan with the same events is no discontinuity: nothing is followed or sent")
  func sameEvents() throws {
    var events: [MIDIEvent] = []
    for pitch in 0..<100 {
      let start = TimelineFrame(100 * pitch)
      events += MIDIEvent.note(UInt8(pitch), start..<start + 3_000)
    }
    let sequence = MIDISequence(MIDIEvent.sorted(events))
    var drive = try OutletDrive(events)
    drive.publish(sequence)
    drive.run(5_050)
    let count = drive.receiver.log.count
    drive.budget = 1
    for _ in 0..<5 {
      drive.publish(sequence)
      drive.run(1)
    }
    #expect(drive.receiver.log.count <= count + 5)
    let isBehind = drive.outlet.isBehind
    #expect(!isBehind)
    drive.budget = Int.max
    drive.run(20_000)
    #expect(drive.receiver.notes.isEmpty && drive.receiver.faults == [])
    #expect(drive.receiver.log.count == 200)
  }
}
