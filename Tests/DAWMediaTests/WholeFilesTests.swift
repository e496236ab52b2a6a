import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

/// Files that are written into one folder together, as the takes of a recording are.
@Suite struct WholeFilesTests {
  let folder: TemporaryFolder
  let place: Place

  init() throws {
    folder = try TemporaryFolder()
    place = Place(root: folder.path)
  }

  private func write(_ files: [(name: String, bytes: [UInt8])], mode: mode_t = 0o600) throws {
    try writeWholeFiles(files, in: place, mode: mode)
  }

  private func mode(_ name: String) throws -> mode_t {
    try #require(Folder(path: folder.path).status(of: name)).st_mode & 0o777
  }

  /// At most 64 are open at a time.
  @Test(arguments: [0, 1, 2, 64, 65, 130])
  func allAreThereWholeAndNothingElseIs(count: Int) throws {
    let files = (0..<count).map { (name: "\($0).take", bytes: [UInt8](repeating: UInt8($0), count: $0 + 1)) }
    try write(files)
    #expect(try folder.names() == files.map { $0.name }.sorted())
    for file in files {
      #expect(try folder.bytes(of: file.name) == file.bytes && mode(file.name) == 0o600, "\(file.name)")
    }
  }

  @Test func filesThatAreThereAreReplacedAndAllowOthersNoMore() throws {
    let outside = try folder.write([7], to: "outside")
    try folder.write([8, 8], to: "a.take")
    #expect(chmod(folder.path("a.take"), 0o600) == 0)
    #expect(symlink(outside, folder.path("b.take")) == 0)
    try write([(name: "a.take", bytes: [1]), (name: "b.take", bytes: [2])], mode: 0o666)
    #expect(try folder.bytes(of: "a.take") == [1] && mode("a.take") == 0o600)
    #expect(try folder.bytes(of: "b.take") == [2] && folder.bytes(of: "outside") == [7])
    #expect(try Folder(path: folder.path).status(of: "b.take")?.isFile == true)
    #expect(try folder.names() == ["a.take", "b.take", "outside"])
  }

  @Test func whereOneCannotBeReplacedNoneIs() throws {
    try folder.write([8], to: "a.take")
    try FileManager.default.createDirectory(atPath: folder.path("c.take"), withIntermediateDirectories: false)
    #expect(throws: AudioFileWriteError.notAFile(path: folder.path("c.take"), kind: "a folder")) {
      try write([(name: "a.take", bytes: [1]), (name: "b.take", bytes: [2]), (name: "c.take", bytes: [3])])
    }
    #expect(try folder.bytes(of: "a.take") == [8])
    #expect(try folder.names() == ["a.take", "c.take"])
  }

  @Test func whatKilledProcessesHaveLeftOfThemIsRemovedAndNothingElse() throws {
    for name in ["a.take", "b.take", "c.take"] { try folder.write([8], to: ".\(name).partial-0badcafe") }
    try write([(name: "a.take", bytes: [1]), (name: "b.take", bytes: [2])])
    #expect(try folder.names() == [".c.take.partial-0badcafe", "a.take", "b.take"])
  }

  @Test func filesThatAreLetGoLeaveNothing() throws {
    try folder.write([8], to: "a.take")
    var files = try PartialFile.several(named: ["a.take", "b.take"], in: place, mode: 0o600)
    #expect(try files.count == 2 && folder.names().count == 3)
    files = []
    #expect(try files.isEmpty && folder.names() == ["a.take"] && folder.bytes(of: "a.take") == [8])
  }
}
