import DAWEngine
import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@testable import DAWPlay

@Suite struct OpenRecordingTests {
  /// As where the disk is full for hours, while sound goes to another one.
  @Test func recordsThatWaitForTheDiskAreAllWrittenInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let setup = RecordingWriter.Setup(
      ring: CaptureRing(channelCount: 0, frameCount: 1), tracks: [], request: RecordRequest(), punch: nil,
      recordings: Place(root: folder.path), project: "test", sampleRate: 48_000
    ) { (0, []) }
    let recording = try OpenRecording(setup, startTime: 0) { 1 }
    let begun = recording.begin()
    let number = try #require(recording.takeFilesToSync().first).number
    let working = dup(number)
    // A descriptor for reading only refuses writes.
    let broken = open(recording.folder.place.appending(Ledger.fileName).path, O_RDONLY)
    #expect(working >= 0 && broken >= 0 && dup2(broken, number) == number)
    close(broken)
    let changes = (0..<2_500).map {
      LedgerRecord.latency(pass: 5, capture: $0, playback: 0, atFrame: Int64($0))
    }
    for first in stride(from: 0, to: changes.count, by: 500) {
      recording.add(Array(changes[first..<first + 500]))
      #expect(recording.collectRecords().count == 500)
    }
    #expect(try Ledger.read(in: recording.folder).records == begun)
    #expect(dup2(working, number) == number)
    close(working)
    #expect(recording.collectRecords().isEmpty)
    let (records, damagedFrom) = try Ledger.read(in: recording.folder)
    #expect(records == begun + changes && damagedFrom == nil)
  }

  @Test func ofARecordingThatCannotBeBegunNoFolderIsLeft() throws {
    let folder = try TemporaryFolder()
    // In the place of the folder of the recordings.
    try Data().write(to: URL(fileURLWithPath: folder.path("Recordings")))
    let spill = folder.path("spill")
    try FileManager.default.createDirectory(atPath: spill, withIntermediateDirectories: false)
    var request = RecordRequest()
    request.spill = spill
    let setup = RecordingWriter.Setup(
      ring: CaptureRing(channelCount: 0, frameCount: 1), tracks: [], request: request, punch: nil,
      recordings: Place(root: folder.path, ["Recordings"]), project: "test", sampleRate: 48_000
    ) { (0, []) }
    #expect(throws: AudioFileWriteError.self) { _ = try OpenRecording(setup, startTime: 0) { 1 } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: spill).isEmpty)
  }
}
