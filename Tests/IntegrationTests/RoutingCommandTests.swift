import Foundation
import Testing

@Suite("Buses, sends and groups")
struct RoutingCommandTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw(
        "batch", "-",
        input: """
          add-track Vocal
          add-track Reverb --type bus
          add-track Echo --type bus --output Reverb
          add-track Kick --output Echo --trim -3 --invert both --stereo-width 0.5 --solo-safe
          add-send Vocal Echo --level -12 --pre --pan -0.5
          add-group Drums --track Kick --track Vocal --volume -3 --mute

          """)
      try body(daw)
    }
  }

  private struct Track: Decodable {
    var name: String
    var outputBus: String?
    var isOutputConnected: Bool
    var sends: [Send]
    var groups: [String]
  }

  private struct Send: Decodable, Equatable {
    var bus: String
    var level: Double
    var pan: Double?
    var isPreFader, isMuted: Bool
  }

  private func track(_ name: String, _ daw: DAWProgram) throws -> Track {
    try #require(try daw("list-tracks", "--json").json([Track].self).first { $0.name == name })
  }

  private func refusal(_ daw: DAWProgram, _ words: [String]) throws -> String {
    let output = try daw.run(words)
    #expect(output.status == 65, "\(words): \(output.error)")
    return output.error
  }

  @Test("What commands set is listed, changed and removed")
  func commands() throws {
    try withSong { daw in
      #expect(try track("Kick", daw).outputBus == "Echo")
      #expect(
        try track("Vocal", daw).sends == [Send(bus: "Echo", level: -12, pan: -0.5, isPreFader: true, isMuted: false)])
      #expect(try track("Vocal", daw).groups == ["Drums"])
      let list = try daw("list-tracks").text
      #expect(list.contains("trim -3 dB, inverted, width 0.5, solo-safe"), "\(list)")
      #expect(list.contains("send to Echo, in Drums") && list.contains("to Echo, in Drums"), "\(list)")
      #expect(list.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(list)")
      try daw("set-send", "vocal", "echo", "--post", "--pan", "strip", "--mute", "--level", "-inf")
      let sends = try daw("list-sends", "Vocal").text
      #expect(sends.contains("-inf dB, muted"), "\(sends)")
      let history = try daw("history").text
      #expect(history.contains("send Vocal → Echo: level -12 → -inf dB, pan -0.5 → strip, pre fader yes → no"))
      #expect(history.contains("added member Kick of group Drums"), "\(history)")
      try daw("set-group", "drums", "--name", "Band", "--remove-track", "Vocal", "--no-mute", "--solo")
      #expect(try daw("list-groups").text.contains("-3 dB, solo: Kick"))
      #expect(try daw.run(["set-group", "Band", "--remove-track", "Vocal"]).status == 66)
      #expect(try daw.run(["remove-send", "Vocal", "Reverb"]).error.contains("It has sends to 'Echo'"))
      #expect(try daw.run(["remove-group", "Bund"]).error.contains("Did you mean 'Band'?"))
      try daw("remove-send", "Vocal", "Echo")
      try daw("remove-group", "Band")
      #expect(try track("Vocal", daw).sends.isEmpty && track("Kick", daw).groups.isEmpty)
      try daw("set-track", "Kick", "--output", "none")
      #expect(try !track("Kick", daw).isOutputConnected)
      try daw("set-track", "Kick", "--output", "master")
      #expect(try track("Kick", daw).isOutputConnected && track("Kick", daw).outputBus == nil)
      try daw("check")
    }
  }

  @Test("What does nothing on a bus or the master is refused")
  func useless() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Band", "--type", "bus")
      let before = try daw("show", "--json").text
      for words in [
        ["set-track", "Band", "--arm"], ["set-track", "Master", "--arm"], ["set-track", "Master", "--solo"],
        ["set-track", "Master", "--solo-safe"], ["add-track", "Echo", "--type", "bus", "--arm"],
      ] {
        let output = try daw.run(words)
        #expect(output.status == 65 && output.error.contains("Nothing was changed."), "\(words): \(output)")
      }
      #expect(try daw("show", "--json").text == before)
      try daw("set-track", "Band", "--solo", "--no-arm")
      try daw("add-track", "Vox", "--arm")
      #expect(try daw("set-track", "Vox", "--type", "bus").text.contains("armed") == false)
    }
  }

  @Test("A cycle is refused with its path, by outputs, sends, undo and redo")
  func cycles() throws {
    try withSong { daw in
      #expect(try refusal(daw, ["set-track", "Reverb", "--output", "Echo"]).contains("Reverb → Echo → Reverb"))
      #expect(try refusal(daw, ["add-send", "Reverb", "Echo"]).contains("Reverb → Echo → Reverb"))
      #expect(try refusal(daw, ["add-send", "Reverb", "Reverb"]).contains("to itself"))
      // Taking the first of two edits back alone would close the cycle.
      try daw("set-track", "Echo", "--output", "Master")
      var bob = daw
      bob.environment["DAW_AUTHOR"] = "bob@lab"
      try bob("add-send", "Reverb", "Echo")
      #expect(try daw.run(["undo", "--mine"]).status != 0)
      try daw("undo", "2")
      try daw("redo", "2")
      try daw("check")
    }
  }

  @Test("A cycle that another program wrote is found by check")
  func damagedFile() throws {
    try withSong { daw in
      let sql = "UPDATE track SET outputBus = (SELECT id FROM track WHERE name = 'Echo') WHERE name = 'Reverb'"
      let shell = try runShell(in: daw.folder, input: "sqlite3 Song.daw/project.sqlite \"\(sql)\"")
      #expect(shell.status == 0)
      let check = try daw.run(["check"])
      #expect(check.status != 0)
      #expect((check.text + check.error).contains("Echo → Reverb → Echo"), "\(check.text)\(check.error)")
      // The way out is open.
      try daw("set-track", "Reverb", "--output", "Master")
      try daw("check")
    }
  }

  @Test("A bus that is fed stays, unless its feeders are rerouted; undo brings all of it back")
  func reroute() throws {
    try withSong { daw in
      let before = try daw("show", "--json").text
      let refused = try refusal(daw, ["remove-track", "Echo"])
      #expect(refused.contains("the output of 'Kick'; a send of 'Vocal'") && refused.contains("--reroute"))
      #expect(try refusal(daw, ["set-track", "Echo", "--type", "audio"]).contains("while it is fed"))
      #expect(try daw("show", "--json").text == before)
      let removed = try daw("remove-track", "Echo", "--reroute").text
      #expect(removed.contains("1 output rerouted to Reverb, 1 send removed"), "\(removed)")
      #expect(try track("Kick", daw).outputBus == "Reverb" && track("Vocal", daw).sends.isEmpty)
      let after = try daw("show", "--json").text
      try daw("undo")
      #expect(try document(daw) == document(before))
      try daw("redo")
      #expect(try document(daw) == document(after))
      try daw("check")
    }
  }

  @Test("A copy of a track has its output, its sends, its groups and its strip; names may have any characters")
  func copies() throws {
    try withSong { daw in
      try daw("add-track", "→ 'none' \u{1f3b9}", "--type", "bus")
      try daw("add-send", "Kick", "→ 'none' \u{1f3b9}", "--level", "-6")
      try daw("copy-track", "Kick")
      let copy = try track("Kick 2", daw)
      #expect(copy.outputBus == "Echo" && copy.groups == ["Drums"])
      #expect(copy.sends.map(\.bus) == ["→ 'none' \u{1f3b9}"])
      try daw("show", "--json", "--notes").data.write(to: daw.folder.appendingPathComponent("song.json"))
      try daw("new", "Again", "--from", "song.json", "--new-ids")
      let again = try daw("list-tracks", "-p", "Again", "--json").json([Track].self)
      #expect(again.first { $0.name == "Kick 2" }?.sends == copy.sends)
      #expect(again.first { $0.name == "Kick 2" }?.groups == ["Drums"])
    }
  }

  @Test("Two processes that each close half of a cycle do not close it together")
  func twoWriters() throws {
    try withSong { daw in
      try daw("set-track", "Echo", "--output", "Master")
      let script = """
        (for i in 1 2 3 4 5 6 7 8; do daw set-track Echo --output Reverb; daw set-track Echo --output Master; done) &
        (for i in 1 2 3 4 5 6 7 8; do daw set-track Reverb --output Echo; daw set-track Reverb --output Master; done) &
        wait
        daw check
        """
      let result = try runShell(in: daw.folder, input: "export DAW_PROJECT=Song\n" + script)
      #expect(result.status == 0 && result.text.contains("All is well"), "\(result.text)")
    }
  }

  /// Without what undo changes too.
  private func document(_ text: String) throws -> NSDictionary {
    var document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    for key in ["modifiedDate", "revision"] { document[key] = nil }
    return NSDictionary(dictionary: document)
  }

  private func document(_ daw: DAWProgram) throws -> NSDictionary { try document(daw("show", "--json").text) }
}
