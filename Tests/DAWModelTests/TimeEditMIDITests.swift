import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@Suite("Edits of time and what MIDI events hold")
struct TimeEditMIDITests {
  typealias Message = RegionEvent.Message

  private static let track = TrackID(rawValue: 2)

  /// A MIDI track with regions from one quarter to another, with events at quarters of the timeline.
  private func song(
    _ regions: [(range: Range<Int64>, events: [(quarter: Int64, message: Message)])], isMuted: Bool = false
  ) throws -> TimeEditTests.Song {
    var song = TimeEditTests.Song(
      Project(
        id: ProjectID.random(), createdDate: Timestamp(milliseconds: 0),
        settings: ProjectSettings(name: try Name("Song")), master: TrackID(rawValue: 1)))
    try song.tables.apply(
      .add([
        Track(id: Self.track, name: try Name("Keys"), orderKey: .between(nil, nil), trackType: .midi, channelCount: 2)
      ]))
    for (index, entry) in regions.enumerated() {
      let id = RegionID(rawValue: Int64(10 + index))
      try song.tables.apply(
        .add(
          Region(
            id: id, track: Self.track, name: try Name("R\(index)"),
            start: .musical(quarters(entry.range.lowerBound)), content: .midi(.quarters(Int64(entry.range.count))),
            isMuted: isMuted)))
      let events = entry.events.enumerated().map { number, event in
        RegionEvent(
          id: EventID(rawValue: Int64(100 * (index + 1) + number)), region: id,
          start: .quarters(event.quarter - entry.range.lowerBound), message: event.message)
      }
      if !events.isEmpty { try song.tables.apply(.add(events)) }
    }
    return song
  }

  private func quarters(_ count: Int64) -> TickPosition { .zero + .quarters(count) }

  private func pedal(_ value: Int) -> Message { .controller(number: 64, value: value) }

  /// The events at a quarter, in order of region and id.
  private func messages(_ song: TimeEditTests.Song, at quarter: Int64) -> [Message] {
    song.project.regions.values.sorted { $0.id < $1.id }.flatMap { region in
      (song.project.events[region.id] ?? []).filter {
        song.map.ticks(at: region.start) + $0.start == quarters(quarter)
      }
      .map(\.message)
    }
  }

  private func count(_ song: TimeEditTests.Song) -> Int { song.project.events.values.joined().count }

  /// The pedal and a bend from quarter 1 to 6, a program at 5.
  private var phrase: [(quarter: Int64, message: Message)] {
    [
      (1, pedal(127)), (6, pedal(0)), (1, .pitchBend(4_096)), (6, .pitchBend(0)), (5, .program(40)),
    ]
  }

  @Test("What is set in deleted time holds from the cut on, in the region there or the next one")
  func deleting() throws {
    var song = try song([(0..<32, phrase)])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(Set(messages(song, at: 4)) == [pedal(0), .pitchBend(0), .program(40)] && count(song) == 5)
    // What differs from nothing only by what is at rest is not said.
    song = try self.song([(0..<32, phrase)])
    try song.make(.deleting(.zero..<quarters(8)))
    #expect(messages(song, at: 0) == [.program(40)] && count(song) == 1)
    song = try self.song([(0..<8, phrase), (12..<16, [])])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(Set(messages(song, at: 8)) == [pedal(0), .pitchBend(0), .program(40)] && count(song) == 5)
    song = try self.song([(0..<8, phrase)])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(count(song) == 2)
  }

  @Test("Nothing is added where nothing differs, where an event at the cut sets it, or where nothing is heard")
  func unchanged() throws {
    var song = try song([(0..<32, phrase)])
    try song.make(.deleting(quarters(8)..<quarters(12)))
    #expect(count(song) == 5)
    try song.make(.inserting(.quarters(4), at: quarters(3)))
    #expect(count(song) == 5)
    try song.make(.deleting(quarters(3)..<quarters(7)))
    #expect(count(song) == 5)
    let later: [(quarter: Int64, message: Message)] = [(8, pedal(64)), (8, .pitchBend(5)), (8, .program(1))]
    song = try self.song([(0..<32, phrase + later)])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(messages(song, at: 4) == [pedal(64), .pitchBend(5), .program(1)] && count(song) == 5)
    song = try self.song([(0..<32, phrase)], isMuted: true)
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(count(song) == 2)
  }

  @Test("A copy begins with what holds where it comes from, and what comes after it with what held there")
  func copying() throws {
    var song = try song([(0..<32, phrase)])
    try song.make(.copying(quarters(0)..<quarters(4), to: quarters(16), count: 2))
    #expect(messages(song, at: 16).isEmpty)
    #expect(Set(messages(song, at: 17)) == [pedal(127), .pitchBend(4_096)])
    #expect(Set(messages(song, at: 20)) == [pedal(0), .pitchBend(0)])
    #expect(Set(messages(song, at: 24)) == [pedal(0), .pitchBend(0)])
    #expect(count(song) == 5 + 2 * 2 + 2 * 2)
    song = try self.song([(0..<32, phrase)])
    try song.make(.copying(quarters(2)..<quarters(4), to: quarters(16), count: 1))
    #expect(Set(messages(song, at: 16)) == [pedal(127), .pitchBend(4_096)])
    #expect(Set(messages(song, at: 18)) == [pedal(0), .pitchBend(0)])
  }

  @Test("What a copy has set to its value at rest is set again behind it")
  func copyingBeforeTheFirstEvent() throws {
    var song = try song([(0..<32, phrase)])
    try song.make(.copying(quarters(0)..<quarters(1), to: quarters(3), count: 2))
    #expect(Set(messages(song, at: 3)) == [pedal(0), .pitchBend(0)])
    #expect(messages(song, at: 4).isEmpty)
    #expect(Set(messages(song, at: 5)) == [pedal(127), .pitchBend(4_096)])
    #expect(count(song) == 5 + 2 + 2)
  }

  @Test("A program holds with its bank, a parameter with what selects it, and a reset as what it resets")
  func banksAndParameters() throws {
    func control(_ number: Int, _ value: Int) -> Message { .controller(number: number, value: value) }
    var song = try song([
      (0..<32, [(1, pedal(127)), (1, control(7, 90)), (5, control(0, 3)), (5, control(32, 2)), (5, .program(9))])
    ])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(messages(song, at: 4) == [.program(9, bank: 3 << 7 | 2)])
    song = try self.song([
      (0..<32, [(1, pedal(127)), (1, control(7, 90)), (5, control(121, 0))])
    ])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(messages(song, at: 4) == [pedal(0)])
    song = try self.song([
      (0..<32, [(5, control(101, 0)), (5, control(100, 0)), (5, control(6, 12)), (8, control(6, 24))])
    ])
    try song.make(.deleting(quarters(4)..<quarters(8)))
    #expect(
      messages(song, at: 4) == [control(6, 24), control(101, 0), control(100, 0), control(6, 24)])
  }

  @Test("A bank for the next program is selected behind a program that is set at the cut, and not that of a copy")
  func banksOfLaterPrograms() throws {
    func control(_ number: Int, _ value: Int) -> Message { .controller(number: number, value: value) }
    // In deleted time, and at the cut's own tick, where banks are sent before programs.
    for quarter in [6, 8] as [Int64] {
      var song = try song([(0..<32, [(5, .program(9, bank: 2)), (quarter, control(0, 3)), (12, .program(7))])])
      try song.make(.deleting(quarters(4)..<quarters(8)))
      #expect(messages(song, at: 4).last == .program(9, bank: 2), "\(quarter)")
      let behind = song.project.events.values.joined().filter { $0.start == TickCount(ticks: 1) }
      #expect(behind.map(\.message) == [control(0, 3)], "\(quarter)")
      #expect(count(song) == (quarter == 6 ? 3 : 4), "\(quarter)")
    }
    var song = try song([(0..<32, [(1, .program(5, bank: 1)), (10, control(32, 4)), (20, .program(6))])])
    try song.make(.copying(quarters(8)..<quarters(12), to: quarters(4), count: 1))
    #expect(messages(song, at: 4).isEmpty && messages(song, at: 8) == [control(32, 1)])
  }
}
