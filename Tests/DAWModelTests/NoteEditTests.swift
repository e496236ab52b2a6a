import DAWModel
import DAWTestSupport
import DAWTime
import Testing

/// Examples of the musical edits.
@Suite("Edits of chosen notes")
struct NoteEditTests {
  private let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
  private let region = RegionID(rawValue: 1)

  private func chosen(_ notes: [(start: Int64, length: Int64, pitch: Int)], at start: Int64 = 0) -> ChosenNotes {
    let made = notes.enumerated().map { index, note in
      MIDINote(
        id: NoteID(rawValue: Int64(index + 1)), region: region, pitch: note.pitch,
        start: TickCount(ticks: note.start), duration: TickCount(ticks: note.length))
    }
    return ChosenNotes(
      region: region, start: TickPosition(ticks: start), length: TickCount(ticks: 100_000), notes: made)
  }

  private func sixteenths(strength: Int64 = 100, ends: Bool = false) -> Quantization {
    Quantization(
      grid: Grid(.steps(TickCount(ticks: 3840))), strength: Percentage(strength), includesEnds: ends)
  }

  @Test("Quantizing uses the timeline's grid, not the region's start, and moves notes by the strength")
  func quantize() {
    let notes = chosen([(100, 500, 60), (3000, 500, 62)], at: 1000)
    #expect(notes.quantized(sixteenths(), in: map).changed.map(\.start.ticks) == [-1000, 2840])
    #expect(notes.quantized(sixteenths(strength: 50), in: map).changed.map(\.start.ticks) == [-450, 2920])
    #expect(notes.quantized(sixteenths(strength: 0), in: map) == NoteChanges())
    #expect(notes.quantized(sixteenths(), in: map).changed.map(\.duration.ticks) == [500, 500])
  }

  @Test("With ends, a note reaches at least the next line")
  func quantizeEnds() {
    let notes = chosen([(3800, 100, 60), (7600, 4000, 62)])
    let changed = notes.quantized(sixteenths(ends: true), in: map).changed
    #expect(changed.map(\.start.ticks) == [3840, 7680])
    #expect(changed.map(\.duration.ticks) == [3840, 3840])
  }

  @Test("Velocities are multiplied, added to or mapped; 0 stays, and the rest within 1 … 127")
  func velocities() {
    var notes = chosen([(0, 10, 60), (10, 10, 60), (20, 10, 60), (30, 10, 60)])
    for (index, velocity) in [0, 1, 64, 127].enumerated() { notes.notes[index].velocity = velocity }
    func scaled(_ scaling: VelocityScaling) -> [Int] {
      var all = notes.notes
      for note in notes.scalingVelocities(scaling).changed { all[Int(note.id.rawValue) - 1] = note }
      return all.map(\.velocity)
    }
    #expect(scaled(.by(Percentage(50), adding: 0)) == [0, 1, 32, 64])
    #expect(scaled(.by(Percentage(200), adding: -4)) == [0, 1, 124, 127])
    #expect(scaled(.mapping(from: 1...127, to: 40...90)) == [0, 40, 65, 90])
    #expect(scaled(.mapping(from: 64...64, to: 1...20)) == [0, 20, 20, 20])
  }

  @Test("Legato ends notes where the next chord of their channel begins; the last stay")
  func legato() {
    var notes = chosen([(0, 100, 60), (30, 90_000, 64), (5000, 10, 60), (9000, 70, 67)])
    let window = TickCount(ticks: 960)
    func lengths(gap: Int64) -> [Int64] {
      notes.legato(gap: TickCount(ticks: gap), chordWindow: window).changed.map(\.duration.ticks)
    }
    #expect(lengths(gap: 0) == [5000, 4970, 4000])
    #expect(lengths(gap: 200) == [4800, 4770, 3800])
    #expect(lengths(gap: 4970) == [30, 4970, 4000])
    notes.notes[2].channel = 1
    #expect(lengths(gap: 0) == [9000, 8970])
  }

  @Test("Overlapping notes of one pitch end where the next one begins; of duplicates the longest is kept")
  func overlaps() {
    let notes = chosen([(0, 500, 60), (0, 900, 60), (0, 2000, 64), (600, 100, 60), (1000, 10, 60)])
    let same = notes.removingOverlaps(acrossPitches: false)
    #expect(same.removed == [NoteID(rawValue: 1)])
    #expect(same.changed.map(\.id.rawValue) == [2])
    #expect(same.changed.map(\.duration.ticks) == [600])
    let any = notes.removingOverlaps(acrossPitches: true)
    #expect(any.removed == [NoteID(rawValue: 1)])
    #expect(any.changed.map(\.id.rawValue) == [2, 3])
    #expect(any.changed.map(\.duration.ticks) == [600, 600])
  }

  @Test("A note is cut in two only where it sounds on both sides")
  func split() {
    let notes = chosen([(0, 100, 60), (100, 100, 62), (50, 100, 64)], at: 1000)
    let changes = notes.split(at: TickPosition(ticks: 1100))
    #expect(changes.changed.map(\.id.rawValue) == [3])
    #expect(changes.changed.map(\.duration.ticks) == [50])
    #expect(changes.added.map(\.start.ticks) == [100])
    #expect(changes.added.map(\.duration.ticks) == [50])
  }

  @Test("Notes moved to another region keep their position on the timeline")
  func into() {
    let notes = chosen([(100, 100, 60)], at: 1000)
    let destination = NoteDestination(
      shift: TickCount(ticks: 5), region: RegionID(rawValue: 2), regionStart: TickPosition(ticks: 400))
    let moved = notes.moved(to: destination).changed
    #expect(moved.map(\.region) == [RegionID(rawValue: 2)])
    #expect(moved.map(\.start.ticks) == [705])
    #expect(notes.copied(to: destination).added == moved)
  }

  @Test("The generator gives the published numbers")
  func generator() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test("A seed gives these deviations on every machine, and one limit does not affect the other")
  func humanize() {
    let notes = chosen([(1000, 100, 60), (2000, 100, 60), (3000, 100, 60)])
    func humanized(_ ticks: Int64, _ velocity: Int) -> [MIDINote] {
      var generator = SplitMix64(seed: 1)
      let amounts = Humanization(timing: .musical(TickCount(ticks: ticks)), velocity: velocity)
      return notes.humanized(amounts, in: map, using: &generator).changed
    }
    #expect(humanized(500, 20).map(\.start.ticks) == humanized(500, 0).map(\.start.ticks))
    #expect(humanized(500, 20).map(\.velocity) == humanized(0, 20).map(\.velocity))
    #expect(humanized(500, 20).map(\.start.ticks) == [1016, 1995, 2814])
    #expect(humanized(500, 20).map(\.velocity) == [87, 70, 84])
  }
}
