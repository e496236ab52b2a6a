import DAWErrors
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWInterchange
@testable import DAWProject

@Suite("A project's JSON")
struct DocumentTests {
  private static let origin = EditOrigin(author: "ada@test", commandLine: "test")

  private static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Makes a project of JSON.
  private static func create(_ json: some Sequence<UInt8>, in folder: URL, ignoresIDs: Bool = false) throws -> Session {
    let file = folder.appendingPathComponent("\(UUID().uuidString).json")
    try Data(json).write(to: file)
    return try Session.create(
      ProjectFolder(path: folder.appendingPathComponent("\(UUID().uuidString).daw").path),
      from: JSONSource(path: file.path),
      media: MediaFolder(path: folder.path), ignoresIDs: ignoresIDs, origin: origin
    ).session
  }

  private static func text(of session: Session) throws -> String {
    var text = ""
    try session.writeDocument { text += $0 }
    return text
  }

  @Test(
    "Written with its notes as they are read, or with all of them at once, it is the same text; read, the same project")
  func same() throws {
    let seed = Seed.current()
    try Self.withFolder { folder in
      let session = try Session.create(
        ProjectFolder(path: folder.path + "/Song.daw"), settings: ProjectSettings(), origin: Self.origin)
      defer { session.close() }
      var edits = RandomEdits(seed: seed)
      for number in 0..<5_000 {
        let project = try session.read { try $0.project() }
        if number >= 600, !project.notes.isEmpty, !project.events.isEmpty { break }
        let edit = edits.next(for: project)
        _ = try? session.edit(Self.origin) { try $0.apply(edit) }
      }
      let written = try Self.text(of: session)
      #expect(try written == JSONWriter.text(session.projectDocument(includesNotes: true)), "seed \(seed)")
      #expect(written.contains("\"velocity\"") && written.contains("\"kind\""), "seed \(seed): nothing to write")
      let copy = try Self.create(written.utf8, in: folder)
      defer { copy.close() }
      let (old, new) = (try session.read { try $0.project() }, try copy.read { try $0.project() })
      #expect(new.settings == old.settings && new.id == old.id && new.createdDate == old.createdDate, "seed \(seed)")
      #expect(new.tracksInOrder.map(\.withoutKey) == old.tracksInOrder.map(\.withoutKey), "seed \(seed)")
      #expect(new.regions == old.regions && new.notes == old.notes && new.events == old.events, "seed \(seed)")
      #expect(new.tempoChanges == old.tempoChanges && new.meterChanges == old.meterChanges, "seed \(seed)")
      #expect(new.keySignatures == old.keySignatures && new.markers == old.markers, "seed \(seed)")
      #expect(new.soundFonts == old.soundFonts, "seed \(seed)")
      #expect(new.comments == old.comments && new.takes == old.takes, "seed \(seed)")
      #expect(new.sends == old.sends && new.groupMembers == old.groupMembers, "seed \(seed)")
      #expect(new.effectSettings == old.effectSettings, "seed \(seed)")
      #expect(new.lanes == old.lanes && new.lanePoints == old.lanePoints, "seed \(seed)")
      for track in old.tracks.keys {
        #expect(new.effects(of: track).map(\.id) == old.effects(of: track).map(\.id), "seed \(seed)")
      }
      // Whatever kinds of rows there are.
      #expect(Self.comparable(new) == Self.comparable(old), "seed \(seed)")
    }
  }

  /// A project without what is made again: its revision and its order keys; and with the instruments that MIDI tracks
  /// without one are given.
  private static func comparable(_ project: Project) -> Project {
    var project = project
    (project.revision, project.modifiedDate) = (0, project.createdDate)
    project.tracks = project.tracks.mapValues(\.withoutKey)
    for id in project.effects.keys { project.effects[id]?.orderKey = .master }
    for track in project.tracks.values where track.trackType == .midi && project.instrument(of: track.id) == nil {
      project.insert([Instrument(of: track.id)])
    }
    return project
  }

  private static let song = """
    {"tempoMap": {"tempos": [{"startTicks": 0, "bpm": 120}, {"startTicks": 61440, "bpm": 60}], "meters": []},
     "tracks": [{"trackType": "midi", "name": "Keys", "regions": [
       {"notes": [{"pitch": 61, "startTime": 0.5}, {"id": "64617703-0000-8000-8000-000000000005"}, {"startTicks": 3}],
        "startTime": 2, "name": "Part", "events": [{"value": 7, "kind": "channelPressure"}], "duration": 4}]}]}
    """

  @Test("Its keys may come in any order: what is needed to read others comes last here")
  func anyOrder() throws {
    try Self.withFolder { folder in
      let reversed =
        #"{"tracks": \#(Self.song.split(separator: "\"tracks\": ")[1].dropLast()), "#
        + Self.song.split(separator: "\"tracks\": ")[0].dropFirst().trimmingCharacters(in: .whitespacesAndNewlines)
        .dropLast() + "}"
      for json in [Self.song, reversed] {
        let session = try Self.create(json.utf8, in: folder)
        defer { session.close() }
        let project = try session.read { try $0.project() }
        let notes = try #require(project.notes.values.first)
        // From 2 s on a quarter note takes a second.
        #expect(Set(notes.map(\.start)) == [TickCount(ticks: 7680), .zero, TickCount(ticks: 3)])
        #expect(notes.allSatisfy { $0.duration == TickCount(ticks: 3840) })
        #expect(notes.contains { $0.id.rawValue == 5 } && Set(notes.map(\.id)).count == 3)
        #expect(project.events.values.first?.map(\.message) == [.channelPressure(7)])
      }
    }
  }

  @Test("Where two media are at the path by which a region names its own, it is not guessed which is meant")
  func twoMediaAtOnePath() throws {
    try Self.withFolder { folder in
      let session = try Session.create(
        ProjectFolder(path: folder.path + "/Song.daw"), settings: ProjectSettings(), origin: Self.origin)
      defer { session.close() }
      _ = try session.edit(Self.origin) { editor in
        let track = try editor.addTrack(named: "Vox")
        let file = AudioFile(
          id: AudioFileID(rawValue: 1),
          location: MediaLocation(
            path: "Audio/a.wav", sha256: String(repeating: "1", count: 64), byteCount: 1, modificationTime: 0),
          frames: FrameCount(frames: 48_000), sampleRate: SampleRate(hertz: 48_000), channelCount: 1, format: "WAV")
        try editor.apply(.add(file))
        try editor.apply(
          .add(
            Region(
              id: RegionID(rawValue: 1), track: track.id, name: Name("Beat"), start: .absolute(.zero),
              content: .audio(AudioSpan(file: file.id, duration: FlickCount(flicks: 705_600_000))))))
      }
      let text = try Self.text(of: session)
      var object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      var files = try #require(object["audioFiles"] as? [[String: Any]])
      try Self.create(text.utf8, in: folder).close()
      var second = files[0]
      second["id"] = AudioFileID(rawValue: 2).uuidString
      second["sha256"] = String(repeating: "2", count: 64)
      files.append(second)
      object["audioFiles"] = files
      let changed = try JSONSerialization.data(withJSONObject: object)
      let failure = #expect(throws: Failure.self) { try Self.create(changed, in: folder).close() }
      #expect(failure?.code == "invalidJSON" && failure?.message.contains("2 audio files at 'Audio/a.wav'") == true)
    }
  }

  @Test("A place or a length that is given by the integer of the other clock alone is not taken for none")
  func otherClock() throws {
    // From 61,440 ticks on, at 2 s, a quarter note takes a second.
    let json = """
      {"tempoMap": {"tempos": [{"startTicks": 0, "bpm": 120}, {"startTicks": 61440, "bpm": 60}], "meters": []},
       "audioFiles": [{"path": "Audio/a.wav", "sha256": "\(String(repeating: "1", count: 64))", "byteCount": 1,
         "frames": 480000, "sampleRate": 48000, "channelCount": 1, "format": "WAV"}],
       "tracks": [{"name": "Vox", "regions": [{"name": "A", "audioFile": "Audio/a.wav", "startTicks": 76800,
         "durationTicks": 15360}]}],
       "markers": [{"name": "B", "timeBase": "musical", "startFlicks": 2116800000, "durationFlicks": 705600000}]}
      """
    try Self.withFolder { folder in
      let session = try Self.create(json.utf8, in: folder)
      defer { session.close() }
      let (regions, markers) = try session.read { (try $0.regions(), try $0.markers()) }
      #expect(regions.map(\.start) == [.absolute(FlickPosition(flicks: 3 * FlickCount.perSecond))])
      #expect(regions.map(\.audio?.duration) == [FlickCount(flicks: FlickCount.perSecond)])
      #expect(markers.map(\.start) == [.musical(TickPosition(ticks: 76_800))])
      #expect(markers.map(\.length) == [.musical(TickCount(ticks: 15_360))])
      let far = json.replacing("\"startTicks\": 76800", with: "\"startTicks\": \(Int64.max)")
      #expect(try Self.failure(of: far.utf8, in: folder).code == "timelineEnd")
    }
  }

  @Test("With new ids, none of its own is taken, be they valid or not")
  func newIDs() throws {
    try Self.withFolder { folder in
      let session = try Self.create(
        Self.song.replacing("64617703-", with: "nonsense-").utf8, in: folder, ignoresIDs: true)
      defer { session.close() }
      #expect(try session.read { try $0.project() }.notes.values.first?.contains { $0.id.rawValue == 5 } == false)
    }
  }

  @Test("A byte order mark of UTF-8 is skipped; UTF-16 is refused")
  func encodings() throws {
    try Self.withFolder { folder in
      let session = try Self.create([0xef, 0xbb, 0xbf] + Self.song.utf8, in: folder)
      session.close()
      for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
        let failure = try Self.failure(of: try #require(Self.song.data(using: encoding)), in: folder)
        #expect(failure.code == "invalidJSON" && failure.message.contains("UTF-8"), "\(failure)")
      }
    }
  }

  private static func failure(of json: some Sequence<UInt8>, in folder: URL) throws -> Failure {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".json") }
    let failure = try #require(#expect(throws: Failure.self) { try create(json, in: folder).close() })
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".json") }
    #expect(before == after)
    return failure
  }

  @Test(
    "What is wrong is named with its place, and nothing is left behind",
    arguments: [
      ("", "line 1, column 1: The text ends here, where an object is expected."),
      ("[]", "at line 1, column 1: an object is expected here, not an array."),
      ("{\n  \"tempi\": 90}", "at tempi, line 2, column 3: The key 'tempi' is not known; did you mean 'tempo'?"),
      (#"{"name": "é", "name": "b"}"#, "line 1, column 21: The key 'name' stands twice."),
      (#"{"tempo": "90"}"#, "at tempo, line 1, column 11: a number is expected here, not a string."),
      (
        #"{"tracks": [{}, {"volume": "loud"}]}"#,
        #"at tracks[1].volume, line 1, column 28: A level is a number, or "-inf"."#
      ),
      (#"{"tracks": [{"trackType": "tape"}]}"#, "'tape' is none of audio, midi, bus, master."),
      (#"{"tracks": [{"id": "64617702-0000-8000-8000-000000000005"}]}"#, "is not the id of a track."),
      (#"{"audioFiles": [{"path": "a"}]}"#, "at audioFiles[0], line 1, column 17: The key 'channelCount' is missing."),
      (#"{"tempoMap": {"meters": [{"timeSignature": "4/4", "startTicks": 9}]}}"#, "The key 'bar' is missing."),
      (#"{"tempo": 1e999}"#, "The number 1e999 is too large."),
      (#"{"tempo": NaN}"#, "'N' stands here, where a number is expected."),
      (#"{"name": "\ud800"}"#, "a surrogate without its partner"),
      (#"{"name": "a", }"#, "'}' stands here, where a key is expected."),
      (#"{"name": "a"} 1"#, "Something stands after the end"),
      (#"{"tracks": [[[[[["#, "at tracks[0], line 1, column 13: an object is expected here, not an array."),
      (
        #"{"tracks": [{"trackType": "midi", "regions": [{"notes": [{"pitch": 60}, {"pitch": "C4"}]}]}]}"#,
        "at tracks[0].regions[0].notes[1].pitch, line 1, column 83: a whole number is expected here, not a string."
      ),
      (
        #"{"tracks": [{"trackType": "midi", "regions": [{"notes": [{"pitch": 60]}, {"pitch": 61}]}]}"#,
        "at tracks[0].regions[0].notes, line 1, column 70: ']' stands here, where ',' or '}' is expected."
      ),
      (
        #"{"tracks": [{"trackType": "midi", "regions": [{"events": [{"value": 60}]}]}]}"#,
        "at tracks[0].regions[0].events[0], line 1, column 59: The key 'kind' is missing."
      ),
    ])
  func refused(json: String, message: String) throws {
    try Self.withFolder { folder in
      let failure = try Self.failure(of: json.utf8, in: folder)
      #expect(failure.code == "invalidJSON" && failure.message.contains(message), "\(failure.message)")
    }
  }

  @Test("Any change of its bytes makes a project that obeys the rules, or is refused and leaves nothing")
  func mutations() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let bytes = Array(Self.song.utf8)
    try Self.withFolder { folder in
      for _ in 0..<AuditCount.current(usually: 60) {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          changed[Int.random(in: 0..<bytes.count, using: &generator)] =
            (Array("{}[],:\"\\019e-tfn ".utf8) + [0, 0xff])
            .randomElement(using: &generator) ?? 0
        }
        do {
          let session = try Self.create(changed, in: folder)
          defer { session.close() }
          #expect(try session.read { try $0.brokenRules() }.isEmpty, "seed \(seed)")
          #expect((try? JSONSerialization.jsonObject(with: Data(changed))) != nil, "seed \(seed)")
        } catch let failure as Failure {
          #expect(failure.kind == .invalid, "seed \(seed): \(failure)")
        }
      }
    }
  }
}

extension Track {
  /// Without its order key, which is made again.
  fileprivate var withoutKey: Track {
    var track = self
    track.orderKey = .master
    return track
  }
}
