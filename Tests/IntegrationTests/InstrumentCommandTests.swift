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

  @Test("Installed SoundFonts and their presets are listed, and a track takes one by name or file, linked or copied")
  func soundFonts() throws {
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
      func fonts() throws -> [String] { try daw("show", "--json").json(Document.self).soundFonts.map(\.path) }
      #expect(try fonts().map { $0.hasPrefix("/usr/share") } == [true])
      try daw("set-track", "Keys", "--soundfont", "TimGM6mb", "--copy-soundfont")
      #expect(try fonts() == ["Audio/TimGM6mb.sf2"])
      try daw("add-region", "Keys", "--name", "Part", "--length", "2b")
      try daw("add-note", "Part", "60")
      let digest = try daw("bounce", "--digest", "--no-cache").text
      try daw("check")

      let copy = folder.appendingPathComponent("Song.daw/Audio/TimGM6mb.sf2")
      try FileManager.default.moveItem(at: copy, to: folder.appendingPathComponent("kept.sf2"))
      let missing = try daw.run(["bounce", "-o", "a.wav"])
      #expect(missing.status == 66 && missing.error.contains("TimGM6mb.sf2") && missing.error.contains("missing"))
      #expect(try daw.run(["check"]).status == 65)
      try Data("RIFF0000sfbk broken".utf8).write(to: copy)
      let changed = try daw.run(["bounce", "-o", "a.wav"])
      #expect(changed.status != 0 && changed.error.contains("changed"), "\(changed.error)")
      try FileManager.default.removeItem(at: copy)
      try daw("bounce", "-o", "a.wav", "--allow", "missing", "--allow", "silent")
      try daw("set-track", "Keys", "--soundfont", "kept.sf2", "--copy-soundfont")
      #expect(try daw("bounce", "--digest", "--no-cache").text == digest)
    }
  }

  @Test("What is no SoundFont, or a broken one, is refused with a sentence")
  func refused() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try Data("RIFF0000sfbk broken".utf8).write(to: folder.appendingPathComponent("broken.sf2"))
      try Data("text".utf8).write(to: folder.appendingPathComponent("text.sf2"))
      for (name, status, word) in [
        ("broken.sf2", 65, "damaged"), ("text.sf2", 65, "no SoundFont"), ("nowhere.sf2", 66, "list-soundfonts"),
      ] as [(String, Int32, String)] {
        for command in [["add-track", "Keys", "--type", "midi", "--soundfont", name], ["list-presets", name]] {
          let output = try daw.run(command)
          #expect(output.status == status && output.error.contains(word), "\(command): \(output.error)")
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
