import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// Recording on a disk that has room for a few seconds more.
@Suite(.enabled(if: SmallDisk.isPossible, "no file system can be mounted"))
struct NearlyFullDiskTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let leastFree: Int64 = 1_000_000
  /// Of two channels of 16 bits.
  private static let bytesPerFrame: Int64 = 4
  private static let segmentSeconds: Int64 = 2
  /// Frames that are played between two looks at the disk.
  private static let stepFrames = 40_000

  @Test func whatFilesHaveReservedIsUsedAndWhatIsToStayFreeIsNot() throws {
    let disk = try SmallDisk(at: folder.path("disk"), size: "4m")
    defer { disk.unmount() }
    let recordings = disk.path + "/recordings"
    let stage = try WriterStage(seed: 1, in: recordings) { request in
      request.leastFreeBytes = Self.leastFree
      request.segmentSeconds = Double(Self.segmentSeconds)
    }
    let empty = disk.freeByteCount
    let segment = Self.segmentSeconds * 48_000 * Self.bytesPerFrame
    let begun = stage.driver.hostFrame
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    stage.play(5_000)
    // The file under way, and the one that is made beforehand, keep room for all that they can have.
    #expect(stage.wait { empty - disk.freeByteCount >= 2 * segment }, "\(empty - disk.freeByteCount)")
    // Another program takes more than what is left beside that.
    let rest = disk.freeByteCount - Self.leastFree
    try Data(count: Int(rest + 200_000)).write(to: URL(fileURLWithPath: disk.path + "/other"))
    // Their room is given back, and nothing is missing.
    #expect(stage.wait { disk.freeByteCount > Self.leastFree + 300_000 }, "\(disk.freeByteCount)")
    #expect(stage.diskFailureCount == 0 && stage.gaps.isEmpty, "\(stage.gaps)")
    // Until the rest is used up. Each step is written before the disk is looked at again.
    var steps = 0
    while stage.diskFailureCount == 0, steps < 10 {
      stage.play(Self.stepFrames)
      steps += 1
      // Of what was played the newest block is not taken, and what was played first came in later.
      let least = Int64(stage.driver.hostFrame - begun) - Int64(WriterStage.lag) - 1_100
      let isWritten = stage.wait { stage.diskFailureCount > 0 || stage.written.values.max() ?? 0 >= least }
      #expect(isWritten, "\(stage.written)")
    }
    #expect(stage.diskFailureCount == 1 && steps > 1)
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    #expect(stage.waitForEnd(1))
    stage.stop()
    try stage.check("a nearly full disk")
    let free = disk.freeByteCount
    let step = Int64(Self.stepFrames) * Self.bytesPerFrame
    // With headers and the ledger.
    #expect(free > Self.leastFree - step - 50_000 && free < Self.leastFree + 50_000, "\(free)")
    let pass = try #require(stage.finished.first?.description.passes.first)
    #expect(stage.finished.count == 1 && pass.unaccounted.isEmpty)
    #expect(pass.gaps.map(\.cause) == [.diskFull] && pass.gaps.last?.end == pass.frames, "\(pass.gaps)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["other", "recordings"])
  }
}
