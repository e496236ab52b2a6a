import DAWBounce
import DAWMedia
import Foundation

extension Session {
  /// Renders the project to a file, faster than real time.
  /// - Parameters:
  ///   - progress: called now and then with the frames done and all there are, of conversions and then of the bounce.
  ///     Returning `false` ends the work.
  /// - Throws: `Failure`; no file is left behind.
  public func bounce(_ request: BounceRequest, progress: @escaping MediaProgress = { _, _ in true }) throws
    -> BounceReport
  {
    try failing {
      let prepared = try prepareBounce(request, progress: progress)
      let project = prepared.project
      let format = try self.format(of: request, project)
      let setup = try EngineSetup(request, cacheFolder: cacheFolder)
      let sink = try openSink(request, project, format, frameCount: prepared.range.frames.count)
      let tap = request.manifestArguments.map { _ in prepared.digesting(into: sink.sink) }
      let result = try render(prepared, to: tap ?? sink.sink, request, setup, progress: progress)
      if let tap, let path = sink.path {
        try prepared.manifest(of: path, request, format, tap.digest, in: folder).write(beside: path)
      }
      return BounceReport(
        path: sink.path, format: format, frameCount: result.frameCount, start: prepared.range.start,
        peakLevel: result.peakLevel, clippedSampleCount: sink.sink.clippedSampleCount,
        invalidSampleCount: result.invalidSampleCount, panLaw: project.settings.panLaw, revision: project.revision,
        timesRealTime: result.timesRealTime, renders: prepared.renders(by: setup),
        warnings: prepared.warnings + warnings(sink.sink.clippedSampleCount, result))
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
      warnings.append(
        "\(counted(Int(result.invalidSampleCount), "sample")) that are no finite numbers taken as silence.")
    }
    return warnings
  }
}
