import DAWTestSupport
import Foundation
import Testing

/// What a script types when its variable is empty, or holds less than it should.
@Suite("References that are empty or too short")
struct ShortReferenceTests {
  /// A command that removes or changes what is named behind it, and the id of such an item.
  private typealias Case = (command: [String], id: String)

  private func song(_ body: (DAWProgram, [Case]) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [[Int](repeating: 900, count: 4_800)], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      func made(_ line: String...) throws -> String {
        let output = try daw.run(line + ["-q"])
        guard output.status == 0 else { throw DAWProgram.Failed(arguments: line, output: output) }
        return output.line
      }
      let track = try made("add-track", "Keys", "--type", "midi")
      let vocal = try made("add-track", "Vox")
      let region = try made("add-region", "Keys", "--name", "Part", "--length", "4b")
      _ = try made("add-region", "Vox", "--file", "a.wav")
      let cases: [Case] = [
        (["remove-track"], track), (["set-track", "--mute"], vocal), (["remove-region"], region),
        (["set-region", "--mute"], region), (["split-region", "--at", "1b"], region),
        (["remove-note"], try made("add-note", "Part", "60")),
        (["remove-event"], try made("add-event", "Part", "--controller", "7", "--value", "3")),
        (["remove-marker"], try made("add-marker", "Verse", "--at", "2.1.0")),
        (["remove-tempo"], try made("add-tempo", "90", "--at", "3.1.0")),
        (["remove-meter"], try made("add-meter", "3/4", "--at", "5.1.0")),
        (["remove-key"], try made("add-key", "D")), (["remove-comment"], try made("add-comment", "Louder")),
        (["remove-group"], try made("add-group", "Band", "--track", "Keys")),
        (["remove-effect"], try made("add-effect", "Keys", "eq")), (["remove-take"], try made("new-take", "Vox")),
      ]
      try body(daw, cases)
    }
  }

  @Test("An id of fewer than 6 digits is refused with a sentence that says so, though only one thing has such a one")
  func tooShort() throws {
    try song { daw, cases in
      let revision = try daw("revision").line
      for (command, id) in cases {
        for digits in ["", "-", "--------"] + (1...5).map({ String(id.suffix($0)) }) {
          let output = try daw.run(command + ["id:" + digits])
          #expect(output.status == 64, "\(command) id:\(digits): \(output.text)\(output.error)")
          #expect(output.error.contains("6 or more hexadecimal digits"), "\(command) id:\(digits): \(output.error)")
        }
        #expect(try daw.run(command + ["id:" + id.suffix(6), "--dry-run"]).status == 0, "\(command) \(id)")
        #expect(try daw.run(command + ["id:" + id, "--dry-run"]).status == 0, "\(command) \(id)")
        // What has no name is called by digits alone; of changes of tempo and the like, these may be a position.
        guard !["remove-tempo", "remove-meter", "remove-key"].contains(command[0]) else { continue }
        #expect(try daw.run(command + [String(id.suffix(3))]).status == 66, "\(command) \(id.suffix(3))")
      }
      for command in ["cancel-job", "retry-job", "remove-transcript", "remove-recording", "show-recording"] {
        #expect(try daw.run([command, "id:"]).status == 64, "\(command)")
      }
      #expect(try daw("revision").line == revision)
    }
  }

  @Test("A marker's place with too short an id is no place")
  func places() throws {
    try song { daw, cases in
      let revision = try daw("revision").line
      let marker = try #require(cases.first { $0.command == ["remove-marker"] }?.id)
      for place in ["@id:", "@id:-", "@id:\(marker.suffix(1))", "@id:\(marker.suffix(5))", "@id:+1b", "@id:.start"] {
        for command in [
          ["remove-notes", "--to", place], ["remove-regions", "--to", place], ["add-marker", "New", "--at", place],
          ["set-region", "Part", "--at", place], ["remove-marker", place],
        ] {
          let output = try daw.run(command)
          #expect([64, 66].contains(output.status), "\(command): \(output.text)\(output.error)")
        }
      }
      #expect(try daw.run(["remove-notes", "--to", "@id:\(marker.suffix(6))", "--dry-run"]).status == 0)
      #expect(try daw("revision").line == revision)
    }
  }

  @Test("What is called id: and fewer than 6 digits is meant by just that, and nothing else is")
  func shortNames() throws {
    try song { daw, _ in
      let track = try daw("add-track", "id:12", "--type", "midi", "-q").line
      try daw("add-region", "id:12", "--name", "id:ab", "--length", "4b")
      try daw("add-marker", "id:3", "--at", "7.1.0")
      try daw("add-group", "id:4", "--track", "id:12")
      try daw("new-take", "Vox", "--name", "id:5")
      for command in [
        ["set-track", "ID:12", "--mute"], ["set-track", "id:12", "--solo"], ["set-region", "id:ab", "--mute"],
        ["set-region", "id:12/id:ab", "--no-mute"], ["add-note", "id:ab", "60"],
        ["set-marker", "@id:3", "--name", "id:3"], ["add-key", "G", "--at", "@id:3"],
        ["set-group", "id:4", "--mute"], ["set-take", "id:5", "--rating", "4"], ["add-effect", "id:12", "eq"],
        ["set-track", "id:\(track)", "--no-mute"],
      ] {
        let output = try daw.run(command)
        #expect(output.status == 0, "\(command): \(output.error)")
      }
      #expect(try daw("list-keys").text.contains("7.1.0"))
      let revision = try daw("revision").line
      for reference in ["id:", "id:1", "id:2", "id:123", "id:-12", "id:ab", "id:3"] {
        #expect(try daw.run(["remove-track", reference]).status == 64, "\(reference)")
      }
      for command in [
        ["remove-region", "id:12"], ["remove-marker", "id:"], ["remove-group", "id:12"], ["remove-take", "id:4"],
      ] {
        #expect(try daw.run(command).status == 64, "\(command)")
      }
      #expect(try daw("revision").line == revision)
      try daw("add-track", "id:")
      try daw("remove-track", "id:")
      #expect(try daw("list-tracks", "--json").text.contains("\"id:12\""))
      try daw("remove-track", "id:12")
      try daw("check")
    }
  }

  @Test("What every reference would read as an id is no name, but stays one in a project that has it")
  func namesLikeIDs() throws {
    try song { daw, cases in
      let take = try #require(cases.last).id
      let revision = try daw("revision").line
      for command in [
        ["add-track", "NAME"], ["set-track", "Keys", "--name", "NAME"], ["copy-track", "Keys", "--name", "NAME"],
        ["add-region", "Keys", "--length", "4b", "--at", "9.1.0", "--name", "NAME"],
        ["set-region", "Part", "--name", "NAME"], ["add-marker", "NAME", "--at", "9.1.0"],
        ["set-marker", "Verse", "--name", "NAME"], ["add-group", "NAME"], ["set-group", "Band", "--name", "NAME"],
        ["new-take", "Vox", "--name", "NAME"], ["set-take", take, "--name", "NAME"],
      ] {
        for name in ["id:abcdef", "id:0123-4567", " id:ABCDEF1 "] {
          let output = try daw.run(command.map { $0 == "NAME" ? name : $0 })
          #expect(output.status == 65, "\(command): \(output.text)\(output.error)")
          #expect(output.error.contains("always means an id. Choose another name."), "\(command): \(output.error)")
        }
      }
      #expect(try daw("revision").line == revision)
      try daw("add-track", "id:abcdefg")
      try daw.sqlite("UPDATE track SET name = 'id:abcdef', nameKey = 'id:abcdef' WHERE name = 'Keys'")
      #expect(try daw("list-tracks", "--json").text.contains("\"id:abcdef\""))
      try daw("set-track", try #require(cases.first).id, "--name", "Keys")
    }
  }

  @Test("What is empty names nothing", arguments: ["", " ", "@", "/", "\t", "Keys/", "/Part"])
  func empty(reference: String) throws {
    try song { daw, cases in
      // A recording about which something is said, but which has no title.
      try HostileFileTests.write(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
          VALUES (7, 1700000000000, 1700000000000, 1700000001000, 1, 48000, 48000, 'Audio/Recordings/Take');
        INSERT INTO recordingNote (id, title, notes) VALUES (7, '', 'Loud');
        """, into: daw.folder.appendingPathComponent("Song.daw/project.sqlite"))
      #expect(try daw("show-recording", "id:000007").text.contains("Loud"))
      let revision = try daw("revision").line
      for command in cases.map(\.command) + [
        ["show-recording"], ["remove-recording"], ["transcribe"], ["list-transcripts", "--track"], ["levels"],
        ["bounce", "--digest", "--track"],
      ] {
        let output = try daw.run(command + [reference])
        #expect([64, 65, 66].contains(output.status), "\(command) '\(reference)': \(output.text)\(output.error)")
      }
      #expect(try daw("revision").line == revision)
    }
  }

  @Test("An empty path is neither the current folder's project nor an audio file of the folder's name")
  func emptyPaths() throws {
    try song { daw, _ in
      let inside = DAWProgram(folder: daw.folder.appendingPathComponent("Song.daw"))
      #expect(try inside("revision").line == daw("revision").line)
      let output = try inside.run(["revision", "-p", ""])
      #expect(output.status == 66 && output.error.contains("empty"), "\(output.text)\(output.error)")
      let namesake = daw.folder.appendingPathComponent("Folder/a.wav")
      try FileManager.default.createDirectory(at: namesake, withIntermediateDirectories: true)
      let there = DAWProgram(folder: namesake)
      #expect(try there("list-transcripts", "--track", "a.wav", "-p", "../../Song").text == "No such transcripts.\n")
      #expect(try there.run(["list-transcripts", "--track", "", "-p", "../../Song"]).status == 66)
    }
  }
}
