import DAWBounce
import DAWEngine
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// What identifies the samples of a bounce, before anything is made of them for a file.
public struct DigestReport: Equatable, Sendable {
  /// SHA-256 of the engine's samples: stereo, interleaved, 32-bit float, little-endian. 64 hexadecimal digits.
  public var sha256: String
  public var frameCount: Int64
  public var sampleRate: SampleRate
  public var revision: Int64
  /// Whether it was rendered twice, in different ways.
  public var isVerified: Bool
  public var renders: [TrackRender]
  public var warnings: [String]
}

extension Session {
  /// Renders, writes nothing, and digests the samples.
  /// - Parameter verifies: renders a second time, with other blocks, another number of threads, the instructions that
  ///   every processor has and no cache, and compares.
  /// - Throws: `Failure`; where two renderings differ it names the first frame.
  public func digest(
    of request: BounceRequest, verifies: Bool, progress: @escaping MediaProgress = { _, _ in true }
  ) throws -> DigestReport {
    try failingWithoutFile {
      let prepared = try prepareBounce(request, progress: progress)
      let setup = try EngineSetup(request, cacheFolder: cacheFolder)
      defer { endUse(of: prepared, setup) }
      let digest = try digest(prepared, request, setup, progress)
      if verifies { try verify(digest, prepared, request, setup, progress) }
      return DigestReport(
        sha256: digest.sha256, frameCount: digest.frameCount, sampleRate: prepared.plan.sampleRate,
        revision: prepared.project.revision, isVerified: verifies, renders: prepared.renders(by: setup),
        warnings: prepared.problems.map(\.sentence))
    }
  }

  /// The request with other values for all options that must not change the samples.
  static func otherWay(_ request: BounceRequest) -> BounceRequest {
    var other = request
    other.blockFrames = request.blockFrames == 1_000 ? 777 : 1_000
    other.threadCount = request.threadCount == 1 ? 3 : 1
    other.engine.instructions = "portable"
    other.engine.usesCache = false
    return other
  }

  /// Renders with other options, and compares.
  /// - Throws: `Failure`, our own fault, where it is not the same.
  func verify(
    _ digest: SampleDigest, _ prepared: PreparedBounce, _ request: BounceRequest, _ setup: EngineSetup,
    _ progress: @escaping MediaProgress
  ) throws {
    let otherRequest = Self.otherWay(request)
    let otherSetup = try EngineSetup(otherRequest, cacheFolder: cacheFolder)
    let other = try self.digest(prepared, otherRequest, otherSetup, progress)
    guard let span = digest.firstDifference(from: other) else { return }
    let first = prepared.range.frames.lowerBound
    let frame = try firstDifference(in: span, prepared, [(request, setup), (otherRequest, otherSetup)])
    let place =
      frame.map { "at frame \(first + Int($0)) of the timeline" }
      ?? "in the frames from \(first + Int(span.lowerBound)) on"
    throw Failure(
      .internal, code: "renderMismatch",
      "Two renderings of revision \(prepared.project.revision) differ, first \(place). Nothing was written.",
      hint: "This must not be. Render once more with --no-cache, and report it with the project.")
  }

  private func digest(
    _ prepared: PreparedBounce, _ request: BounceRequest, _ setup: EngineSetup, _ progress: @escaping MediaProgress
  ) throws -> SampleDigest {
    let sink = prepared.digesting(into: nil)
    _ = try render(prepared, to: sink, request, setup, progress: progress)
    return sink.digest
  }

  /// Looks for the very frame, by rendering both ways up to the end of a span; `nil` where they now agree.
  private func firstDifference(
    in span: Range<Int64>, _ prepared: PreparedBounce, _ ways: [(BounceRequest, EngineSetup)]
  ) throws -> Int64? {
    let parts = try ways.map { request, setup in
      let sink = FramesSink(format: prepared.engineFormat, frames: span)
      _ = try render(prepared, to: sink, request, setup, progress: { _, _ in true })
      return sink.bits
    }
    let difference = zip(parts[0], parts[1]).enumerated().first { $1.0 != $1.1 }?.offset
    return difference.map { span.lowerBound + Int64($0 / 2) }
  }
}

extension PreparedBounce {
  /// The engine's own.
  var engineFormat: AudioFileFormat {
    AudioFileFormat(encoding: .float32, sampleRate: plan.sampleRate, channelCount: 2)
  }

  /// Digests the engine's samples on their way to `sink`, each second by itself as well.
  func digesting(into sink: (any AudioFileSink)?) -> DigestingSink {
    DigestingSink(into: sink, format: engineFormat, spanFrames: Int64(plan.sampleRate.hertz))
  }

  func renders(by setup: EngineSetup) -> [TrackRender] {
    setup.uses().compactMap { use in
      guard let track = project.tracks[TrackID(rawValue: use.trackID)] else { return nil }
      return TrackRender(use, track: track.id, name: track.name.text)
    }
  }
}
