import DAWTime
import Foundation
import Testing

@Suite struct TempoMapTests {
  private let second = FlickCount.perSecond

  @Test func aQuarterAt120LastsHalfASecond() {
    let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
    #expect(map.flicks(at: TickPosition(ticks: 15_360)).flicks == second / 2)
    #expect(map.flicks(at: TickPosition(ticks: -15_360)).flicks == -second / 2)
    // 22,968.75 flicks to the tick.
    #expect(map.flicks(at: TickPosition(ticks: 1)).flicks == 22_969)
    #expect(map.flicks(at: TickPosition(ticks: 2)).flicks == 45_938)
    #expect(map.flicks(at: TickPosition(ticks: 6)).flicks == 137_812)
  }

  @Test func eachTempoCountsFromWhereItBegins() throws {
    let map = try TempoMap(
      tempos: [
        TempoPoint(at: .zero, Tempo(bpm: 60)), TempoPoint(at: TickPosition(ticks: 4 * 15_360), Tempo(bpm: 120)),
        TempoPoint(at: TickPosition(ticks: 6 * 15_360), Tempo(bpm: 30)),
      ], meters: [MeterPoint(at: .zero, .fourFour)])
    #expect(map.flicks(at: TickPosition(ticks: 4 * 15_360)).flicks == 4 * second)
    #expect(map.flicks(at: TickPosition(ticks: 6 * 15_360)).flicks == 5 * second)
    #expect(map.flicks(at: TickPosition(ticks: 7 * 15_360)).flicks == 7 * second)
    #expect(map.flicks(at: TickPosition(ticks: -15_360)).flicks == -second)
    #expect(map.ticks(at: FlickPosition(flicks: 4 * second + second / 4)).ticks == 4 * 15_360 + 7_680)
    #expect(map.tempo(at: TickPosition(ticks: 5 * 15_360)) == Tempo(bpm: 120))
  }

  @Test(arguments: [(60, 120), (120, 60), (5, 999), (999, 5), (120, 121)] as [(Int64, Int64)])
  func aRampTakesTheIntegralOfItsTempo(from start: Int64, to end: Int64) throws {
    let length: Int64 = 8 * 15_360
    let map = try Self.ramp(Tempo(bpm: start), Tempo(bpm: end), length)
    // Simpson's rule over the seconds per quarter.
    func integral(to ticks: Int64) -> Double {
      let steps = 20_000
      let width = Double(ticks) / 15_360 / Double(steps)
      func seconds(_ step: Int) -> Double {
        let share = Double(ticks) / Double(length) * Double(step) / Double(steps)
        return 60 / (Double(start) + Double(end - start) * share)
      }
      let inner = (1..<steps).reduce(0.0) { $0 + seconds($1) * ($1.isMultiple(of: 2) ? 2 : 4) }
      return width / 3 * (seconds(0) + inner + seconds(steps))
    }
    for ticks in [1, 1000, 15_360, 61_440, 100_001, length] {
      let expected = integral(to: ticks) * Double(second)
      let found = Double(map.flicks(at: TickPosition(ticks: ticks)).flicks)
      #expect(abs(found - expected) <= 1 + expected * 1e-9, "\(ticks) ticks")
    }
  }

  @Test func aRampFrom60To120OverFourQuartersTakesFourTimesTheLogarithmOfTwo() throws {
    let map = try Self.ramp(Tempo(bpm: 60), Tempo(bpm: 120), 4 * 15_360)
    #expect(map.flicks(at: TickPosition(ticks: 4 * 15_360)).flicks == 1_956_338_602)  // 4 s · ln 2
    #expect(map.tempo(at: TickPosition(ticks: 2 * 15_360)) == Tempo(bpm: 90))
    #expect(map.tempo(at: TickPosition(ticks: -1)) == Tempo(bpm: 60))
    #expect(map.flicks(at: TickPosition(ticks: -15_360)).flicks == -second)
  }

  @Test func theSmallestRampIsNearlyConstant() throws {
    let map = try Self.ramp(Tempo(bpm: 120), Tempo(nanoBPM: 120_000_000_001), 1 << 30)
    let constant = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
    for tick in [1, 7, 15_360, 1 << 25, 1 << 30] as [Int64] {
      let position = TickPosition(ticks: tick)
      #expect(abs((map.flicks(at: position) - constant.flicks(at: position)).flicks) <= 128, "tick \(tick)")
      #expect(map.ticks(at: map.flicks(at: position)) == position)
    }
  }

  @Test func theLongestRampsAreInOrder() throws {
    for (start, end) in [(5, 999), (999, 5), (5, 6), (998, 999)] as [(Int64, Int64)] {
      let map = try Self.ramp(Tempo(bpm: start), Tempo(bpm: end), 1 << 40)
      for tick in [0, 1, 1 << 20, 1 << 39, (1 << 40) - 1] as [Int64] {
        let position = TickPosition(ticks: tick)
        #expect(map.ticks(at: map.flicks(at: position)) == position)
        #expect(map.flicks(at: position) < map.flicks(at: TickPosition(ticks: tick + 1)))
      }
    }
  }

  @Test func aRampWithoutANextChangeStays() throws {
    let map = try TempoMap(
      tempos: [TempoPoint(at: .zero, Tempo(bpm: 120), isRamp: true)], meters: [MeterPoint(at: .zero, .fourFour)])
    #expect(map.flicks(at: TickPosition(ticks: 15_360)).flicks == second / 2)
    #expect(map.tempo(at: TickPosition(ticks: 99)) == Tempo(bpm: 120))
  }

  @Test func barsCountBeatsOfTheMeter() throws {
    let map = try TempoMap(
      tempos: [TempoPoint(at: .zero, Tempo(bpm: 120))],
      meters: [
        MeterPoint(at: .zero, .fourFour), MeterPoint(at: TickPosition(ticks: 122_880), TimeSignature(7, over: 8)),
        MeterPoint(at: TickPosition(ticks: 122_880 + 53_760), TimeSignature(5, over: 16)),
      ])
    #expect("\(map.barBeatTick(at: .zero))" == "1.1.0")
    #expect("\(map.barBeatTick(at: TickPosition(ticks: -1)))" == "0.4.15359")
    #expect("\(map.barBeatTick(at: TickPosition(ticks: 122_879)))" == "2.4.15359")
    #expect("\(map.barBeatTick(at: TickPosition(ticks: 122_880)))" == "3.1.0")
    #expect("\(map.barBeatTick(at: TickPosition(ticks: 122_880 + 6 * 7_680 + 5)))" == "3.7.5")
    #expect("\(map.barBeatTick(at: TickPosition(ticks: 122_880 + 53_760 + 5 * 3_840)))" == "5.1.0")
    let twoBars = try map.ticks(of: BarBeatTickCount(bars: 2), from: TickPosition(ticks: 122_880))
    #expect(twoBars.ticks == 2 * 53_760)
    #expect(throws: TimelineError.noSuchBeat(BarBeatTick(bar: 1, beat: 5), .fourFour)) {
      try map.ticks(at: BarBeatTick(bar: 1, beat: 5))
    }
    #expect(throws: TimelineError.noSuchTick(BarBeatTick(bar: 3, tick: 7_680), TimeSignature(7, over: 8))) {
      try map.ticks(at: BarBeatTick(bar: 3, tick: 7_680))
    }
    #expect(throws: TimelineError.self) { try map.ticks(at: BarBeatTick(bar: .max)) }
    #expect(throws: TimelineError.self) { try map.ticks(of: BarBeatTickCount(bars: .max), from: .zero) }
  }

  @Test func whatMakesNoMapIsRefused() {
    let tempo = TempoPoint(at: .zero, Tempo(bpm: 120))
    let meter = MeterPoint(at: .zero, .fourFour)
    let late = TickPosition(ticks: 10)
    let before = TickPosition(ticks: -1)
    let inside = MeterPoint(at: TickPosition(ticks: 61_441), .fourFour)
    let cases: [([TempoPoint], [MeterPoint], TempoMapError)] = [
      ([], [meter], .noTempoAtStart), ([tempo], [], .noMeterAtStart),
      ([TempoPoint(at: late, Tempo(bpm: 1))], [meter], .noTempoAtStart),
      ([tempo, TempoPoint(at: before, Tempo(bpm: 60))], [meter], .outsideTimeline(before)),
      ([TempoPoint(at: .zero, Tempo(bpm: 4))], [meter], .tempo(TempoPoint(at: .zero, Tempo(bpm: 4)))),
      ([tempo, tempo], [meter], .twoTempos(at: .zero)), ([tempo], [meter, meter], .twoMeters(at: .zero)),
      ([tempo], [meter, inside], .meterInsideBar(inside, barLine: TickPosition(ticks: 61_440))),
      (
        [tempo], [MeterPoint(at: .zero, TimeSignature(4, over: 3))],
        .meter(MeterPoint(at: .zero, TimeSignature(4, over: 3)))
      ),
    ]
    for (tempos, meters, error) in cases {
      #expect(throws: error) { try TempoMap(tempos: tempos, meters: meters) }
    }
  }

  private static func ramp(_ start: Tempo, _ end: Tempo, _ length: Int64) throws -> TempoMap {
    try TempoMap(
      tempos: [TempoPoint(at: .zero, start, isRamp: true), TempoPoint(at: TickPosition(ticks: length), end)],
      meters: [MeterPoint(at: .zero, .fourFour)])
  }
}
