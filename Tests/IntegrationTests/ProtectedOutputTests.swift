import DAWTestSupport
import Foundation
import Testing

/// Every command that writes a file of the user's choice, and what it must not put it in the place of.
@Suite("Outputs in the place of a project's files")
struct ProtectedOutputTests {
  private struct Reported: Decodable {
    struct Content: Decodable { var code, message, hint: String }
    var error: Content
  }

  /// A project with a medium in its folder and a linked one; another project beside it.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      var song = RandomSong(seed: 3)
      for name in ["a", "b"] {
        try PlainWave.write(
          song.noise(channels: 1, frames: 9_000, bits: 16), bits: 16, rate: 48_000,
          to: folder.appendingPathComponent("\(name).wav"))
      }
      try daw("new", "Song")
      try daw("new", "Other")
      try daw("add-track", "A", "--volume", "-12")
      try daw("add-region", "A", "--file", "a.wav")
      try daw("add-region", "A", "--file", "b.wav", "--link", "--at", "1s")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link", withDestinationPath: "Song.daw/Audio")
      try body(daw, folder)
    }
  }

  @Test(
    "Nothing replaces a project's file or a medium, nor lies among a project's files: nothing is written or rendered",
    arguments: [
      ["bounce", "--format", "wav"], ["bounce", "--format", "wav", "--manifest"],
      ["bounce", "--format", "flac", "--verify"], ["export"], ["export-transcript", "a.wav", "--format", "txt"],
      ["join-take", "A/A"],
    ])
  func refused(command: [String]) throws {
    try withSong { daw, folder in
      let before = try Tree(folder, withoutTimesOf: ["Song.daw", "Other.daw"])
      for (path, code) in [
        ("Song.daw/project.sqlite", "projectFile"), ("Song.daw/project.sqlite-wal", "projectFile"),
        ("Song.daw/.gitignore", "projectFile"), ("Song.daw/Audio/a.wav", "projectFile"),
        ("Song.daw/Backups/new.sqlite", "projectFile"), ("link/a.wav", "projectFile"), ("link/new.wav", "projectFile"),
        ("Other.daw/project.sqlite", "projectFile"), ("Other.daw/new.wav", "projectFile"), ("b.wav", "mediumInUse"),
      ] {
        for options in [["--overwrite"], []] {
          let output = try daw.run(command + ["-o", path, "--json"] + options)
          #expect(output.status == 73, "\(path): \(output.status) \(output.error)")
          let error = try JSONDecoder().decode(Reported.self, from: Data(output.error.utf8)).error
          #expect(error.code == code && error.message.contains("Nothing was written."), "\(path): \(error)")
          #expect(try Tree(folder, withoutTimesOf: ["Song.daw", "Other.daw"]) == before, "\(path)")
        }
      }
      try daw("check")
    }
  }

  @Test(
    "A folder in place of a file is named, and not what it holds",
    arguments: [
      ["bounce", "--format", "wav"], ["export"], ["export-transcript", "a.wav", "--format", "txt"],
      ["join-take", "A/A"],
    ])
  func folders(command: [String]) throws {
    try withSong { daw, folder in
      // The linked b.wav is in it.
      for options in [["--overwrite"], []] {
        let output = try daw.run(command + ["-o", ".", "--json"] + options)
        let error = try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error
        #expect(output.status == 73 && error.code == "cannotCreate", "\(error)")
        #expect(error.message.contains("'\(folder.path)' is a folder"), "\(error)")
      }
    }
  }

  @Test("Neither do stems: not a folder of the project, nor one that holds a medium")
  func stems() throws {
    try withSong { daw, folder in
      try daw("bounce")
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("loops"), withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: folder.path + "/a.wav", toPath: folder.path + "/loops/c.wav")
      let c = folder.appendingPathComponent("loops/c.wav")
      var bytes = try Data(contentsOf: c)
      bytes[100] ^= 1
      try bytes.write(to: c)
      try daw("import", "loops/c.wav", "--link")
      let before = try Tree(folder, withoutTimesOf: ["Song.daw"])
      for (path, code) in [
        ("Song.daw/Audio", "projectFile"), ("Song.daw/Bounces", "projectFile"), ("loops", "mediumInUse"),
      ] {
        let output = try daw.run(["bounce", "--stems", "--format", "wav", "--overwrite", "--json", "-o", path])
        #expect(output.status == 73, "\(path): \(output.status) \(output.error)")
        #expect(output.error.contains("\"\(code)\""), "\(path): \(output.error)")
        #expect(try Tree(folder, withoutTimesOf: ["Song.daw"]) == before, "\(path)")
      }
    }
  }

  @Test("The project's Bounces take files, also of another project, and its folder those with a name of their own")
  func taken() throws {
    try withSong { daw, folder in
      for path in ["Song.daw/Bounces/mix.wav", "Other.daw/Bounces/mix.wav", "Song.daw/first.wav", "mix.wav"] {
        try daw("bounce", "-o", path, "--manifest")
        #expect(try daw.run(["bounce", "-o", path]).status == 73, "\(path)")
        try daw("bounce", "-o", path, "--manifest", "--overwrite")
      }
      try daw("bounce", "--stems", "-o", "Song.daw/Bounces/stems")
      try daw("export", "-o", "Song.daw/Bounces/song.mid")
      try daw("check")
    }
  }
}
