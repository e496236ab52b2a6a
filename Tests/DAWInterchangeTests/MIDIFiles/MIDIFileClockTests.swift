import DAWMedia
import DAWTime
import Testing

@testable import DAWInterchange

@Suite struct MIDIFileClockTests {
  private let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)

  @Test(arguments: [1, 24, 48, 96, 120, 192, 240, 256, 384, 480, 960, 1_024, 3_840, 15_360])
  func everyPlaceIsExactWhereTheDivisionDivides15360(division: Int) {
    let clock = MIDIFileClock(.ticksPerQuarter(division), from: TickPosition(ticks: 7), in: map)
    #expect(clock.isExact)
    let scale = MIDIFileScale(division: division)
    for tick in [0, 1, 2, 3, 479, 1_000_003] as [Int64] {
      #expect(clock.distance(tick).ticks == tick * (15_360 / Int64(division)))
      #expect(clock.position(tick).ticks == 7 + clock.distance(tick).ticks)
      #expect(scale(clock.distance(tick).ticks) == tick)
    }
  }

  @Test(arguments: [7, 70, 100, 1_000, 10_000, 32_767])
  func elsewhereEachPlaceIsRoundedOnceAndNeverDrifts(division: Int) {
    let clock = MIDIFileClock(.ticksPerQuarter(division), from: .zero, in: map)
    #expect(!clock.isExact)
    for quarters in [0, 1, 1_000, 1_000_000] as [Int64] {
      #expect(clock.distance(quarters * Int64(division)).ticks == quarters * 15_360)
      for tick in (quarters * Int64(division)..<quarters * Int64(division) + 50) {
        let error = clock.distance(tick).ticks * Int64(division) - tick * 15_360
        #expect(2 * error.magnitude <= UInt64(division), "tick \(tick)")
      }
    }
  }

  @Test func timeCodeGoesBySecondsWhateverTheTempo() {
    let fast = TempoMap(tempo: Tempo(bpm: 240), timeSignature: .fourFour)
    let milliseconds = MIDIFileDivision.timeCode(.pal25, ticksPerFrame: 40)
    #expect(MIDIFileClock(milliseconds, from: .zero, in: map).distance(1_500).ticks == 3 * 15_360)
    #expect(MIDIFileClock(milliseconds, from: .zero, in: fast).distance(1_500).ticks == 6 * 15_360)
    // 30 drop-frame frames last 1.001 s.
    let drop = MIDIFileDivision.timeCode(.dropFrame30, ticksPerFrame: 100)
    #expect(MIDIFileClock(drop, from: .zero, in: map).distance(3_000_000).ticks == 1_001 * 2 * 15_360)
  }

  @Test(arguments: MIDIFileDivision.FrameRate.allCases, [1, 255])
  func noTickIsTooLateForTimeCode(rate: MIDIFileDivision.FrameRate, ticksPerFrame: Int) {
    let clock = MIDIFileClock(.timeCode(rate, ticksPerFrame: ticksPerFrame), from: .zero, in: map)
    var earlier = TickCount.zero
    for power in 30...62 {
      let distance = clock.distance(1 << power)
      #expect(distance >= earlier, "2^\(power)")
      earlier = distance
    }
    // A rule refuses it.
    #expect(earlier > TickPosition.timelineEnd - .zero)
  }

  @Test func temposComeBackToTheMicrosecond() {
    for microseconds in [60_061, 250_000, 333_333, 500_000, 566_037, 999_999, 11_999_999] {
      #expect(Tempo(microsecondsPerQuarter: microseconds).microsecondsPerQuarter == microseconds)
    }
    #expect(Tempo(microsecondsPerQuarter: 500_000) == Tempo(bpm: 120))
  }

  @Test func aMeterWithinABarMakesTheBarShort() {
    func bars(_ changes: [(TimeSignature, Int64)]) -> MIDIMeters {
      var meters = MIDIMeters(bar: 1, at: .zero, .fourFour)
      for (meter, quarters) in changes { meters.change(to: meter, at: TickPosition(ticks: quarters)) }
      return meters
    }
    let quarter: Int64 = 15_360
    let plain = bars([(TimeSignature(3, over: 4), 8 * quarter), (TimeSignature(7, over: 8), 14 * quarter)])
    #expect(plain.changes.map(\.bar) == [3, 5])
    #expect(plain.shortenedCount == 0)
    let short = bars([(TimeSignature(3, over: 4), 6 * quarter), (TimeSignature(5, over: 4), 6 * quarter + 3 * quarter)])
    #expect(short.changes.map(\.bar) == [2, 3, 4])
    #expect(
      short.changes.map(\.timeSignature) == [
        TimeSignature(2, over: 4), TimeSignature(3, over: 4), TimeSignature(5, over: 4),
      ])
    #expect(short.shortenedCount == 1)
    let odd = bars([(TimeSignature(3, over: 4), 6 * quarter + 1)])
    #expect(odd.changes.map(\.bar) == [3])
    #expect(odd.movedCount == 1)
  }
}
