import CSampleCodec

/// Runs a plan, slice by slice. It pulls frames from streams by request: `next()` runs until it needs a piece of a
/// stream and returns the request; `supply` mixes the piece in. So the same runner serves the audio thread, which reads
/// rings, and the bounce, which reads files, with the same bits.
///
///     runner.begin(frame: 0, frameCount: 512)
///     while let request = runner.next() { runner.supply(bytes(of: request), frameCount: request.frameCount) }
///     // runner.left and runner.right hold 512 frames.
///
/// Used by one thread at a time, with denormals flushed (`DenormalFlags.flush()`).
public final class PlanRunner: @unchecked Sendable {
  let plan: PlanMemory
  private let owner: LinkedPlan
  /// The slice's first timeline frame.
  var frame: Int64 = 0
  var frameCount = 0
  /// In a passage, the frame of the timeline of the plan before minus `frame`, and the frames of the passage done.
  var earlierOffset: Int64 = 0
  var passed = 0
  /// The current step, the region in it (−1: none begun), and the frames of that region done.
  var step = 0
  var item = -1
  var done = 0
  /// Whether the step's pieces are added directly to the target of `fused`.
  var isFused = false
  var fused = FusedMix(target: 0, left: 0, right: 0, isMoving: false)
  /// The output buffer, −1 before the output step.
  var outputBuffer = -1

  /// Samples of files and instruments that were NaN, infinite or beyond the range of a float, and were replaced by
  /// silence; for an instrument with the other side of their frame.
  public internal(set) var invalidSampleCount = 0
  /// Frames replaced by silence because their stream was late.
  public internal(set) var lateFrameCount = 0

  /// Control thread.
  public init(_ plan: LinkedPlan) {
    self.plan = plan.memory
    owner = plan
  }

  /// Begins a slice.
  /// - Parameters:
  ///   - frame: timeline frame; may be negative, and need not follow the last slice.
  ///   - frameCount: 1 … the linked plan's `maximumFrames`.
  @_noLocks public func begin(frame: Int64, frameCount: Int) {
    self.frame = frame
    self.frameCount = frameCount
    step = 0
    item = -1
    done = 0
    outputBuffer = -1
  }

  /// Begins a slice of a passage.
  /// - Parameters:
  ///   - earlierOffset: the timeline frame of the plan before minus `frame`.
  ///   - passed: frames of the passage done.
  @_noLocks func begin(frame: Int64, frameCount: Int, earlierOffset: Int64, passed: Int) {
    self.earlierOffset = earlierOffset
    self.passed = passed
    begin(frame: frame, frameCount: frameCount)
  }

  /// Continues the slice.
  /// - Returns: the frames that must be supplied before it can continue, or `nil` at the end of the slice.
  @_noLocks public func next() -> StreamRequest? {
    while step < plan.stepCount {
      switch plan.steps[step] {
      case .clear(let buffer): plan.isSilent[buffer] = true
      case .sumRegions(let index, let buffer, _, let fusedMix):
        if let request = nextPiece(group: index, buffer: buffer, fusedMix: fusedMix) { return request }
      case .playInstrument(let index, let buffer, let fusedMix):
        if item < 0 { beginItems(buffer: buffer, isEmpty: false, fusedMix: fusedMix) }
        if done < frameCount {
          return StreamRequest(
            stream: .instrument(index), firstFrame: frame + Int64(done), frameCount: frameCount - done)
        }
      case .shape(let buffer, let isStereo, let strip): shape(buffer, isStereo: isStereo, strip)
      case .mix(let source, let isStereo, let target, let gains):
        mix(source, isStereo: isStereo, into: target, gains)
      case .output(let buffer, let gains): output(buffer, gains)
      }
      step += 1
      item = -1
    }
    return nil
  }

  /// The output's left side, `frameCount` samples; valid from the end of a slice until the next `begin`.
  public var left: UnsafeMutablePointer<Float> { @_noLocks get { side(max(0, outputBuffer), 0) } }
  /// The right side, likewise.
  public var right: UnsafeMutablePointer<Float> { @_noLocks get { side(max(0, outputBuffer), 1) } }

  @_noLocks func side(_ buffer: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    plan.samples + (2 * buffer + channel) * plan.maximumFrames
  }

  /// Zeroes a silent buffer, so that it can be added to.
  @_noLocks func open(_ buffer: Int) {
    guard plan.isSilent[buffer] else { return }
    plan.isSilent[buffer] = false
    clear(side(buffer, 0), frameCount)
    clear(side(buffer, 1), frameCount)
  }

  /// Begins a step that fills a buffer.
  /// - Parameter fusedMix: set if no two items overlap; items are then added directly to its target.
  @_noLocks func beginItems(buffer: Int, isEmpty: Bool, fusedMix: FusedMix?) {
    item = 0
    done = 0
    plan.isSilent[buffer] = true
    isFused = false
    guard !isEmpty else { return }
    if let fusedMix, fuse(fusedMix) {
      isFused = true
      open(fused.target)
    } else {
      open(buffer)
    }
  }
}
