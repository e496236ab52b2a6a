import DAWTestSupport
import Foundation
import Testing

@Suite("Takes and recordings through the command line")
struct RecordingCommandTests {
  private struct Page: Decodable {
    var recordings: [Entry]
    var hasMore: Bool
  }

  private struct Entry: Decodable {
    var id, title, createdAt, startTime, day, folder: String
    var endTime, notes: String?
    var isCompleted: Bool
    var duration: Double
    var durationFrames: Int64
    var trackCount, passCount, gapCount, lostFrames: Int
    var passes: [Pass]?
  }

  private struct Pass: Decodable {
    struct Piece: Decodable { var passFrame, timelineFrame, frames: Int64 }
    var track: String?
    var number: Int
    var inputs, foundTags: [String]
    var pieces: [Piece]
    var gapCount: Int
  }

  private struct Segment: Decodable {
    var track: String?
    var segmentIndex: Int
    var startFrame, frames: Int64
    var startTime, endTime, duration: Double
    var state, path: String
  }

  private struct Gap: Decodable {
    var title, cause, date: String
    var track: String?
    var startTime, duration: Double
    var frames: Int64
    var inputs: [String]
  }

  private struct Pattern: Decodable, Equatable {
    var cause: String
    var inputs: [String]
    var count: Int, frames: Int64
    var lastOccurrence: String
  }

  private struct Take: Decodable {
    var id, name, track, date: String
    var rating, regionCount, usedRegionCount: Int
    var tags: [String]
    var foundTags: [String]?
    var pass: String?
  }

  /// Two recordings, of which the second is not completed; three passes of the first, each a take, and a region of the
  /// take of the first pass that is not in use. The ends of the ids are those of the numbers.
  private func song(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "COLUMNS": "60", "TZ": "UTC", "DAW_AUTHOR": "ada@lab"])
      try daw("new", "Song")
      for track in ["Vox", "Guitar"] { try daw("add-track", track) }
      try PlainWave.write(
        [[Int](repeating: 9, count: 96_000)], bits: 24, rate: 48_000, to: folder.appending(path: "a.wav"))
      try daw("add-region", "Vox", "--file", "a.wav")
      try daw.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) VALUES
          (11184811, 1795350000000, 1795350000500, 1795350002500, 1, 96000, 48000, 'Audio/Recordings/A'),
          (12303291, 1795440000000, 1795440000500, NULL, 0, 0, 44100, 'Audio/Recordings/B');
        INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames, inputs, pieces, foundTags)
          SELECT n, 11184811, (SELECT id FROM track WHERE name = t), i, 1795350000500, 1000, 96000, p,
            '[{"passFrame":0,"timelineFrame":-12,"frames":96000}]', f
          FROM (SELECT 101 n, 'Vox' t, 1 i, '["system:capture_1"]' p, 'gaps' f
            UNION ALL SELECT 102, 'Vox', 2, '["system:capture_1"]', ''
            UNION ALL SELECT 103, 'Guitar', 1, '["system:capture_2"]', 'clipped gaps');
        INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, createdAt, state)
          SELECT id, 0, 0, 48000, 'Audio/Recordings/A/' || id || '.1.wav', 144044, 1795350000500, 'sealed' FROM pass;
        INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, createdAt, state)
          SELECT id, 1, 48000, 48000, 'Audio/Recordings/A/' || id || '.2.wav', 144044, 1795350001500, 'recovered' FROM pass;
        INSERT INTO gap (pass, start, frames, cause)
          VALUES (101, 4800, 256, 'xrun'), (101, 9600, 256, 'xrun'), (103, 48000, 24000, 'diskFull');
        INSERT INTO take SELECT 11259375 + pass.id, track, 'Take ' || number, 'take ' || number, 0, '', pass.id FROM pass;
        UPDATE region SET take = 11259476, isInUse = 0
        """)
      let files = "Song.daw/Audio/Recordings/A"
      _ = try runShell(in: folder, input: "mkdir -p \(files) && touch \(files)/10{1,2,3}.{1,2}.wav")
      try body(daw)
    }
  }

  @Test("A page of recordings, the newest first, and whether there are more")
  func listRecordings() throws {
    try song { daw in
      func page(_ options: String...) throws -> Page {
        try daw.run(["list-recordings", "--json"] + options).json(Page.self)
      }
      let all = try page()
      #expect(all.recordings.map(\.folder) == ["Audio/Recordings/B", "Audio/Recordings/A"] && !all.hasMore)
      let first = all.recordings[1]
      #expect(first.duration == 2 && first.durationFrames == 96_000 && first.isCompleted && first.title.isEmpty)
      #expect(first.startTime == "2026-11-22T12:20:00.500Z" && first.endTime == "2026-11-22T12:20:02.500Z")
      #expect((first.trackCount, first.passCount, first.gapCount, first.lostFrames) == (2, 3, 3, 24_512))
      #expect(all.recordings[0].endTime == nil && all.recordings[0].passCount == 0)
      #expect(try page("--limit", "1").hasMore)
      let second = try page("--limit", "1", "--page", "2")
      #expect(second.recordings.map(\.id) == [first.id] && !second.hasMore)
      #expect(try page("--running").recordings.map(\.id) == [all.recordings[0].id])
      #expect(try page("--since", "2026-11-23").recordings.map(\.id) == [all.recordings[0].id])
      #expect(try daw("list-recordings", "-q").text == all.recordings.map { $0.id + "\n" }.joined())
      #expect(try daw("list-recordings", "--limit", "1").text.contains("more; see --page"))
      let text = try daw("list-recordings", "--by-day").text
      #expect(
        text.split(separator: "\n").map { $0.prefix(12) } == [
          "2026-11-23", "  13:20:00  ", "2026-11-22", "  12:20:00  ",
        ])
      var west = daw
      west.environment["TZ"] = "America/Los_Angeles"
      #expect(try west("list-recordings", "--by-day").text.contains("\n2026-11-22\n  04:20:00"))
      for options in [
        ["--limit", "0"], ["--page", "0"], ["--limit", "100001"], ["--page", "-1"], ["--since", "soon"],
      ] {
        #expect(try daw.run(["list-recordings"] + options).status == 64, "\(options)")
      }
      let lines = try daw("list-recordings").text.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
    }
  }

  @Test("A recording whose process is gone is not said to be recorded by it")
  func goneProcess() throws {
    try song { daw in
      try daw.sqlite(
        "UPDATE recording SET ownerProcess = 4194000, ownerStartTime = 1, ownerBoot = 'x' WHERE isCompleted = 0")
      var wide = daw
      wide.environment["COLUMNS"] = "200"
      let text = try wide("show-recording", "bbbbbb").text
      #expect(text.contains("its process, 4194000, is gone") && !text.contains("records it"), "\(text)")
    }
  }

  @Test("A recording is called by its title, by its id or the end of it; what a person says of it is undone")
  func titles() throws {
    try song { daw in
      try daw("set-recording", "aaaaab", "--title", " Verse ", "--notes", "-", input: "One.\nTwo.\n")
      let shown = try daw("show-recording", "vERSE", "--json").json(Entry.self)
      #expect(shown.title == "Verse" && shown.notes == "One.\nTwo.")
      #expect(try daw("show-recording", shown.id, "--json").json(Entry.self).title == "Verse")
      #expect(try daw("show", "--json").text.contains(#""title" : "Verse""#))
      for (typed, status, word) in [
        ("Vers", 66, "Did you mean 'Verse'?"), ("", 66, "no recording"), ("ffffff", 66, "no recording"),
      ] {
        let output = try daw.run(["show-recording", typed])
        #expect(output.status == status && output.error.contains(word), "\(output.error)")
      }
      try daw("set-recording", "bbbbbb", "--title", "VERSE")
      #expect(try daw.run(["show-recording", "Verse"]).error.contains("more than one recording"))
      try daw("undo")
      #expect(try daw("set-recording", "Verse", "--title", "Verse").text.contains("Nothing to change"))
      for (options, rule) in [
        (["--title", "a\nb"], "recordingTitle"), (["--title", String(repeating: "x", count: 256)], "recordingTitle"),
        (["--notes", String(repeating: "x", count: 65_537)], "recordingNotes"),
      ] {
        let output = try daw.run(["set-recording", "Verse", "--json"] + options)
        #expect(output.status == 65 && output.error.contains(rule), "\(output.error)")
      }
      try daw("set-recording", "Verse", "--title", "")
      #expect(try daw("show-recording", "aaaaab", "--json").json(Entry.self).notes == "One.\nTwo.")
      try daw("set-recording", "aaaaab", "--notes", "")
      #expect(try daw("show", "--json").text.contains(#""recordingNotes" : ["#))
      #expect(try !daw("show", "--json").text.contains("Two."))
      #expect(try daw.run(["set-recording", "aaaaab"]).status == 64)
      try daw("undo", "2")
      #expect(try daw("show-recording", "Verse", "--json").json(Entry.self).notes == "One.\nTwo.")
      try daw("check")
    }
  }

  @Test("A recording's passes, segments and gaps, also of a track that is gone")
  func parts() throws {
    try song { daw in
      let passes = try #require(try daw("show-recording", "aaaaab", "--json").json(Entry.self).passes)
      #expect(passes.map(\.track) == ["Vox", "Vox", "Guitar"] && passes.map(\.number) == [1, 2, 1])
      #expect(passes[2].inputs == ["system:capture_2"] && passes[2].foundTags == ["clipped", "gaps"])
      #expect(passes[0].pieces.map(\.timelineFrame) == [-12] && passes[0].gapCount == 2)
      let segments = try daw("list-segments", "aaaaab", "--json").json([Segment].self)
      #expect(segments.map(\.segmentIndex) == [0, 1, 0, 1, 0, 1] && segments[1].startFrame == 48_000)
      #expect((segments[1].startTime, segments[1].endTime, segments[1].duration) == (1, 2, 1))
      #expect(segments[1].state == "recovered" && segments[1].path == "Audio/Recordings/A/101.2.wav")
      #expect(try daw("list-segments", "bbbbbb").line == "It has no segments.")
      try daw("remove-track", "Guitar")
      for command in ["show-recording", "list-segments", "list-gaps"] {
        var wide = daw
        wide.environment["COLUMNS"] = "200"
        #expect(try wide(command, "aaaaab").text.contains("(removed track)"), "\(command)")
        let lines = try daw(command, "aaaaab").text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      }
      #expect(try daw("list-segments", "aaaaab", "--json").json([Segment].self).map(\.track).last == .some(nil))
      try daw("check")
    }
  }

  @Test("The passes of a track that is gone say what it was called")
  func removedTrack() throws {
    try song { daw in
      try daw.sqlite("UPDATE pass SET trackName = 'Guitar' WHERE id = 103")
      try daw("remove-track", "Guitar")
      var wide = daw
      wide.environment["COLUMNS"] = "200"
      #expect(try wide("show-recording", "aaaaab").text.contains("Guitar (removed) pass 1"))
      #expect(try daw("show-recording", "aaaaab", "--json").text.contains(#""trackName" : "Guitar""#))
    }
  }

  private struct Comment: Decodable {
    var id, text: String
    var recording, recordingID, thread: String?
  }

  @Test("Comments on a recording are listed with it, undone, and written as JSON")
  func comments() throws {
    try song { daw in
      func comments(_ options: String...) throws -> [Comment] {
        try daw.run(["list-comments", "--json"] + options).json([Comment].self)
      }
      try daw("set-recording", "aaaaab", "--title", "Verse")
      let added = try daw("add-comment", "First half\nonly", "--recording", "verse", "--at", "2.1.0")
      #expect(added.line.hasPrefix("Added a comment about recording 'Verse'"))
      try daw("add-comment", "Louder", "--track", "Vox")
      let comment = try #require(try comments("--recording", "Verse").first)
      try daw("add-comment", "Yes", "--reply", comment.id)
      #expect(try comments("--recording", "Verse").map(\.text) == ["First half\nonly", "Yes"])
      #expect(try comments("--recording", "bbbbbb").isEmpty && comments().count == 3)
      #expect(comment.recording == "Verse" && comment.recordingID?.hasSuffix("aaaaab") == true)
      for (options, status, part) in [
        (["--recording", "Verse", "--track", "Vox"], 65, "commentSubject"),
        (["--recording", "Verse", "--region", "a"], 65, "commentSubject"),
        (["--recording", "Verse", "--reply", comment.id], 65, "commentThread"),
        (["--recording", "Vers"], 66, "Did you mean 'Verse'?"), (["--recording", ""], 66, "no recording"),
      ] {
        let output = try daw.run(["add-comment", "x", "--json"] + options)
        #expect(output.status == Int32(status) && output.error.contains(part), "\(options): \(output.error)")
      }
      try daw("show", "--json", "--notes").data.write(to: daw.folder.appending(path: "song.json"))
      try daw("new", "Again", "--from", "song.json", "--media", "Song.daw")
      let copied = try daw("-p", "Again", "list-comments", "--json").json([Comment].self)
      #expect(copied.first?.recordingID == comment.recordingID && copied.first?.recording == nil)
      var wide = daw
      wide.environment["COLUMNS"] = "200"
      #expect(try wide("-p", "Again", "list-comments").text.contains("about a forgotten recording"))
      try daw("undo", "3")
      #expect(try comments().isEmpty)
      try daw("check")
    }
  }

  @Test("At 60 columns a list of regions still says what is not in use")
  func narrowRegions() throws {
    try song { daw in
      let lines = try daw("list-regions").text.split(separator: "\n")
      #expect(lines.count == 1 && lines.allSatisfy { $0.count <= 60 && $0.contains("not in use") }, "\(lines)")
    }
  }

  @Test("Gaps by recording and cause, and what recurs")
  func gaps() throws {
    try song { daw in
      func gaps(_ options: String...) throws -> [Gap] {
        try daw.run(["list-gaps", "--json"] + options).json([Gap].self)
      }
      let all = try gaps()
      #expect(all.map(\.cause) == ["xrun", "xrun", "diskFull"])
      #expect((all[1].startTime, all[2].duration, all[2].track) == (0.2, 0.5, "Guitar"))
      #expect(all[2].date == "2026-11-22T12:20:01.500Z")
      #expect(try gaps("aaaaab", "--cause", "DISKFULL").map(\.frames) == [24_000])
      #expect(try gaps("bbbbbb").isEmpty)
      let patterns = try daw("list-gaps", "--patterns", "--json").json([Pattern].self)
      #expect(
        patterns == [
          Pattern(
            cause: "xrun", inputs: ["system:capture_1"], count: 2, frames: 512,
            lastOccurrence: "2026-11-22T12:20:00.700Z"),
          Pattern(
            cause: "diskFull", inputs: ["system:capture_2"], count: 1, frames: 24_000,
            lastOccurrence: "2026-11-22T12:20:01.500Z"),
        ])
      #expect(try daw("list-gaps", "--patterns", "bbbbbb").line == "No gaps.")
      #expect(try daw.run(["list-gaps", "--cause", "gremlins"]).status == 64)
      for options in [[], ["--patterns"]] {
        let lines = try daw.run(["list-gaps"] + options).text.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      }
    }
  }

  @Test("Takes are listed, named, rated and tagged, and removed with their regions, which undo brings back")
  func takes() throws {
    try song { daw in
      func takes(_ options: String...) throws -> [Take] {
        try daw.run(["list-takes", "--json"] + options).json([Take].self)
      }
      #expect(try takes().map { "\($0.track)/\($0.name)" } == ["Vox/Take 1", "Vox/Take 2", "Guitar/Take 1"])
      #expect(try takes("--track", "guitar").map(\.foundTags) == [["clipped", "gaps"]])
      #expect(try takes("--tag", "Clipped").map(\.track) == ["Guitar"])
      #expect(try takes("--since", "2026-11-22T12:20:01").isEmpty && takes("--since", "2026-11-22T12:20").count == 3)
      let set = try daw(
        "set-take", "Vox/Take 1", "--name", "The one", "--rating", "5", "--tag", "Good", "--tag", "loud")
      #expect(set.line == "Take 'Vox/The one': 5/5, good, loud, [gaps].")
      try daw("set-take", "the one", "--remove-tag", "loud", "--remove-tag", "none")
      let one = try #require(try takes("--tag", "good").first)
      #expect(one.rating == 5 && one.tags == ["good"] && one.regionCount == 1 && one.usedRegionCount == 0)
      #expect(try daw.run(["set-take", "Guitar/Take 1", "--remove-tag", "clipped"]).error.contains("it stays"))
      var wide = daw
      wide.environment["COLUMNS"] = "120"
      #expect(try wide("list-regions").text.contains("not in use") && wide("show").text.contains("not in use"))
      for (words, status, part) in [
        (["Take 3", "--rating", "1"], 66, "Did you mean"), (["take 2", "--rating", "6"], 65, "0 (none) … 5"),
        (["take 2", "--rating", "-1"], 65, "0 (none) … 5"), (["take 2", "--rating", "1.5"], 64, "1.5"),
        (["take 2", "--tag", "two words"], 64, "letters a-z"), (["take 2", "--tag", ""], 64, "letters a-z"),
        (["take 2", "--tag", String(repeating: "x", count: 65)], 64, "letters a-z"),
        (["take 2", "--tag", "schön"], 64, "letters a-z"), (["take 2"], 64, "Say what to change"),
        (["take 2", "--tag", "a", "--remove-tag", "A"], 64, "added and removed"),
        (["take 2", "--name", " "], 65, "name"),
      ] {
        let output = try daw.run(["set-take"] + words)
        #expect(output.status == Int32(status) && output.error.contains(part), "\(words): \(output.error)")
      }
      let lines = try daw("list-takes").text.split(separator: "\n")
      #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      let before = try daw("show", "--json").data
      #expect(try daw("remove-take", "the one", "vox/take 2").line == "Removed 2 takes with 1 region.")
      #expect(try takes().count == 1 && daw("list-regions").line == "No such regions.")
      #expect(try daw("list-segments", "aaaaab", "--json").json([Segment].self).count == 6)
      try daw("undo")
      #expect(try takes().count == 3)
      func tracks(_ data: Data) throws -> NSArray? {
        (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["tracks"] as? NSArray
      }
      #expect(try tracks(daw("show", "--json").data) == tracks(before))
      #expect(try daw.run(["remove-take", "nothing"]).status == 66)
      try daw("check")
    }
  }

  @Test("A copy of a track has copies of its takes; a region that goes to another track leaves its own")
  func copies() throws {
    try song { daw in
      try daw("copy-track", "Vox")
      let takes = try daw("list-takes", "--track", "Vox 2", "--json").json([Take].self)
      #expect(takes.map(\.name) == ["Take 1", "Take 2"] && takes[0].regionCount == 1 && takes[0].pass != nil)
      try daw("set-region", "Vox/a", "--track", "Guitar")
      #expect(try daw("list-takes", "--track", "Vox", "--json").json([Take].self).map(\.regionCount) == [0, 0])
      #expect(try !daw("list-regions", "--track", "Guitar").text.contains("not in use"))
      try daw("show", "--json", "--notes").data.write(to: daw.folder.appending(path: "song.json"))
      for options in [[], ["--new-ids"]] {
        let name = "Again\(options.count)"
        try daw.run(["new", name, "--from", "song.json", "--media", "Song.daw"] + options)
        let copied = try daw.run(["-p", name, "list-takes", "--json"]).json([Take].self)
        #expect(copied.map(\.regionCount) == [0, 0, 1, 0, 0], "\(options)")
      }
    }
  }

  @Test("'clean' leaves what was recorded, though no medium names it")
  func cleaning() throws {
    try song { daw in
      let folder = daw.folder.appending(path: "Song.daw/Audio/Recordings/A")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["Recordings/A/Vox.0001.wav", "other.wav"] {
        try Data([1]).write(to: daw.folder.appending(path: "Song.daw/Audio/\(name)"))
      }
      #expect(try daw("clean").text.contains("other.wav"))
      #expect(FileManager.default.fileExists(atPath: folder.path + "/Vox.0001.wav"))
    }
  }

  @Test("What another program broke in the facts is said by check, and no command traps on it")
  func brokenFacts() throws {
    try song { daw in
      try daw.sqlite("UPDATE pass SET frames = 96001 WHERE id = 102")
      let output = try daw.run(["check"])
      #expect(output.status == 65 && output.text.contains("frame 96000 is in no segment"), "\(output.text)")
      try daw.sqlite("UPDATE pass SET pieces = 'x' WHERE id = 103")
      #expect(try daw.run(["check"]).text.contains("recordingFacts") || daw.run(["check"]).status == 65)
      for words in [["show-recording", "aaaaab"], ["list-gaps"], ["list-segments", "aaaaab"], ["list-takes"]] {
        let output = try daw.run(words)
        #expect(output.status == 65 && output.signal == nil, "\(words): \(output.error)")
      }
      #expect(try daw.run(["list-recordings"]).status == 0)
    }
  }
}
