import CSampleCodec
import DAWTime

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
  /// The first timeline frame that the current step works on: the slice's, and the step's lead.
  var frame: TimelineFrame = 0
  /// `frame` counted since playback began there, through loops; negative before it.
  var position: RolledFrame = 0
  var frameCount = 0
  private(set) var slice = Slice(frame: 0, position: 0)
  /// In a passage, the frame of the timeline of the plan before minus `frame`, and the frames of the passage done.
  var earlierOffset = 0
  var passed = 0
  /// The current step, the region in it (−1: none begun), and the frames of that region done.
  var step = 0
  var item = -1
  var done = 0
  /// The frames of the step's buffer that pieces or silence fill: those from 0 to here.
  var written = 0
  /// Whether the step's pieces are added directly to the target of `fused`.
  var isFused = false
  var fused = FusedMix(target: 0, left: 0, right: 0, isMoving: false)
  /// Whether the timeline stands still: regions and instruments are silent, and gains stay as they are at the slice's
  /// frame.
  var isHeld = false
  /// Frames done of a fade-out of regions and instruments alone; −1 without one.
  var sourcesFaded = -1
  /// How far inputs are heard that follow the transport, and all of them.
  var autoLine = FadeLine()
  var inputLine = FadeLine()
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

  /// Where a slice lies, besides its timeline frame.
  struct Slice {
    var frame: TimelineFrame = 0
    /// Frames since playback began, through loops: negative while steps with a lead are ahead of the output. Where it
    /// does not go on from the slice before, or `epoch` differs, effects and delays are cleared.
    var position: RolledFrame = 0
    /// Changes with every locate.
    var epoch: UInt64 = 0
    /// The loop that playback is in; empty for none.
    var loopFirst: TimelineFrame = 0
    var loopEnd: TimelineFrame = 0

    @_noLocks init(frame: TimelineFrame, position: RolledFrame) {
      self.frame = frame
      self.position = position
    }
  }

  /// Begins a slice.
  /// - Parameters:
  ///   - frame: timeline frame; may be negative, and need not follow the last slice.
  ///   - frameCount: 1 … the linked plan's `maximumFrames`.
  @_noLocks public func begin(frame: TimelineFrame, frameCount: Int) {
    begin(Slice(frame: frame, position: RolledFrame(at: frame, from: 0)), frameCount: frameCount)
  }

  /// Begins a slice.
  /// - Parameters:
  ///   - frameCount: at least 1; at most the linked plan's `maximumFrames`, and what `framesUntilSeam` returns.
  ///   - earlierOffset: in a passage, the timeline frame of the plan before minus the slice's.
  ///   - passed: frames of the passage done.
  @_noLocks func begin(_ slice: Slice, frameCount: Int, earlierOffset: Int = 0, passed: Int = 0) {
    self.earlierOffset = earlierOffset
    self.passed = passed
    self.slice = slice
    frame = slice.frame
    position = slice.position
    self.frameCount = frameCount
    step = 0
    item = -1
    done = 0
    outputBuffer = -1
  }

  /// Frames from a slice's start until one of the steps begins to play or comes to the loop's end; a very large number
  /// if none does.
  @_noLocks func framesUntilSeam(_ slice: Slice) -> Int {
    var count = 1_073_741_824
    for index in 0..<plan.leadCount {
      let lead = plan.leads[index]
      let position = slice.position + lead
      if position < 0 { count = min(count, 0 - position) }
      if slice.loopFirst < slice.loopEnd {
        count = min(count, slice.loopEnd - frame(of: slice, lead: lead))
      }
    }
    return count
  }

  /// Whether the current step has nothing to do yet.
  var isBeforeStart: Bool {
    @_noLocks get {
      guard plan.leadCount > 1 else { return false }
      return position < 0
    }
  }

  /// The timeline frame that a step with a lead works on.
  @_noLocks private func frame(of slice: Slice, lead: Int) -> TimelineFrame {
    slice.frame.played(lead, loopFirst: slice.loopFirst, loopEnd: slice.loopEnd)
  }

  /// The timeline frame that comes out of the current step's effect first, minus `frame`, which goes in: −`latency`,
  /// unless the loop's end lies between.
  @_noLocks func outputOffset(latency: Int) -> Int {
    guard latency > 0, plan.leadCount > 1 else { return -latency }
    return frame(of: slice, lead: plan.leads[plan.stepLeads[step]] - latency) - frame
  }

  /// Puts `frame` and `position` to where the current step works.
  @_noLocks private func goToStep() {
    guard plan.leadCount > 1 else { return }
    let lead = plan.leads[plan.stepLeads[step]]
    frame = frame(of: slice, lead: lead)
    position = slice.position + lead
  }

  /// Continues the slice.
  /// - Returns: the frames that must be supplied before it can continue, or `nil` at the end of the slice.
  @_noLocks public func next() -> StreamRequest? {
    while step < plan.stepCount {
      if item < 0 { goToStep() }
      switch plan.steps[step] {
      case .clear(let buffer): plan.isSilent[buffer] = true
      case .sumRegions(let index, let buffer, _, let fusedMix):
        if isBeforeStart {
          plan.isSilent[buffer] = true
        } else if let request = nextPiece(group: index, buffer: buffer, fusedMix: fusedMix) {
          return request
        } else {
          endItems(buffer)
        }
      case .playInstrument(let index, let buffer, let fusedMix):
        if item < 0 { beginItems(buffer: buffer, isEmpty: isBeforeStart, fusedMix: fusedMix) }
        if done < frameCount, !isBeforeStart {
          return StreamRequest(
            stream: .instrument(index, frame + done), frameCount: frameCount - done)
        }
        endItems(buffer)
      case .monitor(let index, let buffer, let isStereo): hearInput(index, in: buffer, isStereo: isStereo)
      case .shape(let buffer, let isStereo, let index): shape(buffer, isStereo: isStereo, plan.shapes[index])
      case .widen(let buffer, let gain): makeStereo(buffer, gain)
      case .insert(let index, let buffer, let isStereo, let key):
        run(plan.inserts[index], on: buffer, isStereo: isStereo, key: key)
      case .delay(let memory, let source, let target, let isStereo):
        delay(memory, source, into: target, isStereo: isStereo)
      case .mixAtRest(let source, let isStereo, let target, let left, let right):
        mix(source, isStereo: isStereo, into: target, left, right)
      case .mix(let source, let isStereo, let target, let gains):
        mix(source, isStereo: isStereo, into: target, plan.sides[gains])
      case .output(let buffer, let gains): output(buffer, plan.sides[gains])
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
    plan.samples + (2 * buffer + channel) * plan.sideStride
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
    written = 0
    plan.isSilent[buffer] = true
    isFused = false
    guard !isEmpty, sourcesFaded < 0, let fusedMix, fuse(fusedMix) else { return }
    isFused = true
    open(fused.target)
  }

  /// Prepares frames of the step's buffer for a piece. The first piece anywhere is written, which gives the bits of
  /// adding it to zeros.
  /// - Returns: whether the piece is to be written; otherwise it is to be added to what is there.
  @_noLocks func prepare(_ buffer: Int, from place: Int, _ count: Int) -> Bool {
    plan.isSilent[buffer] = false
    let isFirst = place >= written
    let end = isFirst ? place : frameCount
    if end > written {
      clear(side(buffer, 0) + written, end - written)
      clear(side(buffer, 1) + written, end - written)
    }
    written = isFirst ? place + count : frameCount
    return isFirst
  }

  /// Ends a step that fills a buffer.
  @_noLocks private func endItems(_ buffer: Int) {
    if written > 0, written < frameCount { _ = prepare(buffer, from: 0, 0) }
    if sourcesFaded >= 0, !plan.isSilent[buffer] {
      fadeOut(side(buffer, 0), faded: sourcesFaded, frameCount)
      fadeOut(side(buffer, 1), faded: sourcesFaded, frameCount)
    }
  }
}
