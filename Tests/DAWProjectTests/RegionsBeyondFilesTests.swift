import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Regions that reach beyond their files, as another program has written them")
struct RegionsBeyondFilesTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// As another program that turns the rules off.
  private func write(_ sql: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-bail", song.folder.path + "/project.sqlite", ".dbconfig enable_trigger off",
      "PRAGMA ignore_check_constraints = 1;", sql,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test("The first is named and the others are counted; one that is muted is none of them")
  func warning() throws {
    let file = try song.scratch.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "a.wav")
    for _ in 0..<4 {
      _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: file, isLinked: false) }
    }
    let regions = try song.session.read { try $0.all(Region.self) }.sorted { $0.id < $1.id }
    try #require(regions.count == 4)
    let track = try #require(try song.session.read { try $0.track(regions[0].track) })
    func said() throws -> String? {
      guard let failure = try song.session.warningOfRegionsBeyondFiles() else { return nil }
      #expect(failure.code == "regionWithinFile" && failure.kind == .invalid)
      return failure.message
    }
    #expect(try said() == nil)
    let first = "The region '\(track.name)/\(regions[0].name)' reaches beyond its file, where it is silent."
    for (region, others) in zip(regions, ["", " So does 1 other.", " So do 2 others."]) {
      try write("UPDATE region SET audioOffset = 99999999999999 WHERE id = \(region.id.rawValue)")
      #expect(try said() == first + others)
    }
    try write("UPDATE region SET isMuted = 1 WHERE id = \(regions[1].id.rawValue)")
    #expect(try said() == first + " So does 1 other.")
  }
}
