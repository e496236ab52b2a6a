import DAWEngine
import DAWMedia
import DAWTime

/// Renders plans offline, as fast as possible.
///
/// Time is divided into blocks, a plan of many instruments into passes. Stateless steps render any block independently, so threads take blocks in turn;
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
  ///   - sink: two channels, or as many as `BounceOptions.takesDirectOuts` says, at the plan's rate; not used by others
  ///     meanwhile.
  ///   - progress: called from time to time on the calling thread with the number of frames done.
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
      statistics = try render(
        plan, to: sink, options: options, written: { frameCount = $0 }, progress: progress, isEnough: isEnough,
        isCancelled: isCancelled)
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

  /// Runs the passes of a plan, of which only the last has an output.
  /// - Parameter written: called with the number of frames written.
  private func render(
    _ plan: RenderPlan, to sink: any AudioFileSink, options: BounceOptions, written: (Int64) -> Void,
    progress: (Int64) -> Void, isEnough: () -> Bool, isCancelled: () -> Bool
  ) throws(BounceError) -> BlockStatistics {
    let passes = passes(of: plan, options)
    let total = Int64(options.range.count)
    var statistics = BlockStatistics()
    var source: BufferSpool?
    for (number, pass) in passes.enumerated() {
      let isLast = number == passes.count - 1
      var target: BufferSpool?
      if !isLast, let folder = options.spoolFolder { target = try spool(pass, in: folder, options.range) }
      let run = BounceRun(
        pass.plan, buffers: PassBuffers(pass, from: source, to: target), into: isLast ? sink : nil, options: options,
        makeProducer: makeProducer, openReader: openReader)
      statistics.add(
        try run.render(
          to: isLast ? sink : nil,
          progress: { done in
            if isLast { written(done) }
            progress((Int64(number) * total + done) / Int64(passes.count))
          }, isEnough: { isLast && isEnough() }, isCancelled: isCancelled))
      source = target
    }
    return statistics
  }

  /// The plan's passes; one if nothing could be kept between them.
  private func passes(of plan: RenderPlan, _ options: BounceOptions) -> [PlanPass] {
    // What has memory, or direct outs that are taken, is rendered as one.
    guard plan.inserts.isEmpty, !options.takesDirectOuts, let folder = options.spoolFolder,
      plan.instruments.count > options.instrumentLimit,
      (try? BufferSpool(folder: folder, bufferCount: 1, frames: options.range.numbers)) != nil
    else { return plan.passes(atMost: max(1, plan.instruments.count)) }
    return plan.passes(atMost: max(1, options.instrumentLimit))
  }

  private func spool(
    _ pass: PlanPass, in folder: Place, _ range: Range<TimelineFrame>
  ) throws(BounceError) -> BufferSpool {
    do throws(AudioFileWriteError) {
      return try BufferSpool(folder: folder, bufferCount: pass.kept.count, frames: range.numbers)
    } catch {
      throw .sink(error)
    }
  }
}

extension Range<TimelineFrame> {
  /// As a spool counts them.
  fileprivate var numbers: Range<Int64> { lowerBound.position.frames..<upperBound.position.frames }
}
