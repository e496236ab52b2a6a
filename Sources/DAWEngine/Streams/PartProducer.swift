/// Renders a part of a plan with memory: a stage whose inputs are instruments and other parts.
final class PartProducer: StageProducer {
  private let feeder: DirectFeeder
  /// The next frame.
  private var next: Int64
  private var hasBegun = false

  /// - Parameters:
  ///   - origin: the first frame that is rendered.
  ///   - openReader: opens a source that has to be decoded.
  init(
    _ part: StagedPlan.Part, origin: Int64, maximumFrames: Int, instructions: Instructions,
    openReader: @escaping SampleReaderOpener
  ) {
    let streams = DirectStreams(part.plan, instruments: nil, openReader: openReader)
    feeder = DirectFeeder(streams, origin: origin, maximumFrames: maximumFrames, instructions: instructions)
    next = origin
  }

  func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    if !hasBegun {
      hasBegun = true
      // The effects have to be ahead by their latency.
      var ahead = feeder.latency
      while ahead > 0 {
        let count = min(ahead, frameCount)
        try feeder.render(frame: next - Int64(ahead), left: left, right: right, frameCount: count, inputs: inputs)
        ahead -= count
      }
    }
    try feeder.render(frame: next, left: left, right: right, frameCount: frameCount, inputs: inputs)
    next += Int64(frameCount)
  }
}

extension Stage {
  /// A part of a plan.
  /// - Parameters:
  ///   - origin: the first frame that is rendered.
  ///   - openReader: opens a source that has to be decoded.
  public init(
    _ part: StagedPlan.Part, origin: Int64, maximumFrames: Int, instructions: Instructions,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.init(inputs: part.inputs, latency: part.latency) {
      PartProducer(
        part, origin: origin, maximumFrames: maximumFrames, instructions: instructions, openReader: openReader)
    }
  }
}
