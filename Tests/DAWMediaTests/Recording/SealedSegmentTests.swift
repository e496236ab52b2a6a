import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

/// Files of a recording that are complete, or were given up: what is flushed and hashed of them.
@Suite struct SealedSegmentTests {
  let folder: TemporaryFolder
  let seed = Seed.current()
  init() throws { folder = try TemporaryFolder() }

  private var message: Testing.Comment { "seed \(seed)" }

  /// A piece has 16 MiB.
  @Test(arguments: [1, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, (5 << 23) + 3] as [Int64])
  func aHashIsContinuedWhereItStopped(byteCount: Int64) throws {
    let recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
    let file = try recording.makeFile("Vox.0001.wav")
    #expect(ftruncate(file.number, off_t(byteCount)) == 0)
    // One byte in each megabyte tells it from the others.
    for offset in stride(from: Int64(0), to: byteCount, by: 1 << 20) {
      var byte = UInt8(truncatingIfNeeded: 1 + (offset >> 20))
      #expect(pwrite(file.number, &byte, 1, off_t(offset)) == 1)
    }
    var expected = RecordedSegmentFile(
      index: 1, startFrame: 0, frames: 1, name: "Vox.0001.wav", dataOffset: 0, byteCount: byteCount)
    var sealed = SealedSegment(expected, of: 5, in: file)
    var record = try sealed.hashPiece()
    var pieceCount: Int64 = 1
    while record == nil, pieceCount < 10 {
      record = try sealed.hashPiece()
      pieceCount += 1
    }
    expected.sha256 = try sha256(ofFile: recording.place.appending("Vox.0001.wav").path).sha256
    #expect(record == LedgerRecord.segment(pass: 5, expected))
    #expect(pieceCount == (byteCount >> 24) + 1)
  }

  /// Cut by another program before it was hashed.
  @Test func aFileThatEndsEarlyIsHashedToItsEndAndTheRestIsAGap() throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 1_000)
    let writer = try driver.begin()
    let pass = writer.pass.pass
    try driver.write(writer, frames: 1_500)
    try writer.sealFile()
    try driver.record(writer.takeRecords())
    var sealed = writer.takeSealed()
    try #require(sealed.count == 2 && writer.files.map(\.frames) == [1_000, 500])
    let path = driver.folder.place.appending(writer.files[1].name).path
    // A hundred frames of two channels of 24 bits, and a half.
    #expect(truncate(path, off_t(writer.files[1].byteCount - 603)) == 0)
    var hashed: [LedgerRecord] = []
    for index in sealed.indices {
      let record = try sealed[index].hashPiece()
      hashed.append(try #require(record))
    }
    var expected = writer.files[1]
    expected.sha256 = try sha256(ofFile: path).sha256
    #expect(hashed[1] == LedgerRecord.segment(pass: pass, expected), message)
    try driver.record(hashed + [.endPass(pass: pass, frames: writer.nextFrame)])
    try driver.end()
    let described = try #require(driver.folder.describe()[pass: pass])
    #expect(described.segments.map(\.frames) == [1_000, 399] && described.frames == 1_500, message)
    #expect(described.segments.map { $0.sha256 == nil } == [false, true])
    let finished = try #require(driver.folder.finish(endTime: 5)[pass: pass])
    #expect(finished.gaps == [RecordedGapSpan(start: 1_399, frames: 101, cause: .ioError)], message)
    #expect(try finished.segments[1].sha256 == sha256(ofFile: path).sha256)
  }

  /// Whether the disk lets it be completed, or not.
  @Test(arguments: [true, false])
  func aFileThatWasGivenUpIsFlushedAndHashedOnceItIsComplete(canComplete: Bool) throws {
    let driver = try RecordingDriver(in: folder.path, seed: seed, segmentFrames: 100_000)
    let writer = try driver.begin()
    try driver.write(writer, frames: 1_000)
    try writer.flush()
    let current = try #require(writer.takeFilesToSync().last)
    let path = driver.folder.place.appending("Vox.0001.wav").path
    let own = dup(current.number)
    // A descriptor for reading only refuses writes.
    let broken = open(path, O_RDONLY)
    defer { for descriptor in [own, broken] { close(descriptor) } }
    try #require(own >= 0 && broken >= 0 && dup2(broken, current.number) == current.number)
    try driver.write(writer, frames: 100)
    #expect(throws: AudioFileWriteError.self) { try writer.flush() }
    if canComplete { #expect(dup2(own, current.number) == current.number) }
    #expect(writer.abandonFile()?.frames == 1_000 && writer.nextFrame == 1_000)
    // Once: it is open for no longer than that.
    #expect(writer.takeFilesToSync().map(\.number) == [current.number])
    #expect(writer.takeFilesToSync().isEmpty)
    var sealed = writer.takeSealed()
    #expect(sealed.count == (canComplete ? 1 : 0))
    for index in sealed.indices {
      let record = try sealed[index].hashPiece()
      guard case .segment(_, let file)? = record else {
        Issue.record("\(String(describing: record))")
        return
      }
      #expect(try file.frames == 1_000 && file.sha256 == sha256(ofFile: path).sha256)
    }
  }
}
