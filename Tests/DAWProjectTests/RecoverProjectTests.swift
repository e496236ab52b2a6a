import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("Recovery of damaged projects")
struct RecoverProjectTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private var target: ProjectFolder { ProjectFolder(path: song.scratch.path("New.daw")) }

  private func recover() throws -> RecoveredProject {
    try Session.recover(song.folder, to: target, origin: song.origin)
  }

  /// Overwrites the pages of the project file that `isMeant` selects with zeros.
  private func zero(_ isMeant: (_ number: Int, _ page: Data) -> Bool) throws -> Int {
    let url = URL(fileURLWithPath: song.folder.database)
    var bytes = try Data(contentsOf: url)
    var count = 0
    for number in 1...bytes.count / 4096 {
      let range = (number - 1) * 4096..<number * 4096
      guard isMeant(number, bytes[range]) else { continue }
      bytes.replaceSubrange(range, with: Data(count: 4096))
      count += 1
    }
    try bytes.write(to: url)
    return count
  }

  /// Every file of the damaged project.
  private func files() throws -> [String: Data] { try song.files(".") }

  @Test("A project without the head of its file comes back with its media, and the damaged one stays as it is")
  func head() throws {
    let id = try song.record(7)
    let trashed = try song.record(8, title: "Old", at: 1_795_000_000_000)
    try song.removeTakes(of: trashed)
    try song.session.removeRecording(trashed)
    let facts = try song.facts(id)
    song.session.close()
    #expect(try zero { number, _ in number == 1 } == 1)
    #expect(throws: Failure.self) { try Session.open(song.folder) }
    let before = try files()
    let recovered = try recover()
    #expect(recovered.findings.isEmpty && recovered.report.hasHistory, "\(recovered)")
    #expect(try files() == before)
    let session = try Session.open(target)
    defer { session.close() }
    #expect(try session.read { try $0.recordings.facts(of: id) } == facts)
    #expect(try session.read { try $0.recordings.recording(trashed)?.trashedAt } != nil)
    #expect(try session.restoreRecording(trashed).fileCount == 3)
    for (name, data) in try song.files("Audio/Recordings") {
      #expect(try Data(contentsOf: URL(fileURLWithPath: target.audio + "/Recordings/" + name)) == data)
    }
    _ = try session.undo(1, origin: song.origin)
  }

  @Test("A recording whose rows are lost is found again from its files")
  func recording() throws {
    let id = try song.record(7)
    let facts = try #require(try song.facts(id))
    song.session.close()
    let marker = Data("Vox.0002.wav".utf8)
    // Leaves of tables, with rows of segments.
    let count = try zero { number, page in
      number > 1 && page.first == 0x0d && page.range(of: marker) != nil && page.range(of: Data("daw-take".utf8)) == nil
    }
    #expect(count > 0)
    let recovered = try recover()
    #expect(recovered.recordings.count == 1 && recovered.findings.isEmpty, "\(recovered)")
    let session = try Session.open(target)
    defer { session.close() }
    let found = try #require(try session.read { try $0.recordings.facts(of: id) })
    #expect(found.segments.map(\.path) == facts.segments.map(\.path))
    #expect(found.segments.map(\.sha256) == facts.segments.map(\.sha256))
    #expect(try session.read { try $0.all(Take.self).count } == 1)
  }

  @Test("Backups in the project help, those of links and of others do not, and nothing is left where it fails")
  func backups() throws {
    let name = (try song.session.backUp() as NSString).lastPathComponent
    song.session.close()
    try Data("rubbish".utf8).write(to: URL(fileURLWithPath: song.folder.backups + "/project-rubbish.sqlite"))
    let other = ProjectFolder(path: song.scratch.path("Other.daw"))
    try Session.create(other, settings: ProjectSettings(name: Name("Other")), origin: song.origin).close()
    try FileManager.default.copyItem(atPath: other.database, toPath: song.folder.backups + "/project-other.sqlite")
    // All rows of the project file are lost, but for a table that no backup is needed for.
    let tables = try zero { number, page in number > 1 && page.first == 0x0d && page.range(of: Data("Vox".utf8)) != nil
    }
    #expect(tables > 0)
    let recovered = try recover()
    #expect(recovered.report.backups == [name], "\(recovered)")
    let session = try Session.open(target)
    #expect(try session.read { try $0.tracks().map(\.name.text) } == ["Vox", "Master"])
    session.close()
    #expect(song.failure { _ = try recover() }?.code == "alreadyExists")
    let inside = ProjectFolder(path: song.folder.path + "/Audio/New.daw")
    #expect(song.failure { _ = try Session.recover(song.folder, to: inside, origin: song.origin) }?.kind == .usage)
    let none = ProjectFolder(path: song.scratch.path("None.daw"))
    #expect(song.failure { _ = try Session.recover(none, to: other, origin: song.origin) }?.kind == .noInput)
    try Data(count: 40_960).write(to: URL(fileURLWithPath: other.database))
    let third = ProjectFolder(path: song.scratch.path("Third.daw"))
    #expect(throws: Failure.self) { try Session.recover(other, to: third, origin: song.origin) }
    #expect(Set(try song.scratch.names()) == ["New.daw", "Other.daw", "Song.daw"])
  }
}
