import DAWTestSupport
import Foundation
import Testing

@Suite("Finding media again and repairing, through the command line")
struct RepairCommandTests {
  private func song(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Drums")
      for (name, seconds) in [("own.wav", 0.5), ("linked.wav", 0.25)] {
        try wave(seconds).write(to: folder.appendingPathComponent(name))
      }
      try daw("add-region", "Drums", "--file", "own.wav")
      try daw("add-region", "Drums", "--file", "linked.wav", "--link", "--at", "9.1.0")
      try body(daw, folder)
    }
  }

  /// A mono WAV file of 16 bits at 48,000 Hz.
  private func wave(_ seconds: Double) -> Data {
    let frames = Int(48_000 * seconds)
    func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xff) } }
    var data = Data("RIFF".utf8) + bytes(36 + 2 * frames, 4) + Data("WAVEfmt ".utf8)
    data += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(48_000, 4) + bytes(96_000, 4) + bytes(2, 2) + bytes(16, 2)
    data += Data("data".utf8) + bytes(2 * frames, 4)
    for frame in 0..<frames { data += bytes(frame * 7 & 0xffff, 2) }
    return data
  }

  private func move(_ from: String, _ to: String, in folder: URL) throws {
    let target = folder.appendingPathComponent(to)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: folder.appendingPathComponent(from), to: target)
  }

  private struct Files: Decodable {
    struct File: Decodable { var path: String }
    var audioFiles: [File]
  }

  @Test("Moved files are found by their bytes, own ones copied, linked ones linked again; one undo takes it back")
  func relink() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      #expect(try daw("relink").text == "No medium is missing.\n")
      try move("Song.daw/Audio/own.wav", "disk/deep/other name.wav", in: folder)
      try move("linked.wav", "disk/linked.wav", in: folder)
      // The same name and size, and other bytes.
      var other = wave(0.5)
      other[100] ^= 1
      try other.write(to: folder.appendingPathComponent("disk/own.wav"))
      #expect(try daw.run(["check"]).status == 65)
      #expect(try daw.run(["relink"]).status == 66)
      #expect(try daw("revision").line == "3")
      #expect(try daw("relink", "--search", "disk", "--dry-run").text.contains("nothing was changed"))
      #expect(try daw.run(["check"]).status == 65)
      try daw("relink", "--search", "disk")
      try daw("check")
      #expect(try daw("revision").line == "4")
      let show = try daw.run(["show", "--json"]).text
      #expect(show.contains("disk\\/linked.wav") || show.contains("disk/linked.wav"))
      // Outside the project nothing is changed.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("disk").path)
        .sorted()
      #expect(names == ["deep", "linked.wav", "own.wav"])
      #expect(try Data(contentsOf: folder.appendingPathComponent("disk/deep/other name.wav")) == wave(0.5))
      try daw("undo")
      #expect(try daw.run(["check"]).status == 65)
      #expect(try daw.run(["relink", "--search", "nowhere"]).status == 66)
    }
  }

  @Test("'check --repair' backs up, finds what was moved within the project, and says what it did")
  func repair() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      #expect(try daw.run(["check", "--repair"]).error.isEmpty)
      try move("Song.daw/Audio/own.wav", "Song.daw/Audio/sub/moved.wav", in: folder)
      try move("linked.wav", "disk/linked.wav", in: folder)
      let first = try daw.run(["check", "--repair"])
      #expect(first.status == 65 && first.error.contains("own.wav") && first.text.contains("linked.wav"))
      let second = try daw.run(["check", "--repair", "--search", "disk"])
      #expect(second.status == 0 && second.error.contains("disk/linked.wav"))
      let backups = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("Song.daw/Backups").path)
      #expect(backups.count == 2)
    }
  }

  @Test("Files that nothing uses are named, which is no fault, and a project without such is well")
  func orphans() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      #expect(try daw("check").text == "All is well.\n")
      try wave(0.1).write(to: folder.appendingPathComponent("Song.daw/Audio/stray.wav"))
      let check = try daw("check").text
      #expect(check.contains("orphaned") && check.contains("Audio/stray.wav") && check.hasSuffix("All is well.\n"))
    }
  }

  @Test("Kept renders of no use are named, which is no fault, and go with '--repair'; the bits stay")
  func renders() throws {
    try song { (daw: DAWProgram, folder: URL) throws in
      try daw("add-effect", "Drums", "reverb")
      let expected = try daw("bounce", "--digest").line
      let renders = folder.path + "/Song.daw/Cache/renders"
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: renders).first)
      #expect(try daw("check").text == "All is well.\n")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(renders)/\(name)"))
      bytes[4_096] ^= 1
      try bytes.write(to: URL(fileURLWithPath: "\(renders)/\(name)"))
      try Data([1]).write(to: URL(fileURLWithPath: "\(renders)/x.render.partial-1-1"))
      let check = try daw("check").text
      #expect(
        check.contains("damaged: The kept render 'Cache/renders/\(name)'") && check.contains("1 more"), "\(check)")
      #expect(check.hasSuffix("All is well.\n"))
      let repair = try daw.run(["check", "--repair"])
      #expect(repair.error.contains("'\(name)', because it is damaged") && repair.error.contains("killed process"))
      #expect(repair.text == "All is well.\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: renders).isEmpty)
      #expect(try daw("bounce", "--digest").line == expected)
      try daw("remove-track", "Drums")
      #expect(try daw("check").text.contains("its track is gone"))
    }
  }

  @Test("What a repair has done is in the JSON as well")
  func repairsInJSON() throws {
    struct Report: Decodable {
      var isWell: Bool
      var repairs: [String]
    }
    try song { daw, folder in
      #expect(try daw("check", "--json").json(Report.self).repairs.isEmpty)
      try move("linked.wav", "disk/linked.wav", in: folder)
      let repaired = try daw("check", "--repair", "--search", "disk", "--json").json(Report.self)
      #expect(repaired.isWell && repaired.repairs.contains { $0.contains("disk/linked.wav") }, "\(repaired.repairs)")
      #expect(try daw("check", "--repair", "--json").json(Report.self).repairs.isEmpty)
    }
  }
}
