import DAWEngine
import DAWTime
import Testing

@testable import DAWSequencer

/// A note on the first channel: note-on and note-off.
func note(_ pitch: UInt8, _ frames: Range<TimelineFrame>) -> [MIDIEvent] {
  [
    MIDIEvent(frame: frames.lowerBound, status: 0x90, data1: pitch, data2: 80),
    MIDIEvent(frame: frames.upperBound, status: 0x80, data1: pitch, data2: 0),
  ]
}

/// A note of 100 s.
let long = note(60, 0..<4_800_000)

/// An output with one port under a test's control, and a listener connected to it.
struct Stage {
  let host = FakeHost()
  let output: SequencerOutput
  let listener: SequencerListener
  private var planNumber: UInt64 = 1

  init(_ events: [MIDIEvent], systemExclusive: [[UInt8]] = []) throws {
    listener = try SequencerListener()
    output = try SequencerOutput(clientName: "daw test")
    output.publish([Self.port(events, listener.address.description, systemExclusive)], planNumber: 1)
    output.start(following: host)
  }

  private static func port(_ events: [MIDIEvent], _ destination: String, _ systemExclusive: [[UInt8]]) -> PlannedPort {
    PlannedPort(
      trackID: 1, name: "Keys", destination: destination,
      events: events.sorted { ($0.frame, rank($0)) < ($1.frame, rank($1)) }, systemExclusive: systemExclusive)
  }

  /// Order at the same frame: note-offs, settings, note-ons.
  private static func rank(_ event: MIDIEvent) -> Int { event.endsNote ? 0 : event.beginsNote ? 2 : 1 }

  mutating func publish(
    _ events: [MIDIEvent], isMuted: Bool = false, destination: String? = nil, systemExclusive: [[UInt8]] = []
  ) {
    planNumber += 1
    var port = Self.port(events, destination ?? listener.address.description, systemExclusive)
    port.isMuted = isMuted
    output.publish([port], planNumber: planNumber)
    let number = planNumber
    host.change { $0.planNumber = number }
  }

  /// Waits until the note of `long` sounds.
  func playLong() {
    host.roll(from: 0)
    listener.listen(seconds: 10) { !$0.notes.isEmpty }
    #expect(listener.notes == [60])
  }

  func expectSilence() {
    listener.listen(seconds: 10) { $0.isSilent }
    #expect(listener.isSilent)
    #expect(listener.faults == [])
  }
}
