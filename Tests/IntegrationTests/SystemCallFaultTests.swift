import DAWTestSupport
import Foundation
import Testing

/// What is left, and what is said of it, when one system call of a command fails.
@Suite("A system call that fails")
struct SystemCallFaultTests {
  /// Runs `daw` with the `number`th call of this kind failing, and with `andLater` those behind it.
  /// - Returns: `nil` where it made fewer such calls.
  private func run(
    _ words: [String], in folder: URL, failing call: String, _ error: String, _ number: Int, andLater: Bool = false
  ) throws -> DAWProgram.Output? {
    let trace = folder.appending(path: "trace")
    let strace = DAWProgram(path: "/usr/bin/strace", folder: folder, environment: ["DAW_PROJECT": "Song"])
    let output = try strace.run(
      [
        "-f", "-qq", "-o", trace.path, "-e", "trace=\(call)", "-e",
        "inject=\(call):error=\(error):when=\(number)\(andLater ? "+" : "")",
      ]
        + [DAWProgram.path] + words)
    let text = try String(contentsOf: trace, encoding: .utf8)
    try FileManager.default.removeItem(at: trace)
    return text.contains("(INJECTED)") ? output : nil
  }

  private static let calls = [
    ("fsync", "EIO"), ("fdatasync", "EIO"), ("renameat", "EIO"), ("mkdirat", "ENOSPC"), ("linkat", "ENOSPC"),
    ("write", "ENOSPC"), ("pwrite64", "ENOSPC"), ("ftruncate", "EIO"),
  ]

  @Test("of 'new': the project is whole and said to be made, or there is nothing, hidden or not", arguments: calls)
  func new(call: String, error: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      var failed = 0
      for number in Self.numbers(upTo: 60) {
        guard let output = try run(["new", "Song"], in: folder, failing: call, error, number) else { break }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let context = "\(call) \(number): status \(output.status): \(output.error)"
        #expect(output.signal == nil, "\(context)")
        if names.contains("Song.daw") {
          #expect(names == ["Song.daw"], "\(context)")
          #expect(!output.error.contains("Nothing was changed"), "\(context)")
          let isSaid = output.error.contains("is made, and is whole") || Self.isUnprinted(output)
          #expect(output.status == 0 || isSaid, "\(context)")
          try daw("check", "-p", "Song")
          try FileManager.default.removeItem(at: folder.appending(path: "Song.daw"))
        } else {
          #expect(output.status != 0 && names.isEmpty, "\(context): \(names)")
          #expect(!output.error.contains("is made"), "\(context)")
          failed += 1
        }
      }
      // Links are not made by 'new'.
      #expect(failed > 0 || ["linkat", "write"].contains(call), "no call failed")
    }
  }

  @Test("of 'copy': a folder that cannot be made is an error of the disk, and nothing is left")
  func copying() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: folder.appending(path: "a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
      var failed = 0
      for number in Self.numbers(upTo: 60) {
        guard let output = try run(["copy", "Song", "Other"], in: folder, failing: "mkdirat", "ENOSPC", number) else {
          break
        }
        let context = "mkdirat \(number): status \(output.status): \(output.error)"
        if output.status == 0 {
          try daw("check", "-p", "Other")
          try FileManager.default.removeItem(at: folder.appending(path: "Other.daw"))
        } else {
          #expect([73, 74].contains(output.status), "\(context)")
          failed += 1
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == before, "\(context)")
      }
      #expect(failed > 1)
    }
  }

  @Test("of 'import': the medium is there and named, or the project is as it was and no file is left", arguments: calls)
  func importing(call: String, error: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: folder.appending(path: "a.wav"))
      try daw("new", "Song")
      let audio = folder.appending(path: "Song.daw/Audio")
      for number in Self.numbers(upTo: 60) {
        let before = try daw("revision").line
        guard let output = try run(["import", "a.wav"], in: folder, failing: call, error, number) else { break }
        let context = "\(call) \(number): status \(output.status): \(output.error)"
        #expect(output.signal == nil, "\(context)")
        let names = try FileManager.default.contentsOfDirectory(atPath: audio.path).filter { $0 != ".incoming" }
        let isChanged = try daw("revision").line != before
        #expect(isChanged == (output.status == 0 || Self.isUnprinted(output)), "\(context)")
        #expect(names == (isChanged ? ["a.wav"] : []), "\(context)")
        try daw("check")
        if isChanged {
          try daw("undo")
          try FileManager.default.removeItem(at: audio.appending(path: "a.wav"))
        }
      }
    }
  }

  @Test(
    "of 'bounce': a temporary file that cannot be removed is named, with status 74",
    arguments: [["--stems", "-o", "out", "--manifest"], ["--stems", "-o", "out", "--overwrite"], ["-o", "out.wav"]],
    [false, true])
  func removing(words: [String], andLater: Bool) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: folder.appending(path: "a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path) + ["trace"]
      var failed = 0
      for number in 1...8 {
        if words.contains("--overwrite") { try daw("bounce", "--stems", "-o", "out") }
        let output = try run(
          ["bounce"] + words, in: folder, failing: "unlinkat", "EIO", number, andLater: andLater)
        guard let output else { break }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
          !before.contains { path.hasPrefix($0) }
        }
        let context = "\(number): status \(output.status): \(output.error) \(paths)"
        let left = paths.filter { ($0 as NSString).lastPathComponent.contains(".partial-") }
        if output.status == 0 {
          #expect(left.isEmpty, "\(context)")
        } else {
          failed += 1
          #expect(output.status == 74 && output.error.contains("remove: Input/output error"), "\(context)")
          // What is below a folder that is named need not be.
          #expect(left.allSatisfy { path in path.contains("/") || output.error.contains("/\(path)'") }, "\(context)")
          let isSaidWhole = output.error.contains("is written, and is whole")
          #expect(paths.contains { ["out", "out.wav"].contains($0) } || !isSaidWhole, "\(context)")
          let hasStems = paths.contains("out") && !words.contains("--overwrite")
          #expect(isSaidWhole || !hasStems, "\(context)")
        }
        for path in paths where !path.contains("/") {
          try FileManager.default.removeItem(at: folder.appending(path: path))
        }
      }
      #expect(failed > 0)
    }
  }

  @Test("A file of which the disk tells nothing was not replaced")
  func untold() throws {
    try withScratchFolder { folder in
      try DAWProgram(folder: folder)("new", "Song")
      var failed = 0
      for number in 1...60 {
        for andLater in [false, true] {
          let output = try run(
            ["list-tracks"], in: folder, failing: "newfstatat", "EIO", number, andLater: andLater)
          guard let output else { continue }
          failed += 1
          #expect(!output.error.contains("was replaced while"), "\(number): \(output.error)")
        }
      }
      #expect(failed > 0)
    }
  }

  /// Whether all was done but the printing of the result.
  private static func isUnprinted(_ output: DAWProgram.Output) -> Bool {
    output.status == 74 && output.error.contains("The result could not be written to standard output")
  }

  /// All of the first, and some of the later ones.
  private static func numbers(upTo last: Int) -> [Int] { Array(1...12) + Array(stride(from: 13, through: last, by: 6)) }

  @Test("A folder that cannot be synced once 'new' has named the project: it is there, and that is what is said")
  func newIsThere() throws {
    try withScratchFolder { folder in
      var said: [String] = []
      for number in 1...40 {
        guard let output = try run(["new", "Song"], in: folder, failing: "fsync", "EIO", number) else { break }
        let song = folder.appending(path: "Song.daw")
        guard FileManager.default.fileExists(atPath: song.path) else { continue }
        if output.status != 0 { said.append(output.error) }
        try FileManager.default.removeItem(at: song)
      }
      #expect(said.contains { $0.contains("is made, and is whole") && !$0.contains("Nothing was changed") }, "\(said)")
    }
  }
}
