import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@Suite struct FileStateTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aStateIsWhatTheSystemSaysOfTheFileThatAPathLeadsTo() throws {
    let file = try folder.write([1, 2, 3], to: "a")
    #expect(symlink(file, folder.path("soft")) == 0)
    var status = stat()
    let isThere = stat(file, &status) == 0
    try #require(isThere)
    for path in [file, folder.path("soft")] {
      let state = try #require(FileState(of: path))
      #expect(state.device == UInt64(status.st_dev) && state.inode == UInt64(status.st_ino))
      #expect(state.byteCount == 3)
      #expect(state.modified == Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
      #expect(state.changed == Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec))
    }
    #expect(FileState(of: folder.path("none")) == nil)
  }

  /// Where both are written within one tick of the clock, nothing else tells them apart.
  @Test func twoFilesOfTheSameBytesHaveTwoStates() throws {
    let states = try ["a", "b"].map { try #require(FileState(of: try folder.write([1], to: $0))) }
    #expect(states[0].inode != states[1].inode && states[0] != states[1])
  }
}
