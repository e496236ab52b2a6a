import CSampleCodec

/// A plan with the memory to run it. Made and freed on a control thread; all memory is touched in `init`. Used by one
/// runner at a time.
public final class LinkedPlan: @unchecked Sendable {
  let memory: PlanMemory

  /// Samples in a piece of a stream: few enough for the working set to stay in the L2 cache, enough to amortise a
  /// system call.
  static let pieceSamples = 16_384

  /// - Parameters:
  ///   - maximumFrames: frames in a slice, at least 1: `RenderPlan.maximumFrames` live. No value changes a bit.
  ///   - instructions: which vector instructions may be used. No value changes a bit.
  public init(
    _ plan: RenderPlan, maximumFrames: Int = RenderPlan.maximumFrames, instructions: Instructions = .best
  ) {
    var flattened = FlattenedPlan(plan)
    flattened.fuseMixes()
    let pieceSamples = max(Self.pieceSamples, plan.sources.lazy.map(\.channelCount).max() ?? 1)
    let bufferCount = max(1, plan.bufferCount)
    memory = PlanMemory(
      maximumFrames: maximumFrames, path: instructions.path, steps: copy(flattened.steps),
      stepCount: flattened.steps.count, regions: copy(flattened.regions), groups: copy(flattened.groups),
      startOrder: copy(flattened.startOrder), active: copy(flattened.startOrder), curves: copy(flattened.curves),
      points: copy(flattened.points),
      samples: filled(with: 0, count: bufferCount * 2 * maximumFrames),
      isSilent: filled(with: true, count: bufferCount), unpacked: filled(with: 0, count: pieceSamples),
      picked: filled(with: 0, count: 2 * pieceSamples), gains: filled(with: 0, count: maximumFrames),
      products: filled(with: 0, count: maximumFrames))
  }

  /// Frames in the longest slice.
  public var maximumFrames: Int { memory.maximumFrames }

  deinit {
    memory.steps.deallocate()
    memory.regions.deallocate()
    memory.groups.deallocate()
    memory.startOrder.deallocate()
    memory.active.deallocate()
    memory.curves.deallocate()
    memory.points.deallocate()
    memory.samples.deallocate()
    memory.isSilent.deallocate()
    memory.unpacked.deallocate()
    memory.picked.deallocate()
    memory.gains.deallocate()
    memory.products.deallocate()
  }
}

private func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
  let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
  for (index, element) in elements.enumerated() { (copy + index).initialize(to: element) }
  return copy
}

private func filled<Element: BitwiseCopyable>(with element: Element, count: Int) -> UnsafeMutablePointer<Element> {
  let buffer = UnsafeMutablePointer<Element>.allocate(capacity: count)
  buffer.initialize(repeating: element, count: count)
  return buffer
}

/// Which vector instructions the kernels may use. All give the same bits.
public enum Instructions: Sendable, CaseIterable {
  /// The architecture's baseline.
  case portable
  /// AVX2, if the processor has it, else the baseline.
  case avx2
  /// The best that this processor has.
  case best

  var path: daw_sample_path {
    switch self {
    case .portable: DAW_PATH_PORTABLE
    case .avx2: daw_sample_path(rawValue: min(DAW_PATH_AVX2.rawValue, daw_best_path().rawValue))
    case .best: daw_best_path()
    }
  }
}
