import DAWMedia
import Foundation
import Testing

@Suite("Recordings that were left, through the command line")
struct RecoverRecordingsTests {
  /// A process that is gone.
  private static var gone: RecordingOwner {
    var owner = RecordingOwner.current
    owner.startTime += 1
    return owner
  }

  /// Leaves a recording of a process.
  private func leave(in project: URL, by owner: RecordingOwner = gone) throws {
    let folder = try RecordingFolder(
      creatingIn: Place(root: project.path, ["Audio", "Recordings"]), title: "Verse", startTime: 1_795_357_380_000)
    let header = RecordingHeader(
      project: "", recording: 7, title: "Verse", startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 48_000, owner: owner)
    let pass = PassHeader(pass: 71, take: 72, track: 73, trackName: "Vox", number: 1, channelCount: 1)
    let writer = try SegmentWriter(in: folder, pass: pass, header: header, firstSegment: 1)
    writer.locate(to: 0)
    let silence = PlanarBuffer(channelCount: 1, capacity: 4_800)
    try withExtendedLifetime(silence) { try writer.write($0.channels, frameCount: 4_800) }
    try writer.seal()
    try Ledger(creatingIn: folder).append([.begin(header), .pass(pass)] + writer.takeRecords())
  }

  @Test("A recording whose process lives is left alone, and named with it")
  func running() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try leave(in: folder.appending(path: "Song.daw"), by: .current)
      let output = try daw.run(["recover-recordings"])
      #expect(output.status == 0 && !output.text.contains("No recording"), "\(output)")
      #expect(output.text.contains("Verse' is still being recorded by process \(getpid())"), "\(output)")
      struct Result: Decodable {
        struct Running: Decodable { var processID: Int32 }
        var running: [Running]
      }
      let result = try daw.run(["recover-recordings", "--json"]).json(Result.self)
      #expect(result.running.map(\.processID) == [getpid()])
      #expect(try !daw("list-takes").text.contains("Vox"))
    }
  }

  @Test("The JSON of what is finished says, as the text does, that a take is on a new track")
  func newTrack() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try leave(in: folder.appending(path: "Song.daw"))
      struct Result: Decodable {
        struct Take: Decodable { var track, formerTrack: String }
        struct Recording: Decodable {
          var takes: [Take]
          var problems: [String]
          var isCancelled: Bool
        }
        var recordings: [Recording]
      }
      let recording = try #require(daw("recover-recordings", "--json").json(Result.self).recordings.first)
      #expect(recording.takes.map(\.formerTrack) == ["Vox"], "\(recording)")
      #expect(recording.problems.isEmpty && !recording.isCancelled)
      func offered(_ command: String) throws -> Bool {
        try daw.run(["--complete", "zsh", command, ""]).text.contains("Verse\t")
      }
      #expect(try offered("remove-recording") && offered("forget") && !offered("restore-recording"))
      try daw("remove-take", daw("list-takes", "-q").line)
      try daw("remove-recording", "Verse")
      #expect(try !offered("remove-recording") && offered("forget") && offered("restore-recording"))
      struct Retained: Decodable { var leftInTrash: Int }
      #expect(try daw("retain", "--json").json(Retained.self).leftInTrash == 1)
    }
  }

  @Test("Recordings that cannot be finished are all named, and keep no other from it; the status is that of the first")
  func recoverSome() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let project = folder.appending(path: "Song.daw")
      for name in ["A", "B"] {
        let recording = project.appending(path: "Audio/Recordings/\(name)")
        try FileManager.default.createDirectory(at: recording, withIntermediateDirectories: true)
        try Data("damaged".utf8).write(to: recording.appending(path: "ledger"))
      }
      for isOneWhole in [false, true] {
        if isOneWhole { try leave(in: project) }
        let output = try daw.run(["recover-recordings"])
        #expect(output.status == 66, "\(output)")
        #expect(["'A'", "'B'"].allSatisfy { output.error.contains($0) }, "\(output)")
        #expect(output.text.isEmpty != isOneWhole, "\(output)")
      }
      #expect(try daw("list-takes").text.contains("Vox"))
      struct Result: Decodable {
        var recordings: [Empty]
        var problems: [String]
      }
      struct Empty: Decodable {}
      let output = try daw.run(["recover-recordings", "--json"])
      let result = try output.json(Result.self)
      #expect(output.status == 66 && result.recordings.isEmpty && result.problems.count == 2, "\(output)")
    }
  }
}
