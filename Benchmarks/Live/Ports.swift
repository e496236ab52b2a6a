import DAWEngine
import DAWTime
import Foundation

/// How long the MIDI ports of JACK take in a cycle: 1,000 tracks with 1,000 notes each, cycles of 256 frames.
///
///   LiveBenchmark ports
///
/// Prints a line of JSON for each situation: microseconds of the thread's own time, median and worst of a cycle.
enum PortBenchmark {
  private static let portCount = 1_000
  private static let noteCount = 1_000
  private static let cycleFrames = 256

  static func run() {
    let sequences = (0..<portCount).map { sequence($0) }
    for budget in [32_768, Int.max] {
      let name = budget == .max ? "unbounded" : "\(budget) events"
      measure("rolling, \(name)", sequences, budget) { _ in }
      measure("a locate every 64 cycles, \(name)", sequences, budget) { state in
        guard state.number % 64 == 63 else { return }
        state.frame = TimelineFrame(state.number * 7_919 % 4_000_000)
        state.locateNumber += 1
      }
      measure("a plan with one other port every 4 cycles, \(name)", sequences, budget) { state in
        guard state.number % 4 == 3 else { return }
        state.sequences[state.number % portCount] = sequence(state.number)
        state.planNumber += 1
      }
      measure("a loop of 2 frames, \(name)", sequences, budget) { $0.loop = 2_000_000..<2_000_002 }
    }
  }

  private struct State {
    var sequences: [MIDISequence]
    var number = 0
    var frame: TimelineFrame = 2_000_000
    var locateNumber: UInt64 = 1
    var planNumber: UInt64 = 1
    var loop: Range<TimelineFrame>?
  }

  private static func sequence(_ track: Int) -> MIDISequence {
    var events: [MIDIEvent] = []
    for note in 0..<noteCount {
      let (start, pitch) = (TimelineFrame(note * 4_000 + track * 3), UInt8(36 + (note * 7 + track) % 48))
      events.append(MIDIEvent(frame: start, status: 0x90, data1: pitch, data2: 80))
      events.append(MIDIEvent(frame: start + 3_000, status: 0x80, data1: pitch, data2: 64))
    }
    return MIDISequence(events)
  }

  private static func measure(
    _ name: String, _ sequences: [MIDISequence], _ limit: Int, _ change: (inout State) -> Void
  ) {
    var state = State(sequences: sequences)
    let outlets = UnsafeMutablePointer<PortOutlet>.allocate(capacity: portCount)
    for index in 0..<portCount { (outlets + index).initialize(to: PortOutlet(trackID: Int64(index))) }
    defer {
      outlets.deinitialize(count: portCount)
      outlets.deallocate()
    }
    var ports = LinkedPorts([])
    var (linkedPlan, first): (UInt64, Int) = (0, 0)
    var times: [Int] = []
    for number in 0..<2_000 {
      state.number = number
      change(&state)
      if linkedPlan != state.planNumber {
        for index in 0..<portCount { _ = outlets[index].leavePlan() }
        ports = LinkedPorts(
          state.sequences.enumerated().map { PlannedPort(trackID: Int64($0), name: "", sequence: $1) })
        linkedPlan = state.planNumber
      }
      let block = PortBlock(
        isRolling: true, frame: state.frame, frameCount: cycleFrames, loop: state.loop,
        locateNumber: state.locateNumber, planNumber: state.planNumber)
      let begin = threadNanoseconds()
      first = cycle(outlets, ports, block, first, limit)
      times.append(threadNanoseconds() - begin)
      if state.loop == nil { state.frame += cycleFrames }
    }
    times.removeFirst(100)
    times.sort()
    let (median, worst) = (Double(times[times.count / 2]) / 1_000, Double(times[times.count - 1]) / 1_000)
    print(#"{"situation": "\#(name)", "median": \#(median), "worst": \#(worst)}"#)
  }

  /// As `JackTables` does it.
  private static func cycle(
    _ outlets: UnsafeMutablePointer<PortOutlet>, _ ports: LinkedPorts, _ block: PortBlock, _ first: Int, _ limit: Int
  ) -> Int {
    var (budget, next) = (limit, first)
    for number in 0..<portCount {
      let index = (first + number) % portCount
      let hadBudget = budget > 0
      outlets[index].begin(block, ports.port(Int64(index)))
      while let _ = outlets[index].next(&budget) {}
      if hadBudget, budget <= 0 { next = index }
    }
    return next
  }
}
