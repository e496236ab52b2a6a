import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// Writing and deleting never follows a link, whenever it is put there.
@Suite struct FolderTests {
  let temporary: TemporaryFolder
  /// `inside/` is the folder written to; `outside/` must stay unchanged.
  let inside: Place

  init() throws {
    temporary = try TemporaryFolder()
    inside = Place(root: temporary.path("inside"))
    for name in ["inside", "outside"] {
      try FileManager.default.createDirectory(atPath: temporary.path(name), withIntermediateDirectories: false)
    }
    try temporary.write([1, 2, 3], to: "outside/letter")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: temporary.path(name), withDestinationPath: target)
  }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.path(name)).sorted()
  }

  private func modificationTime(_ name: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: temporary.path(name))[.modificationDate] as? Date
  }

  private func requireOutsideUnchanged() throws {
    #expect(try names("outside") == ["letter"])
    #expect(try temporary.bytes(of: "outside/letter") == [1, 2, 3])
  }

  @Test func theUsersOwnFolderMayBeReachedThroughALink() throws {
    try link("way", to: "inside")
    try Place(root: temporary.path("way"), ["new"]).make().makeFile("file", [7])
    #expect(try temporary.bytes(of: "inside/new/file") == [7])
    #expect(Place(path: temporary.path("way/")) == Place(root: temporary.path, ["way"]))
    #expect(Place(path: temporary.path("way/..")).names.isEmpty)
  }

  @Test func belowItALinkIsNoFolder() throws {
    try link("inside/Cache", to: "../outside")
    for place in [inside.appending("Cache"), Place(root: inside.root, ["Cache", "renders"])] {
      #expect(throws: SystemCallFailure(call: "open", code: ELOOP)) { try place.open() }
      #expect(throws: SystemCallFailure(call: "open", code: ELOOP)) { try place.make() }
    }
    #expect(FolderUse.exclusive(inside.appending("Cache")) == nil)
    CacheFolder(inside.appending("Cache")).clear(downTo: 0)
    try requireOutsideUnchanged()
  }

  @Test func noFileIsOpenedOrMadeThroughALink() throws {
    try link("inside/file", to: "../outside/letter")
    try link("inside/new", to: "../outside/new")
    let folder = try inside.open()
    for (name, flags) in [("file", O_RDONLY), ("file", O_RDWR), ("file", O_RDWR | O_CREAT), ("new", O_RDWR | O_CREAT)] {
      #expect(throws: SystemCallFailure(call: "open", code: ELOOP)) { try folder.openFile(name, flags) }
    }
    #expect(throws: SystemCallFailure(call: "open", code: ELOOP)) { try folder.copy("file", to: folder, as: "copy") }
    #expect(throws: SystemCallFailure(call: "open", code: EEXIST)) { try folder.makeFile("new", [9]) }
    let time = try modificationTime("outside/letter")
    folder.touch("file")
    #expect(try modificationTime("outside/letter") == time)
    try requireOutsideUnchanged()
    #expect(try names("inside") == ["file", "new"])
  }

  @Test func aLinkItselfIsReplacedAndRemoved() throws {
    for name in ["a", "b", "c"] { try link("inside/\(name)", to: "../outside/letter") }
    try link("inside/tree", to: "../outside")
    let folder = try inside.open()
    try folder.makeFile("new", [9])
    try folder.rename("new", to: folder, as: "a")
    #expect(try temporary.bytes(of: "inside/a") == [9])
    try folder.remove("b")
    folder.removeAll("c")
    folder.removeAll("tree")
    #expect(try names("inside") == ["a"])
    try requireOutsideUnchanged()
  }

  @Test func aTreeIsRemovedWithItsLinksButNotTheirTargets() throws {
    try inside.appending("tree").make().makeFile("file", [1])
    try link("inside/tree/way", to: "../../outside")
    try inside.open().removeAll("tree")
    #expect(try names("inside").isEmpty)
    try requireOutsideUnchanged()
  }

  @Test(.enabled(if: OtherUser.isPossible, "no thread can be another user's"))
  func whatKeepsATreeIsSaid() throws {
    try inside.appending("tree").make().makeFile("file", [1])
    let tree = temporary.path("inside/tree")
    #expect(chmod(temporary.path, 0o755) == 0 && chmod(inside.path, 0o777) == 0 && chmod(tree, 0) == 0)
    defer { chmod(tree, 0o700) }
    let folder = try inside.open()
    // Not that it is not empty.
    #expect(try OtherUser.run { folder.removeAll("tree") }?.code == EACCES)
    #expect(chmod(tree, 0o700) == 0)
    #expect(folder.removeAll("tree") == nil && folder.removeAll("tree") == nil)
    // No file system has a name of that length.
    let name = String(repeating: "a", count: 300)
    #expect(folder.removeAll(name)?.code == ENAMETOOLONG)
    #expect(throws: SystemCallFailure(call: "stat", code: ENAMETOOLONG)) { _ = try folder.existingStatus(of: name) }
  }

  @Test(arguments: ["", ".", "..", "../outside/letter", "tree/file", "a\0b"])
  func aPathIsNoName(name: String) throws {
    let folder = try inside.open()
    try folder.makeFile("mine", [1])
    #expect(throws: SystemCallFailure.self) { try folder.openFile(name, O_RDWR | O_CREAT) }
    #expect(throws: SystemCallFailure.self) { try folder.folder(name, makes: true) }
    #expect(throws: SystemCallFailure.self) { try folder.rename("mine", to: folder, as: name) }
    #expect(throws: SystemCallFailure.self) { try folder.link("mine", to: folder, as: name) }
    #expect(throws: SystemCallFailure.self) { try folder.remove(name) }
    folder.removeAll(name)
    #expect(try names("inside") == ["mine"])
    try requireOutsideUnchanged()
  }

  @Test func nothingIsReplacedUnlessAsked() throws {
    let folder = try inside.open()
    for name in ["a", "b"] { try folder.makeFile(name, Array(name.utf8)) }
    try folder.makeFolder("c")
    for name in ["b", "c"] {
      #expect(throws: SystemCallFailure(call: "rename", code: EEXIST)) {
        try folder.renameWithoutReplacing("a", to: folder, as: name)
      }
      #expect(throws: SystemCallFailure(call: "link", code: EEXIST)) { try folder.link("a", to: folder, as: name) }
    }
    #expect(try temporary.bytes(of: "inside/b") == Array("b".utf8))
  }

  /// A link that another process puts in place after the folder was opened.
  @Test func aLinkThatTakesTheFoldersPlaceIsNotFollowed() throws {
    let cache = inside.appending("Cache")
    let folder = try cache.make()
    let writer = try WaveWriter(
      at: cache.appending("a.wav"),
      format: AudioFileFormat(encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: 1))
    try FileManager.default.moveItem(atPath: cache.path, toPath: temporary.path("inside/Old"))
    try link("inside/Cache", to: "../outside")
    try folder.makeFile("file", [1])
    try writer.append(interleaved: [0, 0], frameCount: 2)
    try writer.finish()
    try? folder.remove("letter")
    folder.removeAll("letter")
    #expect(try names("inside/Old") == ["a.wav", "file"])
    try requireOutsideUnchanged()
  }

  @Test func aPipeIsNeverWaitedFor() throws {
    #expect(mkfifo(temporary.path("inside/pipe"), 0o600) == 0)
    let folder = try inside.open()
    for flags in [O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT] {
      #expect(throws: SystemCallFailure(call: "open", code: ENODEV)) { try folder.openFile("pipe", flags) }
    }
    folder.removeAbandoned("pipe")
    #expect(try names("inside") == ["pipe"])
  }

  /// What is wanted, the mode of the other one, and what comes of it.
  @Test(
    arguments: [
      (0o777, 0o40755, 0o755), (0o777, 0o41500, 0o700), (0o666, 0o100640, 0o640), (0o600, 0o100666, 0o600),
      (0o666, 0o100400, 0o600),
    ] as [(mode_t, mode_t, mode_t)])
  func whatIsMadeOfAnotherAllowsOthersNoMoreAndItsUserWhatIsWanted(wanted: mode_t, other: mode_t, mode: mode_t) {
    #expect(Folder.mode(wanted, noWiderThan: other) == mode)
  }

  /// What waits for a lock tries again where the file is another one now: that must not be said where it is not known.
  @Test func whetherAnOpenFileHasANameStillIsNotGuessed() throws {
    let folder = try inside.open()
    let file = try folder.openFile("held", O_RDWR | O_CREAT)
    defer { close(file) }
    #expect(try folder.isFile(file, named: "held"))
    try folder.remove("held")
    #expect(try folder.isFile(file, named: "held") == false)
    #expect(throws: SystemCallFailure(call: "stat", code: EBADF)) { try folder.isFile(-1, named: "held") }
  }

  @Test func aCopyHasBytesPermissionsAndTime() throws {
    let folder = try inside.open()
    try folder.makeFile("a", [UInt8](repeating: 5, count: 600_000))
    chmod(temporary.path("inside/a"), 0o640)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: temporary.path("inside/a"))
    try folder.copy("a", to: folder, as: "b")
    let (a, b) = (try #require(folder.status(of: "a")), try #require(folder.status(of: "b")))
    #expect(try temporary.bytes(of: "inside/b") == temporary.bytes(of: "inside/a"))
    #expect(a.st_mode == b.st_mode && a.st_mtim.tv_sec == b.st_mtim.tv_sec)
    #expect(throws: SystemCallFailure(call: "open", code: EEXIST)) { try folder.copy("a", to: folder, as: "b") }
  }
}
