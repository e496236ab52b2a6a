import DAWTestSupport
import Testing

@testable import DAWMedia

@Suite struct OggPagesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A page with this many segments, which begin with the bytes.
  private func page(_ bytes: [UInt8], segmentCount: Int = 1, named name: String = "OggS") -> [UInt8] {
    var page: [UInt8] = Array(name.utf8) + [0, 2]
    page += [UInt8](repeating: 0, count: 20)
    page.append(UInt8(segmentCount))
    page += [UInt8](repeating: 1, count: segmentCount)
    return page + bytes
  }

  private func beginsWithFLAC(_ bytes: [UInt8]) throws -> Bool {
    try OggPages.beginWithFLAC(in: OpenAudioFile(path: try folder.write(bytes, to: "a.oga")))
  }

  private let flac: [UInt8] = [0x7f] + Array("FLAC".utf8) + [1, 0]

  @Test(arguments: [1, 2, 255])
  func flacIsKnownByTheFirstPacketBehindTheTableOfSegments(segmentCount: Int) throws {
    let first = page(flac, segmentCount: segmentCount)
    #expect(try beginsWithFLAC(first))
    // Behind a tag of 5 bytes, with its header of 10.
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5]
    #expect(try beginsWithFLAC(tag + first))
    #expect(try !beginsWithFLAC(tag.dropLast() + first))
  }

  @Test func otherStreamsAndOtherFilesAreNone() throws {
    #expect(try !beginsWithFLAC(page([1] + Array("vorbis".utf8))))
    #expect(try !beginsWithFLAC(page(Array("OpusHead".utf8))))
    #expect(try !beginsWithFLAC(page(flac, named: "OggZ")))
    // FLAC by itself, and within another packet.
    #expect(try !beginsWithFLAC(Array("fLaC".utf8) + [UInt8](repeating: 0, count: 60)))
    #expect(try !beginsWithFLAC(page([0] + flac)))
    let (whole, longTag) = (page(flac), Array("ID3".utf8) + [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f])
    for count in 1..<33 { #expect(try !beginsWithFLAC(Array(whole.prefix(count))), "\(count) bytes") }
    #expect(try beginsWithFLAC(Array(whole.prefix(33))))
    // A tag that is longer than the file.
    #expect(try !beginsWithFLAC(longTag + whole))
  }
}
