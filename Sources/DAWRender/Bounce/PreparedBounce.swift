import DAWBounce
import DAWCompiler
import DAWEngine
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// A project that is compiled for one bounce.
struct PreparedBounce {
  var project: Project
  /// Ends with the range, and only the tail follows; see `BounceRange.isFollowed`.
  var plan: RenderPlan
  var range: BounceRange
  /// What feeds the master audibly, in order: each is a stem.
  var stems: [Track]
  /// Overrides the project's solos.
  var soloedTracks: Set<TrackID>?
  /// Recompiled for each stem.
  var mediaTable: MediaTable
  /// Of the compiled mix, for the stems to reuse; `nil` where there are none.
  var compiled: CompiledParts?
  /// A lock: while it is held, nothing is removed from the cache.
  var cacheUse: FolderUse
  /// SHA-256 of the model's tables, where a manifest is asked for.
  var tablesDigest: String?
  /// Allowed problems, to report as warnings.
  var problems: [NamedProblem]
}

extension Session {
  /// Reads the project, prepares its media, compiles it, and checks for problems.
  /// - Parameter hasDirectOuts: whether `preparedWithDirectOuts` follows, so that media of strips without an output are
  ///   prepared too.
  /// - Throws: `Failure`; nothing was written but copies of media in the cache.
  func prepareBounce(
    _ request: BounceRequest, hasDirectOuts: Bool = false, progress: @escaping MediaProgress
  ) throws -> PreparedBounce {
    let (project, soloed, tablesDigest) = try read { view in
      (
        try view.project(), try request.tracks.map { try view.track(calledBy: $0).id },
        request.manifestArguments == nil ? nil : try view.tablesDigest()
      )
    }
    let soloedTracks = soloed.isEmpty ? nil : Set(soloed)
    let routing = Routing(project, soloed: soloedTracks)
    let isExternal = { (track: Track) in track.midiOutput != nil && !request.playsExternalTracks }
    let needed = routing.neededTracks(withDirectOuts: hasDirectOuts)
    try project.requireFittingRegions(on: needed)
    let tracks = Set(project.tracks.values.filter { needed.contains($0.id) && !isExternal($0) }.map(\.id))
    let media = try prepareMedia(
      of: project, on: tracks, care: request.mediaCare, allowed: request.allowed, progress: progress)
    try refuse(media.problems, unless: request.allowed)
    let (plan, parts) = try compiled(project, media.table, request, soloed: soloedTracks)
    let range = try BounceRange(request, project, plan)
    if let seconds = request.earlierSeconds { try range.requireNearness(earlierSeconds: seconds, plan) }
    let ending = ending(of: plan, range)
    var problems = range.problems(ending, startsCold: request.beginsCold)
    try refuse(problems, unless: request.allowed)
    problems += project.tracksInOrder.filter { routing.isHeard($0.id) && isExternal($0) }.map { track in
      NamedProblem(
        problem: .external,
        sentence:
          "Track '\(track.name)' is left to its MIDI output, '\(track.midiOutput ?? "")': it is not in the file.")
    }
    problems.removeAll { $0.problem.isWarning && request.allowed.contains($0.problem) }
    let stems = project.tracksInOrder.filter { routing.feedsMaster($0.id) && !isExternal($0) }
    return PreparedBounce(
      project: project, plan: ending, range: range, stems: stems, soloedTracks: soloedTracks, mediaTable: media.table,
      compiled: request.writesStems ? parts : nil, cacheUse: media.cacheUse, tablesDigest: tablesDigest,
      problems: media.problems + problems)
  }

  /// Releases the cache and shrinks it to its limit, unless another process is using it.
  func endUse(of prepared: PreparedBounce, _ setup: EngineSetup) {
    prepared.cacheUse.end()
    CacheFolder(cacheFolder).clear(downTo: setup.byteLimit)
  }

  /// The same bounce with one of the strips that feed the master alone, as heard in the mix.
  func prepared(_ prepared: PreparedBounce, only track: Track, _ request: BounceRequest) throws -> PreparedBounce {
    var stem = prepared
    let plan = try compiled(
      prepared.project, prepared.mediaTable, request, soloed: prepared.soloedTracks, stem: track.id,
      reusing: prepared.compiled
    ).plan
    stem.plan = ending(of: plan, prepared.range)
    return stem
  }

  /// The same bounce with an output of its own for each strip that is heard; no bit of the mix changes.
  func preparedWithDirectOuts(_ prepared: PreparedBounce, _ request: BounceRequest) throws -> PreparedBounce {
    var taken = prepared
    let plan = try compiled(
      prepared.project, prepared.mediaTable, request, soloed: prepared.soloedTracks, hasDirectOuts: true
    ).plan
    taken.plan = ending(of: plan, prepared.range)
    return taken
  }

  /// The plan without what begins behind the range, so that only tails follow, unless effects look ahead at it.
  private func ending(of plan: RenderPlan, _ range: BounceRange) -> RenderPlan {
    range.isFollowed && plan.inserts.contains { $0.latency > 0 } ? plan : plan.ending(at: range.frames.upperBound)
  }

  /// Renders what was prepared: the engine's own samples, with what rings on behind the range, go into `sink`, which is
  /// finished, or cancelled when it fails.
  func render(
    _ prepared: PreparedBounce, to sink: any AudioFileSink, _ request: BounceRequest, _ setup: EngineSetup,
    progress: @escaping MediaProgress
  ) throws -> BounceResult {
    let (plan, range) = (prepared.plan, prepared.range)
    let count = Int64(range.frames.count)
    // Where nothing rings on there is no tail to measure, and what follows the range is none.
    let hasTail = plan.ringsOn && plan.endFrame <= range.frames.upperBound
    let gate =
      hasTail
      ? TailGate(range: count, length: range.tail, longestEcho: Int64(plan.longestEcho), next: sink) : nil
    let listening = gate == nil ? 0 : TailGate.listeningFrames(at: Int64(plan.sampleRate.hertz))
    let total = count + range.tail.maximumFrames
    let frames = range.frames.lowerBound..<range.frames.lowerBound + Int(total + listening)
    var isCancelled = false
    defer { setup.finish() }
    var result: BounceResult
    do {
      result = try setup.bouncer(for: plan).bounce(
        plan, to: gate ?? sink,
        options: BounceOptions(
          range: frames, certainEnd: range.certainEnd, startsCold: request.beginsCold, chases: request.chases,
          blockFrames: request.blockFrames,
          threadCount: request.threadCount ?? ProcessInfo.processInfo.activeProcessorCount,
          instructions: setup.instructions, spoolFolder: cacheFolder),
        progress: { isCancelled = !progress(min($0, total), total) },
        isEnough: { gate?.isEnough ?? false }, isCancelled: { isCancelled })
    } catch {
      throw setup.failure(error)
    }
    result.frameCount = gate?.passedFrames ?? total
    result.tailFrameCount = result.frameCount - count
    result.peakAfterEnd = gate?.peakAfterEnd ?? 0
    return result
  }

  private func compiled(
    _ project: Project, _ media: MediaTable, _ request: BounceRequest, soloed: Set<TrackID>?, stem: TrackID? = nil,
    hasDirectOuts: Bool = false, reusing parts: CompiledParts? = nil
  ) throws -> (plan: RenderPlan, parts: CompiledParts) {
    let options = CompileOptions(
      soloedTracks: soloed, stem: stem, silencesMissingMedia: request.allowed.contains(.missing),
      playsExternalTracks: request.playsExternalTracks, hasDirectOuts: hasDirectOuts)
    do throws(CompileError) {
      return try compile(project, media: media, options: options, reusing: parts)
    } catch {
      throw failure(error, of: project)
    }
  }

  /// Throws unless all problems are allowed.
  private func refuse(_ problems: [NamedProblem], unless allowed: Set<BounceProblem>) throws {
    let refused = problems.filter { !allowed.contains($0.problem) }
    guard let first = refused.first else { return }
    let kind: ErrorKind = first.problem == .missing ? .noInput : .invalid
    let hint =
      switch first.problem {
      case .missing, .changed: "'daw check' says how to repair it."
      case .empty: "Add regions, or give --from and --to."
      case .silent, .clipped, .tail, .external, .quiet:
        "Look at mutes, solos and volumes with 'daw list-tracks', and at what moves them with 'daw list-lanes'."
      }
    throw Failure(
      kind, code: first.problem.rawValue,
      refused.map(\.sentence).joined(separator: " ") + " Nothing was written.",
      hint: "\(hint) To render all the same: --allow \(first.problem.rawValue)")
  }

  private func failure(_ error: CompileError, of project: Project) -> Failure {
    switch error {
    case .noSoundFont(let tracks):
      let names = tracks.compactMap { project.tracks[$0].map { "'\($0.name)'" } }.joined(separator: ", ")
      return Failure(
        .noInput, code: BounceProblem.missing.rawValue,
        "No SoundFont was found for \(names) when it was made. Nothing was written.",
        hint: "Install one (apt install timgm6mb-soundfont) and run 'daw set-track TRACK --soundfont FILE'.")
    case .overlaps(let id):
      return Failure(
        .invalid, code: "tooManyOverlaps",
        "Too many regions of track '\(project.tracks[id]?.name.text ?? "")' overlap to be crossfaded. Nothing was written.",
        hint: "Move some to other tracks, or sum them: 'daw set-track TRACK --overlap sum'.")
    case .cycle(let id):
      return Failure(
        .invalid, code: "routingCycle",
        "The outputs and sends of '\(project.tracks[id]?.name.text ?? "")' lead back to it. Nothing was written.",
        hint: "'daw check' names the tracks on the way. Remove a send, or set another output.")
    case .channels(let id):
      // The rows agree, so that the file is another than they say.
      let name = project.regions[id].map(project.name(of:)) ?? "\(id)"
      return Failure(
        .invalid, code: Rule.channelsFitFile.rawValue,
        "The region '\(name)' plays channels that its file or its track does not have. Nothing was written.",
        hint: "\(Rule.channelsFitFile.accepted) 'daw check' says whether the file is what the project recorded.")
    case .sampleRate(let hertz):
      return Failure(
        .invalid, code: Rule.sampleRate.rawValue, "A project cannot be at \(hertz) Hz. Nothing was written.",
        hint: Rule.sampleRate.accepted)
    case .audioFilesNotPrepared, .soundFontsNotPrepared:
      return Failure(.internal, code: "internal", error.description)
    }
  }
}
