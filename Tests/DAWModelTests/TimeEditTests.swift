import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("Edits of time")
struct TimeEditTests {
  private static func emptyProject() throws -> Project {
    Project(
      id: ProjectID.random(), createdDate: Timestamp(milliseconds: 0),
      settings: ProjectSettings(name: try Name("Song")),
      master: TrackID(rawValue: 1))
  }

  /// Random projects with a random place in each, mostly on a bar line.
  private func forRandomSongs(
    _ body: (Song, TickPosition, inout SeededGenerator, Testing.Comment) throws -> Void
  ) throws {
    let seed = Seed.current()
    var random = RandomEdits(seed: seed)
    for number in 0..<40 {
      var song = Song(try Self.emptyProject())
      for _ in 0..<150 { try? song.tables.apply(random.next(for: song.project)) }
      // What random edits do not make alone: a start near the others, and ramps.
      let map = song.map
      var place = TickPosition(ticks: Int64.random(in: 0...1_000_000, using: &random.generator))
      switch Int.random(in: 0..<4, using: &random.generator) {
      case 0: place = song.project.tempoChanges.values.map(\.position).min() ?? place
      case 1: place = .zero
      case 2: break
      default:
        place = (try? map.ticks(at: BarBeatTick(bar: map.barBeatTick(at: place).bar))) ?? place
      }
      try body(song, place, &random.generator, "seed \(seed), song \(number)")
    }
  }

  @Test("Deleting inserted time restores the project, but for the cut, and so does deleting copies")
  func inverse() throws {
    var made = 0
    try forRandomSongs { original, place, generator, seed in
      let before = TickPosition(ticks: max(0, place.ticks - 1))
      let bar = original.map.timeSignature(at: before).bar
      let length = TickCount(ticks: bar.ticks * Int64.random(in: 1...5, using: &generator))
      var song = original
      do { try song.make(.inserting(length, at: place)) } catch is TimeEditError { return }
      made += 1
      #expect(song.counts.removedRegions == 0 && song.counts.copiedRegions == 0, seed)
      try song.make(.deleting(place..<place + length))
      #expect(song.state(cutAt: [place]) == original.state(cutAt: [place]), seed)
      var copied = original
      let range = TickPosition(ticks: place.ticks / 2)..<(TickPosition(ticks: place.ticks / 2) + length)
      do { try copied.make(.copying(range, to: place, count: 3)) } catch is TimeEditError { return }
      do {
        try copied.make(.deleting(place..<place + TickCount(ticks: 3 * length.ticks)))
      } catch is TimeEditError { return }
      // What holds behind the copies is said by rows and events of its own, which stay. Places are then rounded to
      // flicks from other ones: by a ramp in two, or a tempo that begins anew, what is in seconds may be another by a
      // flick.
      if original.map.tempos.count == 1, original.map.tempos.allSatisfy({ !$0.isRamp }) {
        #expect(
          copied.state(cutAt: [place], hasTempoMap: false) == original.state(cutAt: [place], hasTempoMap: false), seed)
      }
      for tick in stride(from: Int64(0), to: 2_000_000, by: 99_991).map(TickPosition.init(ticks:)) {
        #expect(abs((copied.map.flicks(at: tick) - original.map.flicks(at: tick)).flicks) <= 2, seed)
        #expect(copied.map.timeSignature(at: tick) == original.map.timeSignature(at: tick), seed)
      }
    }
    #expect(made > 20)
  }

  @Test(
    "What comes after inserted time sounds at the same distance from its beginning, and what comes before as it did")
  func distances() throws {
    try forRandomSongs { original, place, generator, seed in
      let length = TickCount(ticks: Int64.random(in: 1...400_000, using: &generator))
      var song = original
      do { try song.make(.inserting(length, at: place)) } catch is TimeEditError { return }
      let (old, new) = (original.map, song.map)
      for _ in 0..<50 {
        let tick = TickCount(ticks: Int64.random(in: 0...1_000_000, using: &generator))
        let distance = old.flicks(at: place + tick) - old.flicks(at: place)
        let now = new.flicks(at: place + length + tick) - new.flicks(at: place + length)
        // A flick for each change of tempo between, which is on a whole one.
        let tolerance = Int64(2 + old.tempos.count)
        #expect(abs((now - distance).flicks) <= tolerance, "\(tick) \(seed)")
        let early = TickPosition(ticks: Int64.random(in: 0...max(1, place.ticks), using: &generator))
        if early <= place { #expect(abs((new.flicks(at: early) - old.flicks(at: early)).flicks) <= 2, seed) }
      }
      // Audio keeps its place among what is musical.
      for region in original.project.regions.values {
        guard let moved = song.project.regions[region.id], region.startFlicks(in: old) >= old.flicks(at: place) else {
          continue
        }
        let (was, now) = (old.ticks(at: region.start), new.ticks(at: moved.start))
        #expect(abs((now - was - length).ticks) <= 1, "\(region.start) \(seed)")
      }
    }
  }

  /// A MIDI region of eight quarters from 0 with a note on each, an audio region of 4 s from 1 s, 120 BPM.
  private func song() throws -> Song {
    var song = Song(try Self.emptyProject())
    let (keys, drums) = (TrackID(rawValue: 2), TrackID(rawValue: 3))
    let region = RegionID(rawValue: 10)
    try song.tables.apply(
      .add([
        Track(id: keys, name: try Name("Keys"), orderKey: .between(nil, nil), trackType: .midi, channelCount: 2),
        Track(id: drums, name: try Name("Drums"), orderKey: .between(.between(nil, nil), nil), trackType: .audio),
      ]))
    try song.tables.apply(
      .add(Region(id: region, track: keys, start: .musical(.zero), content: .midi(.quarters(8)))))
    try song.tables.apply(
      .add(
        (0..<8).map {
          MIDINote(
            id: NoteID(rawValue: 100 + $0), region: region, pitch: 60 + Int($0), start: .quarters($0),
            duration: $0 == 7 ? .quarters(1) : TickCount(ticks: 20_000))
        }))
    try song.tables.apply(
      .add([
        RegionEvent(id: EventID(rawValue: 200), region: region, start: .quarters(4), message: .pitchBend(7)),
        RegionEvent(id: EventID(rawValue: 201), region: region, start: .quarters(8), message: .pitchBend(8)),
      ]))
    let file = AudioFileID(rawValue: 20)
    try song.tables.apply(
      .add(
        AudioFile(
          id: file,
          location: MediaLocation(
            path: "Audio/a.wav", relativePath: nil, sha256: String(repeating: "0", count: 64), byteCount: 1,
            modificationTime: 0),
          frames: FrameCount(frames: 480_000), sampleRate: SampleRate(hertz: 48_000), channelCount: 1, format: "WAV")))
    try song.tables.apply(
      .add(
        Region(
          id: RegionID(rawValue: 11), track: drums, start: .absolute(.zero + .seconds(1)),
          content: .audio(AudioSpan(file: file, offset: .seconds(1), duration: .seconds(4))))))
    return song
  }

  private func quarters(_ count: Int64) -> TickPosition { .zero + .quarters(count) }

  @Test("A deleted range takes the notes, events and audio in it along; what crosses an end is cut there")
  func deleting() throws {
    var song = try song()
    try song.make(.deleting(quarters(3)..<quarters(5)))
    #expect(song.counts.cutRegions == 2 && song.counts.movedRegions == 0)
    let midi = song.project.regions.values.filter { $0.regionType == .midi }.sorted { $0.id < $1.id }
    #expect(midi.map(\.content) == [.midi(.quarters(3)), .midi(.quarters(3))])
    #expect(midi.map(\.start) == [.musical(.zero), .musical(quarters(3))])
    let pitches = midi.map { song.project.notes[$0.id]?.map(\.pitch) ?? [] }
    // The note of quarter 4 sounds on into quarter 5.
    #expect(pitches == [[60, 61, 62], [64, 65, 66, 67]])
    // The bend in deleted time holds from the cut on.
    #expect((song.project.events[midi[1].id] ?? []).map(\.message) == [.pitchBend(7), .pitchBend(8)])
    let audio = song.project.regions.values.filter { $0.regionType == .audio }.sorted { $0.id < $1.id }
    #expect(audio.map(\.start) == [.absolute(.zero + .seconds(1)), .absolute(.zero + .milliseconds(1_500))])
    #expect(audio.compactMap(\.audio?.offset) == [.seconds(1), .milliseconds(2_500)])
    #expect(audio.compactMap(\.audio?.duration) == [.milliseconds(500), .milliseconds(2_500)])
    try song.make(.deleting(.zero..<quarters(100)))
    #expect(song.project.regions.isEmpty && song.project.notes.values.allSatisfy(\.isEmpty))
  }

  @Test("A copy has what lies between, cut at its ends, and goes in before what comes after")
  func copying() throws {
    var song = try song()
    try song.make(.copying(quarters(2)..<quarters(4), to: quarters(4), count: 2))
    let midi = song.project.regions.values.filter { $0.regionType == .midi }
    #expect(midi.map { song.map.ticks(at: $0.start) }.sorted() == [.zero, quarters(4), quarters(6), quarters(8)])
    let notes = midi.flatMap { region in
      (song.project.notes[region.id] ?? []).map { (region.startFlicks(in: song.map), $0.pitch) }
    }
    #expect(notes.map(\.1).sorted() == [60, 61, 61, 61, 62, 62, 62, 63, 63, 63, 63, 64, 65, 66, 67])
    let audio = song.project.regions.values.filter { $0.regionType == .audio }
    #expect(audio.map { $0.startFlicks(in: song.map).seconds }.sorted() == [1, 2, 3, 4])
  }

  @Test("Copies with more notes, events, points and marks than one edit makes are refused before they are laid out")
  func tooManyCopies() throws {
    var song = try song()
    let before = song.project
    // Two notes.
    let layout = TimelineLayout.copying(quarters(1)..<quarters(3), to: quarters(4), count: 600_000)
    #expect(throws: TimeEditError.tooManyCopies) { try song.make(layout) }
    let (lane, keys) = (LaneID(rawValue: 50), TrackID(rawValue: 2))
    try song.tables.apply(.add(Lane(id: lane, of: .track(keys), parameter: "volume")))
    try song.tables.apply(
      .add((0..<1_000).map { LanePoint(id: LanePointID(rawValue: 1_000 + $0), lane: lane, position: $0, value: -6) }))
    let points = TimelineLayout.copying(.zero..<quarters(1), to: quarters(4), count: 999)
    #expect(throws: TimeEditError.tooManyCopies) { try song.make(points) }
    #expect(song.project.regions == before.regions && song.project.notes == before.notes)
    try song.make(points, tracks: [TrackID(rawValue: 3)])
  }

  @Test("Inserted time keeps a fade that it cuts; where deleted time cuts one, the edge has the nearer one")
  func fades() throws {
    var original = try song()
    var region = try #require(original.project.regions[RegionID(rawValue: 11)])
    region.fadeIn = Fade(length: .milliseconds(50))
    try original.tables.apply(.set(region))
    // 960 ticks are 31.25 ms, 320 a third of that.
    for (ticks, fade) in [
      (Int64(960), Fade(length: Fade.edgeLength)),
      (Int64(320), Fade(length: FlickCount(flicks: 35_280_000 - 22_050_000 / 3))),
    ] {
      let place = quarters(2) + TickCount(ticks: ticks)
      var song = original
      try song.make(.deleting(.zero..<place))
      #expect(song.project.regions[region.id]?.fadeIn == fade)
      #expect(song.cuts.fades.map(\.regions) == [[region.id]] && song.cuts.fades.map(\.position) == [place])
      song = original
      try song.make(.inserting(.quarters(1), at: place))
      let parts = song.project.regions.values.filter { $0.regionType == .audio }.sorted { $0.id < $1.id }
      #expect(parts.map(\.fadeIn.length) == [.milliseconds(50), .milliseconds(50)])
      #expect(parts.map(\.fadeIn.cut) == [.zero, FlickCount(flicks: 22_050_000 * ticks / 960)])
      #expect(song.cuts == TimeEdit.Cuts())
    }
  }

  @Test("A cut inside a fade at the end is told as well; an edge that had no fade is none")
  func fadesOut() throws {
    var song = try song()
    try song.make(.deleting(quarters(1)..<quarters(3)))
    #expect(song.cuts == TimeEdit.Cuts())
    song = try self.song()
    var region = try #require(song.project.regions[RegionID(rawValue: 11)])
    region.fadeOut = Fade(length: .milliseconds(50))
    try song.tables.apply(.set(region))
    // It ends at quarter 10; 960 ticks are 31.25 ms.
    let place = TickPosition(ticks: quarters(10).ticks - 960)
    try song.make(.deleting(place..<quarters(12)))
    #expect(song.project.regions[region.id]?.fadeOut == Fade(length: Fade.edgeLength))
    #expect(song.cuts.fades.map(\.regions) == [[region.id]] && song.cuts.fades.map(\.position) == [place])
  }

  @Test("A cut inside a crossfade is told, also where the regions were split before, and none beside it")
  func crossfades() throws {
    var original = try song()
    var region = try #require(original.project.regions[RegionID(rawValue: 11)])
    region.id = RegionID(rawValue: 12)
    // Over the last second of the first one, quarters 8 to 10.
    region.start = .absolute(.zero + .seconds(4))
    region.name = try Name("B")
    try original.tables.apply(.add(region))
    var song = original
    try song.make(.inserting(.quarters(1), at: quarters(9)))
    #expect(song.cuts == TimeEdit.Cuts())
    var track = try #require(original.project.tracks[TrackID(rawValue: 3)])
    track.overlap = .crossfade
    try original.tables.apply(.set(track))
    for quarter in [Int64(6), 8, 10, 12] {
      song = original
      try song.make(.inserting(.quarters(1), at: quarters(quarter)))
      #expect(song.cuts == TimeEdit.Cuts(), "\(quarter)")
    }
    song = original
    for _ in 0..<2 {
      try song.make(.inserting(.quarters(4), at: quarters(9)))
      #expect(song.cuts.crossfades.map(\.regions) == [[RegionID(rawValue: 11), region.id]])
      #expect(song.cuts.crossfades.map(\.position) == [quarters(9)])
      try song.make(.deleting(quarters(9)..<quarters(13)))
    }
    // What is not heard is not crossfaded.
    let heard = region
    for change in [{ $0.isMuted = true }, { $0.gain = .silence }] as [(inout Region) -> Void] {
      region = heard
      change(&region)
      song = original
      try song.tables.apply(.set(region))
      try song.make(.inserting(.quarters(1), at: quarters(9)))
      #expect(song.cuts == TimeEdit.Cuts(), "\(region)")
    }
  }

  @Test("Only the tracks that are named move, and the tempo map stays")
  func tracks() throws {
    var song = try song()
    try song.tables.apply(
      .add(TempoChange(id: TempoChangeID(rawValue: 30), position: quarters(4), tempo: Tempo(bpm: 60))))
    try song.tables.apply(
      .add(Marker(id: MarkerID(rawValue: 31), name: try Name("M"), start: .musical(quarters(6)))))
    let before = song.project
    try song.make(.inserting(.quarters(4), at: .zero), tracks: [TrackID(rawValue: 3)])
    #expect(song.project.tempoChanges == before.tempoChanges && song.project.markers == before.markers)
    #expect(song.project.notes == before.notes)
    // From quarter 2 to quarter 6, two of which last a second now.
    #expect(song.project.regions[RegionID(rawValue: 11)]?.start == .absolute(.zero + .seconds(4)))
    try song.make(.deleting(.zero..<quarters(4)), tracks: [TrackID(rawValue: 3)])
    #expect(song.project == before)
  }

  @Test("A ramp is cut by inserted time and joined again; a deletion that would bend it is refused")
  func ramps() throws {
    var song = try song()
    try song.tables.apply(
      .add([
        TempoChange(id: TempoChangeID(rawValue: 30), position: quarters(4), tempo: Tempo(bpm: 60), isRamp: true),
        TempoChange(id: TempoChangeID(rawValue: 31), position: quarters(8), tempo: Tempo(bpm: 120)),
      ]))
    let before = song.project
    try song.make(.inserting(.quarters(4), at: quarters(6)))
    #expect(song.map.tempos.map(\.tempo.bpm) == [120, 60, 90, 90, 120])
    #expect(song.map.tempos.map(\.isRamp) == [false, true, false, true, false])
    #expect(song.map.tempo(at: quarters(8)) == Tempo(bpm: 90))
    try song.make(.deleting(quarters(6)..<quarters(10)))
    #expect(song.project.tempoChanges == before.tempoChanges)
    #expect(throws: TimeEditError.rampIsCut(at: quarters(5), from: Tempo(bpm: 75), to: Tempo(bpm: 105))) {
      try song.make(.deleting(quarters(5)..<quarters(7)))
    }
    // From before the ramp into it: it goes on from the tempo that it has there.
    try song.make(.deleting(quarters(2)..<quarters(6)))
    #expect(song.map.tempos.map(\.tempo.bpm) == [120, 90, 120])
    #expect(song.map.tempos.map(\.isRamp) == [false, true, false])
    try song.make(.deleting(.zero..<quarters(3)))
    #expect(song.project.settings.tempo == Tempo(bpm: 105) && song.project.settings.isTempoRamp)
  }

  @Test("Meters, keys, ranges of markers and comments go along; a meter within a bar is refused")
  func marks() throws {
    var song = try song()
    try song.tables.apply(
      .add(MeterChange(id: MeterChangeID(rawValue: 40), bar: 3, timeSignature: TimeSignature(3, over: 4))))
    try song.tables.apply(.add(KeySignature(id: KeySignatureID(rawValue: 41), position: .zero, fifths: 2)))
    try song.tables.apply(
      .add([
        Marker(
          id: MarkerID(rawValue: 42), name: try Name("Verse"), start: .musical(quarters(2)),
          length: .musical(.quarters(6))),
        Marker(id: MarkerID(rawValue: 43), name: try Name("Inside"), start: .absolute(.zero + .seconds(2))),
      ]))
    try song.tables.apply(
      .add(
        Comment(
          id: CommentID(rawValue: 44), position: .musical(quarters(5)), author: "a", date: Timestamp(milliseconds: 0),
          text: "x")))
    #expect(throws: TimeEditError.meterInsideBar(TimeSignature(3, over: 4), barLine: quarters(8))) {
      try song.make(.inserting(.quarters(1), at: quarters(4)))
    }
    try song.make(.inserting(.quarters(4), at: quarters(4)))
    #expect(song.project.meterChanges.values.map(\.bar) == [4])
    #expect(song.project.markers[MarkerID(rawValue: 42)]?.length == .musical(.quarters(10)))
    #expect(song.project.markers[MarkerID(rawValue: 43)]?.start == .absolute(.zero + .seconds(4)))
    #expect(song.project.comments[CommentID(rawValue: 44)]?.position == .musical(quarters(9)))
    try song.make(.deleting(quarters(4)..<quarters(12)))
    #expect(song.project.markers.count == 1)
    #expect(song.project.markers[MarkerID(rawValue: 42)]?.length == .musical(.quarters(2)))
    #expect(song.project.comments[CommentID(rawValue: 44)]?.position == .musical(quarters(4)))
    #expect(song.project.meterChanges.values.map(\.bar) == [2])
    #expect(song.project.keySignatures.values.map(\.position) == [.zero])
    // The 3/4 of the deleted bars' end holds from the start.
    try song.make(.deleting(.zero..<quarters(4)))
    #expect(song.project.settings.timeSignature == TimeSignature(3, over: 4) && song.project.meterChanges.isEmpty)
    #expect(song.project.keySignatures.values.map(\.fifths) == [2])
  }

  /// Another program may have written it.
  @Test("Behind the last id there is none: a copy of one row takes it, and one of two is refused")
  func lastID() throws {
    var song = Song(try Self.emptyProject())
    let range = TickPosition.zero..<quarters(4)
    try song.tables.apply(
      .add(Marker(id: MarkerID(rawValue: .max - 1), name: try Name("Verse"), start: .musical(quarters(1)))))
    var other = song
    try song.make(.copying(range, to: quarters(100), count: 1))
    #expect(song.project.markers[MarkerID(rawValue: .max)]?.start == .musical(quarters(101)))
    #expect(throws: EditError.self) { try other.make(.copying(range, to: quarters(100), count: 2)) }
  }
}
