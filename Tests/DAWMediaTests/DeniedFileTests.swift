import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

/// Files and folders that this user may not use, as those of another one in a project that is shared.
@Suite(.enabled(if: OtherUser.isPossible, "no thread can be another user's"))
struct DeniedFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(chmod(folder.path, 0o755) == 0)
  }

  @Test func aFileThatMayNotBeReadIsNamed() throws {
    let path = try folder.write([1], to: "closed.wav")
    #expect(chmod(path, 0) == 0)
    #expect(throws: AudioFileError.noPermission(path: path)) {
      try OtherUser.run { _ = try AudioFileFacts.read(path: path) }
    }
    #expect(throws: AudioFileError.noPermission(path: path)) {
      try OtherUser.run { _ = try AudioFileReader(path: path) }
    }
  }

  /// Not even its names may be read, or no file may be made in it.
  @Test(arguments: [0, 0o555] as [mode_t])
  func whereNothingMayBeMadeThatIsSaid(mode: mode_t) throws {
    let closed = folder.path("closed")
    try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: false)
    #expect(chmod(closed, mode) == 0)
    defer { chmod(closed, 0o755) }
    let place = Place(root: folder.path, ["closed", "a.take"])
    #expect(throws: AudioFileWriteError.noPermission(path: place.path)) {
      try OtherUser.run { try writeWholeFile([1], at: place, replaces: false) }
    }
    #expect(throws: AudioFileWriteError.noPermission(path: place.path)) {
      try OtherUser.run { try writeWholeFiles([(name: "a.take", bytes: [1])], in: place.parent, mode: 0o600) }
    }
    #expect(throws: AudioFileWriteError.noPermission(path: closed)) {
      try OtherUser.run { _ = try RecordingFolder(creatingIn: place.parent, title: "Verse", startTime: 0) }
    }
    #expect(chmod(closed, 0o755) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: closed).isEmpty)
  }
}

@Test(arguments: [EACCES, EPERM, EROFS])
func whatTheSystemForbidsIsAMatterOfPermissions(code: Int32) {
  let error = AudioFileWriteError(path: "/songs/a.wav", SystemCallFailure(call: "open", code: code))
  #expect(error == .noPermission(path: "/songs/a.wav") && error.code == "cannotCreate")
  #expect(error.description.contains("'/songs/a.wav'") && error.description.contains("permissions"))
}
