import DAWTime
import Testing

@Suite("Saturating arithmetic")
struct ClampedArithmeticTests {
  private static let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test("Sums and differences of positions and distances saturate")
  func sums() {
    for a in Self.ends {
      for b in Self.ends {
        let sum = Int64(clamping: Int128(a) + Int128(b))
        let difference = Int64(clamping: Int128(a) - Int128(b))
        #expect((TickPosition(ticks: a) + TickCount(ticks: b)).ticks == sum)
        #expect((TickPosition(ticks: a) - TickCount(ticks: b)).ticks == difference)
        #expect((TickPosition(ticks: a) - TickPosition(ticks: b)).ticks == difference)
        #expect((TickCount(ticks: a) + TickCount(ticks: b)).ticks == sum)
        #expect((TickCount(ticks: a) - TickCount(ticks: b)).ticks == difference)
        #expect((FlickPosition(flicks: a) + FlickCount(flicks: b)).flicks == sum)
        #expect((FlickPosition(flicks: a) - FlickCount(flicks: b)).flicks == difference)
        #expect((FlickPosition(flicks: a) - FlickPosition(flicks: b)).flicks == difference)
        #expect((FlickCount(flicks: a) + FlickCount(flicks: b)).flicks == sum)
        #expect((FlickCount(flicks: a) - FlickCount(flicks: b)).flicks == difference)
        #expect((FramePosition(frames: a) + FrameCount(frames: b)).frames == sum)
        #expect((FramePosition(frames: a) - FrameCount(frames: b)).frames == difference)
        #expect((FramePosition(frames: a) - FramePosition(frames: b)).frames == difference)
        #expect((FrameCount(frames: a) + FrameCount(frames: b)).frames == sum)
        #expect((FrameCount(frames: a) - FrameCount(frames: b)).frames == difference)
      }
      #expect(TickCount.quarters(a).ticks == Int64(clamping: Int128(a) * 15_360))
      #expect(FlickCount.seconds(a).flicks == Int64(clamping: Int128(a) * 705_600_000))
      #expect(FlickCount.milliseconds(a).flicks == Int64(clamping: Int128(a) * 705_600))
      #expect(Tempo(bpm: a).nanoBPM == Int64(clamping: Int128(a) * 1_000_000_000))
    }
  }

  @Test("No position, distance, tempo, meter or grid makes a calculation with the tempo map trap")
  func everyConversion() throws {
    let maps = [
      TempoMap(tempo: Tempo(bpm: .max), timeSignature: TimeSignature(.min, over: 0)),
      TempoMap(tempo: Tempo(bpm: 5), timeSignature: TimeSignature(64, over: 1)),
      try TempoMap(
        tempos: [
          TempoPoint(at: .zero, Tempo(bpm: 5), isRamp: true),
          TempoPoint(at: .timelineEnd, Tempo(bpm: 999), isRamp: true),
        ], meters: [MeterPoint(at: .zero, TimeSignature(1, over: 64))]),
    ]
    for map in maps {
      for number in Self.ends {
        let (tick, flick) = (TickPosition(ticks: number), FlickPosition(flicks: number))
        _ = (map.flicks(at: tick), map.ticks(at: flick), map.tempo(at: tick), map.timeSignature(at: tick))
        _ = (map.barBeatTick(at: tick).description, tick.description, flick.description, flick.clock())
        for other in Self.ends {
          let count = BarBeatTickCount(bars: number, beats: other, ticks: number)
          _ = try? map.ticks(of: count, from: TickPosition(ticks: other))
          _ = try? map.ticks(at: BarBeatTick(bar: number, beat: other, tick: 0))
          for spacing in [Grid.Spacing.steps(TickCount(ticks: other)), .bars(other)] {
            let grid = Grid(spacing, swing: Percentage(thousandths: other))
            _ = (map.line(of: grid, nearest: tick), map.line(of: grid, after: tick))
          }
          let lengths: [DistanceExpression] = [
            .absolute(FlickCount(flicks: number)), .frames(FrameCount(frames: number)),
            .musical(TickCount(ticks: number)), .barsBeatsTicks(count),
          ]
          for length in lengths {
            for rate in [SampleRate(hertz: 0), SampleRate(hertz: 48_000), SampleRate(hertz: .max)] {
              _ = try? length.flicks(from: .musical(TickPosition(ticks: other)), in: map, rate: rate)
              _ = try? length.ticks(from: .absolute(FlickPosition(flicks: other)), in: map, rate: rate)
            }
          }
        }
      }
    }
    #expect(try TempoMap(tempos: maps[2].tempos, meters: maps[2].meters) == maps[2])
  }

  @Test("A grid with steps longer than the bar has lines at the bar lines")
  func longSteps() {
    let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
    for step in [61_441, 1 << 40, Int64.max] {
      let grid = Grid(.steps(TickCount(ticks: step)))
      #expect(map.line(of: grid, nearest: TickPosition(ticks: 61_440 + 100)).ticks == 61_440)
      #expect(map.line(of: grid, after: TickPosition(ticks: 61_440)).ticks == 122_880)
    }
  }
}
