import CSampleCodec

/// Runs a plan, slice by slice. What it needs from streams it asks for: `next()` runs until it needs a piece and says
/// which; `supply` mixes the piece in. So one runner serves the audio thread, which looks into rings, and the bounce,
/// which reads files, and neither can give other bits than the other.
///
///     runner.begin(frame: 0, frameCount: 512)
///     while let request = runner.next() { runner.supply(bytes(of: request), frameCount: request.frameCount) }
///     // runner.left and runner.right hold 512 frames.
///
/// One thread at a time uses it, with denormals flushed (`DenormalFlags.flush()`).
public final class PlanRunner: @unchecked Sendable {
  let plan: PlanMemory
  private let owner: LinkedPlan
  /// The slice: timeline frames.
  var frame: Int64 = 0
  var frameCount = 0
  /// Where it stands: the step, in it the region (−1: none begun), in that the frames done.
  var step = 0
  var item = -1
  var done = 0
  /// Whether the step's pieces go straight to its strip's target.
  var goesToStrip = false
  /// The buffer that left the engine, −1 before.
  var outputBuffer = -1

  /// Samples of files and instruments that were NaN, infinite or too great for a float. They are silence, of an instrument
  /// with the other side of their frame.
  public internal(set) var invalidSampleCount = 0
  /// Frames that a stream did not have in time, and were taken as silence.
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

  /// Runs on.
  /// - Returns: what has to be supplied before it can run on, or `nil` at the end of the slice.
  @_noLocks public func next() -> StreamRequest? {
    while step < plan.stepCount {
      switch plan.steps[step] {
      case .clear(let buffer): plan.isSilent[buffer] = true
      case .sumRegions(let index, let buffer, _, let strip):
        if let request = nextPiece(group: index, buffer: buffer, strip: strip) { return request }
      case .playInstrument(let index, let buffer, let strip):
        if item < 0 { beginItems(buffer: buffer, isEmpty: false, strip: strip) }
        if done < frameCount {
          return StreamRequest(
            stream: .instrument(index), firstFrame: frame + Int64(done), frameCount: frameCount - done)
        }
      case .mix(let source, let isStereo, let target, let left, let right):
        mix(source, isStereo: isStereo, into: target, left, right)
      case .output(let buffer, let left, let right): output(buffer, left, right)
      }
      step += 1
      item = -1
    }
    return nil
  }

  /// The output's left side, `frameCount` samples; valid from the end of the slice to the next one's beginning.
  public var left: UnsafeMutablePointer<Float> { @_noLocks get { side(max(0, outputBuffer), 0) } }
  /// The right side, likewise.
  public var right: UnsafeMutablePointer<Float> { @_noLocks get { side(max(0, outputBuffer), 1) } }

  @_noLocks func side(_ buffer: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    plan.samples + (2 * buffer + channel) * plan.maximumFrames
  }

  /// Makes a buffer ready to be added to.
  @_noLocks func open(_ buffer: Int) {
    guard plan.isSilent[buffer] else { return }
    plan.isSilent[buffer] = false
    clear(side(buffer, 0), frameCount)
    clear(side(buffer, 1), frameCount)
  }

  /// The first item of a step that fills a buffer.
  /// - Parameter strip: set where no two items sound at the same time: then each goes past the buffer.
  @_noLocks func beginItems(buffer: Int, isEmpty: Bool, strip: Strip?) {
    item = 0
    done = 0
    plan.isSilent[buffer] = true
    goesToStrip = false
    guard !isEmpty else { return }
    if let strip {
      goesToStrip = true
      open(strip.target)
    } else {
      open(buffer)
    }
  }

  @_noLocks private func mix(
    _ source: Int, isStereo: Bool, into target: Int, _ left: LinkedControl, _ right: LinkedControl
  ) {
    guard !plan.isSilent[source] else { return }
    open(target)
    let sourceLeft = side(source, 0)
    let sourceRight = isStereo ? side(source, 1) : sourceLeft
    if left.isConstant, right.isConstant {
      add(sourceLeft, times: left.constant, to: side(target, 0), frameCount)
      add(sourceRight, times: right.constant, to: side(target, 1), frameCount)
    } else {
      let gains = plan.gains
      evaluate(left, frame: frame, frameCount, into: gains)
      add(sourceLeft, times: gains, to: side(target, 0), frameCount)
      evaluate(right, frame: frame, frameCount, into: gains)
      add(sourceRight, times: gains, to: side(target, 1), frameCount)
    }
  }

  @_noLocks private func output(_ buffer: Int, _ left: LinkedControl, _ right: LinkedControl) {
    open(buffer)
    outputBuffer = buffer
    scale(side(buffer, 0), by: left)
    scale(side(buffer, 1), by: right)
  }

  @_noLocks private func scale(_ samples: UnsafeMutablePointer<Float>, by control: LinkedControl) {
    if !control.isConstant {
      let gains = plan.gains
      evaluate(control, frame: frame, frameCount, into: gains)
      DAWEngine.scale(samples, by: gains, frameCount)
    } else if control.constant != 1 {
      DAWEngine.scale(samples, by: control.constant, frameCount)
    }
  }

  /// A control's value at each of `count` frames from `frame` on.
  @_noLocks func evaluate(
    _ control: LinkedControl, frame: Int64, _ count: Int, into gains: UnsafeMutablePointer<Float>
  ) {
    if control.isConstant { return gains.update(repeating: control.constant, count: count) }
    var index = control.firstSegment
    let last = control.firstSegment + control.segmentCount - 1
    for i in 0..<count {
      let now = frame + Int64(i)
      while index < last, plan.segments[index + 1].first <= now { index += 1 }
      let segment = plan.segments[index]
      let place = min(max(now - segment.first, 0), segment.length)
      gains[i] =
        place == segment.length
        ? Float(segment.end)
        : Float(segment.start + (segment.end - segment.start) * Double(place) / Double(segment.length))
    }
  }
}
