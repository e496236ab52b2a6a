import DAWBounce
import DAWCompiler
import DAWEngine
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation

extension Session {
  /// Renders the project to a file, faster than real time.
  /// - Parameters:
  ///   - progress: called now and then with the frames done and all there are, of conversions and then of the bounce.
  ///     Returning `false` ends the work.
  /// - Throws: `Failure`; no file is left behind.
  public func bounce(_ request: BounceRequest, progress: @escaping MediaProgress = { _, _ in true }) throws -> BounceReport {
    try failing {
      let (project, soloed) = try read { view in
        (try view.project(), try request.tracks.map { try view.track(calledBy: $0).id })
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
      let format = try self.format(of: request, project)
      let sink = try openSink(request, project, format, frameCount: range.frames.count)
      var isCancelled = false
      let bouncer = Bouncer(makeProducer: { try FluidSynthInstrument(plan: $0) })
      let result = try bouncer.bounce(
        plan, to: sink.sink,
        options: BounceOptions(
          range: range.frames, startsCold: request.startsCold, blockFrames: request.blockFrames,
          threadCount: request.threadCount ?? ProcessInfo.processInfo.activeProcessorCount),
        progress: { isCancelled = !progress($0, Int64(range.frames.count)) }, isCancelled: { isCancelled })
      return BounceReport(
        path: sink.path, format: format, frameCount: result.frameCount, start: range.start, peakLevel: result.peakLevel,
        clippedSampleCount: sink.sink.clippedSampleCount, invalidSampleCount: result.invalidSampleCount,
        panLaw: project.settings.panLaw, revision: project.revision, timesRealTime: result.timesRealTime,
        warnings: warnings + self.warnings(sink.sink.clippedSampleCount, result))
    }
  }

  private func warnings(_ clippedSampleCount: Int64, _ result: BounceResult) -> [String] {
    var warnings: [String] = []
    if clippedSampleCount > 0 {
      let most = String(format: "%.1f", result.peakLevel)
      warnings.append(
        "\(counted(Int(clippedSampleCount), "sample")) beyond full scale cut off (the peak is \(most) dBFS): lower the "
          + "master's volume, or choose --bits 32f.")
    }
    if result.invalidSampleCount > 0 {
      warnings.append("\(counted(Int(result.invalidSampleCount), "sample")) that are no finite numbers taken as silence.")
    }
    return warnings
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
