import DAWTestSupport
import Foundation
import Testing

@Suite("Files that were joined end to end")
struct JoinedMediaTests {
  private struct Imported: Decodable { var warnings: [String] }

  private struct Checked: Decodable {
    struct Finding: Decodable {
      var code: String
      var message: String
      var isNotice: Bool
    }
    var isWell: Bool
    var findings: [Finding]
  }

  @Test(
    "What is read of them is said by import, by add-region and by check, and nothing of a file that is whole",
    arguments: ["ogg", "opus", "mp3"])
  func joined(ending: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let tone = (0..<48_000).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone], bits: 16, rate: 48_000, to: folder.appendingPathComponent("tone.wav"))
      try daw("import", "tone.wav")
      try daw("bounce", "-o", "one.\(ending)")
      let one = try Data(contentsOf: folder.appendingPathComponent("one.\(ending)"))
      try (one + one).write(to: folder.appendingPathComponent("two.\(ending)"))

      let whole = try daw("import", "one.\(ending)", "--json").json(Imported.self)
      #expect(whole.warnings.isEmpty)
      let part = try daw("import", "two.\(ending)", "--json").json(Imported.self)
      #expect(part.warnings.count == 1)
      #expect(part.warnings.first?.contains("only its first 1.0 s are read") == true)
      #expect(part.warnings.first?.contains("ffmpeg -i") == true)
      try daw("add-track", "Voice")
      #expect(try daw("add-region", "Voice", "--file", "two.\(ending)").error.contains("ffmpeg -i"))

      let output = try daw("check", "--json")
      let checked = try output.json(Checked.self)
      #expect(output.status == 0 && checked.isWell)
      let notices = checked.findings.filter { $0.code == "trailingAudio" }
      #expect(notices.count == 1 && notices.allSatisfy(\.isNotice))
      #expect(notices.first?.message.contains("Audio/two.\(ending)") == true)
    }
  }
}
