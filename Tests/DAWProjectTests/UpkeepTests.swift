import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWProject

@Suite("Backups and caches")
struct UpkeepTests {
  private let song: RecordedProject
  private let day: Int64 = 86_400_000

  init() throws { song = try RecordedProject() }

  private func path(_ name: String) -> String { song.folder.path + "/" + name }

  private func names(_ folder: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path(folder)).filter { !$0.hasPrefix(".") })
  }

  private func write(_ text: String, _ name: String, daysAgo days: Int = 0) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    let date = Date(timeIntervalSinceNow: -Double(days) * 86_400)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(name))
  }

  @Test("The newest backups stay, and the young ones; others that daw has made go, and nothing else")
  func oldBackups() throws {
    for days in 1...30 { try write("x", "Backups/project-2026-01-01T000000-\(100 + days).sqlite", daysAgo: days) }
    try write("x", "Backups/before-version-9-abcdef01.sqlite", daysAgo: 200)
    try write("x", "Backups/before-repair-2026-01-01T000000-abcdef.sqlite", daysAgo: 201)
    try write("x", "Backups/mine.sqlite", daysAgo: 400)
    try write("x", "Backups/project-notes.txt", daysAgo: 400)
    try FileManager.default.createDirectory(
      atPath: path("Backups/project-folder.sqlite"), withIntermediateDirectories: true)
    let outside = song.scratch.path("outside")
    try Data("y".utf8).write(to: URL(fileURLWithPath: outside))
    try FileManager.default.createSymbolicLink(
      atPath: path("Backups/project-link.sqlite"), withDestinationPath: outside)
    let before = try names("Backups")
    let limits = BackupLimits(count: 5, age: Days(20))
    let trial = try song.session.removeOldBackups(limits, isTrial: true)
    #expect(try names("Backups") == before)
    let removed = try song.session.removeOldBackups(limits)
    #expect(removed == trial)
    let expected =
      ["before-repair-2026-01-01T000000-abcdef.sqlite", "before-version-9-abcdef01.sqlite"]
      + (20...30).reversed().map { "project-2026-01-01T000000-\(100 + $0).sqlite" }
    #expect(removed == expected)
    #expect(try names("Backups") == before.subtracting(expected))
    #expect(FileManager.default.fileExists(atPath: outside))
    // The newest stay whatever their age.
    let later = Timestamp(milliseconds: Timestamp.now().milliseconds + 10_000 * day)
    #expect(try song.session.removeOldBackups(limits, now: later).count == 14)
    #expect(try names("Backups").filter { $0.hasPrefix("project-2026") }.count == 5)
    #expect(try song.session.removeOldBackups(limits, now: later).isEmpty)
  }

  @Test("A backup of the project file is whole, and the usual limits leave it")
  func backup() throws {
    let made = try song.session.backUp()
    #expect(try song.session.removeOldBackups().isEmpty)
    let store = try ProjectStore.open(at: made)
    #expect(try store.damages().isEmpty)
    try store.close()
  }

  @Test("A repair that cannot find what is missing leaves no backup, however often it is tried")
  func nothingToRepair() throws {
    let source = song.scratch.path("gone.wav")
    try Data(WaveFixture(.int16).file(data: [1, 0, 2, 0])).write(to: URL(fileURLWithPath: source))
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: source, isLinked: true) }
    try FileManager.default.moveItem(atPath: source, toPath: song.scratch.path("away"))
    _ = try song.session.backUp()
    for _ in 0..<2 { #expect(try song.session.repair(searching: [], song.origin).isEmpty) }
    #expect(try names("Backups").count == 1)
    try FileManager.default.moveItem(atPath: song.scratch.path("away"), toPath: song.scratch.path("there.wav"))
    let folder = URL(fileURLWithPath: source).deletingLastPathComponent().path
    let done = try song.session.repair(searching: [folder], song.origin)
    #expect(done.count == 2 && done.first?.contains("backup") == true, "\(done)")
    #expect(try names("Backups").count == 2)
  }

  @Test("A repair that does nothing leaves the backups as they are, also where a recording could not be finished")
  func nothingRepaired() throws {
    for days in 101...125 { try write("x", "Backups/project-2026-01-01T000000-\(days).sqlite", daysAgo: days) }
    let before = try names("Backups")
    let recording = path("Audio/Recordings/A")
    try FileManager.default.createDirectory(atPath: recording, withIntermediateDirectories: true)
    try write("damaged", "Audio/Recordings/A/ledger")
    for _ in 0..<2 {
      let said = try song.session.repair(searching: [], song.origin)
      #expect(said.count == 1 && said.first?.hasPrefix("left the recording 'A' as it is") == true, "\(said)")
      #expect(try names("Backups") == before)
    }
    // Of what is done there is a backup, and then old ones go.
    try song.record(7, isRecovered: false)
    let said = try song.session.repair(searching: [], song.origin)
    #expect(said.count == 3 && said.first?.contains("backup") == true, "\(said)")
    #expect(said.contains { $0.hasPrefix("finished the recording") }, "\(said)")
    #expect(said.last?.hasPrefix("left the recording 'A'") == true, "\(said)")
    let after = try names("Backups")
    #expect(after.count == 20 && after.subtracting(before).count == 1)
  }

  @Test("A repair removes what is damaged in the cache, and leaves what is whole and what daw has not made")
  func caches() throws {
    let source = song.scratch.path("beat.wav")
    let format = AudioFileFormat(encoding: .int16, sampleRate: SampleRate(hertz: 44_100), channelCount: 1)
    let sink = try audioFileSink(at: Place(path: source), format: format)
    let sound = PlanarBuffer(channelCount: 1, capacity: 4_410)
    for frame in 0..<4_410 { sound.mutableChannels[0][frame] = Float(frame % 100) / 200 }
    try sink.append(planar: sound.channels, frameCount: 4_410)
    try sink.finish()
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: source, isLinked: false) }
    let file = try #require(try song.session.read { try $0.audioFiles() }.first)
    let peaks = "Cache/\(file.location.sha256).peaks"
    _ = try song.session.peaks(of: file)
    let copy = try WaveCache(song.session.cacheFolder).copy(
      of: source, facts: AudioFileFacts.read(path: source), sha256: file.location.sha256, at: SampleRate(hertz: 48_000))
    try write("no index", "Cache/search.sqlite")
    try write("mine", "Cache/notes.txt")
    #expect(try song.session.repair(searching: [], song.origin).isEmpty)
    #expect(try names("Cache").count == 4)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path(peaks)))
    try Data([UInt8](repeating: 7, count: 100) + whole.dropFirst(100)).write(to: URL(fileURLWithPath: path(peaks)))
    try Data("RIFF".utf8).write(to: URL(fileURLWithPath: copy))
    let use = FolderUse(sharing: song.session.cacheFolder)
    #expect(try song.session.repair(searching: [], song.origin).isEmpty)
    use.end()
    let done = try song.session.repair(searching: [], song.origin)
    #expect(done.count == 2 && done.allSatisfy { $0.contains("which was damaged") }, "\(done)")
    #expect(try names("Cache") == ["search.sqlite", "notes.txt"])
    _ = try song.session.peaks(of: file)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path(peaks))) == whole)
    #expect(try song.session.repair(searching: [], song.origin).isEmpty)
  }
}
