import DAWMedia
import DAWTestSupport
import Foundation
import Testing

/// `import` and `export` of MIDI files, as a user does them.
@Suite("MIDI files")
struct MIDIFileCommandTests {
  private struct Note: Decodable, Equatable {
    var startTicks, durationTicks: Int64
    var pitch, velocity, channel, releaseVelocity: Int
  }

  private struct Imported: Decodable {
    struct File: Decodable {
      var format, noteCount, eventCount, markerCount: Int
      var hasTempoMap: Bool
    }
    var midiFiles: [File]
    var warnings: [String]
  }

  private struct Refusal: Decodable {
    struct Body: Decodable { var code, message: String }
    var error: Body
  }

  /// Two tracks: a tempo map with a marker and a name, and a part on channel 3.
  private static func song(format: MIDIFile.Format = .simultaneous) -> MIDIFile {
    var conductor = MIDIFileTrack()
    conductor.append(.tempo(microsecondsPerQuarter: 566_037), at: 0)
    conductor.append(.timeSignature(numerator: 3, denominator: 4), at: 0)
    conductor.append(.keySignature(sharps: -2, isMinor: true), at: 0)
    conductor.append(.text(.marker, Array("Verse".utf8)), at: 1_440)
    conductor.append(.tempo(microsecondsPerQuarter: 400_000), at: 1_440)
    conductor.append(.timeSignature(numerator: 7, denominator: 8), at: 2_880)
    var part = format == .simultaneous ? MIDIFileTrack() : conductor
    part.append(.text(.trackName, Array("Größe".utf8)), at: 0)
    part.append(.program, channel: 2, data1: 33, at: 0)
    part.append(.controller, channel: 2, data1: 64, data2: 127, at: 10)
    part.append(status: MIDIFileEvent.systemExclusive, payload: [0x43, 1, 2, 0xf7], at: 20)
    part.append(.text(.lyric, Array("la".utf8)), at: 240)
    for (start, end, velocity) in [(0, 480, 100), (240, 720, 90), (480, 500, 80)] {
      part.append(.noteOn, channel: 2, data1: 60, data2: velocity, at: Int64(start))
      part.append(.noteOff, channel: 2, data1: 60, data2: velocity / 2, at: Int64(end))
    }
    part.append(.pitchBend, channel: 2, data1: 1, data2: 65, at: 730)
    part.sort()
    part.endTick = 3_000
    return MIDIFile(
      format: format, division: .ticksPerQuarter(480), tracks: format == .simultaneous ? [conductor, part] : [part])
  }

  private func inProject<T>(_ body: (DAWProgram, URL) throws -> T) throws -> T {
    try withScratchFolder { folder in
      try DAWProgram(folder: folder)("new", "Song")
      return try body(DAWProgram(folder: folder.appending(path: "Song.daw")), folder)
    }
  }

  @Test("A file comes in whole, in one step of undo, and an export of it says the same")
  func wholeSong() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      let song = Self.song()
      try song.write(at: path, replaces: false)
      let before = try daw("show", "--json", "--notes").text
      let imported = try daw("import", path, "--json").json(Imported.self)
      #expect(imported.midiFiles[0].noteCount == 3)
      #expect(imported.midiFiles[0].markerCount == 1)
      #expect(imported.midiFiles[0].hasTempoMap)
      // The program at the start is the instrument's now; the rest are events.
      #expect(imported.midiFiles[0].eventCount == 4)
      #expect(try daw("list-tracks", "--json").text.contains("\"program\" : 33"))
      let notes = try daw("list-notes", "--json").json([Note].self)
      #expect(notes.map(\.startTicks) == [0, 7_680, 15_360])
      #expect(notes.map(\.durationTicks) == [15_360, 8_320, 7_680])
      #expect(notes.map(\.releaseVelocity) == [50, 40, 45])
      #expect(notes.allSatisfy { $0.channel == 2 && $0.pitch == 60 })
      let out = folder.appending(path: "out.mid").path
      try daw("export", "-o", out)
      let again = try MIDIFile.read(path: out)
      #expect(again.flaws.isEmpty)
      #expect(again.file.division == song.division)
      #expect(MIDIFileEvents(again.file) == MIDIFileEvents(song))
      try daw("check")
      try daw("undo")
      #expect(try Self.withoutRevision(daw("show", "--json", "--notes").text) == Self.withoutRevision(before))
    }
  }

  private static func withoutRevision(_ json: String) -> [Substring] {
    json.split(separator: "\n").filter { !$0.contains("\"revision\"") && !$0.contains("\"modifiedDate\"") }
  }

  @Test("A file of format 0 becomes a track for each channel, and one of format 2 songs in a row")
  func otherFormats() throws {
    try inProject { daw, folder in
      var track = MIDIFileTrack()
      track.append(.text(.copyright, [65]), at: 0)
      for channel in [0, 9, 15] { track.append(.noteOn, channel: channel, data1: 60, data2: 100, at: 0) }
      for channel in [0, 9, 15] { track.append(.noteOn, channel: channel, data1: 60, data2: 0, at: 100) }
      let path = folder.appending(path: "single.mid").path
      try MIDIFile(format: .single, division: .ticksPerQuarter(96), tracks: [track]).write(at: path, replaces: false)
      try daw("import", path)
      #expect(try daw("list-tracks").text.contains("Channel 10"))
      #expect(try daw("list-regions", "--quiet").text.split(separator: "\n").count == 4)
      try daw("undo")
      try MIDIFile(format: .independent, division: .ticksPerQuarter(96), tracks: [track, track])
        .write(at: path, replaces: true)
      let imported = try daw("import", path, "--json").json(Imported.self)
      #expect(imported.warnings.contains { $0.contains("2 sequences were put one behind the other") })
      struct Place: Decodable { var timelineTicks: Int64 }
      let starts = try daw("list-notes", "--json").json([Place].self).map(\.timelineTicks)
      #expect(Set(starts).sorted() == [0, 4 * 15_360])
    }
  }

  @Test("A second file leaves the tempo map alone, unless it is asked for")
  func tempoMap() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      try daw("add-track", "Old", "--type", "midi")
      try daw("add-region", "Old", "--at", "0b", "--length", "1b")
      let left = try daw("import", path, "--json").json(Imported.self)
      #expect(!left.midiFiles[0].hasTempoMap)
      #expect(left.warnings.contains { $0.contains("--tempo-map takes it") })
      #expect(try daw("show").text.contains("120 BPM, 4/4"))
      let taken = try daw("import", path, "--at", "3.1.0", "--tempo-map", "--json").json(Imported.self)
      #expect(taken.midiFiles[0].hasTempoMap)
      #expect(try daw("show").text.contains("120 BPM, 4/4"))
      let out = folder.appending(path: "out.mid").path
      try daw("export", "-o", out, "--from", "3.1.0", "--track", "Größe 2")
      let conductor = try MIDIFile.read(path: out).file.tracks[0]
      #expect(conductor.meta(of: conductor.events[0]) == .tempo(microsecondsPerQuarter: 566_037))
    }
  }

  @Test(
    "A tempo map that was edited is not replaced by a file's, though there is no region yet",
    arguments: [
      ["set-project", "--tempo", "90"], ["set-project", "--time-signature", "3/4"],
      ["add-tempo", "90", "--at", "3.1.0"],
      ["add-meter", "7/8", "--at", "2.1.0"], ["add-key", "D"], ["set-tempo", "@start", "--ramp"],
    ])
  func touchedTempoMap(edit: [String]) throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      #expect(try daw.run(edit).status == 0)
      let before = try daw("show", "--json").json(Timeline.self)
      let left = try daw("import", path, "--json").json(Imported.self)
      #expect(!left.midiFiles[0].hasTempoMap)
      #expect(left.warnings.contains { $0.contains("--tempo-map takes it") })
      #expect(try daw("show", "--json").json(Timeline.self) == before)
      try daw("undo")
      #expect(try daw("import", path, "--tempo-map", "--json").json(Imported.self).midiFiles[0].hasTempoMap)
      #expect(try daw("show", "--json").json(Timeline.self) != before)
    }
  }

  private struct Timeline: Decodable, Equatable {
    struct Map: Decodable, Equatable {
      struct Tempo: Decodable, Equatable { var startTicks: Int64, bpm: Double, isRamp: Bool }
      struct Meter: Decodable, Equatable { var bar: Int64, timeSignature: String }
      var tempos: [Tempo]
      var meters: [Meter]
    }
    struct Key: Decodable, Equatable { var startTicks: Int64, fifths: Int }
    var tempoMap: Map
    var keySignatures: [Key]
  }

  @Test("A track that an import makes for want of one is said, with the one that may have been meant")
  func mistypedTrack() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      try daw("add-track", "Piano", "--type", "midi")
      let made = try daw("import", path, "--track", "Pinao")
      #expect(made.error.contains("There was no track 'Pinao': it was made. If 'Piano' was meant"), "\(made.error)")
      let known = try daw("import", path, "--track", "piano")
      #expect(!known.error.contains("it was made"))
      #expect(try daw.run(["import", path, "--track", "id:abcdef"]).status == 66)
    }
  }

  @Test("With --track all of a file goes on one track, with its channels")
  func oneTrack() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      try daw("import", path, "--track", "Keys")
      try daw("import", path, "--track", "keys", "--at", "9.1.0")
      #expect(try daw("list-tracks", "--json").text.components(separatedBy: "\"trackType\" : \"midi\"").count == 2)
      #expect(try daw("list-notes", "--json").json([Note].self).count == 6)
      try daw("add-track", "Voice")
      #expect(try daw.run(["import", path, "--track", "Voice"]).status == 65)
    }
  }

  @Test("A broken file is refused with the byte where it breaks, and read as far as it goes with --lenient")
  func brokenFile() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "broken.mid").path
      let whole = try Self.song().encoded()
      try Data(whole.dropLast(30)).write(to: URL(fileURLWithPath: path))
      let revision = try daw("revision").line
      let refused = try daw.run(["import", path, "--json"])
      #expect(refused.status == 65)
      let error = try JSONDecoder().decode(Refusal.self, from: Data(refused.error.utf8)).error
      #expect(error.code == "invalidMIDIFile")
      #expect(error.message.contains("At byte \(whole.count - 30): expected"))
      #expect(try daw("revision").line == revision)
      let lenient = try daw("import", path, "--lenient", "--json").json(Imported.self)
      #expect(lenient.midiFiles[0].noteCount > 0)
      #expect(lenient.warnings.contains { $0.contains("At byte \(whole.count - 30)") })
      #expect(try daw.run(["import", folder.appending(path: "none.mid").path]).status == 66)
      try Data("no song".utf8).write(to: URL(fileURLWithPath: path))
      #expect(try daw.run(["import", path, "--lenient"]).status == 65)
    }
  }

  @Test("Options that are for none of the files are refused; beside a file of the other kind they are not")
  func uselessOptions() throws {
    try inProject { daw, folder in
      let (midi, audio) = (folder.appending(path: "song.mid").path, folder.appending(path: "a.wav").path)
      try Self.song().write(at: midi, replaces: false)
      try PlainWave.write(
        [Array(repeating: 1_000, count: 480)], bits: 16, rate: 48_000, to: URL(fileURLWithPath: audio))
      for (arguments, code) in [
        ([midi, "--link"], "audioOnlyOption"), ([midi, "--channels", "1"], "audioOnlyOption"),
        ([audio, "--tempo-map"], "midiOnlyOption"), ([audio, "--lenient"], "midiOnlyOption"),
      ] {
        let refused = try daw.run(["import", "--json"] + arguments)
        #expect(refused.status == 64, "\(arguments)")
        #expect(try JSONDecoder().decode(Refusal.self, from: Data(refused.error.utf8)).error.code == code)
      }
      #expect(try daw.run(["import", folder.appending(path: "none.wav").path, "--lenient"]).status == 66)
      try daw("import", midi, audio, "--link", "--tempo-map", "--lenient")
    }
  }

  @Test("A batch brings MIDI files in, and a trial changes nothing")
  func batchAndTrial() throws {
    try inProject { daw, folder in
      try Self.song().write(at: folder.appending(path: "song.mid").path, replaces: false)
      let revision = try daw("revision").line
      #expect(try daw("import", "../song.mid", "--dry-run").text.contains("3 notes"))
      #expect(try daw("revision").line == revision)
      try daw("batch", "-", input: "import ../song.mid --at 2.1.0 --as song\nset-region %song --name Verse\n")
      #expect(try daw("list-regions").text.contains("Verse"))
      #expect(try daw("revision").line == "1", "one step of undo")
    }
  }

  @Test("A note that is shorter than a tick of the file lasts one tick in it")
  func shortNotes() throws {
    try inProject { daw, folder in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "4b", "--name", "Part")
      let notes = "pitch,startTicks,durationTicks\n60,0,1\n61,15360,319\n62,15680,1\n"
      try daw("add-notes", "Part", "-", input: notes)
      let out = folder.appending(path: "short.mid").path
      try daw("export", "-o", out, "--division", "24")
      let file = try MIDIFile.read(path: out)
      #expect(file.flaws.isEmpty)
      var exported: [[Int64]] = []
      for track in file.file.tracks {
        for event in track.events where event.isNoteOn || event.isNoteOff {
          exported.append([event.tick, event.isNoteOn ? 1 : 0, Int64(event.data1)])
        }
      }
      let expected: [[Int64]] = [[0, 1, 60], [1, 0, 60], [24, 1, 61], [25, 0, 61], [24, 1, 62], [25, 0, 62]]
      #expect(exported.sorted { "\($0)" < "\($1)" } == expected.sorted { "\($0)" < "\($1)" })
    }
  }

  @Test("An export is refused where it would replace a file, or has nothing to go by")
  func exportRefusals() throws {
    try inProject { daw, folder in
      let out = folder.appending(path: "out.mid").path
      try daw("add-track", "Voice")
      try daw("export", "-o", out)
      #expect(try daw.run(["export", "-o", out]).status == 73)
      try daw("export", "-o", out, "--overwrite", "--format", "0")
      #expect(try MIDIFile.read(path: out).file.format == .single)
      for name in ["Keys", "Pad"] { try daw("add-track", name, "--type", "midi") }
      for (format, words) in [("0", "2 tracks on one"), ("1", "2 tracks")] {
        let text = try daw("export", "-o", out, "--overwrite", "--format", format).text
        #expect(text.contains(": \(words), 0 notes, "), "\(text)")
      }
      for (option, values) in [("--format", ["2", "-1"]), ("--division", ["0", "-1", "32768"])] {
        for value in values {
          #expect(try daw.run(["export", "-o", out, "--overwrite", option, value]).status == 65, "\(option) \(value)")
        }
      }
      #expect(try daw.run(["export", "-o", out, "--overwrite", "--track", "Voice"]).status == 65)
      #expect(try daw.run(["export", "-o", out, "--overwrite", "--from", "2s", "--to", "1s"]).status == 65)
      #expect(try daw.run(["export", "-o", folder.path + "/none/out.mid"]).status == 73)
      #expect(try MIDIFile.read(Array(daw("export", "-o", "-").data)).file.format == .simultaneous)
    }
  }

  @Test("An export of a range begins with what holds there, and cuts notes at its ends")
  func range() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      try daw("import", path)
      let out = folder.appending(path: "out.mid").path
      try daw("export", "-o", out, "--from", "0.75b", "--to", "1.25b", "--format", "0")
      let track = try MIDIFile.read(path: out).file.tracks[0]
      let messages = track.events.filter(\.isChannelMessage).map { [$0.tick, Int64($0.status), Int64($0.data1)] }
      // The sustain pedal and the program were set before; three notes sound in the range.
      #expect(messages.filter { $0[1] != 0x92 && $0[1] != 0x82 } == [[0, 0xc2, 33], [0, 0xb2, 64]])
      #expect(MIDIFileNotes(track).notes.map { [$0.start, $0.end] } == [[0, 120], [0, 140], [120, 240]])
    }
  }

  @Test("A range may be given by markers")
  func rangeOfMarkers() throws {
    try inProject { daw, folder in
      let path = folder.appending(path: "song.mid").path
      try Self.song().write(at: path, replaces: false)
      try daw("import", path)
      try daw("add-marker", "Entry", "--at", "0.25b")
      try daw("add-marker", "Exit", "--at", "1.25b")
      let (named, typed) = (folder.appending(path: "a.mid").path, folder.appending(path: "b.mid").path)
      try daw("export", "-o", named, "--from", "@entry+0.5b", "--to", "@exit")
      try daw("export", "-o", typed, "--from", "0.75b", "--to", "1.25b")
      #expect(FileManager.default.contentsEqual(atPath: named, andPath: typed))
      try daw("export", "-o", named, "--overwrite", "--to", "@end")
      let unknown = try daw.run(["export", "-o", named, "--overwrite", "--from", "@bridge"])
      #expect(unknown.signal == nil && unknown.status == 66 && unknown.error.contains("bridge"), "\(unknown)")
    }
  }

  @Test(
    "Real files come out of a project as they went in, but for repeated tempi and names that are taken",
    .enabled(if: !RealMIDIFiles.paths.isEmpty, "Debian's openttd-openmsx, songs as MIDI files, is not installed."))
  func realFiles() throws {
    try withScratchFolder { folder in
      for (index, path) in RealMIDIFiles.paths.enumerated() {
        try DAWProgram(folder: folder)("new", "Song \(index)")
        let daw = DAWProgram(folder: folder.appending(path: "Song \(index).daw"))
        try daw("import", path)
        let out = folder.appending(path: "out.mid").path
        try daw("export", "-o", out, "--overwrite")
        let theirs = MIDIFileEvents(try MIDIFile.read(path: path).file)
        let ours = MIDIFileEvents(try MIDIFile.read(path: out).file)
        #expect(ours.notes == theirs.notes, "\(path)")
        let (added, missing) = (ours.events.subtracting(theirs.events), theirs.events.subtracting(ours.events))
        #expect(added.allSatisfy { $0.isOfTheStart }, "\(path)")
        #expect(missing.allSatisfy { $0.isOfNoName }, "\(path)")
      }
    }
  }
}
