import DAWTestSupport
import Foundation
import Testing

@Suite("Positions relative to regions, to the player, and to where a thing is")
struct RelativePositionTests {
  private struct Placed: Decodable {
    var name: String
    var startTime: Double
    var duration: Double?
  }

  private struct Moved: Decodable { var startTime: Double }

  /// A song at 120 BPM: a region of two bars from bar 3, one of a second from 2.5 s.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
      try daw("new", "Song", "--tempo", "120")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse", "--at", "3.1.0", "--length", "2.0.0")
      let noise = Signal.noise(seed: 1, frames: 48_000, channels: 1, peak: 0.5).map { Int($0 * 32_767) }
      try PlainWave.write([noise], bits: 16, rate: 48_000, to: folder.appending(path: "noise.wav"))
      try daw("add-track", "Drums")
      try daw("add-region", "Drums", "--file", "noise.wav", "--name", "Loop", "--at", "2.5s")
      try body(daw)
    }
  }

  private func start(_ daw: DAWProgram, _ region: String) throws -> Double? {
    try daw("list-regions", "--json").json([Placed].self).first { $0.name == region }?.startTime
  }

  @Test("A region's edges are positions, by its name or with its track, and a distance goes on from them")
  func edges() throws {
    try withSong { daw in
      for (typed, seconds) in [
        ("@Keys/Verse.end", 8.0), ("@Verse.START", 4), ("@Drums/Loop.end", 3.5), ("@Loop.end+1.0.0", 5.5),
        ("@loop.start-125ms", 2.375), ("@Verse.end-2b", 7),
      ] {
        try daw("add-region", "Keys", "--name", "New", "--at", typed)
        #expect(try start(daw, "New") == seconds, "\(typed)")
        try daw("undo")
      }
      // In bars of a MIDI region, so that a change of tempo moves the marker with it.
      try daw("add-marker", "Out", "--at", "@Verse.end")
      try daw("set-project", "--tempo", "60")
      #expect(try daw("list-markers", "--json").json([Placed].self).first?.startTime == 16)
    }
  }

  @Test("A marker of the same name wins; what is neither is refused with what is meant")
  func names() throws {
    try withSong { daw in
      try daw("add-marker", "Verse.end", "--at", "1s")
      try daw("add-marker", "playhead", "--at", "1.5s")
      for (typed, seconds) in [("@Verse.end", 1.0), ("@verse.end+1s", 2), ("@Keys/Verse.end", 8), ("@playhead", 1.5)] {
        try daw("set-region", "Loop", "--at", typed)
        #expect(try start(daw, "Loop") == seconds, "\(typed)")
      }
      let revision = try daw("revision").text
      for (typed, status, words) in [
        ("@Keys/Vers.end", 66, "Did you mean 'Keys/Verse'?"), ("@Vers.end+2b", 66, "Did you mean 'Verse'?"),
        ("@Loop", 66, "'@Loop.start' or '@Loop.end'"), ("@Loop+2b", 66, "'@Loop.end'"),
        ("@Loop.middle", 66, "There is no marker 'Loop.middle'"), ("@.end", 66, "There is no"),
        ("@Verse.start-1000s", 65, "not on the timeline"),
      ] as [(String, Int32, String)] {
        let output = try daw.run(["add-region", "Keys", "--at", typed])
        #expect(output.status == status && output.error.contains(words), "\(typed): \(output.error)")
      }
      try daw("add-region", "Keys", "--name", "Loop")
      let two = try daw.run(["add-region", "Keys", "--at", "@Loop.end"])
      #expect(two.status == 65 && two.error.contains("more than one region"), "\(two.error)")
      try daw("undo")
      #expect(try daw("revision").text != revision)
      try daw("add-region", "Keys", "--at", "@Loop.end")
    }
  }

  @Test("A sign before the place of a new note is answered with the forms of a distance")
  func newNotes() throws {
    try withSong { daw in
      for words in [
        ["add-note", "Verse", "C4", "--at", "-1b"], ["add-event", "Verse", "--program", "3", "--at", "+1b"],
      ] {
        let output = try daw.run(words)
        #expect(output.status == 65, "\(words)")
        #expect(output.error.contains("from its region's start, without a sign"), "\(output.error)")
        #expect(output.error.contains("bars.beats.ticks, from 0") && !output.error.contains("@"), "\(output.error)")
      }
    }
  }

  @Test("A sign counts from where a thing is now")
  func signs() throws {
    try withSong { daw in
      for (typed, seconds) in [("+2.0.0", 6.5), ("-10ms", 6.49), ("+480f", 6.5), ("-1b", 6), ("+0s", 6)] {
        try daw("set-region", "Loop", "--at", typed)
        #expect(try start(daw, "Loop") == seconds, "\(typed)")
      }
      try daw("add-marker", "Here", "--at", "2.1.0")
      try daw("set-marker", "Here", "--at", "+1.0.0")
      #expect(try daw("list-markers", "--json").json([Placed].self).first?.startTime == 4)
      try daw("add-tempo", "90", "--at", "20.1.0")
      try daw("set-tempo", "20.1.0", "--at", "-1.0.0")
      try daw("set-tempo", "19.1.0", "--at", "+0.1.0", "--bpm", "91")
      try daw("set-tempo", "19.2.0", "--at", "-0.1.0")
      try daw("add-meter", "3/4", "--at", "10.1.0")
      try daw("set-meter", "10.1.0", "--at", "+2.0.0")
      #expect(try daw.run(["set-meter", "12.1.0", "--at", "+1b"]).status == 65)
      try daw("set-meter", "12.1.0", "--at", "-1.0.0")
      try daw("add-key", "D", "--at", "2.1.0")
      try daw("set-key", "2.1.0", "--at", "+1b")
      try daw("remove-key", "2.2.0")
      try daw("trim-region", "Verse", "--from", "+1b", "--to", "-1b")
      let verse = try daw("list-regions", "--json").json([Placed].self).first { $0.name == "Verse" }
      #expect(verse?.startTime == 4.5 && verse?.duration == 3)
      let note = try daw("add-note", "Verse", "C4", "--at", "1b", "-q").line
      try daw("set-note", note, "--at", "+0.1.0")
      try daw("set-note", note, "--at", "-250ms")
      #expect(try daw("list-notes", "--json").json([Moved].self).map(\.startTime) == [0.75])
      let event = try daw("add-event", "Verse", "--controller", "7", "--value", "1", "--at", "1b", "-q").line
      try daw("set-event", event, "--at", "-1b")
      try daw("move-notes", "--region", "Verse", "--at", "+1b")
    }
  }

  @Test("A sign where nothing is moved, and a distance past an end of the timeline, are refused")
  func signsThatMoveNothing() throws {
    try withSong { daw in
      let revision = try daw("revision").text
      for words in [
        ["add-region", "Keys", "--at", "+1b"], ["add-region", "Keys", "--at", "-1s"],
        ["add-marker", "A", "--at", "+1b"],
        ["split-region", "Loop", "--at", "+1b"], ["bounce", "--from", "-1s"], ["list-notes", "--from", "+1b"],
        ["add-note", "Verse", "C4", "--at", "+1b"], ["export", "-o", "x.mid", "--from", "+1b"],
        ["add-tempo", "90", "--at", "+1b"],
        ["show", "--from", "+1s"], ["add-comment", "Hm", "--at", "+1b"],
      ] {
        let output = try daw.run(words)
        #expect(output.status == 65, "\(words): \(output.error)")
        #expect(output.error.contains("a distance from where something is now"), "\(words): \(output.error)")
      }
      for typed in ["-3s", "-9.0.0", "+999999999999s", "-1000000000000b"] {
        let output = try daw.run(["set-region", "Loop", "--at", typed])
        #expect(output.status == 65, "\(typed): \(output.error)")
      }
      for typed in ["+", "-", "+x", "+2", "@"] {
        #expect(try daw.run(["set-region", "Loop", "--at", typed]).status == 64, "\(typed)")
      }
      #expect(try daw("revision").text == revision)
    }
  }

  @Test("In a batch, regions of earlier lines are found, by name and by what --as called them")
  func batch() throws {
    try withSong { daw in
      let script = """
        add-region Keys --name First --at @Verse.end --as first
        add-region Keys --name Second --at @First.end
        add-region Keys --name Third --at @%first.end+1.0.0
        set-region %first --at +10.0.0
        add-region Keys --name Fourth --at=@%first.start
        add-marker Here --at 1s --as here
        set-region Loop --at @%here+1s
        """
      try daw("batch", "-", input: script)
      #expect(try start(daw, "Second") == 10)
      #expect(try start(daw, "Third") == 12)
      #expect(try start(daw, "Fourth") == 28)
      #expect(try start(daw, "Loop") == 2)
      let unknown = try daw.run(["batch", "-"], input: Data("add-marker A --at @%nothing.end".utf8))
      #expect(unknown.status == 64 && unknown.error.contains("No earlier line says '--as nothing.end'"))
    }
  }

  @Test("Without a player, @playhead is refused wherever a position is typed, and nothing is changed")
  func noPlayer() throws {
    try withSong { daw in
      try daw("add-tempo", "90", "--at", "9.1.0")
      try daw("add-meter", "3/4", "--at", "10.1.0")
      try daw("add-key", "D", "--at", "2.1.0")
      try daw("add-note", "Verse", "C4")
      try daw("add-marker", "Here", "--at", "1s")
      let revision = try daw("revision").text
      for words in [
        "add-region Keys --at", "set-region Loop --at", "split-region Loop --at", "trim-region Loop --from",
        "trim-region Loop --to", "copy-region Loop --at", "list-regions --from", "list-regions --to",
        "import noise.wav --at", "list-notes --from", "quantize --grid 1/4 --from", "copy-notes --at",
        "move-notes --region Verse --by 1b --to", "split-notes --at", "list-events --to", "add-tempo 100 --at",
        "add-tempo 100 --at 5.1.0 --ramp-to 90 --until", "set-tempo 9.1.0 --at", "set-tempo", "remove-tempo",
        "add-meter 3/4 --at", "set-meter 10.1.0 --at", "remove-meter", "add-key D --at", "set-key 2.1.0 --at",
        "remove-key", "add-marker A --at", "set-marker Here --at", "add-comment Hm --at", "show --from", "show --to",
        "bounce --from", "bounce -o x.wav --to", "export -o x.mid --from", "play --from", "play --to",
        "transport locate", "transport loop 1s..@playhead --", "play --loop @playhead..9s --from",
      ] {
        var typed = words.split(separator: " ").map(String.init) + ["@playhead"]
        if words.hasPrefix("set-tempo @") || words == "set-tempo" { typed += ["--bpm", "99"] }
        if words.hasSuffix("--") { typed = Array(typed.dropLast(2)) }
        if words.hasPrefix("copy-notes") || words.hasPrefix("split-notes") { typed += ["--region", "Verse"] }
        let output = try daw.run(typed)
        let isExpected = output.status == 69 && output.error.contains("Nothing plays 'Song'")
        #expect(isExpected, "\(typed): \(output.status) \(output.error)")
      }
      #expect(try daw("revision").text == revision)
      let manifest = try daw.run(["bounce", "-o", "x.wav", "--manifest", "--from", "@playhead"])
      #expect(manifest.status == 64 && manifest.error.contains("daw verify"), "\(manifest.error)")
    }
  }
}

extension PlayTests {
  @Suite("The playhead as a position")
  struct PlayheadPosition {
    private struct Placed: Decodable { var startTime: Double }

    @Test("@playhead is where the player is, for edits, bounces and the transport; a batch asks once")
    func playhead() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav", "--at", "2s")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "none", "--stopped")
        func markers() throws -> [Double] {
          try daw("list-markers", "-p", "Song", "--json").json([Placed].self).map(\.startTime)
        }
        func isAt(_ seconds: Double) -> Bool {
          player.wait { (try? player.transport("status").frame) == Int64(seconds * 48_000) }
        }
        try player.transport("locate", "3s")
        #expect(isAt(3))
        try daw("-p", "Song", "add-marker", "A", "--at", "@playhead")
        try daw("-p", "Song", "add-marker", "B", "--at", "@playhead+500ms")
        #expect(try markers() == [3, 3.5])
        try player.transport("locate", "+1s")
        #expect(isAt(4))
        try player.transport("locate", "@playhead-1.5s")
        #expect(isAt(2.5))
        try daw("-p", "Song", "bounce", "--from", "@playhead", "--to", "@playhead+1s", "-o", "part.wav")
        // While it rolls, one answer serves all lines.
        try player.transport("start")
        let lines = (1...50).map { "add-marker M\($0) --at @playhead" }.joined(separator: "\n")
        try daw("-p", "Song", "batch", "-", input: lines)
        #expect(Set(try markers()).count == 3)
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }
  }
}
