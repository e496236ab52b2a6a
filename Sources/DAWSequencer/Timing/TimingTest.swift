import CALSA
import DAWEngine

/// Measures how exactly the sequencer keeps time: events go out by its queue, come back through a loop, and are compared
/// with when they were due.
public final class TimingTest {
  private let client: SequencerClient
  private let queue: SequencerQueue
  private let outlet: Int32
  private let inlet: Int32
  private var follower = ClockFollower()

  public struct Result: Sendable {
    public var sentCount = 0
    /// How much later than due each event came, microseconds.
    public var delays: Percentiles
    /// Millionths.
    public var drift: Double = 0
  }

  /// Microseconds that events are queued ahead; that the loop has to give back the last ones.
  private static let horizon: UInt64 = 100_000
  private static let patience: UInt64 = 2_000_000

  /// - Parameter loop: a port that gives back what it is sent, `CLIENT:PORT`; `nil`: straight to ourselves.
  /// - Throws: `SequencerError`.
  public init(through loop: String?) throws(SequencerError) {
    client = try SequencerClient(name: "daw midi-test")
    outlet = try client.addOutput("out")
    inlet = try client.addInput("in", isExported: true)
    queue = try SequencerQueue(of: client, name: "daw midi-test")
    guard let loop else {
      try client.connect(outlet, to: SequencerAddress(client: client.number, port: inlet))
      return
    }
    guard let found = client.destinations().first(where: { $0.isCalled(loop) }) else { throw .noPort(loop) }
    try client.connect(outlet, to: found.address)
    let result = client.library.snd_seq_connect_from(client.handle, inlet, found.address.client, found.address.port)
    guard result >= 0 else { throw .noSource(loop) }
  }

  /// - Parameters:
  ///   - count: events, at least 1.
  ///   - interval: from one to the next, microseconds, at least 1.
  ///   - isInterrupted: asked many times a second; true ends it with what there is.
  /// - Throws: `SequencerError`.
  public func run(
    count: Int, interval: UInt64, isInterrupted: () -> Bool
  ) throws(SequencerError) -> Result {
    var result = Result(delays: Percentiles(capacity: count))
    // The clocks get to know each other first.
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
      if now > first + UInt64(count) * interval + Self.patience { break }
    }
    result.drift = follower.drift
    return result
  }

  private func measure() throws(SequencerError) {
    let before = SystemClock.microseconds
    let time = try queue.now()
    follower.measure(before: before, queue: time, after: SystemClock.microseconds)
  }

  /// An event carries its number modulo 16,256: as pitch, and as velocity from 1.
  private func send(_ number: Int, due: UInt64) throws(SequencerError) -> Bool {
    let code = number % 16_256
    let message = MIDIEvent(
      frame: 0, status: 0x90, data1: UInt8(code / 127), data2: UInt8(code % 127 + 1))
    guard var event = snd_seq_event_t(message, from: outlet, on: queue.number, at: follower.queueTime(at: due)) else {
      return false
    }
    return try client.send(&event)
  }

  /// - Returns: the newest event of this code that is still awaited.
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
