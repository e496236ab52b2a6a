import DAWBounce
import DAWMedia
import Foundation

/// Renders a plan through the chain of a bounce. The order is: render, what rings on, mono, rate, measure, gain,
/// dither, round, container. What has to be read again, because a gain follows from all of it or because its end is
/// added to its start, is kept as float in the cache folder meanwhile, in a file without a name.
struct BouncePasses {
  let request: BounceRequest
  /// The format of the file.
  let format: AudioFileFormat
  let cacheFolder: Place
  let clock: BounceClock
  /// Renders the engine's own samples into a sink, and finishes it; digests them where a manifest is asked for.
  let engine: (PreparedBounce, any AudioFileSink) throws -> (BounceResult, SampleDigest?)

  /// The result of a rendering.
  struct Outcome {
    var frameCount: Int64 = 0
    var tailFrameCount: Int64 = 0
    var statistics = SignalStatistics()
    var loudness: Loudness?
    /// dB.
    var gainLevel: Double?
    var clippedSampleCount: Int64 = 0
    var invalidSampleCount: Int64 = 0
    /// Peak, linear, of the frames after the end, which are not in the file.
    var peakAfterEnd: Float = 0
    /// The digest of the engine's samples, where a manifest is asked for.
    var digest: SampleDigest?
  }

  /// Opens the final sink; the closure returns the loudness after the last sample.
  typealias Opener = (_ loudness: @escaping () -> Loudness?) throws -> any AudioFileSink

  /// Renders into a file, which is then finished.
  /// - Parameters:
  ///   - gainLevel: dB, for all samples; `nil`: as the request's normalisation asks, if it does.
  ///   - open: called when the first sample is about to come, again where the gain has to be corrected.
  func render(_ prepared: PreparedBounce, gainLevel: Double? = nil, to open: Opener) throws -> Outcome {
    if gainLevel == nil, let target = request.normalization { return try normalize(prepared, to: target, open) }
    let end = try MeasuredSink(measuresLoudness: request.measuresLoudness) { try open($0) }
    let last = limited(end.head)
    let gained = gainLevel.map { GainStage(gain: Self.linear($0), next: last) } ?? last
    var outcome = try run(prepared, into: try head(gained, prepared))
    end.complete(&outcome)
    return outcome
  }

  /// Measures, then replays the kept samples with the resulting gain. A gain moves blocks across the absolute gate, and
  /// a limiter takes loudness away, so the loudness may still be off; then the gain is corrected.
  private func normalize(_ prepared: PreparedBounce, to target: NormalizationTarget, _ open: Opener) throws -> Outcome {
    // Opened before rendering, so that an unusable path fails at once.
    var end = try MeasuredSink(measuresLoudness: true) { try open($0) }
    let spool = try SampleSpool(folder: cacheFolder, format: format)
    let measured = try MeasuredSink(measuresLoudness: true) { _ in spool }
    var outcome = try run(prepared, into: try head(measured.head, prepared))
    let loudness = measured.loudness ?? Loudness(integrated: nil, range: 0, truePeak: 0)
    let peak = measured.statistics.peakLevel
    func gain(to target: NormalizationTarget) throws -> Double {
      try target.gain(from: loudness, peak: peak, ceiling: request.ceiling, isLimited: request.isLimited)
    }
    var gainLevel = try gain(to: target)
    try play(spool, gainLevel, into: end)
    for _ in 0..<(request.isLimited ? Self.limitedPasses : 1) {
      guard case .loudness(let wanted) = target, let found = end.loudness?.integrated,
        abs(found - wanted) > NormalizationTarget.tolerance
      else { break }
      end.head.cancel()
      end = try MeasuredSink(measuresLoudness: true) { try open($0) }
      gainLevel = try gain(to: .loudness((loudness.integrated ?? wanted) + gainLevel + wanted - found))
      try play(spool, gainLevel, into: end)
    }
    try end.head.finish()
    end.complete(&outcome)
    outcome.gainLevel = gainLevel
    return outcome
  }

  /// Corrections of the gain before a limiter, at most: each leaves a fraction of what was missing.
  private static let limitedPasses = 8

  /// A limiter before a sink, if the request asks for one.
  private func limited(_ next: any AudioFileSink) -> any AudioFileSink {
    request.isLimited
      ? LimiterStage(ceiling: request.ceiling ?? NormalizationTarget.usualCeiling, next: next) : next
  }

  /// Plays the kept samples into a file that is not finished yet.
  private func play(_ spool: SampleSpool, _ gainLevel: Double, into end: MeasuredSink) throws {
    let limiter =
      request.isLimited
      ? LimiterStage(
        ceiling: request.ceiling ?? NormalizationTarget.usualCeiling, next: end.head) : nil
    let gained = GainStage(gain: Self.linear(gainLevel), next: limiter ?? end.head)
    clock.beginNext()
    try Replay(spool).play(into: gained, progress: clock.advance)
    try limiter?.flush()
  }

  /// Renders into a chain that takes the engine's samples, and finishes it.
  private func run(_ prepared: PreparedBounce, into head: any AudioFileSink) throws -> Outcome {
    clock.beginNext()
    guard prepared.range.isLoop, prepared.range.tail.maximumFrames > 0 else {
      let (result, digest) = try engine(prepared, head)
      return outcome(result, digest)
    }
    let spool = try SampleSpool(folder: cacheFolder, format: head.format)
    let (result, digest) = try engine(prepared, spool)
    clock.beginNext()
    try Replay(spool, loopFrames: Int64(prepared.range.frames.count)).play(into: head, progress: clock.advance)
    try head.finish()
    return outcome(result, digest)
  }

  private func outcome(_ result: BounceResult, _ digest: SampleDigest?) -> Outcome {
    Outcome(
      tailFrameCount: result.tailFrameCount, invalidSampleCount: result.invalidSampleCount,
      peakAfterEnd: result.peakAfterEnd, digest: digest)
  }

  /// The sink of the engine's samples, before the sink of the file's.
  private func head(_ end: any AudioFileSink, _ prepared: PreparedBounce) throws -> any AudioFileSink {
    let rate = prepared.plan.sampleRate
    let converted = format.sampleRate == rate ? end : try RateStage(from: rate, next: end)
    return request.isMono ? MonoStage(next: converted) : converted
  }

  private static func linear(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
}
