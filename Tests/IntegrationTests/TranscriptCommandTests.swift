import DAWTestSupport
import Foundation
import Testing

/// What is done with transcripts through the command line. The engine is a script that hears "good" and "guitar" 5 s
/// into each 30 s.
@Suite("Transcripts through the command line")
struct TranscriptCommandTests {
  struct Found: Decodable {
    struct Result: Decodable {
      var kind: String
      var id: String
      var track: String?
      var region: String?
      var position: String?
      var startTime: Double?
      var text: String
    }
    var results: [Result]
  }

  /// A project with 75 s of sound, transcribed, which is in the project and on the track "Vox": 20 … 50 s of it at 10
  /// s, as "part", and all of it at 60 s, as "whole".
  private func speech(_ body: (DAWProgram, TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    let answer = #"""
      #!/bin/sh
      lead=5
      [ "$(stat -c %s "$1")" -ne 496044 ] && lead=6
      echo "{\"word\":\"Good\",\"start\":$lead.0,\"end\":$lead.25}"
      echo "{\"word\":\"guitar\",\"start\":$lead.5,\"end\":$lead.75,\"confidence\":0.5,\"speaker\":\"A\"}"
      """#
    try folder.write(Array((answer + "\n").utf8), to: "engine.sh")
    chmod(folder.path("engine.sh"), 0o700)
    try folder.write(
      Array("{\"command\": [\"\(folder.path("engine.sh"))\", \"{input}\"], \"rate\": 8000}".utf8),
      to: "daw/engines/script.json")
    try PlainWave.write(
      [(0..<8_000 * 75).map { ($0 % 50 - 25) * 500 }], bits: 16, rate: 8_000,
      to: URL(fileURLWithPath: folder.path("s.wav")))
    let daw = DAWProgram(
      folder: URL(fileURLWithPath: folder.path), environment: ["XDG_CONFIG_HOME": folder.path, "DAW_PROJECT": "Song"])
    try daw("new", "Song")
    try daw("add-track", "Vox")
    try daw(
      "add-region", "Vox", "--file", "s.wav", "--at", "10s", "--offset", "20s", "--length", "30s", "--name", "part")
    try daw("add-region", "Vox", "--file", "s.wav", "--at", "60s", "--name", "whole")
    try daw("transcribe", "Vox", "--engine", "script", "--wait")
    try body(daw, folder)
  }

  @Test("A track without transcripts, or without sound, has an empty list; what is not there has none")
  func emptyLists() throws {
    try speech { daw, _ in
      try daw("add-track", "Empty")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part")
      for reference in ["Empty", "Keys", "Keys/Part"] {
        #expect(try daw("list-transcripts", "--track", reference).line == "No such transcripts.", "\(reference)")
        let json = try daw("list-transcripts", "--track", reference, "--json").text
        #expect(json.contains("\"hasMore\" : false"), "\(json)")
      }
      #expect(try !daw("list-transcripts", "--track", "Vox", "-q").text.isEmpty)
      #expect(try daw.run(["list-transcripts", "--track", "None"]).status == 66)
      #expect(try daw.run(["transcribe", "Keys", "--engine", "script"]).status == 65)
    }
  }

  @Test("A word is found at its place in each region that plays it, and play takes the place")
  func search() throws {
    try speech { daw, _ in
      func found(_ arguments: String...) throws -> [String] {
        let output = try daw.run(["search", "--json"] + arguments)
        return try output.json(Found.self).results.map { "\($0.kind) \($0.region ?? "-") \($0.startTime ?? -1)" }
          .sorted()
      }
      let everywhere = [
        "transcript part 25.5", "transcript whole 125.5", "transcript whole 65.5", "transcript whole 95.5",
      ]
      #expect(try found("GUITAR") == everywhere)
      #expect(try found("good", "--from", "24s", "--to", "26s") == ["transcript part 25.0"])
      #expect(try found("guitar", "--kind", "lyric") == [])
      #expect(try found("guitar", "--kind", "transcript", "--track", "Vox") == everywhere)
      #expect(try found("\"good guitar\"", "--from", "100s") == ["transcript whole 125.0"])
      #expect(try found("guitar", "--since", "2100-01-01") == [])
      let text = try daw("search", "guitar", "--to", "30s").text
      #expect(text == "13.4.0 (0:25.500)  transcript  in 'Vox/part'  50 %\n  Good guitar\n")
      let place = try #require(text.split(separator: " ").first)
      #expect(try daw("add-marker", "Here", "--at", String(place)).line == "Added marker 'Here' at 13.4.0 (0:25.500).")
      // Pages count places, not transcripts.
      #expect(try daw("search", "guitar", "--limit", "3").text.hasSuffix("There are more; see --page.\n"))
      #expect(try found("guitar", "--limit", "3", "--page", "2").count == 1)
      // One region may play one of the words, and another one the other.
      for (name, place, offset, length) in [("one", "200s", "35s", "400ms"), ("other", "210s", "35400ms", "1s")] {
        try daw(
          "add-region", "Vox", "--file", "s.wav", "--at", place, "--offset", offset, "--length", length, "--name", name)
      }
      #expect(try found("good guitar", "--from", "200s") == ["transcript one 200.0", "transcript other 210.1"])
    }
  }

  @Test("What a person says instead is found, at the time of what it stands for; removed regions leave the transcript")
  func corrected() throws {
    try speech { daw, _ in
      func found(_ words: String) throws -> [String] {
        try daw("search", words, "--json").json(Found.self).results.map { "\($0.region ?? "-") \($0.startTime ?? -1)" }
      }
      let second = try daw("list-transcripts", "-q").text.split(separator: "\n").map(String.init)[1]
      try daw("set-transcript", second, "--text", "A good zither.")
      #expect(try found("zither") == ["part 25.5", "whole 95.5"])
      #expect(try found("guitar").count == 2)
      #expect(try daw("export-transcript", "part", "-o", "-").text == "A good zither.\n")
      try daw("undo")
      #expect(try found("zither") == [] && found("guitar").count == 4)
      try daw("remove-region", "part", "whole")
      #expect(try found("guitar") == ["- -1.0", "- -1.0", "- -1.0"])
    }
  }

  @Test("Subtitles of a track have its times on the timeline, those of a file the file's, in five formats")
  func export() throws {
    try speech { daw, folder in
      func written(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
      let line = try daw("export-transcript", "Vox", "-o", "vox.srt").line
      #expect(line == "Wrote '\(folder.path("vox.srt"))': 8 captions, 8 words.")
      // A subtitle has words of one speaker.
      #expect(
        try written("vox.srt").hasPrefix(
          "1\n00:00:25,000 --> 00:00:25,250\nGood\n\n2\n00:00:25,500 --> 00:00:25,750\nguitar\n\n3\n00:01:05,000 --> "))
      try daw("export-transcript", "Vox/part", "-o", "part.vtt")
      #expect(
        try written("part.vtt")
          == "WEBVTT\n\n00:00:25.000 --> 00:00:25.250\nGood\n\n00:00:25.500 --> 00:00:25.750\n<v A>guitar\n")
      #expect(try daw("export-transcript", "s.wav", "-o", "-").text == "Good\nguitar\nGood\nguitar\nGood\nguitar\n")
      #expect(
        try daw("export-transcript", "part", "-o", "-", "--format", "CSV").text
          == "start,end,speaker,confidence,text\n25.0,25.25,,,Good\n25.5,25.75,A,0.5,guitar\n")
      struct List: Decodable {
        struct Caption: Decodable {
          struct Word: Decodable { var word: String, start: Double, end: Double, confidence: Double?, speaker: String? }
          var start: Double, end: Double, text: String, words: [Word]
        }
        var captions: [Caption]
      }
      let list = try daw("export-transcript", "s.wav", "-o", "-", "--format", "json").json(List.self)
      #expect(list.captions.map(\.start) == [5, 5.5, 35, 35.5, 65, 65.5] && list.captions[3].words[0].speaker == "A")
      let full = try runShell(in: daw.folder, input: "daw -p Song export-transcript s.wav -o - > /dev/full")
      #expect(full.status == 74 && full.text.contains("could not be written to standard output"), "\(full.text)")
      // What is there stays, and nothing is half written.
      try folder.write(Array("mine".utf8), to: "mine.txt")
      let refused = try daw.run(["export-transcript", "Vox", "-o", "mine.txt"])
      #expect(refused.status == 73 && refused.error.contains("'--overwrite'"))
      #expect(try written("mine.txt") == "mine")
      try daw("export-transcript", "Vox", "-o", "mine.txt", "--overwrite")
      #expect(try written("mine.txt").hasPrefix("Good\n"))
      #expect(try daw.run(["export-transcript", "Vox", "-o", "vox.doc"]).status == 64)
      #expect(try daw.run(["export-transcript", "Voz", "-o", "x.srt"]).error.contains("Did you mean 'Vox'?"))
      try daw("add-track", "Silent")
      #expect(try daw.run(["export-transcript", "Silent", "-o", "x.srt"]).error.contains("has no sound"))
      try PlainWave.write(
        [(0..<8_000 * 40).map { $0 % 9 }], bits: 16, rate: 8_000, to: URL(fileURLWithPath: folder.path("t.wav")))
      try daw("add-region", "Silent", "--file", "t.wav")
      let none = try daw.run(["export-transcript", "Silent", "-o", "x.srt", "--json"])
      #expect(none.status == 65 && none.error.contains("notTranscribed"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("x.srt")))
    }
  }

  @Test("Markers stand where something was said, once, in one step of undo")
  func markers() throws {
    try speech { daw, _ in
      func names() throws -> [String] {
        try daw("list-markers").text.split(separator: "\n").map {
          $0.split(separator: " ", omittingEmptySubsequences: true).prefix(3).joined(separator: " ")
        }
      }
      #expect(try daw("add-markers", "Vox", "--from-transcript", "--match", "GUITAR").line == "Added 4 markers.")
      #expect(
        try names() == [
          "13.4.0 (0:25.500) guitar", "33.4.0 (1:05.500) guitar", "48.4.0 (1:35.500) guitar",
          "63.4.0 (2:05.500) guitar",
        ])
      #expect(try daw("add-markers", "Vox", "--from-transcript", "--match", "guitar").line.contains("Nothing else"))
      try daw("undo")
      #expect(try daw("list-markers").line == "No markers.")
      #expect(try daw("add-markers", "Vox/part", "--from-transcript", "-q").text.split(separator: "\n").count == 2)
      #expect(try daw("add-markers", "--from-transcript").line == "Added 6 markers.")
      #expect(try daw("add-markers", "s.wav", "--from-transcript", "--match", "zither").line.contains("Added 0"))
      #expect(try daw.run(["add-markers", "Vox"]).status == 64)
      #expect(try daw.run(["add-markers", "--from-transcript", "--match", " "]).status == 64)
    }
  }
}
