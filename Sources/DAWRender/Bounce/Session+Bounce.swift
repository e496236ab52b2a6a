import DAWBounce
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import Foundation

extension Session {
  /// Renders the project to a file, or its tracks to a folder of files, faster than real time.
  /// - Parameters:
  ///   - progress: called repeatedly with the frames done and the total, of conversions and then of the bounce.
  ///     Returning `false` ends the work.
  /// - Throws: `Failure`; no file is left behind, unless its message says that it is complete.
  public func bounce(
    _ request: BounceRequest, progress: @escaping MediaProgress = { _, _ in true }
  ) throws -> BounceReport {
    try failing {
      try request.validate()
      try requireOutput(of: request)
      let prepared = try prepareBounce(request, progress: progress)
      let format = try self.format(of: request, at: prepared.project.settings.sampleRate)
      let tags = try self.tags(request, prepared, format)
      if request.normalization != nil || prepared.range.isLoop { try requireCacheFolder() }
      let setup = try EngineSetup(request, cacheFolder: cacheFolder)
      defer { endUse(of: prepared, setup) }
      let clock = BounceClock(passes: passCount(request, prepared), progress: progress)
      let passes = passes(request, format, setup, clock)
      let file: BouncedFile
      if request.writesStems {
        file = try writeStems(of: prepared, request, format, tags, passes)
      } else {
        let target = try fileTarget(request, prepared, format, tags)
        try refuseManifest(beside: target.place, request)
        file = BouncedFile(place: target.place, outcome: try passes.render(prepared, to: target.open))
      }
      if request.manifestArguments != nil, let place = file.place {
        do {
          try prepared.manifest(of: file, request, format, in: folder) { _, _ in progress(1, 1) }
            .write(beside: place, replaces: request.overwrites)
        } catch MediaWorkError.cancelled {
          throw Failure(
            .interrupted, code: "interrupted", "Interrupted. '\(place.path)' is complete, and has no manifest.")
        }
      }
      var report = report(file, prepared, request, format, seconds: clock.elapsed)
      report.renders = prepared.renders(by: setup)
      report.chapterCount = tags.chapters.count
      if request.tags.hasChapters, tags.chapters.isEmpty {
        report.warnings.append("There is no marker from the beginning to the end, and so no chapter.")
      }
      return report
    }
  }

  /// Number of passes: a rendering of the mix and each stem, a replay of each for a loop, and one for the gain.
  private func passCount(_ request: BounceRequest, _ prepared: PreparedBounce) -> Int {
    (request.writesStems ? 1 + prepared.stems.count : 1) * (prepared.range.isLoop ? 2 : 1)
      + (request.normalization == nil ? 0 : 1)
  }

  /// The sink chain of a bounce; for a manifest it hashes the engine's samples.
  func passes(
    _ request: BounceRequest, _ format: AudioFileFormat, _ setup: EngineSetup, _ clock: BounceClock
  ) -> BouncePasses {
    BouncePasses(request: request, format: format, cacheFolder: cacheFolder, clock: clock) { part, sink in
      let tap = request.manifestArguments.map { _ in part.digesting(into: sink) }
      let result = try self.render(part, to: tap ?? sink, request, setup) { clock.advance(to: $0, of: $1) }
      return (result, tap?.digest)
    }
  }

  /// Refuses, before rendering, to replace an existing manifest unless allowed.
  func refuseManifest(beside place: Place?, _ request: BounceRequest) throws {
    guard request.manifestArguments != nil, !request.overwrites, let place else { return }
    let manifest = RenderManifest.place(beside: place)
    if (try? manifest.parent.open())?.status(of: manifest.name) != nil {
      throw AudioFileWriteError.exists(path: manifest.path)
    }
  }

  private func report(
    _ file: BouncedFile, _ prepared: PreparedBounce, _ request: BounceRequest, _ format: AudioFileFormat,
    seconds: Double
  ) -> BounceReport {
    let outcome = file.outcome
    let clipped = request.writesStems ? file.stems.reduce(0) { $0 + $1.clippedSampleCount } : outcome.clippedSampleCount
    let problems =
      prepared.problems + self.problems(outcome, clipped, format).filter { !request.allowed.contains($0.problem) }
    var sentences = problems.map(\.sentence)
    if outcome.invalidSampleCount > 0 {
      sentences.append(
        "Silence took the place of \(counted(Int(outcome.invalidSampleCount), "sample")) without a finite value.")
    }
    if case .loudness(let wanted) = request.normalization, let found = outcome.loudness?.integrated,
      abs(found - wanted) > NormalizationTarget.tolerance
    {
      sentences.append(String(format: "The loudness is %.1f LU off what was asked for.", found - wanted))
    }
    if request.writesStems, let warning = prepared.stemWarning { sentences.append(warning) }
    let duration = Double(outcome.frameCount) / Double(format.sampleRate.hertz)
    return BounceReport(
      path: file.path, format: format, frameCount: outcome.frameCount, start: prepared.range.start,
      tailFrameCount: outcome.tailFrameCount, statistics: outcome.statistics, loudness: outcome.loudness,
      gainLevel: outcome.gainLevel, clippedSampleCount: clipped, invalidSampleCount: outcome.invalidSampleCount,
      panLaw: prepared.project.settings.panLaw, revision: prepared.project.revision,
      timesRealTime: seconds > 0 ? duration / seconds : .infinity, stems: file.stems, warnings: sentences,
      problems: problems.map(\.problem))
  }

  /// Problems that are known only after rendering.
  private func problems(
    _ outcome: BouncePasses.Outcome, _ clippedSampleCount: Int64, _ format: AudioFileFormat
  ) -> [NamedProblem] {
    var problems: [NamedProblem] = []
    if clippedSampleCount > 0 {
      let most = String(format: "%.1f", outcome.statistics.peakLevel)
      let way = format.container.isLossy ? "." : ", or choose --bits 32f."
      problems.append(
        NamedProblem(
          problem: .clipped,
          sentence:
            "The format cut off \(counted(Int(clippedSampleCount), "sample")) beyond full scale "
            + "(the peak is \(most) dBFS): lower the master's volume\(way)"))
    }
    let (rms, peak) = (outcome.statistics.rmsLevel, outcome.statistics.peakLevel)
    if rms.isFinite, rms < Self.quietRMS, peak < Self.quietPeak {
      let gain = min(Self.usualRMS - rms, -1 - peak)
      problems.append(
        NamedProblem(
          problem: .quiet,
          sentence: String(
            format: "The result is very quiet: the peak is %.0f dBFS, the mean %.0f dBFS. %.0f dB more would help, "
              + "with the tracks' or the master's --volume, or by 'bounce --normalize -18LUFS'.", peak, rms, gain)))
    }
    let level = 20 * log10(Double(outcome.peakAfterEnd))
    if level > Self.soundingLevel {
      let sentence = String(format: "The tail is cut while it still sounds, at %.0f dBFS: ", level)
      problems.append(
        NamedProblem(problem: .tail, sentence: sentence + "choose a longer --tail, or --tail auto."))
    }
    return problems
  }

  /// dBFS: below both of these a result is nearly inaudible beside recordings, which are near the third.
  private static let (quietRMS, quietPeak, usualRMS) = (-40.0, -20.0, -18.0)

  /// dBFS: a tail cut above this level is audibly cut.
  private static let soundingLevel = -60.0
}

/// What was written.
struct BouncedFile {
  /// `nil` for standard output.
  var place: Place?
  var path: String? { place?.path }
  /// The outcome of the file; where there are stems, of the mix.
  var outcome: BouncePasses.Outcome
  var stems: [StemReport] = []
}
