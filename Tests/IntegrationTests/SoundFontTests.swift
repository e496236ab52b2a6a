import Foundation
import Testing

@Suite(
  "SoundFonts in the bounce",
  .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/sounds/sf2/TimGM6mb.sf2")))
struct SoundFontTests {
  /// A song with a MIDI track that plays one note, on the channel given.
  private func withSong(channel: Int = 1, _ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw(
        "batch", input: "add-track Keys --type midi\nadd-region Keys --name R\nadd-note R D2 --channel \(channel)\n")
      try body(daw, folder)
    }
  }

  @Test(
    "One that goes missing, changes or breaks is named with how to repair it, and bounced without only where allowed")
  func lost() throws {
    let installed = URL(fileURLWithPath: "/usr/share/sounds/sf2/TimGM6mb.sf2")
    let bytes = try Data(contentsOf: installed)
    try withSong { daw, folder in
      let own = folder.appendingPathComponent("own.sf2")
      for (damage, code) in [
        ({ try FileManager.default.removeItem(at: own) }, "missing"), ({ try bytes.write(to: own) }, "changed"),
        ({ try bytes.prefix(9999).write(to: own) }, "changed"),
      ] {
        try renamed(bytes).write(to: own)
        try daw("set-track", "Keys", "--soundfont", "own.sf2", "--link")
        try daw("check")
        try damage()
        let check = try daw.run(["check"])
        #expect(check.status == 65)
        #expect(check.text.contains("'Keys'") && check.text.contains("daw set-track Keys --soundfont FILE"))
        let bounce = try daw.run(["bounce", "-o", "a.wav", "--overwrite"])
        #expect(bounce.status == (code == "missing" ? 66 : 65))
        #expect(bounce.error.contains("own.sf2") && bounce.error.contains("--allow \(code)"))
        try daw("bounce", "-o", "a.wav", "--overwrite", "--allow", "missing", "--allow", "changed", "--allow", "silent")
      }
    }
  }

  /// The same sounds with another name, so that the bytes are others.
  private func renamed(_ bytes: Data) throws -> Data {
    var bytes = bytes
    let name = try #require(bytes.range(of: Data("INAM".utf8)))
    bytes[name.upperBound + 4] = UInt8(ascii: "~")
    return bytes
  }

  @Test("Channel 10 is heard as drums, whatever the track's program")
  func percussion() throws {
    func sound(channel: Int, _ settings: String...) throws -> Data {
      var samples = Data()
      try withSong(channel: channel) { daw, folder in
        if !settings.isEmpty { try daw.run(["set-track", "Keys"] + settings) }
        try daw("bounce", "-o", "a.wav", "--bits", "32f", "--no-loudness")
        samples = try Data(contentsOf: folder.appendingPathComponent("a.wav"))
      }
      return samples
    }
    let snare = try sound(channel: 10)
    #expect(try snare != sound(channel: 1))
    // No kit has this number, so that the standard kit plays.
    #expect(try snare == sound(channel: 10, "--program", "50"))
    #expect(try snare == sound(channel: 1, "--bank", "128", "--program", "0"))
  }
}
