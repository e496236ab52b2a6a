import DAWBounce
import DAWEngine
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

extension Session {
  /// Renders the mix once, writes nothing, and measures each strip over the request's range, without a tail.
  /// - Parameters:
  ///   - request: its range, and how it is rendered; what it says of a file, a tail and tracks is not used.
  ///   - tracks: names or ids of the strips that are reported; empty: all that play in the mix.
  /// - Throws: `Failure`.
  public func levels(
    of request: BounceRequest, tracks: [String] = [], progress: @escaping MediaProgress = { _, _ in true }
  ) throws -> LevelsReport {
    try failingWithoutFile {
      let named = try read { view in try tracks.map { try view.track(calledBy: $0).id } }
      var request = request
      request.tail = .distance { _, _ in .zero }
      request.tracks = []
      request.allowed.formUnion([.empty, .silent, .external])
      let prepared = try prepareBounce(request, hasDirectOuts: true, progress: progress)
      guard !prepared.range.frames.isEmpty else {
        throw Failure(
          .invalid, code: BounceProblem.empty.rawValue, "There is nothing between the beginning and the end.",
          hint: "Add regions, or give --from and --to.")
      }
      let strips = prepared.project.tracksInOrder.filter { track in
        named.isEmpty ? track.midiOutput == nil || request.playsExternalTracks : named.contains(track.id)
      }
      return try levels(of: strips, try preparedWithDirectOuts(prepared, request), request, progress)
    }
  }

  private func levels(
    of strips: [Track], _ prepared: PreparedBounce, _ request: BounceRequest, _ progress: @escaping MediaProgress
  ) throws -> LevelsReport {
    let setup = try EngineSetup(request, cacheFolder: cacheFolder)
    defer { endUse(of: prepared, setup) }
    var plan = prepared.plan
    // What is not reported is not measured.
    plan.directOuts.removeAll { out in !strips.contains { $0.id.rawValue == out.trackID } }
    let reductions = MeasuredReductions(over: prepared.range.frames)
    let master = try meter(prepared)
    let pairs = try plan.directOuts.map { ($0.trackID, try meter(prepared)) }
    let meters = Dictionary(uniqueKeysWithValues: pairs)
    try render(plan, to: master, meters, reductions, request, setup, progress)
    let effects = prepared.project.effectsByTrack
    let levels = strips.map { track in
      var levels = StripLevels(track: track)
      if let meter = track.trackType == .master ? master : meters[track.id.rawValue] { levels.set(meter) }
      levels.effects = (effects[track.id] ?? []).filter(\.kind.isDynamics).map { effect in
        let reduction = reductions.reductions[effect.id.rawValue]
        return EffectReduction(effect: effect, most: reduction?.greatest, mean: reduction?.mean)
      }
      return levels
    }
    return LevelsReport(
      start: prepared.range.start, frameCount: master.head.frameCount, sampleRate: plan.sampleRate,
      revision: prepared.project.revision, strips: levels, warnings: prepared.problems.map(\.sentence))
  }

  private func meter(_ prepared: PreparedBounce) throws -> MeasuredSink {
    try MeasuredSink(measuresLoudness: true) { _ in NullSink(format: prepared.engineFormat) }
  }

  /// - Parameter meters: of the direct outs, by their tracks.
  private func render(
    _ plan: RenderPlan, to master: MeasuredSink, _ meters: [Int64: MeasuredSink], _ reductions: MeasuredReductions,
    _ request: BounceRequest, _ setup: EngineSetup, _ progress: @escaping MediaProgress
  ) throws {
    let frames = reductions.frames
    let total = Int64(frames.count)
    var isCancelled = false
    defer { setup.finish() }
    var options = BounceOptions(
      range: frames, blockFrames: request.blockFrames,
      threadCount: request.threadCount ?? ProcessInfo.processInfo.activeProcessorCount,
      instructions: setup.instructions, spoolFolder: cacheFolder)
    options.reductions = reductions
    do {
      _ = try setup.bouncer(for: plan).bounce(
        plan, to: master.head,
        directOuts: { tracks in StripMeters(tracks.compactMap { meters[$0] }, format: master.head.format) },
        options: options, progress: { isCancelled = !progress($0, total) }, isCancelled: { isCancelled })
    } catch {
      throw setup.failure(error)
    }
  }
}

extension StripLevels {
  fileprivate mutating func set(_ meter: MeasuredSink) {
    peakLevel = meter.statistics.peakLevel
    truePeakLevel = meter.loudness?.truePeakLevel ?? -.infinity
    integratedLoudness = meter.loudness?.integrated
  }
}
