import DAWErrors
import DAWProject
import Foundation
import Testing

@Suite("Finding the project of a command")
struct ProjectFinderTests {
  /// A folder with a project for each name, which is found by the file alone.
  private func withProjects(_ names: [String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("finder-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in names {
      let project = ProjectFolder(path: folder + "/" + name)
      try FileManager.default.createDirectory(atPath: project.audio + "/deep", withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: project.database))
    }
    try body(folder)
  }

  private func find(_ typed: String? = nil, in folder: String, environment: String? = nil) throws -> String {
    try ProjectFinder(currentFolder: folder, environment: environment).find(typed).name
  }

  @Test(
    "A path is accepted with and without its extension, relative and absolute",
    arguments: ["A", "A.daw", "./A", "A.daw/", "B/../A"])
  func byPath(typed: String) throws {
    try withProjects(["A.daw", "B.daw"]) { (folder: String) throws in
      #expect(try find(typed, in: folder) == "A")
      #expect(try find(folder + "/" + typed, in: "/") == "A")
    }
  }

  @Test("Precedence: a path, DAW_PROJECT, an enclosing project folder, the only project in the folder")
  func order() throws {
    try withProjects(["A.daw", "B.daw", "C.daw"]) { (folder: String) throws in
      let inside = folder + "/C.daw/Audio/deep"
      #expect(try find(folder + "/A", in: inside, environment: folder + "/B") == "A")
      #expect(try find(in: inside, environment: folder + "/B") == "B")
      #expect(try find(in: inside) == "C")
      #expect(try find(in: inside, environment: "") == "C")
    }
    try withProjects(["Only.daw"]) { (folder: String) throws in #expect(try find(in: folder) == "Only") }
  }

  @Test("Several projects, or none, are an error that lists them")
  func severalOrNone() throws {
    try withProjects(["A.daw", "B.daw"]) { (folder: String) throws in
      let failure = #expect(throws: Failure.self) { try find(in: folder) }
      #expect(failure?.kind == .noInput)
      #expect(failure?.message.contains("'A', 'B'") == true)
    }
    try withProjects([]) { (folder: String) throws in
      let failure = #expect(throws: Failure.self) { try find(in: folder) }
      #expect(failure?.kind == .noInput)
      #expect(failure?.code == "projectNotFound")
    }
  }

  @Test("A name that is nearly right gets a suggestion")
  func nearlyRight() throws {
    try withProjects(["Song.daw"]) { (folder: String) throws in
      let failure = #expect(throws: Failure.self) { try find("Sogn", in: folder) }
      #expect(failure?.hint == "Did you mean 'Song'?")
      #expect(failure?.kind == .noInput)
    }
  }
}
