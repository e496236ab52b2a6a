import CFakeJack
import CJack
import DAWEngine
import DAWRealtime
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWJack

@Suite struct JackMIDIInputTests {
  /// A MIDI input port of a fake client.
  private struct Stage {
    let fake: FakeClient
    let port: OpaquePointer
    let messages: MIDICapture
    let input: JackMIDIInput

    init(number: Int = 2, minimumByteCount: Int = 4_096) throws {
      fake = try FakeClient()
      port = try #require(
        fake.library.functions.jack_port_register(
          fake.handle, "Keys in", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0))
      messages = MIDICapture(inputCount: 3, minimumByteCount: minimumByteCount)
      input = JackMIDIInput(port, number: number, into: messages)
      try fake.client.activate()
    }

    /// A cycle in which these messages arrive.
    func cycle(_ received: [(time: UInt32, bytes: [UInt8])], lost: Int32 = 0, at hostFrame: HostFrame) {
      for (time, bytes) in received { #expect(fake_jack_receive(port, time, bytes, UInt32(bytes.count)) == 0) }
      fake_jack_lose(port, lost)
      RealtimeSection.enter()
      input.capture(hostFrame: hostFrame, frameCount: 256)
      RealtimeSection.exit()
      // JACK's input buffers are empty in the next cycle.
      fake.cycle()
    }

    func read() -> [CapturedMessage] {
      var read: [CapturedMessage] = []
      while let message = messages.read() { read.append(message) }
      return read
    }
  }

  @Test func eachMessageIsAtItsFrame() throws {
    let stage = try Stage()
    let first = HostFrame(1 << 40)
    stage.cycle([(0, [0x90, 60, 80]), (7, [0xc0, 5]), (255, [0x80, 60, 0])], at: first)
    stage.cycle([], at: first + 256)
    stage.cycle([(3, [0xf0, 1, 2])], at: first + 512)
    // A time beyond the cycle, which no server gives.
    stage.cycle([(4_000, [3, 0xf7])], at: first + 768)
    stage.cycle([(1, [0xf8])], at: first + 1_024)
    let expected: [CapturedMessage] = [
      (0, [0x90, 60, 80]), (7, [0xc0, 5]), (255, [0x80, 60, 0]), (515, [0xf0, 1, 2, 3, 0xf7]), (1_025, [0xf8]),
    ].map { CapturedMessage(hostFrame: first + $0.0, input: 2, bytes: $0.1) }
    #expect(stage.read() == expected)
    #expect(stage.messages.readLoss() == nil)
  }

  @Test func whatTheServerLostIsReportedInItsCycle() throws {
    let stage = try Stage()
    stage.cycle([(9, [0x90, 60, 80])], lost: 4, at: 1_000)
    stage.cycle([], at: 1_256)
    #expect(stage.read().count == 1)
    #expect(stage.messages.readLoss() == MIDILoss(input: 2, first: 1_000, last: 1_255, count: 4))
    #expect(stage.messages.readLoss() == nil)
  }

  @Test func whatTheReaderIsTooLateForIsReported() throws {
    let stage = try Stage(minimumByteCount: 64)
    stage.cycle((0..<8).map { ($0, [0x90, UInt8($0), 80]) }, at: 1_000)
    #expect(stage.read().map(\.hostFrame) == [1_000, 1_001])
    #expect(stage.messages.readLoss() == MIDILoss(input: 2, first: 1_002, last: 1_007, count: 6))
    stage.cycle([(0, [0x90, 1, 1])], at: 2_000)
    #expect(stage.read().map(\.hostFrame) == [2_000])
  }

  /// Watched by `theAudioThreadCallsNeitherLibraryNorKernel`.
  @Test func aStormIsCaptured() throws {
    let stage = try Stage(minimumByteCount: 1_024)
    if ProcessInfo.processInfo.environment["DAW_PLANT"] == "jack" { fake_jack_plant_malloc(stage.fake.handle) }
    for cycle in 0..<20 {
      stage.cycle(
        (0..<200).map { ($0, [0xf0, UInt8($0 & 127), 1, 2, 3, 4, 0xf7]) }, lost: 1, at: HostFrame(cycle * 256))
    }
    #expect(stage.read().count == 1_024 / 24)
    var lost = 0
    while let loss = stage.messages.readLoss() { lost += loss.count }
    #expect(lost == 20 * 201 - 1_024 / 24)
  }

  @Test(.enabled(if: RealtimeWatch.isPossible), arguments: [nil, "jack"])
  func theAudioThreadCallsNeitherLibraryNorKernel(plant: String?) throws {
    let (status, counts) = try RealtimeWatch.run("JackMIDIInputTests.aStormIsCaptured", plant: plant)
    #expect(status == 0)
    #expect((counts["blocks"] ?? 0) >= 20, "every cycle is watched")
    #expect((counts["malloc"] ?? 0) > 0 || plant == nil)
    if plant == nil { #expect(counts.filter { $0.value > 0 && !["blocks", "unwatched"].contains($0.key) }.isEmpty) }
  }
}
