import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@Suite("Shifts of regions")
struct RegionShiftTests {
  private let steady = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)

  /// 120 BPM for two bars, then 60.
  private func slowing() throws -> TempoMap {
    let points = [
      TempoPoint(at: .zero, Tempo(bpm: 120)), TempoPoint(at: .zero + .quarters(8), Tempo(bpm: 60)),
    ]
    return try TempoMap(tempos: points, meters: [MeterPoint(at: .zero, .fourFour)])
  }

  private func seconds(_ position: TimelinePosition, _ map: TempoMap) -> Double { map.flicks(at: position).seconds }

  @Test("A musical shift moves both clocks to the same bar, where the tempo has changed too")
  func musical() throws {
    let map = try slowing()
    let bars = RegionShift.musical(.quarters(8))
    let starts: [TimelinePosition] = [.musical(.zero + .quarters(4)), .absolute(.zero + .seconds(2))]
    for start in starts { #expect(seconds(start.moved(by: bars, in: map), map) == 8) }
    #expect(starts.map { $0.moved(by: bars, in: map).timeBase } == [.musical, .absolute])
  }

  @Test("A shift by time moves both clocks by that time")
  func absolute() throws {
    let map = try slowing()
    let later = RegionShift.absolute(.seconds(3))
    let starts: [TimelinePosition] = [.musical(.zero + .quarters(4)), .absolute(.zero + .seconds(2))]
    for start in starts { #expect(seconds(start.moved(by: later, in: map), map) == 5) }
  }

  @Test("The start from which a shift is measured lands exactly on its place, between two ticks too")
  func exactly() throws {
    let start = TimelinePosition.absolute(FlickPosition(flicks: 1_000_003))
    for place in [TimelinePosition.musical(.zero + .quarters(8)), .absolute(.zero + .seconds(9))] {
      let shift = RegionShift(from: start, to: place, in: steady)
      #expect(steady.flicks(at: start.moved(by: shift, in: steady)) == steady.flicks(at: place))
    }
  }

  @Test("A shift many times is rounded to a tick once")
  func manyTimes() throws {
    let map = TempoMap(tempo: Tempo(nanoBPM: 137_123_000_000), timeSignature: .fourFour)
    let tenth = RegionShift.absolute(.milliseconds(100))
    for start in [TimelinePosition.musical(.zero), .absolute(.zero)] {
      #expect(abs(seconds(start.moved(by: tenth * 5_000, in: map), map) - 500) < 0.000_02)
    }
    #expect(RegionShift.musical(.quarters(3)) * 4 == .musical(.quarters(12)))
    #expect(RegionShift.absolute(.seconds(1 << 30)) * .max == .absolute(FlickCount(flicks: .max)))
  }

  @Test("There and back again is where it was")
  func back() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let (start, distance) = (
        Int64.random(in: 0...1 << 40, using: &generator), Int64.random(in: 0...1 << 30, using: &generator)
      )
      for position in [
        TimelinePosition.absolute(FlickPosition(flicks: start)), .musical(TickPosition(ticks: start >> 10)),
      ] {
        let there = position.moved(by: .musical(TickCount(ticks: distance)), in: steady)
        #expect(there.moved(by: .musical(TickCount(ticks: -distance)), in: steady) == position, "seed \(seed)")
      }
    }
  }

  @Test("Copies follow the last of regions, by ticks where any of them is bound to ticks")
  func toEnd() throws {
    func region(_ start: TimelinePosition, _ content: Region.Content) -> Region {
      Region(id: RegionID(rawValue: 1), track: TrackID(rawValue: 1), start: start, content: content)
    }
    let audio = AudioSpan(file: AudioFileID(rawValue: 1), duration: .seconds(3))
    let early = region(.absolute(.zero + .seconds(1)), .audio(audio))
    let late = region(.musical(.zero + .quarters(8)), .midi(.quarters(2)))
    #expect([early].shiftToEnd(in: steady) == .absolute(.seconds(3)))
    #expect([early, late].shiftToEnd(in: steady) == .musical(.quarters(8)))
    #expect([Region]().shiftToEnd(in: steady) == nil)
  }
}
