import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Copies of projects")
struct CopyTests {
  @Test("An interrupted copy leaves nothing behind, hidden files included")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let project = ProjectFolder(path: folder.path("Song.daw"))
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(project, settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    for name in ["a", "b", "c"] { try Data(name.utf8).write(to: URL(fileURLWithPath: "\(project.audio)/\(name).wav")) }
    // Of more than one piece.
    try Data(count: 600_000).write(to: URL(fileURLWithPath: "\(project.audio)/c.wav"))
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var questions = 0
    try session.copy(to: ProjectFolder(path: folder.path("Whole.daw")), keepsID: false, origin: origin) {
      questions += 1
      return false
    }.close()
    try FileManager.default.removeItem(atPath: folder.path("Whole.daw"))
    let copy = ProjectFolder(path: folder.path("Copy.daw"))
    // One before each file, one before each of its pieces and its end, and one before the copy gets its name.
    #expect(questions == 3 + 2 + 2 + 4 + 1)
    for last in 1...questions {
      var asked = 0
      do {
        let copy = try session.copy(to: copy, keepsID: false, origin: origin) {
          asked += 1
          return asked == last
        }
        copy.close()
        Issue.record("It was not interrupted.")
      } catch let failure as Failure {
        #expect(failure.kind == .interrupted)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before.sorted())
    }
    try session.copy(to: copy, keepsID: false, origin: origin).close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.audio).sorted() == ["a.wav", "b.wav", "c.wav"])
  }

  @Test("A copy is written with a log, as the project is", arguments: [false, true])
  func log(keepsID: Bool) throws {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let (project, copy) = (ProjectFolder(path: folder.path("Song.daw")), ProjectFolder(path: folder.path("Copy.daw")))
    let session = try Session.create(project, settings: ProjectSettings(name: Name("Song")), origin: origin)
    try session.copy(to: copy, keepsID: keepsID, origin: origin).close()
    session.close()
    // How a file is written and read: 1 without a write-ahead log, 2 with one.
    let versions = try [project, copy].map { Array(try Data(contentsOf: URL(fileURLWithPath: $0.database))[18..<20]) }
    #expect(versions == [[2, 2], [2, 2]])
  }
}
