import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@Suite struct FileIdentityTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aFileIsTheSameByEachOfItsNamesAndNoOtherIs() throws {
    let file = try folder.write([1], to: "a")
    let other = try folder.write([1], to: "b")
    let (hard, soft, dangling) = (folder.path("hard"), folder.path("soft"), folder.path("dangling"))
    #expect(link(file, hard) == 0 && symlink(file, soft) == 0 && symlink(folder.path("none"), dangling) == 0)
    let own = try #require(FileIdentity(of: file))
    #expect(FileIdentity(of: hard) == own && FileIdentity(of: soft) == own)
    #expect(FileIdentity(of: other) != own)
    #expect(FileIdentity(of: dangling) == nil && FileIdentity(of: folder.path("none")) == nil)
    // A link is something itself, beside what it leads to.
    #expect(FileIdentity.all(at: file) == [own] && FileIdentity.all(at: hard) == [own])
    let both = FileIdentity.all(at: soft)
    #expect(both.count == 2 && both.contains(own))
    #expect(FileIdentity.all(at: dangling).count == 1 && FileIdentity.all(at: folder.path("none")).isEmpty)
  }

  @Test func aFileThatReplacesAnotherIsAnother() throws {
    let file = try folder.write([1], to: "a")
    let before = try #require(FileIdentity(of: file))
    let new = try folder.write([1], to: "new")
    // Not the number of one that is gone.
    #expect(link(file, folder.path("kept")) == 0 && rename(new, file) == 0)
    #expect(FileIdentity(of: file) != before && FileIdentity(of: folder.path("kept")) == before)
  }
}
