import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("Takes of MIDI tracks")
struct MIDITakeTests {
  private let song: RecordedProject
  private let keys: TrackID

  init() throws {
    song = try RecordedProject()
    keys = try song.session.edit(song.origin) { editor in
      var setup = TrackSetup()
      setup.type = .midi
      return try editor.addTrack(named: "Keys", Change(), setup).id
    }.value
  }

  private func folder(_ title: String) throws -> RecordingFolder {
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    return try RecordingFolder(
      opening: place.appending(try #require(try place.open().names().first { $0.hasSuffix(title) })))
  }

  /// Adds a pass of MIDI to a recording: a note through all of a second on the timeline.
  /// - Parameters:
  ///   - take: its id, in place of the one after the pass's.
  ///   - start: the first frame on the timeline.
  /// - Returns: the name of the file of messages.
  @discardableResult
  private func addPass(
    _ id: Int64, take: Int64? = nil, to folder: RecordingFolder, named name: String, at start: Int64 = 0
  ) throws -> String {
    let pass = PassHeader(
      pass: id, take: take ?? id + 1, track: keys.rawValue, trackName: name, kind: .midi, channelCount: 0)
    let events = try EventsWriter(in: folder, pass: pass, header: try #require(folder.header))
    events.append(RecordedEvent(pass: id, passFrame: 0, bytes: [0x90, 60, 100]))
    events.append(RecordedEvent(pass: id, passFrame: 47_999, bytes: [0x80, 60, 0]))
    try events.flush()
    try Ledger(reopeningIn: folder).append([
      .pass(pass), .piece(pass: id, RecordedPiece(passFrame: 0, timelineFrame: start, frames: 48_000)),
      .endPass(pass: id, frames: 48_000),
    ])
    return events.name
  }

  private func regions() throws -> [Region] {
    let regions = try song.session.read { try $0.regions(RegionFilter(track: keys)) }
    return regions.sorted { (quarters(of: $0).start, $0.id) < (quarters(of: $1).start, $1.id) }
  }

  private func quarters(of region: Region) -> (start: Double, length: Double) {
    guard case .musical(let start) = region.start, case .midi(let length) = region.content else { return (-1, -1) }
    return (Double(start.ticks) / Double(TickCount.perQuarter), Double(length.ticks) / Double(TickCount.perQuarter))
  }

  private func pitches(in region: Region) throws -> [Int] {
    try song.session.read { try $0.notes(in: region.id).map(\.pitch) }
  }

  @Test("A take whose id in the ledger is that of another gets one of its own")
  func takenID() throws {
    let first = try song.record(3)
    try song.record(7, title: "Chorus", isRecovered: false)
    try addPass(91, take: first.rawValue * 10 + 2, to: folder("Chorus"), named: "Keys")
    let finished = try song.session.recoverRecordings().recovered.map { try $0.outcome.get() }
    #expect(finished.map(\.takes.count) == [2])
    #expect(try song.session.read { try $0.all(Take.self).compactMap(\.pass?.rawValue).sorted() } == [31, 71, 91])
    #expect(try regions().map { try pitches(in: $0) } == [[60]])
  }

  @Test("A pass whose id in the ledger is that of another recording keeps nothing else from the project")
  func takenPass() throws {
    let first = try song.record(3)
    let before = try song.facts(first)
    let id = try song.record(7, title: "Chorus", isRecovered: false)
    try addPass(31, take: 92, to: folder("Chorus"), named: "Keys")
    let finished = try song.session.recoverRecordings().recovered.map { try $0.outcome.get() }
    #expect(finished.map(\.takes.count) == [1])
    let facts = try #require(try song.facts(id))
    #expect(facts.recording.isCompleted && facts.passes.map(\.id.rawValue) == [71])
    #expect(try song.facts(first) == before && song.session.recoverRecordings().recovered.isEmpty)
  }

  @Test("The notes of a take are found where an audio track has the same name")
  func sameName() throws {
    try song.record(7, isRecovered: false)
    let folder = try folder("Verse")
    // The audio track was the first to have the name.
    _ = folder.segmentName(of: PassHeader(pass: 1, take: 1, track: 1, trackName: "Vox", channelCount: 1), index: 1)
    #expect(try addPass(91, to: folder, named: "Vox") == "Vox 2.events")
    let finished = try song.session.recoverRecordings().recovered.map { try $0.outcome.get() }
    #expect(finished.map(\.takes.count) == [2] && finished.map(\.problems) == [[]])
    #expect(try regions().map { try pitches(in: $0) } == [[60]])
  }

  @Test("A file of messages that cannot be read is named, and one beside it is taken")
  func unreadable() throws {
    try song.record(7, isRecovered: false)
    let folder = try folder("Verse")
    let name = try addPass(91, to: folder, named: "Keys")
    // A copy of it makes nothing sound twice.
    try FileManager.default.copyItem(
      atPath: folder.place.appending(name).path, toPath: folder.place.appending("Copy of it.events").path)
    try Data("no messages".utf8).write(to: URL(fileURLWithPath: folder.place.appending("Bad.events").path))
    let finished = try #require(try song.session.recoverRecordings().recovered.first).outcome.get()
    #expect(finished.problems.count == 1 && finished.problems.first?.contains("'Bad.events'") == true)
    #expect(try regions().map { try pitches(in: $0) } == [[60]])
  }

  @Test(
    "A ledger's line that says what cannot be keeps nothing from the project, and is named",
    arguments: [1 << 41, 1 << 52] as [Int64])
  func impossible(frames: Int64) throws {
    try song.record(7, isRecovered: false)
    let folder = try folder("Verse")
    try addPass(91, to: folder, named: "Keys")
    try Ledger(reopeningIn: folder).append([
      .piece(pass: 91, RecordedPiece(passFrame: 48_000, timelineFrame: 96_000, frames: 0)),
      .piece(pass: 91, RecordedPiece(passFrame: 50_000, timelineFrame: frames, frames: 0)),
      .endPass(pass: 91, frames: 96_000),
    ])
    let finished = try #require(try song.session.recoverRecordings().recovered.first).outcome.get()
    #expect(finished.takes.count == 2)
    // The first is on the timeline in frames, and behind its end in ticks.
    let isOutside = frames > 1 << 50
    #expect(finished.problems.count == (isOutside ? 1 : 0))
    #expect(finished.problems.allSatisfy { $0.hasSuffix("Verse/ledger.unread'.") })
    #expect(try regions().contains { try pitches(in: $0) == [60] })
  }

  /// A second, and another from where the edit has put the playhead.
  @Test("Notes that were played before an edit of the tempo stay with the music", arguments: [60, 240] as [Int64])
  func editedTempo(bpm: Int64) throws {
    try song.record(7, isRecovered: false)
    let folder = try folder("Verse")
    try addPass(91, to: folder, named: "Keys")
    let before = try song.session.read { try $0.tempoMap() }
    _ = try song.session.edit(song.origin) { editor in
      var change = Change<TempoChange>()
      change.set(\.tempo, to: Tempo(bpm: bpm))
      try editor.setTempo(nil, change)
    }
    let now = try song.session.read { try $0.tempoMap() }
    // Two quarters were played.
    let place = now.flicks(at: TickPosition(ticks: 2 * TickCount.perQuarter)).frames(at: SampleRate(hertz: 48_000))
    try Ledger(reopeningIn: folder).append([
      .piece(pass: 91, RecordedPiece(passFrame: 48_000, timelineFrame: place.frames, frames: 48_000)),
      .endPass(pass: 91, frames: 96_000),
    ])
    let played = [PlayedTempo(atFrame: 0, map: before), PlayedTempo(atFrame: 48_000, map: now)]
    _ = try song.session.finish(
      folder.finish(endTime: 1_795_357_390_000), in: folder, TakePlacement(), played: [91: played])
    let regions = try regions()
    let lengths = regions.map { quarters(of: $0).length }
    #expect(regions.map { quarters(of: $0).start } == [0, 2] && lengths == [2, Double(bpm) / 60], "\(regions)")
    // Nothing of it lies under what was played later.
    #expect(try regions.map { try pitches(in: $0) } == [[60], []])
    #expect(regions.allSatisfy { $0.isInUse })
  }

  @Test("Messages that no file has any more are said to be in no take")
  func gone() throws {
    try song.record(7, isRecovered: false)
    let folder = try folder("Verse")
    let name = try addPass(91, to: folder, named: "Keys")
    try FileManager.default.removeItem(atPath: folder.place.appending(name).path)
    let finished = try #require(try song.session.recoverRecordings().recovered.first).outcome.get()
    #expect(finished.problems.count == 1 && finished.problems.first?.contains("'Keys'") == true)
  }

  @Test("A take that replaces cuts away the notes under it, and puts other takes out of use")
  func replacing() throws {
    let quarter = TickCount.perQuarter
    #expect(try song.session.read { try $0.header().settings.sampleRate.hertz } == 48_000)
    _ = try song.session.edit(song.origin) { editor in
      var placement = RegionPlacement()
      placement.length = LengthExpression(
        ticks: { _, _ in TickCount(ticks: 8 * quarter) }, flicks: { _, _ in FlickCount.seconds(4) })
      let region = try editor.addMIDIRegion(to: "Keys", Change(), placement)
      _ = try editor.addNotes(
        to: region,
        [
          NoteDraft(pitch: 40, start: .zero, duration: TickCount(ticks: 8 * quarter)),
          NoteDraft(pitch: 41, start: TickCount(ticks: 2 * quarter + 1), duration: TickCount(ticks: quarter)),
          NoteDraft(pitch: 42, start: TickCount(ticks: 4 * quarter), duration: TickCount(ticks: quarter)),
        ])
    }
    for (number, title) in [(Int64(7), "First"), (8, "Second")] {
      try song.record(number, title: title, isRecovered: false)
      let folder = try folder(title)
      try addPass(100 * number, to: folder, named: "Keys", at: 48_000)
      var placement = TakePlacement()
      placement.over = .replace
      _ = try song.session.finish(folder.finish(endTime: 1_795_357_390_000), in: folder, placement)
    }
    // At 120 BPM, the second second is the second two quarters.
    let found = try regions()
    #expect(found.map { quarters(of: $0).start } == [0, 2, 2, 4])
    #expect(found.map { quarters(of: $0).length } == [2, 2, 2, 4])
    #expect(found.map(\.isInUse) == [true, false, true, true])
    #expect(found.map { $0.take == nil } == [true, false, false, true])
    #expect(try found.map { try pitches(in: $0).sorted() } == [[40], [60], [60], [40, 42]])
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }
}
