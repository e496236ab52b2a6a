import DAWTestSupport
import Foundation
import Testing

/// JSON from elsewhere does not decide which of the user's files come into a project.
@Suite("Media that a project's JSON has outside its folder")
struct OutsideMediaTests {
  /// `media/Audio/a.wav` and `media/song.json`, as they were sent; `own/a.wav`, which has the same bytes.
  private func withJSON(_ body: (DAWProgram, URL, String) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      for name in ["own", "media", "media/Audio"] {
        try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false)
      }
      let own = folder.appending(path: "own/a.wav")
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: own)
      try FileManager.default.copyItem(at: own, to: folder.appending(path: "media/Audio/a.wav"))
      try daw("new", "Song")
      try daw("-p", "Song", "import", "own/a.wav")
      try body(daw, folder, try daw("-p", "Song", "show", "--json", "--notes").text)
    }
  }

  @Test(
    "By its path or through a link it is refused, and with --allow-outside taken",
    arguments: [
      "../own/a.wav", "Audio/../../own/a.wav", "Audio/link.wav", "way/a.wav",
    ])
  func outside(path: String) throws {
    try withJSON { daw, folder, json in
      let links = [("media/Audio/link.wav", "../../own/a.wav"), ("media/way", "../own")]
      for (name, target) in links {
        try FileManager.default.createSymbolicLink(
          atPath: folder.appending(path: name).path, withDestinationPath: target)
      }
      try json.replacingOccurrences(of: "\"Audio/a.wav\"", with: "\"\(path)\"").write(
        to: folder.appending(path: "media/song.json"), atomically: true, encoding: .utf8)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let output = try daw.run(["new", "Again", "--from", "media/song.json"])
      #expect(output.status == 65 && output.error.contains("--allow-outside"), "\(output.status) \(output.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
      let allowed = try daw("new", "Again", "--from", "media/song.json", "--allow-outside")
      #expect(allowed.error.isEmpty)
      try daw("-p", "Again", "check")
      #expect(
        FileManager.default.contentsEqual(
          atPath: folder.appending(path: "own/a.wav").path,
          andPath: folder.appending(path: "Again.daw/Audio/\((path as NSString).lastPathComponent)").path))
    }
  }

  @Test("A folder of media that is itself reached through a link is the user's own choice")
  func linkedMediaFolder() throws {
    try withJSON { daw, folder, json in
      try json.write(to: folder.appending(path: "song.json"), atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "way").path, withDestinationPath: "media")
      #expect(try daw("new", "Again", "--from", "song.json", "--media", "way").error.isEmpty)
      try daw("-p", "Again", "check")
    }
  }

  @Test("What was linked stays linked, wherever it lies, and is copied nowhere")
  func linked() throws {
    try withJSON { daw, folder, _ in
      try daw("-p", "Song", "undo")
      try daw("-p", "Song", "import", "own/a.wav", "--link")
      try daw("-p", "Song", "show", "--json", "--notes").data.write(to: folder.appending(path: "media/song.json"))
      #expect(try daw("new", "Again", "--from", "media/song.json").error.isEmpty)
      try daw("-p", "Again", "check")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Again.daw/Audio") == [])
    }
  }
}
