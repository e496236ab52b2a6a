import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange
@testable import DAWProject

/// Random projects, out into a MIDI file and in again.
@Suite("A project that goes through a MIDI file")
struct MIDIRoundTripTests {
  @Test("comes back with the same notes, events, tempi, meters, keys, markers and names")
  func wholeProjects() throws {
    let seed = Seed.current()
    let songs = try SongFolder()
    for round in 0..<12 {
      var random = SeededGenerator(seed: seed &+ UInt64(round))
      let first = try songs.project("First \(round)") { try fill($0, &random) }
      defer { first.close() }
      let file = try songs.exporting(first)
      let (second, result) = try songs.importing(file, as: "Second \(round)")
      defer { second.close() }
      let message: Testing.Comment = "seed \(seed), round \(round), \(result.warnings)"
      #expect(try songs.exporting(second) == file, message)
      #expect(try contents(of: second) == contents(of: first), message)
    }
  }

  /// What must come back, at places on the timeline, without ids and regions.
  private struct Contents: Equatable {
    var notes: [String: Set<[Int64]>] = [:]
    var events: [String: [[Int64]: [RegionEvent.Message]]] = [:]
    var instruments: [String: [Int]] = [:]
    var tempos: [Int64: Int] = [:]
    var meters: [MeterPoint] = []
    var keys: Set<[Int]> = []
    var markers: [String] = []
  }

  private func contents(of session: Session) throws -> Contents {
    try session.read { view in
      var contents = Contents()
      let map = try view.tempoMap()
      for track in try view.tracks() where track.trackType == .midi {
        let instrument = try view.instrument(of: track.id)
        contents.instruments[track.name.text] = [instrument?.bank ?? 0, instrument?.program ?? 0]
        for region in try view.regions(RegionFilter(track: track.id)) {
          let start = map.ticks(at: region.start)
          for note in try view.notes(in: region.id) {
            let numbers = [note.pitch, note.velocity, note.channel, note.releaseVelocity].map(Int64.init)
            contents.notes[track.name.text, default: []]
              .insert([(start + note.start).ticks, note.duration.ticks] + numbers)
          }
          for event in try view.events(in: region.id) {
            contents.events[track.name.text, default: [:]][
              [(start + event.start).ticks, Int64(event.channel), event.message.kind == .meta ? 0 : 1], default: []
            ].append(event.message)
          }
        }
      }
      for change in map.tempos { contents.tempos[change.position.ticks] = change.tempo.microsecondsPerQuarter }
      contents.meters = map.meters
      contents.keys = Set(try view.keySignatures().map { [Int($0.position.ticks), $0.fifths, $0.isMinor ? 1 : 0] })
      contents.markers = try view.markers().map { "\($0.kind) \($0.name) \(map.ticks(at: $0.start).ticks)" }
      return contents
    }
  }

  private func fill(_ editor: Editor, _ random: inout SeededGenerator) throws {
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    // One project in three has places that only the finest division says.
    let step = [128, 32, 1][Int(number(0...2))] as Int64
    func place(_ highest: Int64) -> Int64 { number(0...highest / step) * step }
    var settings = try editor.view.header().settings
    settings.tempo = Tempo(microsecondsPerQuarter: Int(number(100_000...2_000_000)))
    settings.timeSignature = TimeSignature(Int(number(1...12)), over: 1 << Int(number(0...5)))
    try editor.apply(.setProject(settings))
    for index in 1...number(1...6) {
      let tempo = Tempo(microsecondsPerQuarter: Int(number(100_000...2_000_000)))
      try editor.apply(
        .add(
          TempoChange(
            id: try editor.newID(of: TempoChange.self),
            position: TickPosition(ticks: (index * 40_000 + place(30_000)) / 128 * 128), tempo: tempo)))
      let meter = TimeSignature(Int(number(1...64)), over: 1 << Int(number(0...6)))
      try editor.apply(
        .add(MeterChange(id: try editor.newID(of: MeterChange.self), bar: index * 3, timeSignature: meter)))
      try editor.apply(
        .add(
          KeySignature(
            id: try editor.newID(of: KeySignature.self), position: TickPosition(ticks: index * 40_960),
            fifths: Int(number(-7...7)), isMinor: number(0...1) == 0)))
      try editor.apply(
        .add(
          Marker(
            id: try editor.newID(of: Marker.self), name: Name("Größe \(index)"),
            kind: number(0...1) == 0 ? .marker : .cue,
            start: .musical(TickPosition(ticks: place(400_000))))))
    }
    for index in 1...number(1...4) {
      var setup = TrackSetup()
      setup.type = .midi
      // One track in two has one channel, and so an instrument that a file can say.
      let channels = number(0...1) * 15
      if channels == 0 {
        setup.instrument.set(\.bank, to: Int(number(0...16_383)))
        setup.instrument.set(\.program, to: Int(number(1...127)))
      }
      let track = try editor.addTrack(named: "Track \(index)", Change(), setup)
      for part in 0..<number(1...3) {
        let length: Int64 = 200_000 / 128 * 128
        let region = Region(
          id: try editor.newID(of: Region.self), track: track.id, start: .musical(TickPosition(ticks: part * length)),
          content: .midi(TickCount(ticks: length)))
        try editor.apply(.add(region))
        try editor.apply(.add(notes(in: region, length, channels, step, editor.newID(of: MIDINote.self), &random)))
        try editor.apply(.add(events(in: region, length, channels, step, editor.newID(of: RegionEvent.self), &random)))
      }
    }
  }

  /// Notes of one pitch and channel overlap, but none lies within another: that is what a file cannot say.
  private func notes(
    in region: Region, _ length: Int64, _ channels: Int64, _ step: Int64, _ first: NoteID,
    _ random: inout SeededGenerator
  ) -> [MIDINote] {
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    var ends: [[Int64]: Int64] = [:]
    return (0..<number(1...60)).compactMap { index in
      let voice = [number(50...60), number(0...channels)]
      // The first note is at the region's start, ahead of all events.
      let start = index == 0 ? 0 : max(number(0...length / step - 2) * step, (ends[voice] ?? 0) - step)
      let end = max(start, ends[voice] ?? 0) + number(1...100) * step
      guard end <= length, start >= (ends[voice].map { $0 - step } ?? 0) else { return nil }
      ends[voice] = end
      return MIDINote(
        id: first.advanced(by: Int(index)), region: region.id, pitch: Int(voice[0]), velocity: Int(number(1...127)),
        start: TickCount(ticks: start), duration: TickCount(ticks: end - start), channel: Int(voice[1]),
        releaseVelocity: Int(number(0...127)))
    }
  }

  private func events(
    in region: Region, _ length: Int64, _ channels: Int64, _ step: Int64, _ first: EventID,
    _ random: inout SeededGenerator
  ) -> [RegionEvent] {
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    return (0..<number(1...40)).map { index in
      let value = Int(number(0...127))
      let message: RegionEvent.Message =
        switch number(0...6) {
        case 0: .controller(number: Int(number(0...127)), value: value)
        case 1: .pitchBend(Int(number(-8192...8191)))
        case 2: .channelPressure(value)
        case 3: .polyPressure(pitch: 60, value: value)
        case 4: .systemExclusive([0xf0, UInt8(value), 0xf7])
        case 5: .meta(type: 5, [UInt8(value), 0xe4])
        // A program at the start would be the instrument's.
        default: .program(value)
        }
      // Behind the first note, so that the instrument stays what the notes begin with.
      let start = max(step, number(0...length / step) * step)
      return RegionEvent(
        id: first.advanced(by: Int(index)), region: region.id, start: TickCount(ticks: start),
        channel: message.kind.hasChannel ? Int(number(0...channels)) : 0, message: message)
    }
  }
}
