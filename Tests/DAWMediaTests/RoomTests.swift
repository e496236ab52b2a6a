import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite("Room on the disk")
struct RoomTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func isRefused(_ body: () throws -> Void) -> Bool {
    do {
      try body()
    } catch AudioFileWriteError.noRoom(_, let needed, let free) {
      return needed > free && free > 0
    } catch MediaWorkError.writing(.noRoom) {
      return true
    } catch {
      Issue.record("\(error)")
    }
    return false
  }

  @Test("A file that its disk cannot hold is refused, whatever its format; one that it can is not")
  func length() throws {
    let place = Place(root: folder.path, ["a.wav"])
    for container in AudioFileFormat.Container.allCases {
      let encoding = try #require(container.encodings.last)
      let format = AudioFileFormat(
        container: container, encoding: encoding, sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
      #expect(isRefused { try format.requireRoom(for: 1 << 53, at: place) })
      #expect(isRefused { try format.requireRoom(for: .max, at: place, count: 1_000) })
      #expect(!isRefused { try format.requireRoom(for: 1_000, at: place) })
    }
    let format = AudioFileFormat(encoding: .int24, sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
    let free = try #require(try Folder(path: folder.path).freeByteCount)
    #expect(!isRefused { try format.requireRoom(for: free / 12, at: place) })
    #expect(isRefused { try format.requireRoom(for: free / 12, at: place, count: 4) })
    // What is wrong with the folder is said by what writes.
    #expect(!isRefused { try format.requireRoom(for: .max, at: Place(root: folder.path("none"), ["a.wav"])) })
  }

  /// Appends noise to a file on a disk, and finishes it.
  private func write(_ frames: Int, to path: String, _ container: AudioFileFormat.Container) throws {
    let encoding = try #require(container.encodings.first)
    let sink = try audioFileSink(
      at: Place(path: path),
      format: AudioFileFormat(
        container: container, encoding: encoding, sampleRate: SampleRate(hertz: 48_000), channelCount: 1))
    try sink.append(interleaved: Signal.noise(seed: 5, frames: frames, channels: 1), frameCount: frames)
    try sink.finish()
  }

  @Test(
    "A disk that becomes full while a file is written is an error, and nothing is left",
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted"),
    arguments: AudioFileFormat.Container.allCases.filter { $0 != .m4a })
  func fullDisk(container: AudioFileFormat.Container) throws {
    let disk = try SmallDisk(at: folder.path("disk"), size: "32k")
    defer { disk.unmount() }
    let path = disk.path + "/a.out"
    #expect(throws: AudioFileWriteError.diskFull(path: path)) { try write(480_000, to: path, container) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
  }

  /// Less than a block of FLAC, and than what ffmpeg holds back: it is written when the file is closed.
  private static let heldBack: [(AudioFileFormat.Container, Int)] =
    FFmpeg.find() == nil ? [(.flac, 4_000)] : [(.flac, 4_000), (.m4a, 48_000)]

  @Test(
    "A disk that has no room for what is written when a file is closed is full as well",
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted"), arguments: heldBack)
  func fullAtTheEnd(container: AudioFileFormat.Container, frames: Int) throws {
    let disk = try SmallDisk(at: folder.path("disk"), size: "32k")
    defer { disk.unmount() }
    try Data(count: Int(disk.freeByteCount) - 4_096).write(to: URL(fileURLWithPath: disk.path + "/other"))
    let path = disk.path + "/a.out"
    #expect(throws: AudioFileWriteError.diskFull(path: path)) { try write(frames, to: path, container) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["other"])
  }

  @Test("A copy of a take whose list tells an impossible length is refused before a byte is written")
  func conversion() throws {
    let facts = #"{"recording":1,"pass":1,"sampleRate":48000,"encoding":"int24","channels":2,"frames":1125899906842624"#
    try folder.write(Array("daw-take 1\n\(facts),\"segments\":0}\n".utf8), to: "a.take")
    let reader = try AudioFileReader(path: folder.path("a.take"))
    let place = Place(root: folder.path, ["copy.wav"])
    // The first piece of it is enough.
    let ends: MediaProgress = { _, _ in false }
    for rate in [48_000, 44_100] {
      #expect(isRefused { try AudioConversion.convert(reader, to: SampleRate(hertz: rate), at: place, progress: ends) })
    }
    #expect(isRefused { try AudioConversion.reverse(reader, at: place, replaces: false, progress: ends) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.take"])
  }
}
