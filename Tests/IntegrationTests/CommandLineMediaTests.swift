import DAWTestSupport
import Foundation
import Testing

@Suite("Media that come, are lost, and are cleaned away")
struct CommandLineMediaTests {
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try body(daw, folder)
    }
  }

  @Test(
    "Cleaning leaves what is used, wherever in Audio/ it lies and however it is named", .enabled(if: hasSoundFont))
  func cleanLeavesWhatIsUsed() throws {
    try withSong { daw, folder in
      let deep = folder.appendingPathComponent("Song.daw/Audio/Takes/One")
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      for name in ["used.wav", "unused.wav"] {
        try FileManager.default.copyItem(
          at: folder.appendingPathComponent("a.wav"), to: deep.appendingPathComponent(name))
      }
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("Link.daw"), withDestinationURL: folder.appendingPathComponent("Song.daw"))
      try PlainWave.write([[1, 2, 3]], bits: 16, rate: 48_000, to: deep.appendingPathComponent("linked.wav"))
      let font = folder.appendingPathComponent("Song.daw/Audio/general.sf2")
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: "/usr/share/sounds/sf2/TimGM6mb.sf2"), to: font)
      try daw("import", "Song.daw/Audio/Takes/One/used.wav")
      try daw("import", "Link.daw/Audio/Takes/One/linked.wav", "--link")
      try daw("add-track", "Keys", "--type", "midi", "--soundfont", font.path)
      #expect(try daw("clean", "-q").line == "Audio/Takes/One/unused.wav")
      try daw("check")
    }
  }

  @Test("A medium that was lost is put back by adding its bytes again")
  func lostMediumComesBack() throws {
    try withSong { daw, folder in
      try daw("import", "a.wav")
      let copy = folder.appendingPathComponent("Song.daw/Audio/a.wav")
      for damage in [{ try FileManager.default.removeItem(at: copy) }, { try Data("other".utf8).write(to: copy) }] {
        try damage()
        #expect(try daw.run(["check"]).status == 65)
        try daw("import", "a.wav", "a.wav")
        try daw("check")
      }
    }
  }

  @Test("Two files of the same name, as long as a name can be, are both brought in")
  func longestFileNames() throws {
    try withSong { daw, folder in
      let name = String(repeating: "ö", count: 125) + "x.wav"
      for (number, sample) in [("1", 100), ("2", 200)] {
        let place = folder.appendingPathComponent(number)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        try PlainWave.write([[sample]], bits: 16, rate: 48_000, to: place.appendingPathComponent(name))
        try daw("import", "\(number)/\(name)")
      }
      try daw("check")
      #expect(try daw("clean", "-q").data.isEmpty)
    }
  }

  @Test("A file that was linked is copied when it is added without a link; then the original may go")
  func linkedThenCopied() throws {
    try withSong { daw, folder in
      try daw("import", "a.wav", "--link")
      try daw("import", "a.wav")
      try FileManager.default.removeItem(at: folder.appendingPathComponent("a.wav"))
      try daw("check")
      try daw("bounce", "-q")
      try daw("undo")
      #expect(try daw.run(["check"]).status == 65)
      try daw("redo")
      try daw("check")
    }
  }

  @Test("A copy of the project alone finds a linked file where it was, though another has its name beside the copy")
  func linkedFileOfACopy() throws {
    try withSong { daw, folder in
      try daw("import", "a.wav", "--link")
      let other = folder.appendingPathComponent("Other")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
      try PlainWave.write([[9, 8, 7]], bits: 16, rate: 48_000, to: other.appendingPathComponent("a.wav"))
      try daw("copy", "Song", "Other/Song")
      try daw("-p", "Other/Song", "check")
      try daw("-p", "Other/Song", "bounce", "-o", "copy.wav")
      try daw("bounce", "-o", "original.wav")
      let bounces = try ["copy.wav", "original.wav"].map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      #expect(bounces[0] == bounces[1])
    }
  }

  @Test(
    "A file whose name is no name of a track is brought in all the same",
    arguments: [("two\nlines.wav", "two lines"), ("  .wav", "Audio"), ("\u{7}.wav", "Audio")])
  func oddFileNames(file: String, name: String) throws {
    try withSong { daw, folder in
      try FileManager.default.moveItem(
        at: folder.appendingPathComponent("a.wav"), to: folder.appendingPathComponent(file))
      try daw("import", file)
      try daw("set-track", name, "--mute")
      try daw("check")
    }
  }

  @Test(
    "Standard error holds nothing with --json, though a file is odd or a decoder talks; the warnings are in the JSON")
  func quietWithJSON() throws {
    struct Result: Decodable { var warnings: [String] }
    try withSong { daw, folder in
      let whole = try Data(contentsOf: folder.appendingPathComponent("a.wav"))
      try whole.dropLast(2).write(to: folder.appendingPathComponent("cut.wav"))
      let output = try daw("import", "cut.wav", "--json")
      #expect(output.error.isEmpty)
      #expect(try output.json(Result.self).warnings.count == 1)
      // Frames of an MP3 at 128 kbit/s and 44.1 kHz, filled with what no encoder would write.
      var broken = Data()
      for frame in 0..<40 {
        broken += [0xff, 0xfb, 0x90, 0x00] + (0..<413).map { UInt8(truncatingIfNeeded: $0 * 37 &+ frame * 11) }
      }
      try broken.write(to: folder.appendingPathComponent("broken.mp3"))
      let damaged = try daw.run(["import", "broken.mp3", "--json"])
      #expect(damaged.status == 0 ? damaged.error.isEmpty : damaged.error.hasPrefix("{"))
    }
  }

  @Test("Of a damaged MP3 standard error holds what daw says, and nothing that its decoder does")
  func quietDecoder() throws {
    try withSong { daw, folder in
      let noise = (0..<48_000).map { ($0 * 7_919) % 20_001 - 10_000 }
      try PlainWave.write([noise], bits: 16, rate: 48_000, to: folder.appendingPathComponent("noise.wav"))
      try daw("import", "noise.wav")
      try daw("bounce", "-o", "whole.mp3")
      var bytes = try Data(contentsOf: folder.appendingPathComponent("whole.mp3"))
      // At least one frame's header, and the decoder looks for the next.
      let middle = bytes.count / 2
      bytes.replaceSubrange(middle..<middle + 600, with: Data(repeating: 0x55, count: 600))
      try bytes.write(to: folder.appendingPathComponent("damaged.mp3"))
      let output = try daw.run(["import", "damaged.mp3"])
      #expect(output.error.split(separator: "\n").allSatisfy { $0.hasPrefix("daw: ") }, "\(output.error)")
    }
  }
}
