import Foundation
import Testing

@Suite("Instruments through the command line")
struct InstrumentCommandTests {
  private struct Preset: Decodable {
    var bank: Int
    var program: Int
    var name: String
  }
  private struct Document: Decodable {
    struct SoundFont: Decodable { var path: String }
    var soundFonts: [SoundFont]
  }

  private struct Listed: Decodable {
    var name: String
    var path: String
    var isInstalled: Bool
    var isLinked: Bool?
    var state: String?
    var tracks: [String]
  }

  private static let installed = "/usr/share/sounds/sf2/TimGM6mb.sf2"

  /// The installed sounds with another name within, so that the bytes are others.
  private func writeOther(_ url: URL, mark: Character = "~") throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.installed))
    let name = try #require(bytes.range(of: Data("INAM".utf8)))
    bytes[name.upperBound + 4] = try #require(mark.asciiValue)
    try bytes.write(to: url)
  }

  private func fonts(_ daw: DAWProgram) throws -> [String] {
    try daw("show", "--json").json(Document.self).soundFonts.map(\.path)
  }

  @Test(
    "Installed SoundFonts and their presets are listed, and a track takes one by its name, left where it is or copied")
  func installed() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let paths = try daw("list-soundfonts", "-q").text.split(separator: "\n").map(String.init)
      #expect(paths.contains { $0.hasSuffix("TimGM6mb.sf2") })
      let presets = try daw("list-presets", "timgm6mb", "--json").json([Preset].self)
      #expect(presets.contains { $0.bank == 0 && $0.program == 0 })
      #expect(
        try daw("list-presets", "TimGM6mb.sf2", "--bank", "128", "--json").json([Preset].self).allSatisfy {
          $0.bank == 128
        })
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi", "--soundfont", "TimGM6mb")
      #expect(try fonts(daw) == [Self.installed])
      let listed = try #require(try daw("list-soundfonts", "--json").json([Listed].self).first)
      #expect(listed.isInstalled && listed.isLinked == true && listed.tracks == ["Keys"])
      #expect(listed.state == "asRecorded" && listed.name == "TimGM6mb")
      try daw("set-track", "Keys", "--soundfont", "TimGM6mb", "--copy-soundfont")
      #expect(try fonts(daw) == ["Audio/TimGM6mb.sf2"])
      try daw("undo")
      #expect(try fonts(daw) == [Self.installed])
    }
  }

  @Test("A SoundFont's file is copied into the project, or linked, and goes by its name from then on")
  func files() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let own = folder.appendingPathComponent("own.sf2")
      try writeOther(own)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi", "--soundfont", "own.sf2", "--link")
      #expect(try fonts(daw) == [own.resolvingSymlinksInPath().path])
      // The same bytes are the same SoundFont: it is the project's own from now on.
      try daw("add-track", "Bass", "--type", "midi", "--soundfont", "own.sf2")
      #expect(try fonts(daw) == ["Audio/own.sf2"])
      try FileManager.default.removeItem(at: own)
      try daw("add-track", "Lead", "--type", "midi", "--soundfont", "OWN", "--program", "3")
      try daw("batch", input: "add-track Pad --type midi --soundfont own\n")
      let listed = try #require(try daw("list-soundfonts", "--json").json([Listed].self).first)
      #expect(listed.path == "Audio/own.sf2" && listed.isLinked == false && !listed.isInstalled)
      #expect(listed.tracks == ["Keys", "Bass", "Lead", "Pad"] && listed.state == "asRecorded")
      #expect(try !daw("list-presets", "own", "--json").json([Preset].self).isEmpty)
      let unknown = try daw.run(["add-track", "X", "--type", "midi", "--soundfont", "ownn"])
      #expect(unknown.status == 66 && unknown.error.contains("'own'"))
      #expect(try daw.run(["set-track", "Keys", "--link"]).status == 64)
      #expect(try daw.run(["set-track", "Keys", "--soundfont", "own", "--link", "--copy-soundfont"]).status == 64)
      // A trial leaves no copy behind.
      try writeOther(folder.appendingPathComponent("tried.sf2"), mark: "?")
      try daw("set-track", "Keys", "--soundfont", "tried.sf2", "--dry-run")
      let audio = folder.appendingPathComponent("Song.daw/Audio").path
      let left = try FileManager.default.contentsOfDirectory(atPath: audio).filter { !$0.hasPrefix(".") }
      #expect(left == ["own.sf2"])
    }
  }

  @Test(
    "A SoundFont that is missing, changed or damaged is listed so, checked so, and bounced without only where allowed")
  func lost() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let own = folder.appendingPathComponent("own.sf2")
      try writeOther(own)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi", "--soundfont", "own.sf2")
      try daw("add-region", "Keys", "--name", "Part", "--length", "2b")
      try daw("add-note", "Part", "60")
      let digest = try daw("bounce", "--digest", "--no-cache").text
      try daw("check")
      func expectFault(_ state: String, _ status: Int32, allow: [String], _ line: Int = #line) throws {
        let listed = try #require(try daw("list-soundfonts", "--json").json([Listed].self).first)
        #expect(listed.state == state, "line \(line)")
        let check = try daw.run(["check"])
        #expect(check.status == 65 && check.text.contains("--soundfont FILE"), "line \(line): \(check.text)")
        let bounce = try daw.run(["bounce", "-o", "a.wav"])
        #expect(bounce.status == status && bounce.error.contains("own.sf2"), "line \(line): \(bounce.error)")
        #expect(bounce.error.contains("--allow \(allow[0])") && !bounce.error.contains("CRITICAL"), "line \(line)")
        let allowed = try daw.run(
          ["bounce", "-o", "a.wav", "--overwrite"] + (allow + ["silent"]).flatMap { ["--allow", $0] })
        #expect(allowed.status == 0, "line \(line): \(allowed.error)")
      }
      let copy = folder.appendingPathComponent("Song.daw/Audio/own.sf2")
      let bytes = try Data(contentsOf: copy)
      try FileManager.default.removeItem(at: copy)
      try expectFault("missing", 66, allow: ["missing"])
      // Of the same size, but no SoundFont inside: its tables lie.
      var broken = bytes
      let table = try #require(broken.range(of: Data("pbag".utf8)))
      broken.replaceSubrange(table.upperBound + 4..<table.upperBound + 8, with: [0xff, 0xff, 0xff, 0xff])
      try broken.write(to: copy)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("a.wav"))
      try expectFault("changed", 65, allow: ["changed", "missing"])
      try bytes.write(to: copy)
      try daw("check")
      #expect(try daw("bounce", "--digest", "--no-cache").text == digest)
    }
  }

  @Test("A linked SoundFont that another of its size has replaced is noticed")
  func replaced() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let own = folder.appendingPathComponent("own.sf2")
      try writeOther(own)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi", "--soundfont", "own.sf2", "--link")
      try daw("add-region", "Keys", "--name", "Part", "--length", "2b")
      try daw("add-note", "Part", "60")
      try writeOther(own, mark: "?")
      let bounce = try daw.run(["bounce", "-o", "a.wav"])
      #expect(bounce.status == 65 && bounce.error.contains("--allow changed"), "\(bounce.error)")
      try daw("bounce", "-o", "a.wav", "--allow", "changed")
      #expect(try daw("list-soundfonts", "--json").json([Listed].self).first?.state == "changed")
    }
  }

  @Test("What is no SoundFont, or a broken one, is refused with a sentence")
  func refused() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try Data("RIFF0000sfbk broken".utf8).write(to: folder.appendingPathComponent("broken.sf2"))
      try Data(contentsOf: URL(fileURLWithPath: Self.installed)).prefix(3_000_000)
        .write(to: folder.appendingPathComponent("cut.sf2"))
      try Data("text".utf8).write(to: folder.appendingPathComponent("text.sf2"))
      for (name, status, word) in [
        ("broken.sf2", 65, "damaged"), ("cut.sf2", 65, "damaged"), ("text.sf2", 65, "no SoundFont"),
        ("nowhere.sf2", 66, "list-soundfonts"),
      ] as [(String, Int32, String)] {
        for command in [["add-track", "Keys", "--type", "midi", "--soundfont", name], ["list-presets", name]] {
          let output = try daw.run(command)
          #expect(output.status == status && output.error.contains(word), "\(command): \(output.error)")
          #expect(!output.error.contains("CRITICAL"))
        }
      }
      #expect(try daw.run(["add-track", "Tape", "--reverb"]).status == 65)
    }
  }

  @Test("Gain, reverb and chorus are kept and heard")
  func effects() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi", "--program", "19")
      try daw("add-region", "Keys", "--name", "Part", "--length", "2b")
      try daw("add-note", "Part", "60")
      try daw("add-event", "Part", "--controller", "93", "--value", "127")
      func digest() throws -> String { try daw("bounce", "--digest").text }
      var digests = [try digest()]
      for options in [
        ["--instrument-gain", "-6"], ["--reverb", "--reverb-room", "0.9", "--reverb-level", "1"],
        ["--reverb-width", "2"],
        ["--reverb-damping", "0.5"], ["--chorus"], ["--chorus-depth", "20"], ["--chorus-speed", "3"],
        ["--chorus-voices", "9"], ["--chorus-level", "5"],
      ] {
        #expect(try daw.run(["set-track", "Keys"] + options).status == 0)
        digests.append(try digest())
      }
      #expect(Set(digests).count == digests.count)
      try daw("set-track", "Keys", "--instrument-gain", "0", "--no-reverb", "--no-chorus")
      #expect(try digest() == digests[0])
    }
  }
}
