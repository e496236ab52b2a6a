import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

@Suite struct CacheFolderTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("renders"), withIntermediateDirectories: false)
  }

  /// - Parameter age: seconds since its last use.
  private func put(_ name: String, kilobytes: Int, age: Double = 0) throws {
    try folder.write([UInt8](repeating: 1, count: kilobytes << 10), to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path(name))
  }

  private func names() throws -> Set<String> {
    Set(try folder.names() + FileManager.default.contentsOfDirectory(atPath: folder.path("renders")))
      .subtracting(["renders"])
  }

  @Test func theLeastRecentlyUsedFileIsEvictedFirst() throws {
    try put("a.wav", kilobytes: 40, age: 30)
    try put("renders/b.render", kilobytes: 40, age: 40)
    try put("c.peaks", kilobytes: 40, age: 20)
    try put("renders/d.render", kilobytes: 40, age: 10)
    try put("other.txt", kilobytes: 40, age: 90)
    let cache = CacheFolder(Place(root: folder.path))
    cache.clear(downTo: 160 << 10)
    #expect(try names() == ["a.wav", "b.render", "c.peaks", "d.render", "other.txt"])
    cache.clear(downTo: 100 << 10)
    #expect(try names() == ["c.peaks", "d.render", "other.txt"])
    try Folder(path: folder.path).touch("c.peaks")
    cache.clear(downTo: 50 << 10)
    #expect(try names() == ["c.peaks", "other.txt"])
    cache.clear(downTo: 0)
    #expect(try names() == ["other.txt"])
  }

  @Test func hashesAreEvictedLikeOtherFilesAndNeitherHiddenFilesNorLinksNorFolders() throws {
    try put("1-2.hash", kilobytes: 40, age: 30)
    try put("3-4.hash", kilobytes: 40, age: 10)
    try put(".5-6.hash", kilobytes: 40, age: 60)
    try put("other.txt", kilobytes: 40, age: 90)
    #expect(symlink(folder.path("other.txt"), folder.path("7-8.hash")) == 0)
    #expect(mkdir(folder.path("9-10.hash"), 0o700) == 0)
    let others: Set = [".5-6.hash", "other.txt", "7-8.hash", "9-10.hash"]
    let cache = CacheFolder(Place(root: folder.path))
    cache.clear(downTo: 60 << 10)
    #expect(try names() == others.union(["3-4.hash"]))
    cache.clear(downTo: 0)
    #expect(try names() == others)
  }

  @Test func nothingIsEvictedWhileTheFolderIsInUse() throws {
    try put("a.wav", kilobytes: 4)
    try put(".scratch-1", kilobytes: 4)
    let uses = [FolderUse(sharing: Place(root: folder.path)), FolderUse(sharing: Place(root: folder.path))]
    let cache = CacheFolder(Place(root: folder.path))
    for use in uses {
      cache.clear(downTo: 0)
      #expect(try names() == ["a.wav", ".scratch-1"])
      #expect(FolderUse.exclusive(Place(root: folder.path)) == nil)
      use.end()
    }
    cache.clear(downTo: 0)
    #expect(try names().isEmpty)
  }

  /// As a child process has it until exec.
  @Test func aReleasedLockIsFreeThoughAChildHasTheDescriptor() throws {
    let use = FolderUse(sharing: Place(root: folder.path))
    let place = Place(path: folder.path)
    let parent = try place.parent.open()
    let copies = (3..<4_096).filter { (try? parent.isFile($0, named: place.name)) == true }.map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    use.end()
    #expect(FolderUse.exclusive(Place(root: folder.path)) != nil)
  }

  @Test func abandonedFilesAreRemovedAndFilesInUseStay() throws {
    let scratch = folder.path(".scratch-2/copies")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    try folder.write([1], to: ".scratch-2/copies/a.wav")
    for name in [".a.wav.partial-00000000", ".a.lock", ".b.peaks.partial-11111111"] { try folder.write([1], to: name) }
    let number = try FileDescriptor.opening(folder.path(".b.peaks.partial-11111111"), O_RDWR)
    #expect(flock(number.number, LOCK_EX) == 0)
    CacheFolder(Place(root: folder.path)).clear(downTo: 1 << 30)
    #expect(try names() == [".b.peaks.partial-11111111"])
  }

  @Test func aMissingOrReadOnlyFolderIsNotAnError() throws {
    for path in ["/proc/none", folder.path("none")] {
      let use = FolderUse(sharing: Place(root: path))
      CacheFolder(Place(root: path)).clear(downTo: 0)
      use.end()
      #expect(FolderUse.exclusive(Place(root: path)) == nil)
    }
    #expect(try names().isEmpty)
  }

  @Test func waitingForAFolderThatIsReplacedLocksTheNewOne() throws {
    let cache = folder.path("renders")
    let first = FolderUse(sharing: Place(root: cache))
    try FileManager.default.removeItem(atPath: cache)
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
    let second = FolderUse(sharing: Place(root: cache))
    first.end()
    #expect(FolderUse.exclusive(Place(root: cache)) == nil)
    second.end()
    #expect(FolderUse.exclusive(Place(root: cache)) != nil)
  }
}
