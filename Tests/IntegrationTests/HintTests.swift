import Foundation
import Testing

@Suite("What errors say of the way on")
struct HintTests {
  @Test(
    "An error says what to do next, also of a line in a file",
    arguments: [
      (["batch"], "list-tracks\n", "notAnEdit"),
      (["batch"], "add-track A --as x\nadd-track B --as x\n", "nameTaken"),
      (["batch"], "list-nothing\n", "unknownCommand"),
      (["add-marker", "X", "--at", "@start-1b"], "", "invalidTime"),
      (["add-points", "Keys", "volume"], "0.1.0,-6\n", "invalidPoints"),
      (["add-event", "Keys/Verse", "--sysex", "F0 99 F7"], "", "eventBytes"),
      (["transport", "keep", "1000s"], "", "rememberedLength"),
      (["new", "Other", "--from", "-"], #"{"formatVersion": 99}"#, "newerFormat"),
      (["new", "Other", "--from", "-"], #"{"tracks": [{"name": "A", "sends": [{"bus": "B"}]}]}"#, "invalidJSON"),
      (["new", "Other", "--from", "-"], #"{"tracks": [{"name": "A", "outputBus": "B"}]}"#, "invalidJSON"),
    ])
  func hints(words: [String], input: String, code: String) throws {
    struct Refusal: Decodable {
      struct Error: Decodable {
        var code: String
        var hint: String?
      }
      var error: Error
    }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse")
      let refused = try daw.run(words + ["--json"], input: Data(input.utf8))
      let error = try JSONDecoder().decode(Refusal.self, from: Data(refused.error.utf8)).error
      #expect(error.code == code && error.hint?.isEmpty == false, "\(error)")
    }
  }
}
