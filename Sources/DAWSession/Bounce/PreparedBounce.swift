import DAWBounce
import DAWCompiler
import DAWEngine
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A project that is compiled for one bounce.
struct PreparedBounce {
  var project: Project
  var plan: RenderPlan
  var range: BounceRange
  /// SHA-256 of the model's tables, where a manifest is asked for.
  var tablesDigest: String?
  /// What was allowed, but should be known, in sentences.
  var warnings: [String]
}

extension Session {
  /// Reads the project, sees to its media, compiles it, and refuses what would be a lie.
  /// - Throws: `Failure`; nothing was written but copies of media in the cache.
  func prepareBounce(_ request: BounceRequest, progress: @escaping MediaProgress) throws -> PreparedBounce {
    let (project, soloed, tablesDigest) = try read { view in
      (
        try view.project(), try request.tracks.map { try view.track(calledBy: $0).id },
        request.manifestArguments == nil ? nil : try view.tablesDigest()
      )
    }
    let options = CompileOptions(
      soloedTracks: soloed.isEmpty ? nil : Set(soloed), silencesMissingMedia: request.allowed.contains(.missing))
    let heard = HeardTracks(project, soloed: options.soloedTracks)
    let media = try prepareMedia(of: project, isHeard: heard.contains, progress: progress)
    var warnings = try refuse(media.problems, unless: request.allowed)
    let plan: RenderPlan
    do throws(CompileError) {
      plan = try compile(project, media: media.table, options: options).plan
    } catch {
      throw failure(error, of: project)
    }
    let range = try BounceRange(request, project, plan)
    warnings += try refuse(range.problems(plan), unless: request.allowed)
    return PreparedBounce(project: project, plan: plan, range: range, tablesDigest: tablesDigest, warnings: warnings)
  }

  /// Renders what was prepared: the engine's own samples go into `sink`, which is finished, or cancelled when it fails.
  func render(
    _ prepared: PreparedBounce, to sink: any AudioFileSink, _ request: BounceRequest, _ setup: EngineSetup,
    progress: @escaping MediaProgress
  ) throws -> BounceResult {
    var isCancelled = false
    let frames = prepared.range.frames
    defer { setup.finish() }
    do {
      return try setup.bouncer(for: prepared.plan, until: frames.upperBound).bounce(
        prepared.plan, to: sink,
        options: BounceOptions(
          range: frames, startsCold: request.startsCold, blockFrames: request.blockFrames,
          threadCount: request.threadCount ?? ProcessInfo.processInfo.activeProcessorCount,
          instructions: setup.instructions),
        progress: { isCancelled = !progress($0, Int64(frames.count)) }, isCancelled: { isCancelled })
    } catch {
      throw setup.failure(error)
    }
  }

  /// - Returns: those that are allowed, as warnings.
  private func refuse(
    _ problems: [(problem: BounceProblem, sentence: String)], unless allowed: Set<BounceProblem>
  ) throws -> [String] {
    let refused = problems.filter { !allowed.contains($0.problem) }
    guard let first = refused.first else { return problems.map(\.sentence) }
    let kind: Failure.Kind = first.problem == .missing ? .noInput : .invalid
    let hint =
      switch first.problem {
      case .missing, .changed: "'daw check' says how to mend it."
      case .empty: "Add regions, or give --from and --to."
      case .silent: "Look at mutes, solos and volumes with 'daw list-tracks'."
      }
    throw Failure(
      kind, code: first.problem.rawValue,
      refused.map(\.sentence).joined(separator: " ") + " Nothing was written.",
      hint: "\(hint) To bounce all the same: --allow \(first.problem.rawValue)")
  }

  private func failure(_ error: CompileError, of project: Project) -> Failure {
    switch error {
    case .noSoundFont(let tracks):
      let names = tracks.compactMap { project.tracks[$0].map { "'\($0.name)'" } }.joined(separator: ", ")
      return Failure(
        .noInput, code: BounceProblem.missing.rawValue,
        "No SoundFont was found for \(names) when it was made. Nothing was written.",
        hint: "Install one (apt install timgm6mb-soundfont) and run 'daw set-track TRACK --soundfont FILE'.")
    default: return Failure(.internal, code: "internal", error.description)
    }
  }
}
