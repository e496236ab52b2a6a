import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Measuring latency")
  struct Latency {
    @Test("The way through a cable is measured, and is the record offset of the tracks that use it")
    func measured() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        let server = try JackServer()
        let cable = try CableClient(server: server.name, delay: 123, gain: -0.25)
        try daw("new", "Song")
        for name in ["Vox", "Other"] { try daw("-p", "Song", "add-track", name) }
        try daw("-p", "Song", "set-track", "Vox", "--input", "\(cable.name):out")
        // On a busy machine cycles are lost, which it notices.
        func measure(_ words: String...) throws -> DAWProgram.Output {
          func once() throws -> DAWProgram.Output {
            try daw.run(
              ["-p", "Song", "latency-test", "--server", server.name, "--out", "\(cable.name):in"] + words)
          }
          var output = try once()
          for _ in 0..<30 where output.status == 75 { output = try once() }
          return output
        }
        struct Report: Decodable { var roundTrip, reported, recordOffset: Int, tracks: [String] }
        let trial = try measure("--in", "\(cable.name):out", "--dry-run", "--json").json(Report.self)
        // A client that is fed back by another is a cycle late.
        #expect((trial.roundTrip - 123) % 256 == 0 && trial.roundTrip < 123 + 4 * 256, "\(trial)")
        #expect(trial.recordOffset == trial.reported - trial.roundTrip && trial.tracks.isEmpty)
        struct Track: Decodable { var name: String, recordOffset: Int }
        func offsets() throws -> [Int] {
          try daw("-p", "Song", "list-tracks", "--json").json([Track].self).map(\.recordOffset)
        }
        #expect(try offsets().allSatisfy { $0 == 0 })
        let report = try measure("--in", "\(cable.name):out", "--json").json(Report.self)
        #expect(report.tracks == ["Vox"] && (report.roundTrip - 123) % 256 == 0)
        #expect(try offsets().filter { $0 != 0 } == [report.recordOffset])
        let silent = try measure("--in", "system:capture_1")
        #expect(silent.status == 69 && silent.error.contains("came back"), "\(silent.error)")
        let missing = try measure("--in", "nobody:out")
        #expect(missing.status == 66 && missing.error.contains("'nobody:out'"), "\(missing.error)")
      }
    }
  }
}
