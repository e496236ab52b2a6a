import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

@Suite struct PartialFolderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func begin(replaces: Bool = false) throws -> PartialFolder {
    try PartialFolder(at: Place(path: folder.path("stems")), replaces: replaces, replaceableEnding: "wav")
  }

  private func put(_ name: String, in path: String) throws {
    try Data([1]).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  @Test func itIsThereWholeOrNotAtAll() throws {
    let partial = try begin()
    try put("a.wav", in: partial.partial.path)
    #expect(try folder.names().allSatisfy { $0.hasPrefix(".stems.partial-") })
    try partial.commit()
    #expect(try folder.names() == ["stems"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")) == ["a.wav"])
  }

  @Test func whatIsLetGoLeavesNothing() throws {
    var partial: PartialFolder? = try begin()
    try put("a.wav", in: try #require(partial).partial.path)
    partial = nil
    #expect(try folder.names().isEmpty)
  }

  @Test func aFolderIsReplacedOnlyWhenAskedAndOnlyIfNothingElseIsLost() throws {
    try FileManager.default.createDirectory(atPath: folder.path("stems"), withIntermediateDirectories: false)
    try put("old.wav", in: folder.path("stems"))
    #expect(throws: AudioFileWriteError.exists(path: folder.path("stems"))) { try begin() }
    try put("thesis.txt", in: folder.path("stems"))
    #expect(throws: AudioFileWriteError.holdsOtherThings(path: folder.path("stems"), name: "thesis.txt")) {
      try begin(replaces: true)
    }
    try FileManager.default.removeItem(atPath: folder.path("stems/thesis.txt"))
    let partial = try begin(replaces: true)
    try put("new.wav", in: partial.partial.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")) == ["old.wav"])
    try partial.commit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")) == ["new.wav"])
    #expect(try folder.names() == ["stems"])
  }

  @Test func abandonedFoldersAreRemovedAndThoseInUseStay() throws {
    let abandoned = folder.path(".stems.partial-AAAAAA")
    try FileManager.default.createDirectory(atPath: abandoned, withIntermediateDirectories: false)
    try put("half.wav", in: abandoned)
    let other = try begin()
    let partial = try begin()
    #expect(try folder.names().count == 2)
    try put("a.wav", in: partial.partial.path)
    try partial.commit()
    withExtendedLifetime(other) {}
    #expect(throws: AudioFileWriteError.exists(path: folder.path("stems"))) { try other.commit() }
    #expect(try folder.names() == ["stems"])
  }

  @Test func aFolderThatWasBeingReplacedIsRestored() throws {
    let former = folder.path(".stems.partial-AAAAAA-former")
    try FileManager.default.createDirectory(atPath: former, withIntermediateDirectories: false)
    try put("old.wav", in: former)
    _ = try begin()
    #expect(try folder.names() == ["stems"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")) == ["old.wav"])
  }

  @Test func whatIsPutIntoTheFolderMeanwhileIsNotLost() throws {
    try FileManager.default.createDirectory(atPath: folder.path("stems"), withIntermediateDirectories: false)
    try put("old.wav", in: folder.path("stems"))
    let partial = try begin(replaces: true)
    try put("new.wav", in: partial.partial.path)
    try put("thesis.txt", in: folder.path("stems"))
    #expect(throws: AudioFileWriteError.holdsOtherThings(path: folder.path("stems"), name: "thesis.txt")) {
      try partial.commit()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("stems")).sorted()
    #expect(try names == ["old.wav", "thesis.txt"] && folder.names() == ["stems"])
  }

  /// One of a process that was killed before it removed what it had replaced.
  @Test(arguments: [nil, "thesis.txt", "song.flac"] as [String?])
  func aFolderThatWasReplacedIsRemovedOnlyIfNothingElseIsLost(other: String?) throws {
    let former = ".stems.partial-AAAAAA-former"
    for name in ["stems", former] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
      try put("old.wav", in: folder.path(name))
    }
    if let other { try put(other, in: folder.path(former)) }
    try begin(replaces: true).commit()
    #expect(try folder.names() == (other == nil ? ["stems"] : [former, "stems"]))
    if let other {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(former)).sorted()
      #expect(names == ["old.wav", other].sorted())
    }
  }
}
