import DAWTime

/// The memories of a plan's effects and delays. A plan that follows another takes over those that both have, so that a
/// change of plans does not interrupt them. Made and freed on a control thread.
final class ProcessorStates: Sendable {
  /// For each of `RenderPlan.inserts`.
  let inserts: [InsertState]
  /// For each delay step, in their order.
  let delays: [DelayState]
  private let insertsByID: [Int64: InsertState]
  private let delaysByID: [DelayID: DelayState]

  /// - Parameters:
  ///   - plan: with delays.
  ///   - known: those that may be taken over, in order of preference.
  ///   - instructions: which vector instructions may be used. No value changes a bit.
  init(_ plan: RenderPlan, reusing known: [ProcessorStates] = [], instructions: Instructions = .best) {
    inserts = plan.inserts.map { insert in
      known.lazy.compactMap { $0.insertsByID[insert.effectID] }.first { $0.setup == insert.setup }
        ?? InsertState(insert.setup, instructions)
    }
    let steps = plan.steps.compactMap { step -> (id: DelayID, frameCount: Int)? in
      if case .delay(let id, _, _, _, let frameCount) = step { (id, frameCount) } else { nil }
    }
    delays = steps.map { step in
      known.lazy.compactMap { $0.delaysByID[step.id] }.first { $0.frameCount == step.frameCount }
        ?? DelayState(frameCount: step.frameCount)
    }
    insertsByID = Dictionary(zip(plan.inserts.map(\.effectID), inserts)) { first, _ in first }
    delaysByID = Dictionary(zip(steps.map(\.id), delays)) { first, _ in first }
  }
}

/// Where a memory is in the stream of frames. If the next frames do not follow those before, it is cleared.
struct ProcessorPlace {
  /// Changes with every locate.
  private var epoch = UInt64.max
  private var next: RolledFrame = 0

  /// - Returns: whether the frames follow those before.
  @_noLocks mutating func advance(to position: RolledFrame, by count: Int, epoch: UInt64) -> Bool {
    defer {
      next = position + count
      self.epoch = epoch
    }
    return self.epoch == epoch && next == position
  }
}

extension ProcessorPlace {
  /// Goes on elsewhere.
  @_noLocks mutating func move(from epoch: UInt64, to other: UInt64, by distance: Int) {
    guard self.epoch == epoch else { return }
    self.epoch = other
    next += distance
  }
}

/// An effect's memory. Used by one thread at a time.
final class InsertState: @unchecked Sendable {
  let setup: EffectSetup
  let effect: EffectState
  /// The unprocessed signal, as late as the processed one.
  let dry: DelayState
  let place: UnsafeMutablePointer<ProcessorPlace>

  init(_ setup: EffectSetup, _ instructions: Instructions) {
    self.setup = setup
    effect = EffectState(setup, instructions: instructions)
    dry = DelayState(frameCount: setup.latency)
    place = .allocate(capacity: 1)
    place.initialize(to: ProcessorPlace())
  }

  deinit { place.deallocate() }
}

/// The memory of a stereo delay. Used by one thread at a time.
final class DelayState: @unchecked Sendable {
  let frameCount: Int
  let memory: UnsafeMutablePointer<DelayMemory>

  /// - Parameter frameCount: ≥ 0.
  init(frameCount: Int) {
    self.frameCount = frameCount
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frameCount)
    samples.initialize(repeating: 0, count: 2 * frameCount)
    memory = .allocate(capacity: 1)
    memory.initialize(to: DelayMemory(samples: samples, frameCount: frameCount))
  }

  deinit {
    memory.pointee.samples.deallocate()
    memory.deallocate()
  }
}

struct DelayMemory {
  /// Left, then right.
  let samples: UnsafeMutablePointer<Float>
  let frameCount: Int
  /// The oldest frame.
  private var oldest = 0
  /// How many of the frames are valid; those before are silent. So clearing costs nothing, however long the delay.
  private var validCount = 0
  var place = ProcessorPlace()

  init(samples: UnsafeMutablePointer<Float>, frameCount: Int) {
    self.samples = samples
    self.frameCount = frameCount
  }

  @_noLocks mutating func clear() { validCount = 0 }

  /// Delays frames. The target may be the source.
  /// - Parameter sourceRight: `nil` for a mono signal.
  @_noLocks mutating func process(
    _ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>?,
    into targetLeft: UnsafeMutablePointer<Float>,
    _ targetRight: UnsafeMutablePointer<Float>?, _ count: Int
  ) {
    guard frameCount > 0 else {
      if targetLeft != sourceLeft { copy(sourceLeft, to: targetLeft, count) }
      if let sourceRight, let targetRight, targetRight != sourceRight { copy(sourceRight, to: targetRight, count) }
      return
    }
    for i in 0..<count {
      let isValid = validCount == frameCount
      let left = isValid ? samples[oldest] : 0
      samples[oldest] = sourceLeft[i]
      targetLeft[i] = left
      if let sourceRight, let targetRight {
        let right = isValid ? samples[frameCount + oldest] : 0
        samples[frameCount + oldest] = sourceRight[i]
        targetRight[i] = right
      }
      oldest += 1
      if oldest == frameCount { oldest = 0 }
      if !isValid { validCount += 1 }
    }
  }
}
