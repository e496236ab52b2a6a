import DAWTestSupport
import Foundation
import Testing

/// Kills `daw` at moments that a seed chooses. The moments are measured on this machine first, so that they fall all
/// over a run, whatever its speed.
@Suite("Killed in the middle")
struct CrashTests {
  @Test("Edits: what was reported is there, the rest is not there at all, and the project is sound")
  func edits() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try makeSong(daw)
      let notes = "pitch,start,length\n" + (0..<800).map { "60,\($0 % 100)b,1b\n" }.joined()
      let length = try duration { _ = try daw("add-notes", "Part", "-", "--dry-run", input: notes) }
      var done = 0
      for _ in 0..<20 {
        let run = try daw.start(["add-notes", "Part", "-", "-q"], input: Data(notes.utf8))
        usleep(UInt32.random(in: 0...UInt32(length * 1_200_000), using: &generator))
        run.kill()
        let output = run.finish()
        if output.status == 0 { done += 1 }
        let count = try noteCount(daw)
        // A run may have been killed between its commit and its report; then it counts as done from now on.
        #expect(count == done * 800 || count == (done + 1) * 800, "seed \(seed): \(count) notes after \(done) runs")
        done = count / 800
      }
      try daw("check")
      #expect(try daw("revision").line == "\(done + 2)", "seed \(seed)")
    }
  }

  @Test("Imports: no half file has a final name, and nothing is left that 'clean' does not find")
  func imports() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try makeSong(daw)
      try daw("add-track", "Audio")
      let samples = noise(seconds: 10, &generator)
      var length = 0.05
      for index in 0..<15 {
        let source = folder.appendingPathComponent("take \(index).wav")
        try Data(WaveFixture(.int16).file(data: samples.dropLast(2 * index))).write(to: source)
        let run = try daw.start(["add-region", "Audio", "--file", source.path])
        if index == 0 {
          length = duration { #expect(run.finish().status == 0) }
          continue
        }
        usleep(UInt32.random(in: 0...UInt32(length * 1_200_000), using: &generator))
        run.kill()
        _ = run.finish()
        try daw("check")
        for file in try FileManager.default.contentsOfDirectory(
          at: folder.appendingPathComponent("Song.daw/Audio"), includingPropertiesForKeys: nil
        ) where !file.lastPathComponent.hasPrefix(".") {
          let original = folder.appendingPathComponent(file.lastPathComponent)
          #expect(try Data(contentsOf: file) == Data(contentsOf: original), "seed \(seed): \(file.lastPathComponent)")
        }
      }
    }
  }

  @Test("Bounces: a file with the final name is a whole one")
  func bounces() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let samples = noise(seconds: 30, &generator)
      try Data(WaveFixture(.int16).file(data: samples)).write(to: folder.appendingPathComponent("a.wav"))
      try daw("import", "a.wav")
      let length = try duration { _ = try daw("bounce", "-o", "whole.wav") }
      let whole = try Data(contentsOf: folder.appendingPathComponent("whole.wav"))
      let mix = folder.appendingPathComponent("mix.wav")
      for _ in 0..<15 {
        try? FileManager.default.removeItem(at: mix)
        let run = try daw.start(["bounce", "-o", "mix.wav"])
        usleep(UInt32.random(in: 0...UInt32(length * 1_200_000), using: &generator))
        run.kill()
        let output = run.finish()
        if let data = try? Data(contentsOf: mix) {
          #expect(data == whole, "seed \(seed)")
        } else {
          #expect(output.status != 0, "seed \(seed): done without a file")
        }
      }
      try daw("check")
    }
  }

  @Test("A new project is whole or not there")
  func making() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let length = try duration { _ = try daw("new", "First") }
      for index in 0..<20 {
        let run = try daw.start(["new", "Song \(index)"])
        usleep(UInt32.random(in: 0...UInt32(length * 1_200_000), using: &generator))
        run.kill()
        _ = run.finish()
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Song \(index).daw").path) {
          try daw("check", "-p", "Song \(index)")
        }
      }
    }
  }

  private func makeSong(_ daw: DAWProgram) throws {
    try daw("new", "Song")
    try daw("batch", "-", input: "add-track Piano --type midi\nadd-region Piano --name Part --length 200b\n")
    try daw("set-track", "Piano", "--volume", "-3")
  }

  private func noteCount(_ daw: DAWProgram) throws -> Int {
    struct Song: Decodable { var tracks: [Strip] }
    struct Strip: Decodable { var regions: [Span] }
    struct Span: Decodable { var noteCount: Int? }
    return try daw("show", "--json").json(Song.self).tracks.flatMap(\.regions).compactMap(\.noteCount).reduce(0, +)
  }

  /// Samples of 16 bits for 48 kHz: a second of noise, again and again, so that long files are made quickly.
  private func noise(seconds: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let second = (0..<96_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return Array(repeatElement(second, count: seconds).joined())
  }

  /// Seconds that `body` takes.
  private func duration(_ body: () throws -> Void) rethrows -> Double {
    let start = Date()
    try body()
    return Date().timeIntervalSince(start)
  }
}
