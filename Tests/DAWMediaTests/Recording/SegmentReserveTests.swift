import DAWTestSupport
import Foundation
import Testing

@testable import DAWMedia

/// The files that are made beforehand.
@Suite struct SegmentReserveTests {
  let folder: TemporaryFolder
  let recording: RecordingFolder

  init() throws {
    folder = try TemporaryFolder()
    recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
  }

  private func reserve(track: Int64 = 3, name: String = "Vox", leastFree: Int64 = 0) -> SegmentReserve {
    let pass = PassHeader(pass: 10 + track, take: 20 + track, track: track, trackName: name, channelCount: 1)
    return SegmentReserve(in: recording, of: pass, firstIndex: 1, byteCount: 10_000, leastFree: leastFree)
  }

  @Test func theReservedFileIsRemovedAndNothingElse() throws {
    let (vox, keys) = (reserve(), reserve(track: 4, name: "Keys"))
    try vox.reserve()
    #expect(try vox.take().name == "Vox.0001.wav")
    for reserve in [vox, keys] { try reserve.reserve() }
    try recording.folder.makeFile("Vox.0009.wav", [])
    let left = ["Keys.0001.wav", "Vox.0001.wav", "Vox.0009.wav"]
    #expect(try recording.names() == (left + ["Vox.0002.wav"]).sorted())
    vox.end()
    #expect(try recording.names() == left)
    // What is written to, though it has no byte yet, is not reserved any more.
    #expect(try vox.take().name == "Vox.0003.wav")
    vox.end()
    #expect(try recording.names() == (left + ["Vox.0003.wav"]).sorted())
    withExtendedLifetime(keys) {}
  }

  @Test func spaceThatIsGivenBackIsKeptNoMore() throws {
    let vox = reserve()
    try vox.reserve()
    #expect(vox.heldByteCount == 10_000)
    vox.giveBack(nil)
    #expect(try vox.heldByteCount == 0 && recording.names() == [])
    // The file is made beforehand all the same, and where the disk fails that says so.
    try vox.reserve()
    #expect(try vox.heldByteCount == 0 && recording.names() == ["Vox.0001.wav"])
    #expect(try !vox.take().hasSpace)
    // Of another disk it does not hold.
    vox.spill = try RecordingFolder(creatingIn: Place(path: folder.path("other")), title: "", startTime: 0)
    #expect(try vox.take().hasSpace)
    // What is to stay free is not kept at all, and the file is made all the same.
    let keys = reserve(track: 4, name: "Keys", leastFree: .max / 2)
    try keys.reserve()
    #expect(keys.heldByteCount == 0)
    let taken = try keys.take()
    #expect(taken.name == "Keys.0001.wav" && !taken.hasSpace)
  }

  /// Bytes of the disk that a file takes.
  private func takenByteCount(_ name: String, in recording: RecordingFolder) throws -> Int64 {
    Int64(try #require(recording.folder.status(of: name)).st_blocks) * 512
  }

  @Test func aWriterKeepsTheRestOfItsFileAndTheNextOneUntilItGivesThemBack() throws {
    let driver = try RecordingDriver(in: folder.path, seed: 1, segmentFrames: 100_000)
    let writer = try driver.begin(channels: 1)
    #expect(writer.heldByteCount == 0)
    try driver.write(writer, frames: 30_000)
    try writer.flush()
    // With room for a header.
    let whole: Int64 = 3 * 100_000 + 8_192
    let written = try #require(writer.openFileAsWritten).byteCount
    #expect(written > 90_000 && writer.heldByteCount == whole - written)
    try writer.reserveNext()
    #expect(writer.heldByteCount == 2 * whole - written)
    #expect(try takenByteCount("Vox.0001.wav", in: driver.folder) >= 300_000)
    writer.giveBackSpace()
    #expect(writer.heldByteCount == 0)
    #expect(try takenByteCount("Vox.0001.wav", in: driver.folder) < 150_000)
    #expect(try driver.folder.names() == ["Vox.0001.wav", Ledger.fileName])
    // The next file is made beforehand all the same, and keeps nothing.
    try writer.reserveNext()
    try driver.write(writer, frames: 100_000)
    try writer.flush()
    #expect(writer.heldByteCount == 0)
    #expect(try takenByteCount("Vox.0002.wav", in: driver.folder) < 150_000)
    let take = try driver.end(writer)
    #expect(writer.files.map(\.frames) == [100_000, 30_000])
    #expect(try AudioFileReader(path: take).allSamples() == driver.passes[0].samples)
  }

  @Test func ofASpillDiskNoSpaceIsCountedNorGivenBack() throws {
    let driver = try RecordingDriver(in: folder.path, seed: 1, segmentFrames: 100_000)
    let other = try RecordingFolder(creatingIn: Place(path: folder.path("spill")), title: "", startTime: 0)
    let writer = try driver.begin(channels: 1)
    writer.spill = other
    try driver.write(writer, frames: 1_000)
    try writer.reserveNext()
    #expect(writer.isSpilling && writer.heldByteCount == 0)
    writer.giveBackSpace()
    for name in ["Vox.0001.wav", "Vox.0002.wav"] {
      #expect(try takenByteCount(name, in: other) >= 300_000, "\(name)")
    }
    // Back on the recording's disk, where none is kept any more.
    writer.spill = nil
    try writer.sealFile()
    try driver.write(writer, frames: 1_000)
    try writer.reserveNext()
    #expect(!writer.isSpilling && writer.heldByteCount == 0)
    try driver.end(writer)
  }

  @Test func aFileIsReservedOnce() throws {
    let vox = reserve()
    for _ in 0..<3 { try vox.reserve() }
    #expect(try recording.names() == ["Vox.0001.wav"])
    let taken = try vox.take()
    #expect(taken.index == 1 && !taken.isSpilled)
    #expect(try vox.take().name == "Vox.0002.wav")
  }

  @Test func whatIsLeftReservedGoesWithItsReserve() throws {
    try reserve().reserve()
    #expect(try recording.names() == [])
  }

  @Test func whereTheFolderChangesTheFileInTheOtherOneIsRemoved() throws {
    let place = Place(root: folder.path("spill"))
    try place.makeRoot()
    let other = try RecordingFolder(creatingIn: place, title: "", startTime: 0)
    let vox = reserve()
    try vox.reserve()
    vox.spill = other
    try vox.reserve()
    #expect(try recording.names() == [] && other.names() == ["Vox.0002.wav"])
    vox.spill = nil
    let back = try vox.take()
    #expect(back.name == "Vox.0003.wav" && !back.isSpilled)
    #expect(try recording.names() == ["Vox.0003.wav"] && other.names() == [])
    vox.spill = other
    #expect(try vox.take().isSpilled)
    #expect(try recording.names() == ["Vox.0003.wav"] && other.names() == ["Vox.0004.wav"])
  }

  @Test func ofAWholeFolderOnlyEmptySegmentsAreRemoved() throws {
    let outside = try folder.write([], to: "outside.wav")
    for name in [".Vox.0003.wav", "Keys.events", "ledger", "notes.txt", "Vox.0002.wav"] {
      try recording.folder.makeFile(name, [])
    }
    try recording.folder.makeFile("Vox.0001.wav", [1])
    try recording.folder.makeFolder("Vox.0004.wav")
    #expect(symlink(outside, recording.place.appending("Vox.0005.wav").path) == 0)
    let names = try recording.names()
    recording.removeReserved()
    #expect(try recording.names() == names.filter { $0 != "Vox.0002.wav" } && names.count == 8)
    #expect(try folder.bytes(of: "outside.wav") == [])
  }
}
