import DAWEngine
import DAWMedia
import DAWTime

/// A stream that a plan plays besides its instruments: what a pass has left, or a strip's render.
struct BounceStream: Sendable {
  var makeProducer: Stage.Factory
  /// What its frames depend on; `nil` if that is not known.
  var key: SignalKey?

  init(key: SignalKey?, makeProducer: @escaping Stage.Factory) {
    self.key = key
    self.makeProducer = makeProducer
  }

  init(reading spool: BufferSpool?, buffer: Int, key: SignalKey?) {
    self.init(key: key) {
      guard let spool else { throw StreamError.stopped }
      return SpoolProducer(spool, buffer: buffer)
    }
  }
}

/// A plan that reads what the cache holds.
struct KeptStages {
  var plan: RenderPlan
  /// What the plan plays behind its instruments.
  var streams: [BounceStream] = []
  /// Of each strip whose render is kept, the timeline frame up to which it is heard: in no pass is it read further.
  var ends: [SignalKey: TimelineFrame] = [:]
  /// Of each instrument whose render is kept, the timeline frame up to which it is heard.
  var instrumentEnds: [RenderKey: TimelineFrame] = [:]
}

/// Makes the stages of a bounce, with the cache of their renders or without.
struct StageRenderer: Sendable {
  private(set) var cache: RenderCache?
  let makeProducer: RenderedAhead.Factory
  let openReader: SampleReaderOpener

  var withoutCache: StageRenderer {
    var renderer = self
    renderer.cache = nil
    return renderer
  }

  // MARK: What is kept

  /// The plan with the strips whose renders are in the cache as streams, and without what only these need.
  func reading(kept plan: RenderPlan, _ options: BounceOptions) -> KeptStages {
    guard let cache else { return KeptStages(plan: plan) }
    let staged = plan.staged()
    let end = options.range.upperBound
    let keys = plan.inserts.isEmpty ? nil : cache.keys(of: plan, streams: [])
    let isKept = StripCost(staged, end: end).isKept
    var kept = KeptStages(plan: plan)
    var lastSteps: [Int] = []
    // What only a strip reads whose render is there is not even looked for.
    let ends = staged.ends(until: end) { index, end in
      let part = staged.parts[index]
      guard let key = keys?.ofSteps[part.lastStep], let entry = cache.entry(part, key, plan, end, options) else {
        return true
      }
      guard isKept[index] else {
        cache.skip(entry)
        return true
      }
      kept.ends[key] = max(kept.ends[key] ?? 0, end)
      guard cache.holds(entry) else { return true }
      lastSteps.append(part.lastStep)
      kept.streams.append(
        BounceStream(key: key) { [self] in
          try cache.reading(entry) { chain(plan.endingWith(part.lastStep), options) }
        })
      return false
    }
    for (instrument, end) in zip(plan.instruments, ends) {
      let key = cache.key(of: instrument.plan)
      kept.instrumentEnds[key] = max(kept.instrumentEnds[key] ?? 0, end ?? 0)
    }
    if !lastSteps.isEmpty { kept.plan = plan.reading(lastSteps) }
    return kept
  }

  /// Renders the strip that a plan ends with.
  private func chain(_ plan: RenderPlan, _ options: BounceOptions) -> any StageProducer {
    let stages = plan.instruments.map(stage) + plan.staged().parts.map { part(stage: $0, options) }
    return StageChain(stages)
  }

  // MARK: Stages

  /// The stages of a pass: its instruments, what it is given, and its parts.
  /// - Parameters:
  ///   - given: what it plays behind its instruments.
  ///   - keys: of what it makes; `nil` if no strip is kept.
  func stages(
    of plan: RenderPlan, _ staged: StagedPlan, given: [BounceStream], kept: KeptStages, keys: SignalKeys?,
    options: BounceOptions
  ) -> [Stage] {
    let streams = given.map { Stage(makeProducer: $0.makeProducer) }
    guard let cache else {
      let instruments = plan.instruments.map { planned in
        var planned = planned
        if options.startsCold {
          planned.plan = planned.plan.begun(at: options.range.lowerBound, chases: options.chases)
        }
        return stage(planned)
      }
      return instruments + streams + staged.parts.map { part(stage: $0, options) }
    }
    let instruments = plan.instruments.map { planned in
      let end = kept.instrumentEnds[cache.key(of: planned.plan)] ?? 0
      return Stage(path: planned.plan.soundFontPath) { [makeProducer] in
        try cache.producer(of: planned, end: end, certainEnd: options.certainEnd(end)) {
          try makeProducer(planned.plan)
        }
      }
    }
    let parts = staged.parts.map { part in
      var stage = self.part(stage: part, options)
      guard let key = keys?.ofSteps[part.lastStep], let end = kept.ends[key],
        let entry = cache.entry(part, key, plan, end, options)
      else { return stage }
      let make = stage.makeProducer
      stage.makeProducer = { cache.rendering(entry, by: try make()) }
      return stage
    }
    return instruments + streams + parts
  }

  private func stage(_ instrument: PlannedInstrument) -> Stage {
    Stage(path: instrument.plan.soundFontPath) { [makeProducer] in try makeProducer(instrument.plan) }
  }

  private func part(stage part: StagedPlan.Part, _ options: BounceOptions) -> Stage {
    Stage(
      part, origin: options.firstFrame, maximumFrames: min(max(1, options.blockFrames), BounceRun.maximumSliceFrames),
      instructions: options.instructions, reductions: options.reductions, openReader: openReader)
  }
}

extension BounceOptions {
  /// - Parameter end: the frame up to which a stage is heard.
  /// - Returns: that up to which it is heard in any case.
  fileprivate func certainEnd(_ end: TimelineFrame) -> TimelineFrame {
    end - (range.upperBound - (certainEnd ?? range.upperBound))
  }
}

extension RenderCache {
  fileprivate func entry(
    _ part: StagedPlan.Part, _ key: SignalKey?, _ plan: RenderPlan, _ end: TimelineFrame, _ options: BounceOptions
  ) -> Entry? {
    entry(of: part, key, sampleRate: plan.sampleRate.hertz, end: end, certainEnd: options.certainEnd(end))
  }
}
