import CALSA
import DAWEngine

/// Measures the sequencer's timing: events are sent through a queue, come back through a loop, and are compared with
/// the times when they were due.
public final class TimingTest {
  private let client: SequencerClient
  private let queue: SequencerQueue
  private let outlet: Int32
  private let inlet: Int32
  private var follower = ClockFollower()

  /// What was measured.
  public struct Result: Sendable {
    public var sentCount = 0
    /// The delay of each event, microseconds.
    public var delays: Percentiles
    /// The speed of the queue's clock relative to the host's, minus 1, in ppm.
    public var drift: Double = 0
  }

  /// Microseconds that events are queued ahead, and for which the last ones are awaited.
  private static let horizon: UInt64 = 100_000
  private static let timeout: UInt64 = 2_000_000

  /// - Parameter loop: a port that returns the events sent to it, `CLIENT:PORT`; `nil` connects our output to our
  ///   input.
  /// - Throws: `SequencerError`.
  public init(through loop: String?) throws(SequencerError) {
    client = try SequencerClient(name: "daw midi-test")
    outlet = try client.addOutput("out")
    inlet = try client.addInput("in", isExported: true)
    queue = try SequencerQueue(of: client, name: "daw midi-test")
    guard let loop else {
      try client.connect(outlet, SequencerAddress(client: client.number, port: inlet), .output)
      return
    }
    guard let found = client.ports(.output).first(where: { $0.isCalled(loop) }) else { throw .noPort(loop) }
    try client.connect(outlet, found.address, .output)
    do throws(SequencerError) { try client.connect(inlet, found.address, .input) } catch { throw .noSource(loop) }
  }

  /// Runs the test.
  /// - Parameters:
  ///   - count: events, at least 1.
  ///   - interval: microseconds between events, at least 1.
  ///   - isInterrupted: called many times a second; `true` ends the test early.
  /// - Throws: `SequencerError`.
  public func run(
    count: Int, interval: UInt64, isInterrupted: () -> Bool
  ) throws(SequencerError) -> Result {
    var result = Result(delays: Percentiles(capacity: count))
    // The clock follower has to settle first.
    for _ in 0..<50 { try measure() }
    let first = SystemClock.microseconds + Self.horizon
    var isDone = [Bool](repeating: false, count: count)
    while result.delays.count < count, !isInterrupted() {
      try measure()
      let now = SystemClock.microseconds
      while result.sentCount < count, first + UInt64(result.sentCount) * interval < now + Self.horizon {
        guard try send(result.sentCount, due: first + UInt64(result.sentCount) * interval) else { break }
        result.sentCount += 1
      }
      client.wait(milliseconds: 5)
      while let event = client.nextInput() {
        guard let number = Self.number(of: event, near: result.sentCount, isDone) else { continue }
        isDone[number] = true
        let due = first + UInt64(number) * interval
        result.delays.add(Double(Int64(bitPattern: SystemClock.microseconds &- due)))
      }
      if now > first + UInt64(count) * interval + Self.timeout { break }
    }
    result.drift = follower.drift
    return result
  }

  private func measure() throws(SequencerError) {
    let before = SystemClock.microseconds
    let time = try queue.now()
    follower.measure(before: before, queue: time, after: SystemClock.microseconds)
  }

  /// Sends event `number`, which carries its number modulo 16,256 as pitch and velocity − 1.
  private func send(_ number: Int, due: UInt64) throws(SequencerError) -> Bool {
    let code = number % 16_256
    let message = MIDIEvent(
      frame: 0, status: 0x90, data1: UInt8(code / 127), data2: UInt8(code % 127 + 1))
    guard var event = snd_seq_event_t(message, from: outlet, on: queue.number, at: follower.queueTime(at: due)) else {
      return false
    }
    return try client.send(&event)
  }

  /// - Returns: the number of the newest event with this code that has not come back.
  private static func number(of event: snd_seq_event_t, near sent: Int, _ isDone: [Bool]) -> Int? {
    guard event.type == snd_seq_event_type_t(SND_SEQ_EVENT_NOTEON.rawValue), event.data.note.velocity > 0 else {
      return nil
    }
    let code = Int(event.data.note.note) * 127 + Int(event.data.note.velocity) - 1
    guard sent > code else { return nil }
    let number = code + (sent - 1 - code) / 16_256 * 16_256
    return isDone[number] ? nil : number
  }
}
