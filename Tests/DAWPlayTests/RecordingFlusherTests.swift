import DAWEngine
import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia
@testable import DAWPlay

/// What becomes of complete files beside those that are flushed.
@Suite struct RecordingFlusherTests {
  private let folder: TemporaryFolder
  private let recording: RecordingFolder

  init() throws {
    folder = try TemporaryFolder()
    recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
  }

  /// A complete file, in which one byte in each megabyte is not 0.
  private func makeSegment(
    _ name: String, byteCount: Int64
  ) throws -> (file: RecordedFile, segment: RecordedSegmentFile, sha256: String) {
    let file = try recording.makeFile(name)
    #expect(ftruncate(file.number, off_t(byteCount)) == 0)
    for offset in stride(from: Int64(0), to: byteCount, by: 1 << 20) {
      var byte = UInt8(truncatingIfNeeded: 1 + (offset >> 20))
      #expect(pwrite(file.number, &byte, 1, off_t(offset)) == 1)
    }
    let segment = RecordedSegmentFile(
      index: 1, startFrame: 0, frames: 1, name: name, dataOffset: 0, byteCount: byteCount)
    return (file, segment, try sha256(ofFile: recording.place.appending(name).path).sha256)
  }

  /// A disk that takes all the time to flush: more waits whenever something is flushed. A piece has 16 MiB.
  @Test func aPieceIsHashedAfterEachFlushThoughMoreIsToBeFlushed() throws {
    let (file, segment, expected) = try makeSegment("Vox.0001.wav", byteCount: 15 << 20)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, flushed) = (ends[0], ends[1])
    defer { close(reader) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (flusher, recording) = (RecordingFlusher(), self.recording)
    // The first flush has failed, and is not over yet: the next file to flush comes meanwhile. It is the end of a pipe,
    // which is closed when it was flushed.
    flusher.start { _ in
      flusher.take([RecordedFile(owning: flushed)], toHash: [], of: recording, writers: [])
    }
    flusher.take(
      [RecordedFile(owning: -1)], toHash: [SealedSegment(segment, of: 5, in: file)], of: recording, writers: [])
    var polled = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 60_000) == 1)
    var hashed = segment
    hashed.sha256 = expected
    #expect(flusher.takeHashed() == [LedgerRecord.segment(pass: 5, hashed)])
    flusher.stop()
  }

  @Test(arguments: [1, (1 << 24) - 1, 1 << 24, (5 << 23) + 3] as [Int64])
  func theHashOfAllPiecesIsThatOfTheFile(byteCount: Int64) throws {
    let (file, segment, expected) = try makeSegment("Vox.0001.wav", byteCount: byteCount)
    let flusher = RecordingFlusher()
    flusher.start { _ in }
    flusher.take([file], toHash: [SealedSegment(segment, of: 5, in: file)], of: recording, writers: [])
    // Flushed between two pieces, as far as there are so many.
    for _ in 0..<2 { flusher.take([file], toHash: [], of: recording, writers: []) }
    flusher.waitUntilDone()
    let records = flusher.takeHashed()
    flusher.stop()
    var hashed = segment
    hashed.sha256 = expected
    #expect(records == [LedgerRecord.segment(pass: 5, hashed)])
    #expect(flusher.takeHashed().isEmpty)
  }

  @Test func filesAreHashedInTheirOrderAndOneThatCannotBeReadHoldsUpNoOther() throws {
    let first = try makeSegment("Vox.0001.wav", byteCount: (1 << 24) + 1)
    let last = try makeSegment("Vox.0002.wav", byteCount: 77)
    let flusher = RecordingFlusher()
    flusher.start { _ in }
    flusher.take(
      [],
      toHash: [
        SealedSegment(first.segment, of: 5, in: first.file),
        SealedSegment(first.segment, of: 6, in: RecordedFile(owning: -1)),
        SealedSegment(last.segment, of: 7, in: last.file),
      ], of: recording, writers: [])
    flusher.waitUntilDone()
    let records = flusher.takeHashed()
    flusher.stop()
    let hashes = records.compactMap { record -> String? in
      if case .segment(_, let file) = record { file.sha256 } else { nil }
    }
    #expect(hashes == [first.sha256, last.sha256])
  }

  /// Those of a spill folder are on another file system than the recording, which one call flushes. What cannot be
  /// flushed stands for them.
  @Test(arguments: [1, 4]) func manyFilesAreFlushedWhereverTheyLie(countElsewhere: Int) throws {
    let failures = Monitor([SystemCallFailure]())
    let flusher = RecordingFlusher()
    flusher.start { failure in failures.update { $0.append(failure) } }
    var files = try (1...4).map { try recording.makeFile("Vox.000\($0).wav") }
    flusher.take(files, toHash: [], of: recording, writers: [])
    flusher.waitUntilDone()
    #expect(failures.read { $0.isEmpty })
    files += (0..<countElsewhere).map { _ in RecordedFile(owning: -1) }
    flusher.take(files, toHash: [], of: recording, writers: [])
    // It has been tried by then.
    flusher.waitUntilDone()
    #expect(failures.read { $0.map(\.code) } == [EBADF])
    flusher.stop()
  }
}
