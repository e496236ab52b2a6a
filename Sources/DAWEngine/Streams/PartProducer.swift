import DAWTime

/// Renders a part of a plan with memory: a stage whose inputs are instruments and other parts.
final class PartProducer: StageProducer {
  private let feeder: DirectFeeder
  /// The next frame.
  private var next: TimelineFrame
  private var hasBegun = false
  private var marks: ReductionMarks

  /// - Parameters:
  ///   - origin: the first frame that is rendered.
  ///   - reductions: takes those of the part's effects; `nil` measures none.
  ///   - openReader: opens a source that has to be decoded.
  init(
    _ part: StagedPlan.Part, origin: TimelineFrame, maximumFrames: Int, instructions: Instructions,
    reductions: MeasuredReductions?, openReader: @escaping SampleReaderOpener
  ) {
    let streams = DirectStreams(part.plan, instruments: nil, openReader: openReader)
    feeder = DirectFeeder(streams, origin: origin, maximumFrames: maximumFrames, instructions: instructions)
    next = origin
    marks = ReductionMarks(part.plan, reductions)
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
        try render(from: next - ahead, frameCount: count, inputs: inputs, left: left, right: right)
        ahead -= count
      }
    }
    try render(from: next, frameCount: frameCount, inputs: inputs, left: left, right: right)
    next += frameCount
  }

  /// Renders in pieces that end at the marks.
  private func render(
    from frame: TimelineFrame, frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) throws {
    var done = 0
    marks.pass(frame, feeder.effect)
    while done < frameCount {
      let place = frame + done
      let count = min(frameCount - done, marks.nextFrame.map { $0 - place } ?? .max)
      try feeder.render(frame: place, left: left + done, right: right + done, frameCount: count, inputs: inputs)
      done += count
      marks.pass(place + count, feeder.effect)
    }
  }
}

extension Stage {
  /// A part of a plan.
  /// - Parameters:
  ///   - origin: the first frame that is rendered.
  ///   - reductions: takes those of the part's effects; `nil` measures none.
  ///   - openReader: opens a source that has to be decoded.
  public init(
    _ part: StagedPlan.Part, origin: TimelineFrame, maximumFrames: Int, instructions: Instructions,
    reductions: MeasuredReductions? = nil, openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.init(inputs: part.inputs, latency: part.latency) {
      PartProducer(
        part, origin: origin, maximumFrames: maximumFrames, instructions: instructions, reductions: reductions,
        openReader: openReader)
    }
  }
}
