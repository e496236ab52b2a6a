import DAWEngine
import DAWMedia
import DAWTime
import Foundation

/// A plan whose output is the number of the timeline's frame, from 1, on both sides.
public struct NumberedFrames {
  public let plan: RenderPlan
  private let folder: TemporaryFolder

  public init(frameCount: Int) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let samples = (0..<frameCount).map { Float($0 + 1) }
    try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: folder.path("numbers.raw"))) }
    let source = AudioSource(
      path: folder.path("numbers.raw"), sha256: "", frameCount: Int64(frameCount), channelCount: 1,
      content: .plain(PCMLayout(dataOffset: 0, encoding: .float32, channelCount: 1)))
    let end = TimelineFrame(frameCount)
    let region = PlannedRegion(
      regionID: 1, source: 0, frames: 0..<end, anchor: 0, channels: .one(0), gain: .constant(1))
    plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [source], instruments: [], regions: [region],
      steps: [
        .clear(StripID(0), buffer: 0), .sumRegions(StripID(1), 0..<1, into: 1, width: .mono),
        .mix(
          Connection(from: StripID(1), to: StripID(0)), 1, width: .mono, into: 0, left: .constant(1),
          right: .constant(1)),
        .output(StripID(0), buffer: 0, left: .constant(1), right: .constant(1)),
      ], bufferCount: 2, endFrame: end)
  }
}
