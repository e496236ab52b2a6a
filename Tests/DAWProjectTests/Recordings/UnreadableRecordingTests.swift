import DAWErrors
import DAWMedia
import DAWModel
import DAWTestSupport
import Foundation
import Testing

@testable import DAWProject

@Suite("Folders of recordings that are there, and cannot be read")
struct UnreadableRecordingTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  @Test(
    "'clean' keeps an unfinished recording whose folder cannot be opened for once",
    arguments: [EIO, EMFILE, ENOMEM, EACCES] as [Int32])
  func cleaning(code: Int32) throws {
    try song.record(7, isRecovered: false)
    let before = try song.files()
    #expect(!before.isEmpty)
    var cleaning = Cleaning(isTrial: false)
    cleaning.openRecording = { (_: Place) throws(SystemCallFailure) -> RecordingFolder in
      throw SystemCallFailure(call: "open", code: code)
    }
    try cleaning.removeUnused(in: song.folder.place("Audio"), used: [])
    #expect(cleaning.result.removed.isEmpty)
    #expect(try song.files() == before)
  }

  @Test("'clean' says that the copy of a take cannot be listed, and removes it when it can", arguments: [EIO, EACCES])
  func copyOfTake(code: Int32) throws {
    let incoming = song.folder.place("Audio", ".incoming")
    let copy = incoming.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: copy + "/Vox.1.take"))
    var cleaning = Cleaning(isTrial: false)
    cleaning.listNames = { (folder: Folder) throws(SystemCallFailure) -> [String] in
      if folder.path == incoming.path { return try folder.readNames() }
      throw SystemCallFailure(call: "openat", code: code)
    }
    let failure = song.failure { try cleaning.removeContents(of: incoming) }
    if code == EACCES {
      #expect(failure == nil && cleaning.result.left == ["Audio/.incoming/copy"])
    } else {
      #expect(failure?.kind == .io && failure?.message.hasPrefix("'\(copy)' ") == true)
    }
    #expect(FileManager.default.fileExists(atPath: copy + "/Vox.1.take"))
    let removed = try song.session.clean(includesCache: false, isTrial: false).removed
    #expect(removed == ["Audio/.incoming/copy/Vox.1.take"] && !FileManager.default.fileExists(atPath: copy))
  }

  @Test("'clean' names a folder that cannot be listed", arguments: [EIO, EACCES])
  func unlisted(code: Int32) throws {
    try song.record(7)
    var cleaning = Cleaning(isTrial: true)
    cleaning.listNames = { (_: Folder) throws(SystemCallFailure) -> [String] in
      throw SystemCallFailure(call: "openat", code: code)
    }
    try cleaning.removeUnused(in: song.folder.place("Audio"), used: [])
    #expect(cleaning.result.left == ["Audio"] && cleaning.result.removed.isEmpty)
  }

  @Test("What cannot be told to be there is not taken for gone")
  func untold() throws {
    // No file system has a name of that length: the error is another one than that nothing is there.
    let place = song.folder.place("Audio", String(repeating: "a", count: 300))
    let failure = song.failure { _ = try Session.exists(place) }
    #expect(failure?.kind == .io && failure?.message.hasPrefix("'\(place.path)' could not be read: ") == true)
    #expect(failure?.message.hasSuffix(" Nothing was changed.") == true)
  }

  @Test(
    "A folder that cannot be listed is no empty one",
    .enabled(if: OtherUser.isPossible, "no thread can be another user's"))
  func listing() throws {
    let folder = try TemporaryFolder()
    let (place, none) = (Place(root: folder.path, ["closed"]), Place(root: folder.path, ["none"]))
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
    #expect(try Session.names(in: place).isEmpty && Session.exists(place))
    #expect(try Session.names(in: none).isEmpty && !Session.exists(none) && !Session.exists(none.appending("a")))
    #expect(chmod(folder.path, 0o755) == 0 && chmod(place.path, 0) == 0)
    defer { chmod(place.path, 0o700) }
    for body in [
      { _ = try Session.names(in: place) }, { _ = try Session.exists(place.appending("a")) },
    ] as [() throws -> Void] {
      let failure = song.failure { try OtherUser.run(body) }
      #expect(failure?.kind == .io && failure?.message.hasPrefix("'\(place.path)' ") == true)
      #expect(failure?.message.hasSuffix(" Nothing was changed.") == true)
    }
  }

  @Test("A recording whose folder cannot be listed is not removed", .enabled(if: geteuid() != 0, "root lists all"))
  func removal() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let place = song.folder.absolute(try song.path(id))
    #expect(chmod(place, 0) == 0)
    defer { chmod(place, 0o700) }
    for isTrial in [true, false] {
      let failure = song.failure { try song.session.removeRecording(id, isTrial: isTrial) }
      #expect(failure?.kind == .io && failure?.message.hasPrefix("'\(place)' ") == true)
    }
    #expect(try song.facts(id)?.recording.trashedAt == nil)
  }
}
