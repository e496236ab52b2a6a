import DAWEngine
import DAWInstruments
import DAWTestSupport
import DAWTime
import Foundation
import Testing

extension InstrumentTests {
  @Suite struct SameBits {
    /// Notes, controllers, bends, pressure and programs on all channels, not on the quantum grid.
    static func events(seed: UInt64, count: Int, within frames: Int) -> [MIDIEvent] {
      var generator = SeededGenerator(seed: seed)
      var events: [MIDIEvent] = []
      for _ in 0..<count {
        let frame = TimelineFrame.random(in: 0..<TimelineFrame(frames), using: &generator)
        let channel = UInt8.random(in: 0..<16, using: &generator)
        let first = UInt8.random(in: 30..<100, using: &generator)
        let second = UInt8.random(in: 1...127, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: events.append(MIDIEvent(frame: frame, status: 0xe0 | channel, data1: first, data2: second))
        case 1: events.append(control(frame, 7, second, channel: channel))
        case 2: events.append(MIDIEvent(frame: frame, status: 0xc0 | channel, data1: first, data2: 0))
        case 3: events.append(MIDIEvent(frame: frame, status: 0xd0 | channel, data1: first, data2: 0))
        default:
          events.append(noteOn(frame, pitch: first, velocity: second, channel: channel))
          let length = Int.random(in: 1...20_000, using: &generator)
          events.append(noteOff(frame + length, pitch: first, channel: channel))
        }
      }
      return events.sorted { $0.frame < $1.frame }
    }

    @Test(arguments: [48_000, 96_000, 192_000])
    func theSizeOfCallsChangesNoSample(hertz: Int) throws {
      let seed = Seed.current()
      let plan = plan(Self.events(seed: seed, count: 60, within: 40_000), hertz: hertz)
      let whole = try render(plan, frames: 48_000, call: 48_000)
      try #require(whole.peak(0..<48_000) > 0.001, "seed \(seed)")
      for call in [1, 17, 64, 333, 4096] {
        #expect(try render(plan, frames: 48_000, call: call) == whole, "calls of \(call) frames, seed \(seed)")
      }
    }

    @Test func instancesThatPlayAtOncePlayWhatEachPlaysAlone() async throws {
      let seed = Seed.current()
      let plans = (0..<4).map { plan(Self.events(seed: seed &+ UInt64($0 % 2), count: 80, within: 80_000)) }
      let alone = try plans.map { try render($0, frames: 96_000) }
      let together = try await withThrowingTaskGroup(of: (Int, Sound).self) { group in
        for (index, plan) in plans.enumerated() {
          group.addTask { (index, try render(plan, frames: 96_000, call: 100 + index)) }
        }
        return try await group.reduce(into: [Int: Sound]()) { $0[$1.0] = $1.1 }
      }
      for index in plans.indices { #expect(together[index] == alone[index], "instance \(index), seed \(seed)") }
      #expect(alone[0] == alone[2], "seed \(seed)")
      #expect(alone[0] != alone[1], "seed \(seed)")
    }

    @Test func aSoundFontThatWasUsedBeforePlaysTheSame() throws {
      let seed = Seed.current()
      let plans = (0..<3).map { plan(Self.events(seed: seed &+ UInt64($0), count: 80, within: 40_000)) }
      // Ended while notes sound.
      let alone = try plans.map { try render($0, frames: 30_000) }
      let fonts = SoundFontPool()
      for _ in 0..<2 {
        let together = try plans.map { try FluidSynthInstrument(plan: $0, fonts: fonts) }
        let sounds = together.map { fetch(from: $0, frames: 30_000, call: 512) }
        #expect(sounds == alone, "seed \(seed)")
      }
    }

    /// In its own process: other tests' allocations would be counted.
    @Test func aLongRenderKeepsItsMemory() async {
      await #expect(processExitsWith: .success) {
        try requireSoundFont()
        let seconds = 20
        let events = Self.events(seed: Seed.current(), count: 2_000, within: seconds * 48_000)
        let instrument = try FluidSynthInstrument(plan: plan(events))
        var left = [Float](repeating: 0, count: 4_800)
        var right = left
        func play(_ tenths: Int) {
          for _ in 0..<tenths { instrument.produce(frameCount: 4_800, left: &left, right: &right) }
        }
        play(10)
        let before = try Self.writablePages()
        play(seconds * 10 - 10)
        let after = try Self.writablePages()
        #expect(after < before + 128, "\(before) pages of memory after a second, \(after) at the end")
      }
    }

    /// This process's data size, in pages of 4 KiB.
    /// - SeeAlso: proc(5), `statm`, field `data`.
    private static func writablePages() throws -> Int {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return try #require(fields.count > 5 ? Int(fields[5]) : nil)
    }
  }
}
