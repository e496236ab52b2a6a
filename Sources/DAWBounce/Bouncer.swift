import DAWEngine
import DAWMedia

/// Renders plans without a clock, as fast as files can be read and frames be written.
///
/// Time is cut into blocks. Whatever has no memory of its own renders any block without the ones before, so that threads
/// take blocks in turn; instruments render ahead of them. A file takes its blocks from those who rendered them, anything
/// else in order. A frame is computed by the
/// same steps whoever renders it, so nothing but the plan and the range decides what comes out.
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
  ///   - sink: two channels, at the plan's rate; kept by nobody else meanwhile.
  ///   - progress: called now and then on the calling thread with the frames written so far.
  ///   - isEnough: asked likewise; where it is true, the rest of the range is left out, and the sink is finished.
  ///   - isCancelled: asked between blocks on the calling thread.
  /// - Throws: `BounceError`; the sink has been cancelled then.
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
