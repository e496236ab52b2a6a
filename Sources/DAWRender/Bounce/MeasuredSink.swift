import DAWMedia

/// The end of a chain: what measures the file's own samples, and the file.
struct MeasuredSink {
  /// What takes the samples.
  let head: any AudioFileSink
  private let analysis: AnalysisStage
  private let meter: LoudnessStage?
  private let laterMeter: LaterMeter

  /// - Parameter open: opens the file; is given a function that returns the loudness once all samples have come.
  /// - Throws: errors of `open`, and those of a meter that cannot be made.
  init(measuresLoudness: Bool, _ open: (@escaping () -> Loudness?) throws -> any AudioFileSink) throws {
    let laterMeter = LaterMeter()
    // The meter holds the file, so the file must not hold the meter.
    analysis = AnalysisStage(next: try open({ [weak laterMeter] in laterMeter?.meter?.loudness }))
    meter = measuresLoudness ? try LoudnessStage(next: analysis) : nil
    laterMeter.meter = meter
    self.laterMeter = laterMeter
    head = meter ?? analysis
  }

  /// The meter, for the file, which is opened before there is a meter.
  private final class LaterMeter {
    var meter: LoudnessStage?
  }

  var statistics: SignalStatistics { analysis.statistics }
  var loudness: Loudness? { meter?.loudness }

  /// Puts the numbers of the finished file into an outcome.
  func complete(_ outcome: inout BouncePasses.Outcome) {
    outcome.frameCount = head.frameCount
    outcome.statistics = statistics
    outcome.loudness = loudness
    outcome.clippedSampleCount = head.clippedSampleCount
  }
}
