import DAWMedia
import DAWTestSupport
import Testing

/// The order of a track's events, held against the plainest way of sorting them.
@Suite struct MIDIFileSortTests {
  @Test(arguments: [1, 20, 3_000], [1, 40, 1 << 20, 1 << 45] as [Int64])
  func eventsOfOneTickAreInTheOrderOfTheirKindsAndThenOfTheFile(count: Int, lastTick: Int64) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    var track = MIDIFileTrack()
    for number in 0..<count {
      let tick = Int64.random(in: 0...lastTick, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: track.append(metaType: 1, payload: [UInt8(number & 0x7f)], at: tick)
      case 1: track.append(status: MIDIFileEvent.systemExclusive, payload: [UInt8(number & 0x7f)], at: tick)
      case 2: track.append(.noteOff, channel: number & 15, data1: number & 0x7f, data2: 1, at: tick)
      case 3: track.append(.noteOn, channel: number & 15, data1: number & 0x7f, data2: 0, at: tick)
      case 4: track.append(.noteOn, channel: number & 15, data1: number & 0x7f, data2: 1, at: tick)
      default: track.append(.controller, channel: number & 15, data1: number & 0x7f, data2: 1, at: tick)
      }
    }
    let expected = track.events.enumerated().sorted { a, b in
      (a.element.tick, Self.rank(a.element), a.offset) < (b.element.tick, Self.rank(b.element), b.offset)
    }.map(\.element)
    let endTick = track.endTick
    track.sort()
    #expect(track.events == expected, "seed \(seed)")
    #expect(track.endTick == endTick)
    track.sort()
    #expect(track.events == expected, "seed \(seed): sorted again")
  }

  @Test func nothingToSortStaysNothing() {
    var track = MIDIFileTrack()
    track.sort()
    #expect(track.events.isEmpty)
  }

  private static func rank(_ event: MIDIFileEvent) -> Int {
    if event.status == MIDIFileEvent.meta { return 0 }
    return event.isNoteOff ? 1 : event.isNoteOn ? 3 : 2
  }
}
