import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct TagTests {
  /// Those that are written without another program.
  static let containers = AudioFileFormat.Container.allCases.filter { $0.takesTags && $0 != .m4a }

  private static let samples = Signal.noise(seed: 5, frames: 60_000, channels: 2, peak: 0.4)

  private func write(_ container: AudioFileFormat.Container, _ tags: FileTags?, to path: String) throws {
    let format = AudioFileFormat(
      container: container, encoding: container.encodings[0], sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
    let sink = try audioFileSink(at: Place(path: path), format: format, tags: tags)
    try sink.append(interleaved: Self.samples, frameCount: Self.samples.count / 2)
    try sink.finish()
  }

  /// A picture of a wanted length: what lies behind a PNG's first chunk does not matter here.
  private func picture(byteCount: Int) throws -> CoverImage {
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 2, 0, 8, 6, 0, 0, 0]
    bytes += (bytes.count..<byteCount).map { UInt8(truncatingIfNeeded: $0 * 7) }
    return try #require(CoverImage(png: bytes))
  }

  @Test(
    "Tags of any length change no sample",
    arguments: containers, [0, 1, 250, 255, 65_025, 65_280, 300_000])
  func sound(container: AudioFileFormat.Container, length: Int) throws {
    let folder = try TemporaryFolder()
    var tags = FileTags()
    tags.comment = String(repeating: "x", count: length)
    tags.cover = try length > 1_000 ? picture(byteCount: 3 * length) : nil
    tags.chapters = [
      FileTags.Chapter(start: 0, end: 700, name: "One"), FileTags.Chapter(start: 700, end: 1_250, name: "Two"),
    ]
    try write(container, nil, to: folder.path("plain"))
    try write(container, tags, to: folder.path("tagged"))
    let (plain, tagged) = (LibSndFile.read(folder.path("plain")), LibSndFile.read(folder.path("tagged")))
    #expect(try #require(plain).frames > 0)
    #expect(plain?.samples == tagged?.samples)
    // Read as it is brought in: nothing is cut short, nothing follows.
    #expect(try AudioFileFacts.read(path: folder.path("tagged")).warnings.isEmpty)
  }

  @Test("The same tags give the same bytes, and no tags give those of a file without any", arguments: containers)
  func sameBytes(container: AudioFileFormat.Container) throws {
    let folder = try TemporaryFolder()
    var tags = FileTags()
    tags.title = "Ä"
    for name in ["a", "b"] { try write(container, tags, to: folder.path(name)) }
    #expect(try folder.bytes(of: "a") == folder.bytes(of: "b"))
  }

  @Test("The start of a file grows, shrinks or stays, and the rest is what it was")
  func head() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let bytes = (0..<Int.random(in: 0...3_000_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 >> 3 ^ $0) }
      let old = Int.random(in: 0...bytes.count, using: &random)
      let new = (0..<Int.random(in: 0...2_000_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 * 3) }
      let path = try folder.write(bytes, to: "a")
      let file = try FileDescriptor.opening(path, O_RDWR)
      try FileHead.replace(Int64(old), with: new, inFile: file.number)
      #expect(
        try folder.bytes(of: "a") == new + bytes[old...], "seed \(seed): \(old) of \(bytes.count) by \(new.count)")
    }
  }

  @Test("A picture is known by its bytes, and none that is cut off or altered stops the program")
  func pictures() throws {
    let png = try picture(byteCount: 100)
    #expect((png.width, png.height, png.depth, png.mediaType) == (256, 512, 32, "image/png"))
    let start: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff]
    let jpeg = start + [0xc2, 0, 11, 8, 1, 0, 2, 0, 3, 0, 0, 0, 0, 0xff, 0xd9]
    let image = try #require(CoverImage(jpeg: jpeg))
    #expect((image.width, image.height, image.depth, image.mediaType) == (512, 256, 24, "image/jpeg"))
    var random = SeededGenerator(seed: 11)
    for bytes in [png.bytes, jpeg] {
      for count in 0..<bytes.count {
        _ = CoverImage(png: Array(bytes[..<count])) ?? CoverImage(jpeg: Array(bytes[..<count]))
      }
      for _ in 0..<2_000 {
        var altered = bytes
        altered[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        _ = CoverImage(png: altered) ?? CoverImage(jpeg: altered)
      }
    }
    #expect(CoverImage(png: Array("GIF89a".utf8)) == nil && CoverImage(jpeg: Array("GIF89a".utf8)) == nil)
  }

  @Test("Comments that lie about their lengths are refused, not read")
  func damagedComments() {
    var comments = VorbisComments()
    comments.vendor = Array("v".utf8)
    comments.add("A", "b")
    let bytes = comments.bytes
    #expect(VorbisComments(bytes)?.bytes == bytes)
    for count in 0..<bytes.count { #expect(VorbisComments(bytes[..<count]) == nil) }
    for place in bytes.indices {
      var altered = bytes
      altered[place] = 0xff
      _ = VorbisComments(altered)
    }
  }

  @Test("Base64 is that of Foundation", arguments: 0..<20)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 91 + 7) }
    #expect(VorbisComments.base64(bytes) == Array(Data(bytes).base64EncodedString().utf8))
  }
}
