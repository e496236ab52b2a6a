import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What a recorder makes of a recording that has ended, without a server.
@Suite("A recording that has ended")
struct RecorderTests {
  /// What a recorder has reported.
  private final class Reported {
    var events: [PlayEvent] = []

    var recorded: [RecordedTakes] {
      events.compactMap { event -> RecordedTakes? in
        if case .recorded(let takes) = event { takes } else { nil }
      }
    }

    var problems: [Failure] {
      events.compactMap { event -> Failure? in
        if case .problem(let failure) = event { failure } else { nil }
      }
    }
  }

  /// A recorder, and a project of its own at 48 kHz.
  private final class Stage {
    let session: Session
    let recorder: Recorder
    let reported: Reported
    private let folder: TemporaryFolder

    init(_ request: RecordRequest = RecordRequest()) throws {
      folder = try TemporaryFolder()
      session = try Session.create(
        ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")),
        origin: .init(author: "test", commandLine: "test"))
      let reported = Reported()
      self.reported = reported
      recorder = Recorder(
        session, request, of: PlayRequest(), sampleRate: SampleRate(hertz: 48_000), output: nil
      ) { reported.events.append($0) }
    }

    deinit { session.close() }

    func addTrack(_ name: String, _ type: TrackType) throws -> Int64 {
      try session.edit(.init(author: "test", commandLine: "test")) { editor in
        var setup = TrackSetup()
        setup.type = type
        return try editor.addTrack(named: name, Change(), setup).id.rawValue
      }.value
    }

    /// Makes the folder of a recording.
    func begin() throws -> (header: RecordingHeader, folder: RecordingFolder) {
      let header = RecordingHeader(
        project: "", recording: 7, title: "Verse", startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: .int24,
        segmentFrames: 48_000, owner: .current)
      let folder = try RecordingFolder(creatingIn: session.recordings, title: "Verse", startTime: header.startTime)
      return (header, folder)
    }

    /// Says that a recording has ended, as the writing thread does.
    /// - Parameter isRemoved: whether its folder is removed before that.
    func end(
      _ header: RecordingHeader, in folder: RecordingFolder, _ records: [LedgerRecord], isRemoved: Bool = false
    ) throws {
      var description = RecordingDescription(header: header)
      for record in records { description.apply(record) }
      description.apply(.end(endTime: header.startTime + 1_000))
      let ledger = try Ledger(creatingIn: folder)
      if isRemoved { try FileManager.default.removeItem(atPath: folder.place.path) }
      recorder.handle(
        .ended(FinishedRecording(description: description, folder: folder, ledger: ledger, unwritten: [])))
    }
  }

  @Test("MIDI is put where it was played, whatever rate the project has since", arguments: [44_100, 96_000])
  func midiRate(hertz: Int) throws {
    let stage = try Stage()
    let track = try stage.addTrack("Keys", .midi)
    let (header, folder) = try stage.begin()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Keys", kind: .midi, channelCount: 0)
    let events = try EventsWriter(in: folder, pass: pass, header: header)
    events.append(RecordedEvent(pass: 71, passFrame: 12_000, bytes: [0x90, 60, 100]))
    events.append(RecordedEvent(pass: 71, passFrame: 24_000, bytes: [0x80, 60, 0]))
    try events.flush()
    var change = Change<ProjectSettings>()
    change.set(\.sampleRate, to: SampleRate(hertz: hertz))
    _ = try stage.session.edit(.init(author: "test", commandLine: "test")) { try $0.setProject(change) }
    // From 1 s to 2 s: at 120 BPM, two quarters behind two quarters.
    try stage.end(
      header, in: folder,
      [
        .pass(pass), .piece(pass: 71, RecordedPiece(passFrame: 0, timelineFrame: 48_000, frames: 48_000)),
        .endPass(pass: 71, frames: 48_000),
      ])
    #expect(stage.reported.problems.isEmpty && stage.reported.recorded.count == 1, "\(stage.reported.problems)")
    let quarter = TickCount.perQuarter
    let regions = try stage.session.read { try $0.all(Region.self) }
    let region = try #require(regions.first)
    #expect(region.start == .musical(TickPosition(ticks: 2 * quarter)))
    #expect(region.content == .midi(TickCount(ticks: 2 * quarter)))
    let notes = try stage.session.read { try $0.notes(in: region.id) }
    #expect(notes.map(\.start.ticks) == [quarter / 2] && notes.map(\.duration.ticks) == [quarter / 2])
  }

  @Test("A pass of which MIDI was lost has a gap, and says so")
  func lostMIDI() throws {
    let stage = try Stage()
    let track = try stage.addTrack("Keys", .midi)
    let (header, folder) = try stage.begin()
    let passes = [1, 2].map { number in
      PassHeader(
        pass: Int64(70 + number), take: Int64(80 + number), track: track, trackName: "Keys", number: number,
        kind: .midi, channelCount: 0)
    }
    let events = try EventsWriter(in: folder, pass: passes[0], header: header)
    events.begin(passes[1])
    try events.flush()
    var records: [LedgerRecord] = []
    for pass in passes {
      records.append(.pass(pass))
      records.append(.piece(pass: pass.pass, RecordedPiece(passFrame: 0, timelineFrame: 0, frames: 48_000)))
      if pass.number == 2 { records.append(.lostEvents(pass: pass.pass, count: 3, atFrame: 100)) }
      records.append(.endPass(pass: pass.pass, frames: 48_000))
    }
    try stage.end(header, in: folder, records)
    #expect(stage.reported.problems.isEmpty, "\(stage.reported.problems)")
    let recorded = try #require(stage.reported.recorded.first)
    #expect(recorded.gapCount == 1 && recorded.gapFrames == 1)
    let found = try stage.session.read { try $0.recordings.passes(of: [RecordingID(rawValue: 7)]) }
    #expect(found.sorted { $0.number < $1.number }.map(\.foundTags) == [Tags(), Tags(["gaps"])])
  }

  @Test("A pass of MIDI that the disk took nothing of is a gap, and no take that is empty")
  func fileOfMIDIThatWasNotMade() throws {
    let stage = try Stage()
    let track = try stage.addTrack("Keys", .midi)
    let (header, folder) = try stage.begin()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Keys", kind: .midi, channelCount: 0)
    try stage.end(
      header, in: folder,
      [
        .pass(pass), .piece(pass: 71, RecordedPiece(passFrame: 0, timelineFrame: 0, frames: 48_000)),
        .gap(pass: 71, RecordedGapSpan(start: 0, frames: 48_000, cause: .ioError)), .endPass(pass: 71, frames: 48_000),
      ])
    #expect(stage.reported.problems.isEmpty, "\(stage.reported.problems)")
    let recorded = try #require(stage.reported.recorded.first)
    #expect(recorded.gapCount == 1 && recorded.gapFrames == 48_000 && recorded.takes.isEmpty)
  }

  @Test("Sums of the farthest frames that a ledger can name stop nothing")
  func farthestFrames() throws {
    let stage = try Stage()
    let (header, folder) = try stage.begin()
    let end: Int64 = 1 << 53
    // Together they are more than 2⁶³.
    let count = 1_100
    var records: [LedgerRecord] = []
    for number in 1...count {
      let id = Int64(1_000 + number)
      records += [
        .pass(
          PassHeader(pass: id, take: 10_000 + id, track: 9, trackName: "Vox", number: number, channelCount: 1)),
        .gap(pass: id, RecordedGapSpan(start: 0, frames: end, cause: .xrun)), .endPass(pass: id, frames: end),
      ]
    }
    try stage.end(header, in: folder, records)
    #expect(stage.reported.problems.isEmpty, "\(stage.reported.problems)")
    let recorded = try #require(stage.reported.recorded.first)
    #expect(recorded.gapCount == count && recorded.gapFrames == .max && recorded.takes.isEmpty)
    #expect(recorded.seconds > 1e14)
  }

  @Test("What could not be put into the project is kept, and is put there when the player ends")
  func triedAgain() throws {
    let stage = try Stage()
    let track = try stage.addTrack("Vox", .audio)
    let (header, folder) = try stage.begin()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Vox", channelCount: 1)
    let writer = try SegmentWriter(in: folder, pass: pass, header: header)
    writer.locate(to: 0)
    try writer.writeSilence(frameCount: 4_800, cause: .xrun)
    try writer.seal()
    let inTheWay = folder.place.appending(folder.takeName(of: pass)).path
    #expect(mkdir(inTheWay, 0o700) == 0)
    try stage.end(
      header, in: folder, [.pass(pass)] + writer.takeRecords() + [.endPass(pass: 71, frames: writer.nextFrame)])
    #expect(stage.reported.recorded.isEmpty && stage.reported.problems.count == 1)
    #expect(stage.recorder.firstLoss != nil && stage.recorder.unfinished.count == 1)
    // No other process kept it from the project: it is not tried meanwhile.
    #expect(rmdir(inTheWay) == 0)
    stage.recorder.finishUnfinished()
    #expect(stage.reported.recorded.isEmpty && stage.recorder.unfinished.count == 1)
    stage.recorder.finishUnfinished(isLast: true)
    #expect(stage.reported.recorded.map(\.takes.count) == [1])
    #expect(stage.recorder.lastTakes.count == 1 && stage.recorder.lastTakeSeconds == 0.1)
    #expect(stage.recorder.firstLoss == nil && stage.recorder.unfinished.isEmpty)
  }

  @Test("What came in last is not kept where nothing is remembered, nor while it is being recorded")
  func nothingToKeep() throws {
    let forgetful = #expect(throws: Failure.self) { try Stage().recorder.keep(seconds: 20) }
    #expect(forgetful?.code == "nothingRemembered" && forgetful?.hint?.contains("--remember") == true)
    var request = RecordRequest()
    request.rememberSeconds = 20
    let stage = try Stage(request)
    let (header, folder) = try stage.begin()
    stage.recorder.handle(.began(header, folder: folder.name))
    let busy = #expect(throws: Failure.self) { try stage.recorder.keep(seconds: 20) }
    #expect(busy?.code == "recordingRunning" && busy?.kind == .invalid)
    #expect(stage.reported.problems.isEmpty && stage.reported.recorded.isEmpty)
  }

  @Test("Where nothing runs any more, a cancel is refused, and says how to take back what was recorded last")
  func nothingToCancel() throws {
    let stage = try Stage()
    let never = #expect(throws: Failure.self) { try stage.recorder.cancel() }
    #expect(never?.code == "notRecording" && never?.hint == nil)
    let track = try stage.addTrack("Vox", .audio)
    let (header, folder) = try stage.begin()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Vox", channelCount: 1)
    let writer = try SegmentWriter(in: folder, pass: pass, header: header)
    writer.locate(to: 0)
    try writer.writeSilence(frameCount: 4_800, cause: .xrun)
    try writer.seal()
    try stage.end(
      header, in: folder, [.pass(pass)] + writer.takeRecords() + [.endPass(pass: 71, frames: writer.nextFrame)])
    let late = #expect(throws: Failure.self) { try stage.recorder.cancel() }
    #expect(late?.code == "notRecording" && late?.kind == .invalid && late?.hint?.contains("'daw undo'") == true)
    #expect(stage.recorder.isOn && stage.reported.recorded.map(\.takes.count) == [1])
  }

  @Test("Of MIDI that was lost while its track was not recorded no ledger is said to tell")
  func lostUnrecorded() throws {
    let stage = try Stage()
    stage.recorder.handle(.lostEvents(1, isNoted: false))
    stage.recorder.handle(.lostEvents(2, isNoted: true))
    let problems = stage.reported.problems
    #expect(problems.map { $0.message.contains("ledger") } == [false, true], "\(problems)")
    #expect(problems.map { $0.hint == nil } == [true, false] && problems.allSatisfy { $0.code == "lostEvents" })
  }

  @Test("What is saved of the passes that have changed comes to what is known of all")
  func changedPasses() throws {
    let stage = try Stage()
    let (header, folder) = try stage.begin()
    func segment(of pass: Int64, frames: Int64 = 0, isHashed: Bool = false) -> LedgerRecord {
      var file = RecordedSegmentFile(
        index: Int(pass), startFrame: 0, frames: frames, name: "Vox.\(pass).wav", dataOffset: 44,
        byteCount: 44 + 3 * frames)
      if isHashed { file.sha256 = String(repeating: "a", count: 64) }
      return .segment(pass: pass, file)
    }
    func expectSaved(_ words: String) throws {
      stage.recorder.isToSave = true
      stage.recorder.saveFacts()
      let running = try #require(stage.recorder.running)
      let saved = try stage.session.read { try $0.recordings.facts(of: RecordingID(rawValue: 7)) }
      #expect(saved == RecordingFacts(running.description, folder: "Audio/Recordings/\(folder.name)"), "\(words)")
    }
    stage.recorder.handle(.began(header, folder: folder.name))
    try expectSaved("none")
    for round in 0..<Int64(4) {
      let id = 71 + round
      let pass = PassHeader(
        pass: id, take: 100 + id, track: 9, trackName: "Vox", number: Int(round) + 1, channelCount: 1,
        firstHostFrame: 4_800 * round)
      stage.recorder.handle(
        .wrote([
          .pass(pass), .piece(pass: id, RecordedPiece(passFrame: 0, timelineFrame: 0, frames: 0)), segment(of: id),
        ]))
      try expectSaved("\(round) begins")
      // What is written of the pass before is its hash.
      stage.recorder.handle(.passed([id: 2_400], segments: [:]))
      stage.recorder.handle(
        .wrote(round > 0 ? [segment(of: id - 1, frames: 4_800, isHashed: true)] : [segment(of: id, frames: 10)]))
      try expectSaved("\(round) goes on")
      stage.recorder.handle(
        .wrote([
          .gap(pass: id, RecordedGapSpan(start: 100, frames: 200, cause: .xrun)), segment(of: id, frames: 4_800),
          .endPass(pass: id, frames: 4_800),
        ]))
      try expectSaved("\(round) ends")
    }
    #expect(stage.recorder.running?.saved?.passes.count == 1)
  }

  @Test("A command that waits for a recording does not take the end of an earlier one for its end")
  func earlierEnds() throws {
    let stage = try Stage()
    let (header, folder) = try stage.begin()
    var next = header
    next.recording = 8
    let nextFolder = try RecordingFolder(creatingIn: stage.session.recordings, title: "", startTime: header.startTime)
    stage.recorder.handle(.began(header, folder: folder.name))
    // The files of the first one are still hashed.
    stage.recorder.handle(.began(next, folder: nextFolder.name))
    try stage.end(header, in: folder, [])
    #expect(!stage.recorder.isEnded && stage.recorder.running?.description.header.recording == 8)
    try stage.end(next, in: nextFolder, [])
    #expect(stage.recorder.isEnded && stage.recorder.running == nil)
    #expect(stage.reported.problems.isEmpty && stage.reported.recorded.count == 2, "\(stage.reported.problems)")
  }

  @Test(
    "Takes are put into the file that has taken the place of the project's, if it is of the same project",
    arguments: [true, false])
  func replacedFile(isSame: Bool) throws {
    let stage = try Stage()
    let track = try stage.addTrack("Vox", .audio)
    let (header, folder) = try stage.begin()
    stage.recorder.handle(.began(header, folder: folder.name))
    stage.recorder.saveFacts()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Vox", channelCount: 1)
    let writer = try SegmentWriter(in: folder, pass: pass, header: header)
    writer.locate(to: 0)
    try writer.writeSilence(frameCount: 4_800, cause: .xrun)
    try writer.seal()
    let scratch = try TemporaryFolder()
    let copy = ProjectFolder(path: scratch.path("Copy.daw"))
    try stage.session.copy(to: copy, keepsID: isSame, origin: .init(author: "test", commandLine: "test")).close()
    let database = stage.session.folder.database
    for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
    try FileManager.default.copyItem(atPath: copy.database, toPath: database)
    try stage.end(
      header, in: folder, [.pass(pass)] + writer.takeRecords() + [.endPass(pass: 71, frames: writer.nextFrame)])
    #expect(stage.reported.recorded.count == (isSame ? 1 : 0), "\(stage.reported.problems)")
    #expect(stage.reported.problems.map(\.code) == (isSame ? [] : ["projectReplaced"]))
    let other = try Session.open(stage.session.folder)
    defer { other.close() }
    #expect(try other.read { try $0.all(Take.self).map(\.id.rawValue) } == (isSame ? [72] : []))
    #expect(try stage.session.read { try $0.all(Take.self).isEmpty })
  }

  @Test("Of a recording whose folder was removed while it was written, no command is said to put it into the project")
  func removedFolder() throws {
    let stage = try Stage()
    let track = try stage.addTrack("Vox", .audio)
    let (header, folder) = try stage.begin()
    let pass = PassHeader(pass: 71, take: 72, track: track, trackName: "Vox", channelCount: 1)
    let writer = try SegmentWriter(in: folder, pass: pass, header: header)
    writer.locate(to: 0)
    try writer.writeSilence(frameCount: 4_800, cause: .xrun)
    try writer.seal()
    try stage.end(
      header, in: folder, [.pass(pass)] + writer.takeRecords() + [.endPass(pass: 71, frames: writer.nextFrame)],
      isRemoved: true)
    let problem = try #require(stage.reported.problems.first)
    #expect(problem.kind == .io && problem.message.contains("is not there any more"), "\(problem)")
    #expect(problem.hint?.contains("daw forget id:\(RecordingID(rawValue: 7))") == true, "\(problem)")
    #expect(try stage.session.read { try $0.all(Take.self).isEmpty })
    stage.recorder.finishUnfinished(isLast: true)
    #expect(stage.reported.recorded.isEmpty && stage.recorder.firstLoss?.kind == .io)
  }
}
