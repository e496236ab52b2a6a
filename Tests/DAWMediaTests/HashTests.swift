import DAWMedia
import DAWTestSupport
import Glibc
import Testing

@Suite struct HashTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// From FIPS 180-4's examples.
  static let vectors = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: vectors)
  func theStandardsVectors(text: String, expected: String) throws {
    let bytes = Array(text.utf8)
    var hash = StreamingSHA256()
    // An intermediate digest does not affect later ones.
    bytes.prefix(1).withUnsafeBytes { hash.update($0) }
    _ = hash.digest()
    bytes.dropFirst().withUnsafeBytes { hash.update($0) }
    #expect(hash.hexDigest() == expected)
    if !bytes.isEmpty {
      let path = try folder.write(bytes, to: "text")
      #expect(try sha256(ofFile: path).sha256 == expected)
    }
  }

  @Test func aCopyHasTheSourcesBytesAndDigest() throws {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<600_001).map { _ in UInt8.random(in: 0...255, using: &random) }
    let source = try folder.write(bytes, to: "source")
    var told: [Int64] = []
    let copied = try copyAndHash(from: source, to: Place(path: folder.path("target"))) { done, total in
      told.append(done)
      return total == 600_001
    }
    #expect(try folder.bytes(of: "target") == bytes)
    #expect(try copied == sha256(ofFile: source))
    #expect(copied.byteCount == 600_001)
    #expect(told == told.sorted() && told.last == 600_001)
  }

  @Test("A copy has the time of its source", arguments: [0, 1_000_000_000, -2])
  func copiedTimes(seconds: Int) throws {
    let source = try folder.write([1, 2, 3], to: "source")
    let time = timespec(tv_sec: seconds, tv_nsec: 123_456_789)
    try #require(utimensat(AT_FDCWD, source, [time, time], 0) == 0)
    let copied = try copyAndHash(from: source, to: Place(path: folder.path("target")))
    #expect(try sha256(ofFile: folder.path("target")) == copied)
  }

  @Test func aCopyThatIsCancelledLeavesNothing() throws {
    let source = try folder.write([UInt8](repeating: 3, count: 1_000_000), to: "source")
    #expect(throws: MediaWorkError.cancelled) {
      try copyAndHash(from: source, to: Place(path: folder.path("target"))) { done, _ in done < 500_000 }
    }
    #expect(try folder.names() == ["source"])
  }

  @Test func aCopyOntoAFileLeavesThatFileAlone() throws {
    let source = try folder.write([1, 2, 3], to: "source")
    let target = try folder.write([4], to: "target")
    #expect(throws: MediaWorkError.writing(.exists(path: target))) {
      try copyAndHash(from: source, to: Place(path: target))
    }
    #expect(try folder.bytes(of: "target") == [4])
  }

  @Test func aCopyIntoNoFolderIsAnErrorOfItsOwn() throws {
    let source = try folder.write([1, 2, 3], to: "source")
    let target = folder.path("no such folder/target")
    #expect(throws: MediaWorkError.writing(.noFolder(path: target))) {
      try copyAndHash(from: source, to: Place(path: target))
    }
  }
}
