import DAWEngine
import DAWJack
import DAWTestSupport
import DAWTime
import Testing

@Suite("Beats as JACK's clients read them")
struct BeatTableTests {
  private let rate = SampleRate(hertz: 48_000)

  @Test("Within the table and far after it, each frame has the bar, beat and tick of the tempo map")
  func agreesWithTheMap() throws {
    let map = try TempoMap(
      tempos: [
        TempoPoint(at: .zero, Tempo(bpm: 97), isRamp: true),
        TempoPoint(at: TickPosition(ticks: 8 * 15_360), Tempo(bpm: 141)),
      ],
      meters: [
        MeterPoint(at: .zero, .fourFour), MeterPoint(at: TickPosition(ticks: 8 * 15_360), TimeSignature(7, over: 8)),
      ])
    let table = BeatTable(map: map, rate: rate, end: 480_000)
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let frame = TimelineFrame.random(in: 0..<TimelineFrame(48_000 * 600), using: &random)
      let ticks = map.ticks(at: frame.position.flicks(at: rate))
      let expected = map.barBeatTick(at: ticks)
      let found = table.position(at: frame)
      let meter = map.timeSignature(at: ticks)
      let ticksPerBeat = Double(meter.beat.ticks)
      let beats = { (bar: Int64, beat: Int64, tick: Int64) in
        Double(bar) * Double(meter.numerator) + Double(beat) + Double(tick) / ticksPerBeat
      }
      // A tempo ramp is exact on beats and linear between them.
      let distance =
        beats(expected.bar, expected.beat, expected.tick)
        - beats(Int64(found.bar), Int64(found.beat), Int64(found.tick))
      #expect(abs(distance) < 0.02, "frame \(frame), seed \(seed)")
      #expect(Int(found.beats_per_bar) == meter.numerator && Int(found.beat_type) == meter.denominator)
    }
  }

  @Test("A constant tempo is reported in the meter's beats, exact to the frame")
  func steadyTempo() {
    let table = BeatTable(
      map: TempoMap(tempo: Tempo(bpm: 120), timeSignature: TimeSignature(6, over: 8)), rate: rate, end: 0)
    let second = table.position(at: 12_000)
    #expect(second.bar == 1 && second.beat == 2 && second.tick == 0)
    #expect(second.beats_per_minute == 240 && second.ticks_per_beat == 7_680)
    let far = table.position(at: TimelineFrame(12_000 * 6 * 1_000))
    #expect(far.bar == 1_001 && far.beat == 1 && far.tick == 0 && far.bar_start_tick == 6_000 * 7_680)
  }
}
