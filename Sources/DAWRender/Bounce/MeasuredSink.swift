import DAWMedia

/// The end of a chain: what measures the file's own samples, and the file.
struct MeasuredSink {
  /// What takes the samples.
  let head: any AudioFileSink
  private let analysis: AnalysisStage
  private let meter: LoudnessStage?
  private let question: Question

  /// - Parameter open: opens the file; is given what asks for the loudness when all samples have come.
  init(measuresLoudness: Bool, _ open: (@escaping () -> Loudness?) throws -> any AudioFileSink) throws {
    let question = Question()
    // The meter holds the file, so the file must not hold the meter.
    analysis = AnalysisStage(next: try open({ [weak question] in question?.meter?.loudness }))
    meter = measuresLoudness ? try LoudnessStage(next: analysis) : nil
    question.meter = meter
    self.question = question
    head = meter ?? analysis
  }

  /// What the file asks, which is opened before the meter.
  private final class Question {
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
