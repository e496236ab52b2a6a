import DAWModel
import DAWTestSupport
import DAWTime
import Testing

/// Properties of the musical edits for random notes.
@Suite("Properties of note edits")
struct NoteEditPropertyTests {
  private let map = TempoMap(tempo: Tempo(bpm: 93), timeSignature: TimeSignature(7, over: 8))

  /// Many notes that overlap, in a region at a random position.
  private func randomNotes(using generator: inout SeededGenerator) -> ChosenNotes {
    let region = RegionID(rawValue: 7)
    let length: Int64 = 500_000
    let notes = (1...Int64.random(in: 1...200, using: &generator)).map { index in
      let start = Int64.random(in: 0..<length, using: &generator) / 500 * 500
      return MIDINote(
        id: NoteID(rawValue: index), region: region, pitch: Int.random(in: 58...64, using: &generator),
        velocity: Int.random(in: 0...127, using: &generator), start: TickCount(ticks: start),
        duration: TickCount(ticks: Int64.random(in: 1...min(20_000, length - start), using: &generator)),
        channel: Int.random(in: 0...1, using: &generator))
    }
    return ChosenNotes(
      region: region, start: TickPosition(ticks: Int64.random(in: 0...1_000_000, using: &generator)),
      length: TickCount(ticks: length), notes: notes.sorted { ($0.start, $0.id) < ($1.start, $1.id) })
  }

  /// The notes after changes that add nothing.
  private func notes(_ chosen: ChosenNotes, after changes: NoteChanges) -> ChosenNotes {
    var result = chosen
    let changed = Dictionary(uniqueKeysWithValues: changes.changed.map { ($0.id, $0) })
    let removed = Set(changes.removed)
    result.notes = chosen.notes.filter { !removed.contains($0.id) }.map { changed[$0.id] ?? $0 }
      .sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    return result
  }

  private func forRandomNotes(_ body: (ChosenNotes, inout SeededGenerator, Testing.Comment) -> Void) {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let chosen = randomNotes(using: &generator)
      body(chosen, &generator, "seed \(seed)")
    }
  }

  @Test("Quantizing is idempotent and keeps the order; less strength leaves notes in between")
  func quantize() {
    forRandomNotes { chosen, generator, seed in
      let grid = Grid(
        .steps(TickCount(ticks: Int64.random(in: 100...40_000, using: &generator))),
        swing: Percentage(Int64.random(in: 50...75, using: &generator)))
      let ends = Bool.random(using: &generator)
      let whole = Quantization(grid: grid, includesEnds: ends)
      let once = notes(chosen, after: chosen.quantized(whole, in: map))
      #expect(once.quantized(whole, in: map) == NoteChanges(), seed)
      #expect(once.notes.allSatisfy { $0.duration > .zero }, seed)
      let half = Quantization(grid: grid, strength: Percentage(50), includesEnds: ends)
      let (target, part) = (byID(once), byID(notes(chosen, after: chosen.quantized(half, in: map))))
      for note in chosen.notes {
        guard let aim = target[note.id], let way = part[note.id] else { continue }
        #expect((min(note.start, aim.start)...max(note.start, aim.start)).contains(way.start), seed)
        #expect(way.duration > .zero, seed)
      }
    }
  }

  @Test("Transposing up and down again gives the same notes")
  func transpose() {
    forRandomNotes { chosen, generator, seed in
      let semitones = Int.random(in: -50...50, using: &generator)
      let there = notes(chosen, after: chosen.transposed(by: semitones))
      #expect(notes(there, after: there.transposed(by: -semitones)) == chosen, seed)
    }
  }

  @Test("After removing overlaps no two notes of a voice sound together, and none has become longer")
  func overlaps() {
    forRandomNotes { chosen, generator, seed in
      let acrossPitches = Bool.random(using: &generator)
      let left = notes(chosen, after: chosen.removingOverlaps(acrossPitches: acrossPitches))
      for (index, note) in left.notes.enumerated() {
        for later in left.notes[(index + 1)...] where later.channel == note.channel {
          if later.pitch == note.pitch { #expect(later.start >= note.end, seed) }
          if acrossPitches { #expect(later.start >= note.end || later.start == note.start, seed) }
        }
      }
      let before = byID(chosen)
      #expect(left.notes.allSatisfy { $0.duration <= before[$0.id]?.duration ?? .zero }, seed)
      #expect(left.removingOverlaps(acrossPitches: acrossPitches) == NoteChanges(), seed)
    }
  }

  @Test("Legato leaves no gap and no overlap but within chords, moves nothing, and changes nothing more when repeated")
  func legato() {
    forRandomNotes { chosen, _, seed in
      let window = TickCount(ticks: 960)
      let joined = notes(chosen, after: chosen.legato(gap: .zero, chordWindow: window))
      #expect(joined.notes.map(\.start) == chosen.notes.map(\.start), seed)
      for note in joined.notes {
        let later = joined.notes.filter { $0.channel == note.channel && $0.start - note.start >= window }
        if let next = later.first { #expect(note.end <= next.start, seed) }
      }
      #expect(joined.legato(gap: .zero, chordWindow: window) == NoteChanges(), seed)
    }
  }

  @Test("Both parts of a cut are as long as the note was, and nothing is added to what sounds")
  func split() {
    forRandomNotes { chosen, generator, seed in
      let cut = chosen.start + TickCount(ticks: Int64.random(in: 0...500_000, using: &generator))
      let changes = chosen.split(at: cut)
      let before = byID(chosen)
      #expect(changes.changed.count == changes.added.count, seed)
      for (left, right) in zip(changes.changed, changes.added) {
        #expect(left.id == right.id && left.end == right.start, seed)
        #expect(left.duration + right.duration == before[left.id]?.duration, seed)
        #expect(chosen.start + right.start == cut, seed)
      }
    }
  }

  @Test("Humanized notes stay in their region and within the amounts, in ticks as in seconds")
  func humanize() {
    forRandomNotes { chosen, generator, seed in
      let limit = TickCount(ticks: Int64.random(in: 0...5000, using: &generator))
      let amounts: [TimelineDistance] = [
        .musical(limit), .absolute(map.flicks(at: .zero + limit) - map.flicks(at: .zero)),
      ]
      for amount in amounts {
        var chance = SplitMix64(seed: generator.next())
        let changes = chosen.humanized(Humanization(timing: amount, velocity: 9), in: map, using: &chance)
        let before = byID(chosen)
        for note in changes.changed {
          guard let old = before[note.id] else { continue }
          #expect(abs((note.start - old.start).ticks) <= limit.ticks + 1, seed)
          #expect(note.start >= .zero && note.end <= chosen.length && note.duration == old.duration, seed)
          #expect(abs(note.velocity - old.velocity) <= 9 && (0...127).contains(note.velocity), seed)
          #expect((note.velocity == 0) == (old.velocity == 0), seed)
        }
      }
    }
  }

  private func byID(_ chosen: ChosenNotes) -> [NoteID: MIDINote] {
    Dictionary(uniqueKeysWithValues: chosen.notes.map { ($0.id, $0) })
  }
}
