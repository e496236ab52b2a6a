import Foundation
import Testing

@Suite("Comments through the command line")
struct CommentCommandTests {
  private struct Entry: Decodable, Equatable {
    var id: String
    var thread: String?
    var track: String?
    var region: String?
    var startTicks: Int64?
    var startFlicks: Int64?
    var author: String
    var date: String
    var text: String
    var isResolved: Bool
  }

  private func song(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": "ada@lab"])
      try daw("new", "Song")
      try daw("add-track", "Bass", "--type", "midi")
      try daw("add-region", "Bass", "--name", "Verse", "--at", "1.1.0", "--length", "4.0.0")
      try body(daw)
    }
  }

  private func list(_ daw: DAWProgram, _ options: String...) throws -> [Entry] {
    let output = try daw.run(["list-comments", "--json"] + options)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
    return try output.json([Entry].self)
  }

  @Test("A comment has an author, a date, what it is about, a position, and replies; its thread can be resolved")
  func threads() throws {
    try song { daw in
      try daw("add-comment", "Too loud from here on", "--track", "Bass", "--at", "9.1.0")
      let first = try #require(try list(daw).first)
      #expect(first.author == "ada@lab" && first.track == "Bass" && first.startTicks == 491_520)
      #expect(first.date.hasSuffix("Z") && !first.isResolved)
      let bob = DAWProgram(folder: daw.folder, environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": "bob@home"])
      try bob("add-comment", "-", "--reply", String(first.id.suffix(8)), input: "  Better?\nAnd now?\n")
      let reply = try #require(try list(daw).last)
      #expect(reply.thread == first.id && reply.text == "Better?\nAnd now?" && reply.author == "bob@home")
      // A reply to a reply belongs to the same thread.
      try daw("add-comment", "Yes.", "--reply", reply.id)
      #expect(try list(daw).map(\.thread) == [nil, first.id, first.id])
      try daw("add-comment", "Whose take?", "--region", "Bass/Verse", "--at", "2.5s")
      #expect(try list(daw).last?.startFlicks == 1_764_000_000)
      #expect(try list(daw, "--author", "BOB").map(\.text) == [reply.text])
      #expect(try list(daw, "--track", "Bass").count == 4)
      #expect(try list(daw, "--track", "Master").isEmpty)

      try daw("set-comment", first.id, "--resolved")
      #expect(try list(daw, "--open").map(\.text) == ["Whose take?"])
      #expect(try daw("list-comments").text.contains("track 'Bass' at 9.1.0 (0:16.000) (resolved)"))
      let refused = try daw.run(["set-comment", reply.id, "--resolved", "--json"])
      #expect(refused.status == 65 && refused.error.contains("\"commentThread\""))
      try daw("set-comment", first.id, "--no-resolved", "--text", "Too loud")
      #expect(try list(daw).first?.text == "Too loud" && list(daw, "--open").count == 4)
    }
  }

  @Test("Comments go with what they are about and with the first of their thread, and come back by undo")
  func cascade() throws {
    try song { daw in
      try daw("add-comment", "About the track", "--track", "Bass")
      let first = try daw("list-comments", "-q").line
      try daw("add-comment", "About the region", "--region", "Verse")
      try daw("add-comment", "About the song")
      try daw("add-comment", "Answer", "--reply", first)
      let all = try list(daw)
      try daw("remove-region", "Verse")
      #expect(try list(daw).map(\.text) == ["About the track", "Answer", "About the song"])
      try daw("remove-track", "Bass")
      #expect(try list(daw).map(\.text) == ["About the song"])
      try daw("undo", "2")
      #expect(try list(daw) == all)
      try daw("remove-comment", first)
      #expect(try list(daw).map(\.text) == ["About the region", "About the song"])
      try daw("undo")
      #expect(try list(daw) == all)
      #expect(try daw("check").status == 0)
    }
  }

  @Test("Comments are part of the JSON, and of a project that is made of it, with its ids or with new ones")
  func json() throws {
    try song { daw in
      try daw("add-comment", "About the track", "--track", "Bass", "--at", "9.1.0")
      try daw("add-comment", "Answer", "--reply", try daw("list-comments", "-q").line)
      try daw("add-comment", "About the region", "--region", "Verse", "--at", "2.5s")
      try daw("add-comment", "About the song")
      try daw("set-comment", try #require(try list(daw).last).id, "--resolved")
      let json = try daw("show", "--json", "--notes").text
      try Data(json.utf8).write(to: daw.folder.appendingPathComponent("song.json"))
      let same = DAWProgram(folder: daw.folder, environment: ["DAW_PROJECT": "Same"])
      try same("new", "Same", "--from", "song.json")
      #expect(try list(same) == list(daw))
      let other = json.replacingOccurrences(of: "6461770", with: "0461770")
      try Data(other.utf8).write(to: daw.folder.appendingPathComponent("other.json"))
      let new = DAWProgram(folder: daw.folder, environment: ["DAW_PROJECT": "New"])
      try new("new", "New", "--from", "other.json", "--new-ids")
      #expect(try list(new).map(\.text) == list(daw).map(\.text))
      #expect(try list(new).map(\.isResolved) == [false, false, false, true])
      #expect(try list(new)[1].thread == list(new)[0].id)
      let broken = json.replacingOccurrences(of: "\"About the song\"", with: "\" \"")
      let refused = try daw.run(["new", "Broken", "--from", "-", "--json"], input: Data(broken.utf8))
      #expect(refused.status == 65 && refused.error.contains("\"commentText\""), "\(refused.error)")
    }
  }

  @Test("What is no comment is refused with the rule or the id, and nothing changes")
  func refused() throws {
    try song { daw in
      let words = String(repeating: "é", count: 65_537)
      for (arguments, input, status, code) in [
        (["add-comment", " \n"], nil, 65, "commentText"),
        (["add-comment", "-"], words, 65, "commentText"),
        (["add-comment", "x", "--track", "Bass", "--region", "Verse"], nil, 65, "commentSubject"),
        (["add-comment", "x", "--track", "Bas"], nil, 66, "trackNotFound"),
        (["add-comment", "x", "--reply", "0a1b2c"], nil, 66, "idNotFound"),
        (["set-comment", "0a1b2c", "--resolved"], nil, 66, "idNotFound"),
        (["set-comment", "0a1b2c"], nil, 64, "usage"), (["remove-comment", "id:"], nil, 64, "usage"),
      ] as [([String], String?, Int32, String)] {
        let output = try daw.run(arguments + ["--json"], input: input.map { Data($0.utf8) })
        #expect(output.status == status && output.error.contains("\"\(code)\""), "\(arguments): \(output.error)")
      }
      try daw("add-comment", "-", input: String(words.dropLast()))
      #expect(try list(daw).map(\.text.unicodeScalars.count) == [65_536])
      #expect(try daw("revision").line == "3")
    }
  }
}
