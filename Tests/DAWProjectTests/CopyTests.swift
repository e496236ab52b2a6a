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
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let copy = ProjectFolder(path: folder.path("Copy.daw"))
    var questions = 0
    do {
      let copy = try session.copy(to: copy, keepsID: false, origin: origin) {
        questions += 1
        return questions == 2
      }
      copy.close()
      Issue.record("It was not interrupted.")
    } catch let failure as Failure {
      #expect(failure.kind == .interrupted)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before.sorted())
    try session.copy(to: copy, keepsID: false, origin: origin).close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.audio).sorted() == ["a.wav", "b.wav", "c.wav"])
  }
}
