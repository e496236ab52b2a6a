import DAWTestSupport
import Foundation
import Testing

@Suite("Spoken comments")
struct MemoCommandTests {
  private struct Comment: Decodable {
    struct Memo: Decodable {
      var audioFile: String
      var duration: Double
      var processingStatus, transcript, lastError, engine: String?
      var isThinking, isError: Bool
    }
    var id, text: String
    var track, thread: String?
    var startTime: Double?
    var memo: Memo?
  }

  private struct Found: Decodable {
    struct Result: Decodable {
      var kind: String
      var track: String?
      var startTime: Double?
    }
    var results: [Result]
  }

  /// A project with the track "Vox", and 40 s of sound beside it. The engine hears "guitar" in each 30 s.
  private func song(_ body: (DAWProgram, TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    try engine(#"echo '{"word":"guitar","start":2,"end":2.5}'"#, in: folder)
    try PlainWave.write(
      [(0..<8_000 * 40).map { ($0 % 50 - 25) * 500 }], bits: 16, rate: 8_000,
      to: URL(fileURLWithPath: folder.path("remark.wav")))
    let daw = DAWProgram(
      folder: URL(fileURLWithPath: folder.path),
      environment: ["XDG_CONFIG_HOME": folder.path, "DAW_PROJECT": "Song", "COLUMNS": "60"])
    try daw("new", "Song")
    try daw("add-track", "Vox")
    try body(daw, folder)
  }

  private func engine(_ script: String, in folder: TemporaryFolder) throws {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "ears.sh")
    chmod(folder.path("ears.sh"), 0o700)
    try folder.write(
      Array("{\"command\": [\"\(folder.path("ears.sh"))\", \"{input}\"]}".utf8), to: "daw/engines/ears.json")
  }

  private func comments(_ daw: DAWProgram) throws -> [Comment] {
    try daw("list-comments", "--json").json([Comment].self)
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("Song.daw/Audio")).filter { $0.first != "." }
      .sorted()
  }

  @Test("A spoken comment is at its place, is turned into text, found there, and taken back by one undo")
  func walk() throws {
    try song { daw, folder in
      let id = try daw("add-memo", "Vox", "remark.wav", "--at", "3s", "--engine", "ears", "-q").line
      try FileManager.default.removeItem(atPath: folder.path("remark.wav"))
      var found = try comments(daw)
      #expect(found.count == 1 && found[0].id == id && found[0].track == "Vox" && found[0].startTime == 3)
      #expect(found[0].text == "Spoken comment" && found[0].memo?.duration == 40)
      #expect(found[0].memo?.processingStatus == "pending" && found[0].memo?.isThinking == true)
      #expect(try daw("queue").line == "Queued (2)")
      #expect(try daw("list-comments").text.contains("0:40.000 of sound (is being transcribed)"))
      // Answered as any.
      try daw("add-comment", "Which one?", "--reply", id)
      try daw("work", "--until-idle")
      found = try comments(daw)
      #expect(found.map { $0.memo?.transcript } == ["guitar guitar", nil] && found[1].thread == id)
      #expect(found[0].memo?.processingStatus == "completed" && found[0].memo?.engine == "ears")
      #expect(found[0].memo?.isThinking == false && found[0].memo?.isError == false)
      let lines = try daw("list-comments").text.split(separator: "\n")
      #expect(lines.contains("  0:40.000 of sound: guitar guitar") && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      let results = try daw("search", "guitar", "--json").json(Found.self).results
      #expect(results.map(\.kind) == ["transcript", "transcript"] && results.allSatisfy { $0.track == "Vox" })
      #expect(results.allSatisfy { $0.startTime == 3 })
      // What a person says of it counts.
      let transcript = try daw("list-transcripts", "-q").text.split(separator: "\n").map(String.init)[0]
      try daw("set-transcript", transcript, "--text", "bass")
      #expect(try comments(daw)[0].memo?.transcript == "bass guitar")
      try daw("undo", "2")
      #expect(try comments(daw).map { $0.memo?.transcript } == ["guitar guitar"])
      try daw("undo")
      #expect(try comments(daw).isEmpty && daw("queue").line == "Ready")
      // The file stays for redo, and until it is cleaned away.
      try daw("redo")
      #expect(try comments(daw)[0].memo?.transcript == "guitar guitar")
      try daw("clean")
      #expect(try files(folder) == ["remark.wav"])
      try daw("check")
    }
  }

  @Test("What failed because the comment was undone is tried again when it is redone, and nothing else is")
  func redone() throws {
    try song { daw, folder in
      struct Jobs: Decodable {
        struct Job: Decodable { var state: String }
        var jobs: [Job]
      }
      func states() throws -> [String] { try daw("list-jobs", "--json").json(Jobs.self).jobs.map(\.state) }
      try engine("exit 65", in: folder)
      try daw("add-memo", "Vox", "remark.wav", "--engine", "ears")
      try PlainWave.write(
        [(0..<8_000).map { ($0 % 40 - 20) * 500 }], bits: 16, rate: 8_000,
        to: URL(fileURLWithPath: folder.path("other.wav")))
      try daw("add-memo", "Vox", "other.wav", "--engine", "ears")
      try daw("undo")
      try daw("work")
      #expect(try states() == ["failed", "failed", "failed"])
      #expect(try daw("list-jobs", "--json").text.contains("The audio file is no longer in the project."))
      try engine(#"echo '{"word":"guitar","start":0,"end":0.5}'"#, in: folder)
      try daw("redo", "--dry-run")
      #expect(try states() == ["failed", "failed", "failed"])
      try daw("redo")
      #expect(try states().filter { $0 == "pending" }.count == 1 && daw("queue").line == "Queued (1)")
      try daw("work", "--until-idle")
      #expect(try comments(daw).map { $0.memo?.transcript } == [nil, "guitar"])
      try daw("check")
    }
  }

  @Test("A failure of its transcription is shown with it; a silent one says nothing")
  func failure() throws {
    try song { daw, folder in
      try engine("echo 'no model' >&2; exit 65", in: folder)
      try daw("add-memo", "Vox", "remark.wav", "--text", " About the verse\nAnd the rest ", "--engine", "ears")
      try daw("work")
      var found = try comments(daw)
      #expect(found[0].text == "About the verse\nAnd the rest" && found[0].memo?.isError == true)
      #expect(found[0].memo?.lastError?.contains("no model") == true && found[0].memo?.transcript == nil)
      #expect(try daw("list-comments").text.contains("the transcription failed"))
      try PlainWave.write(
        [[Int](repeating: 0, count: 8_000)], bits: 16, rate: 8_000,
        to: URL(fileURLWithPath: folder.path("silence.wav")))
      try folder.write(Array(#"{"command": ["/nowhere/ears", "{input}"]}"#.utf8), to: "daw/engines/away.json")
      #expect(try daw.run(["add-memo", "Vox", "silence.wav", "--fallback", "nothing"]).status == 66)
      try daw("add-memo", "Vox", "silence.wav", "--engine", "away", "--fallback", "ears")
      #expect(try daw("list-jobs", "--json").text.contains("\"fallback\" : \"ears\""))
      try daw("work")
      found = try comments(daw)
      #expect(found[1].memo?.transcript == "" && found[1].memo?.processingStatus == "completed")
      #expect(try daw("list-comments").text.contains("0:01.000 of sound, nothing said"))
    }
  }

  @Test(
    "Its sound is compressed on the way in, in a format of its own",
    arguments: [("low", "ogg"), ("HIGH", "ogg"), ("lossless", "flac")])
  func quality(quality: String, ending: String) throws {
    try song { daw, folder in
      try daw("add-memo", "Vox", "remark.wav", "--quality", quality, "--engine", "ears")
      #expect(try files(folder) == ["remark.\(ending)"])
      let duration = try #require(try comments(daw)[0].memo?.duration)
      #expect(abs(duration - 40) < 0.1, "\(duration)")
      try daw("work", "--until-idle")
      #expect(try comments(daw)[0].memo?.transcript == "guitar guitar")
      try daw("check")
    }
  }

  @Test("Bad input changes nothing")
  func badInput() throws {
    try song { daw, folder in
      try folder.write(Array("not sound".utf8), to: "text.wav")
      let before = try daw("revision").line
      for (words, status) in [
        (["Vox", "nothing.wav"], 66), (["Vox", "text.wav"], 65), (["Box", "remark.wav"], 66), (["Vox", "."], 66),
        (["Vox", "remark.wav", "--engine", "eyes"], 66), (["Vox", "remark.wav", "--text", " "], 65),
        (["Vox", "remark.wav", "--quality", "huge"], 64), (["Vox", "remark.wav", "--at", "-1s"], 65),
        (["Vox", "remark.wav", "--language", "x y"], 64), (["Vox"], 64), (["Vox", "text.wav", "--quality", "low"], 65),
        (["Vox", "remark.wav", "--dry-run"], 0),
      ] {
        let output = try daw.run(["add-memo"] + words)
        #expect(output.status == status && output.signal == nil, "\(words): \(output.status) \(output.error)")
      }
      #expect(try daw("revision").line == before && daw("queue").line == "Ready" && files(folder).isEmpty)
      #expect(try daw("list-comments").line == "No comments.")
    }
  }

  @Test("A copy and a project made of the JSON have the sound; a name with control characters stays harmless")
  func copies() throws {
    try song { daw, folder in
      let name = "a\u{1b}[31m\nb.wav"
      try FileManager.default.copyItem(atPath: folder.path("remark.wav"), toPath: folder.path(name))
      try daw("add-memo", "Vox", name, "--engine", "ears")
      try daw("work", "--until-idle")
      #expect(try !daw("list-comments").text.contains("\u{1b}"))
      try daw("copy", "Song", "Copy")
      var copy = daw
      copy.environment["DAW_PROJECT"] = "Copy"
      #expect(try comments(copy)[0].memo?.transcript == "guitar guitar")
      try Data(daw("show", "--json", "--notes", "--recordings").text.utf8).write(
        to: URL(fileURLWithPath: folder.path("all.json")))
      try daw("new", "Made", "--from", "all.json", "--media", "Song.daw")
      copy.environment["DAW_PROJECT"] = "Made"
      let made = try comments(copy)
      #expect(made[0].memo?.duration == 40 && made[0].memo?.transcript == "guitar guitar")
      try copy("check")
      try daw("new", "Fresh", "--from", "all.json", "--media", "Song.daw", "--new-ids")
      copy.environment["DAW_PROJECT"] = "Fresh"
      #expect(try comments(copy)[0].memo?.processingStatus == nil)
      #expect(try daw("list-comments").text.contains("of sound"))
      // A file that is gone is missed as any.
      try FileManager.default.removeItem(atPath: folder.path("Song.daw/Audio/" + files(folder)[0]))
      let check = try daw.run(["check"])
      #expect(check.status == 65 && check.text.contains("is missing"), "\(check)")
      #expect(try comments(daw)[0].memo != nil)
    }
  }

  @Test("A batch adds several, with their jobs; where a line is wrong, none")
  func batch() throws {
    try song { daw, folder in
      try folder.write(Array("add-memo Vox remark.wav --engine ears\nadd-memo Box remark.wav\n".utf8), to: "bad.txt")
      #expect(try daw.run(["batch", "bad.txt"]).status == 66)
      #expect(try daw("queue").line == "Ready" && comments(daw).isEmpty && files(folder).isEmpty)
      try folder.write(
        Array("add-memo Vox remark.wav --engine ears\nadd-memo Vox remark.wav --at 5s --engine ears\n".utf8),
        to: "good.txt")
      try daw("batch", "good.txt")
      // The bytes are the same: one file, transcribed once.
      #expect(try daw("queue").line == "Queued (2)" && comments(daw).count == 2 && files(folder) == ["remark.wav"])
    }
  }
}
