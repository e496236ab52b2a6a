import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Many edits on a server")
  struct Storm {
    /// `DAW_LIVE_EDITS` in the environment asks for another number: the full run has 1,000.
    private static let editCount =
      ProcessInfo.processInfo.environment["DAW_LIVE_EDITS"].flatMap(Int.init) ?? 60

    @Test("After many edits of other processes while it plays, what is heard is the bounce of what is left")
    func storm() throws {
      let seed = Seed.current()
      var random = SeededGenerator(seed: seed)
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        _ = try Freewheel.makeSong(daw, seed: seed)
        struct Song: Decodable { var tracks: [Track] }
        struct Track: Decodable {
          var name: String
          var trackType: String
          var regions: [Region]
        }
        struct Region: Decodable { var id: String }
        let song = try daw("show", "--json", "-p", "Song").json(Song.self)
        let tracks = song.tracks.filter { $0.trackType == "audio" && !$0.regions.isEmpty }
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        capture.startTransport()
        #expect(player.wait { capture.transport().isRolling })
        for _ in 0..<Self.editCount / 10 {
          var script = ""
          for _ in 0..<10 {
            guard let track = tracks.randomElement(using: &random),
              let region = track.regions.randomElement(using: &random)
            else { continue }
            let frame = Int.random(in: 0..<96_000, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: script += "set-track '\(track.name)' --volume \(Int.random(in: -40...6, using: &random))\n"
            case 1: script += "set-track '\(track.name)' --pan \(Double(Int.random(in: -9...9, using: &random)) / 10)\n"
            case 2: script += "set-track '\(track.name)' \(Bool.random(using: &random) ? "--mute" : "--no-mute")\n"
            case 3: script += "set-region \(region.id) --gain \(Int.random(in: -40...6, using: &random))\n"
            case 4: script += "set-region \(region.id) --at \(frame)f\n"
            default: script += "copy-region \(region.id) --at \(frame)f\n"
            }
          }
          // Each line is an edit of its own, by a process of its own.
          let shell = try runShell(
            in: folder,
            input: script.split(separator: "\n").map { "daw -p Song \($0) >/dev/null" }.joined(separator: "\n"))
          #expect(shell.status == 0, "seed \(seed): \(shell.text)")
        }
        let revision = try Int64(daw("-p", "Song", "revision").line) ?? 0
        #expect(player.wait { (try? player.transport("status").revision) == revision }, "seed \(seed): \(player.said)")
        #expect(player.events("problem").isEmpty, "seed \(seed): \(player.said)")
        let heard = try Freewheel.captured(player, capture, frames: 96_000)
        let expected = try Freewheel.bounced(daw, "Song", frames: 96_000)
        #expect(Freewheel.firstDifference(heard, expected) == nil, "seed \(seed)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
