import DAWEngine
import DAWMedia

/// Renders plans offline, as fast as possible.
///
/// Time is divided into blocks. Stateless steps render any block independently, so threads take blocks in turn;
/// instruments render ahead of them. A file that can be written at any position is written by the rendering threads,
/// other sinks in order. The samples depend on the plan and the range only, not on threads or block sizes.
public struct Bouncer: Sendable {
  private let makeProducer: RenderedAhead.Factory
  private let openReader: SampleReaderOpener

  /// - Parameters:
  ///   - makeProducer: makes an instrument; called on any thread.
  ///   - openReader: opens a source that has to be decoded; called on any thread.
  public init(
    makeProducer: @escaping RenderedAhead.Factory,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.makeProducer = makeProducer
    self.openReader = openReader
  }

  /// Bounces a range of a plan into a sink, which is finished, or cancelled when it fails.
  /// - Parameters:
  ///   - sink: two channels, at the plan's rate; not used by others meanwhile.
  ///   - progress: called from time to time on the calling thread with the number of frames written.
  ///   - isEnough: called likewise; `true` ends the bounce early and finishes the sink.
  ///   - isCancelled: called between blocks on the calling thread; `true` throws `.cancelled`.
  /// - Throws: `BounceError`; the sink is cancelled then.
  public func bounce(
    _ plan: RenderPlan, to sink: any AudioFileSink, options: BounceOptions, progress: (Int64) -> Void = { _ in },
    isEnough: () -> Bool = { false }, isCancelled: () -> Bool = { false }
  ) throws(BounceError) -> BounceResult {
    let clock = ContinuousClock()
    let start = clock.now
    let statistics: BlockStatistics
    var frameCount: Int64 = 0
    do throws(BounceError) {
      let run = BounceRun(
        plan, into: sink, options: options, makeProducer: makeProducer, openReader: openReader)
      statistics = try run.render(
        to: sink,
        progress: {
          frameCount = $0
          progress($0)
        }, isEnough: isEnough, isCancelled: isCancelled)
      do throws(AudioFileWriteError) { try sink.finish() } catch { throw .sink(error) }
    } catch {
      sink.cancel()
      throw error
    }
    return BounceResult(
      frameCount: frameCount, sampleRate: plan.sampleRate, peak: statistics.peak,
      clippedSampleCount: statistics.clippedSampleCount, invalidSampleCount: statistics.invalidSampleCount,
      elapsed: clock.now - start)
  }
}
