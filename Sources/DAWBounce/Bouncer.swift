import DAWEngine
import DAWMedia
import DAWTime

/// Renders plans offline, as fast as possible.
///
/// Time is divided into blocks, a plan of many instruments or effects into passes. Stateless steps render any block
/// independently, so threads take blocks in turn; instruments and strips with effects render ahead of them. A file that
/// can be written at any position is written by the rendering threads, other sinks in order. The samples depend on the
/// plan and the range only, not on threads, block sizes, passes or the cache.
public struct Bouncer: Sendable {
  private let renderer: StageRenderer

  /// - Parameters:
  ///   - cache: of the plan that is bounced; `nil` renders all of it. It is not used where instruments start cold.
  ///   - makeProducer: makes an instrument; called on any thread.
  ///   - openReader: opens a source that has to be decoded; called on any thread.
  public init(
    cache: RenderCache? = nil, makeProducer: @escaping RenderedAhead.Factory,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    renderer = StageRenderer(cache: cache, makeProducer: makeProducer, openReader: openReader)
  }

  /// Bounces a range of a plan into a sink, which is finished, or cancelled when it fails.
  /// - Parameters:
  ///   - sink: two channels, at the plan's rate; not used by others meanwhile.
  ///   - directOuts: makes a sink for the direct outs of these tracks, two channels for each, in that order. It is called
  ///     before each pass that completes some; its sinks get the range's frames, and are not finished. `nil`: they are not
  ///     rendered.
  ///   - progress: called from time to time on the calling thread with the number of frames done.
  ///   - isEnough: called likewise; `true` ends the bounce early and finishes the sink.
  ///   - isCancelled: called between blocks on the calling thread; `true` throws `.cancelled`.
  /// - Throws: `BounceError`; the sink is cancelled then.
  public func bounce(
    _ plan: RenderPlan, to sink: any AudioFileSink, directOuts: (([Int64]) -> any AudioFileSink)? = nil,
    options: BounceOptions, progress: (Int64) -> Void = { _ in }, isEnough: () -> Bool = { false },
    isCancelled: () -> Bool = { false }
  ) throws(BounceError) -> BounceResult {
    let statistics: BlockStatistics
    var frameCount: Int64 = 0
    do throws(BounceError) {
      statistics = try render(
        plan, to: sink, directOuts: directOuts, options: options, written: { frameCount = $0 }, progress: progress,
        isEnough: isEnough, isCancelled: isCancelled)
      do throws(AudioFileWriteError) { try sink.finish() } catch { throw .sink(error) }
    } catch {
      sink.cancel()
      throw error
    }
    return BounceResult(
      frameCount: frameCount, peak: statistics.peak, clippedSampleCount: statistics.clippedSampleCount,
      invalidSampleCount: statistics.invalidSampleCount)
  }

  /// Runs the passes of a plan, of which only the last has an output.
  /// - Parameter written: called with the number of frames written.
  private func render(
    _ plan: RenderPlan, to sink: any AudioFileSink, directOuts: (([Int64]) -> any AudioFileSink)?,
    options: BounceOptions, written: (Int64) -> Void, progress: (Int64) -> Void, isEnough: () -> Bool,
    isCancelled: () -> Bool
  ) throws(BounceError) -> BlockStatistics {
    // An effect whose output is read has no gain reduction.
    let isWhole = options.startsCold || directOuts != nil || options.reductions != nil
    let renderer = isWhole ? renderer.withoutCache : renderer
    let kept = renderer.reading(kept: plan, options)
    let passes = passes(of: kept.plan, options)
    let total = Int64(options.range.count)
    let range = options.range
    var statistics = BlockStatistics()
    var source: BufferSpool?
    var sourceKeys: [SignalKey?] = []
    for (number, pass) in passes.enumerated() {
      let isLast = number == passes.count - 1
      var options = options
      var target: BufferSpool?
      if !isLast, let folder = options.spoolFolder {
        options.range = kept.plan.keptFrames(options)
        target = try spool(pass, in: folder, options.range)
      }
      let streams = pass.streams.map { stream in
        switch stream {
        case .given(let index): kept.streams[index]
        case .kept(let place): BounceStream(reading: source, buffer: place, key: sourceKeys[place])
        }
      }
      let restored = zip(pass.restored, sourceKeys).compactMap { buffer, key in key.map { (buffer, $0) } }
      let run = BounceRun(
        pass, given: streams, restored: Dictionary(uniqueKeysWithValues: restored),
        buffers: PassBuffers(pass, from: source, to: target), of: kept, into: isLast ? sink : nil,
        takesDirectOuts: directOuts != nil, options: options, renderer: renderer)
      let outs = pass.completedOuts.map(\.trackID)
      let outSink = outs.isEmpty ? nil : directOuts?(outs)
      statistics.add(
        try run.render(
          to: isLast ? sink : nil, directOuts: outSink.map { ($0, range) },
          progress: { done in
            if isLast { written(done) }
            let share = Double(done) / Double(max(1, options.range.count))
            progress(Int64((Double(number) + share) * Double(total)) / Int64(passes.count))
          }, isEnough: { isLast && isEnough() }, isCancelled: isCancelled))
      (source, sourceKeys) = (target, run.keptKeys)
    }
    renderer.cache?.keepUnfinished()
    return statistics
  }

  /// The plan's passes; one if nothing could be kept between them.
  private func passes(of plan: RenderPlan, _ options: BounceOptions) -> [PlanPass] {
    guard let folder = options.spoolFolder, plan.isMoreThan(options.instrumentLimit, stages: options.stageLimit),
      (try? BufferSpool(folder: folder, bufferCount: 1, frames: options.range.numbers)) != nil
    else { return plan.passes(atMost: max(1, plan.instruments.count)) }
    return plan.passes(atMost: max(1, options.instrumentLimit), stages: options.stageLimit)
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

extension RenderPlan {
  /// Whether it has more instruments than may be in memory at once, or more other stages.
  fileprivate func isMoreThan(_ instrumentLimit: Int, stages stageLimit: Int) -> Bool {
    let streams = steps.count {
      if case .playInstrument(_, let index, _) = $0 { index >= instruments.count } else { false }
    }
    return instruments.count > instrumentLimit || streams + inserts.count > stageLimit
  }

  /// The timeline frames that a pass renders for the next one: what has memory needs all frames from its start on, and
  /// what looks ahead those behind the end.
  fileprivate func keptFrames(_ options: BounceOptions) -> Range<TimelineFrame> {
    guard !inserts.isEmpty else { return options.range }
    return options.firstFrame..<options.range.upperBound + latency
  }
}
