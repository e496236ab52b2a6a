import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Listing many projects")
struct RecentProjectsTests {
  private let folder: TemporaryFolder
  private let cache: Place
  private let origin = EditOrigin(author: "test", commandLine: "test")
  private var index: String { cache.appending("projects.json").path }

  init() throws {
    folder = try TemporaryFolder()
    cache = Place(root: folder.path("cache/daw"))
    try FileManager.default.createDirectory(atPath: folder.path("deep"), withIntermediateDirectories: false)
    for path in ["A", "B", "deep/C"] {
      let project = ProjectFolder(path: folder.path("\(path).daw"))
      try Session.create(project, settings: ProjectSettings(name: Name(project.name)), origin: origin).close()
    }
  }

  private func list(_ below: String = "") throws -> [String] {
    try RecentProjects.find(below: [folder.path(below)], by: .name, cache: cache).map { project in
      switch project.header {
      case .success(let header): "\(header.settings.name) \(header.revision)"
      case .failure(let failure): failure.code
      }
    }
  }

  private func times(of path: String) throws -> [timespec] {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return [status.st_atim, status.st_mtim]
  }

  @Test("The second time only projects whose files have changed are opened")
  func opensFew() throws {
    #expect(try list() == ["A 0", "B 0", "C 0"])
    // With the size and the time that it had, a file is not looked into.
    let file = folder.path("A.daw/project.sqlite")
    let times = try times(of: file)
    let handle = try #require(FileHandle(forUpdatingAtPath: file))
    try handle.write(contentsOf: Data(count: 4096))
    try handle.close()
    try #require(utimensat(AT_FDCWD, file, times, 0) == 0)
    #expect(try list() == ["A 0", "B 0", "C 0"])
    try #require(utimensat(AT_FDCWD, file, nil, 0) == 0)
    #expect(try list() == ["B 0", "C 0", "notAProject"])
    let session = try Session.open(ProjectFolder(path: folder.path("B.daw")))
    _ = try session.edit(origin) { _ = try $0.addComment("Hello") }
    #expect(try list() == ["B 1", "C 0", "notAProject"])
    session.close()
    try FileManager.default.removeItem(atPath: folder.path("deep"))
    #expect(try list() == ["B 1", "notAProject"])
  }

  @Test("What is wrong with the file of headers changes no list", arguments: ["", "{", "[]", "{\"version\":99}"])
  func brokenCache(_ text: String) throws {
    #expect(try list() == ["A 0", "B 0", "C 0"])
    #expect(FileManager.default.fileExists(atPath: index))
    try Data(text.utf8).write(to: URL(fileURLWithPath: index))
    #expect(try list() == ["A 0", "B 0", "C 0"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: index)).count > 100)
    // A link is replaced, and what it leads to is left alone.
    try FileManager.default.removeItem(atPath: index)
    let outside = folder.path("outside")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: outside))
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: outside)
    #expect(try list() == ["A 0", "B 0", "C 0"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == Data("mine".utf8))
  }

  @Test("A file in place of a folder, and one that is not there, are refused")
  func noFolder() throws {
    for (path, part) in [("A.daw/project.sqlite", "is a file, not a folder"), ("nowhere", "There is no folder")] {
      let failure = #expect(throws: Failure.self) { _ = try list(path) }
      #expect(failure?.code == "folderNotFound" && failure?.message.contains(part) == true, "\(path)")
    }
    // A project is a folder.
    #expect(try list("A.daw") == ["A 0"])
  }

  @Test("A list of one folder keeps what is known of others")
  func others() throws {
    func known() throws -> Int {
      try String(contentsOfFile: index, encoding: .utf8).split(separator: "stamp").count - 1
    }
    #expect(try list() == ["A 0", "B 0", "C 0"])
    #expect(try known() == 3)
    try FileManager.default.removeItem(atPath: folder.path("A.daw"))
    #expect(try list("deep") == ["C 0"])
    #expect(try known() == 3)
    #expect(try list() == ["B 0", "C 0"])
    #expect(try known() == 2)
  }
}
