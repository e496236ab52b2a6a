import CSampleCodec
import DAWTime

/// A plan with the memory to run it: plain values in one slab. Made and freed on a control thread; all memory is
/// touched in `init`. Used by one runner at a time.
public final class LinkedPlan: @unchecked Sendable {
  let memory: PlanMemory
  /// The memories of its effects and delays.
  let states: ProcessorStates
  /// The buffers that it mixes in.
  let buffers: MixBuffers
  /// Whether the gains, or the parameters of effects, depend on where the playhead is.
  let movesGains: Bool
  private let slab: UnsafeMutableRawPointer

  /// Samples in a piece of a stream: few enough for the working set to stay in the L2 cache, enough to amortise a
  /// system call.
  static let pieceSamples = 16_384

  /// - Parameters:
  ///   - maximumFrames: frames in a slice, at least 1: `RenderPlan.maximumFrames` live. No value changes a bit.
  ///   - instructions: which vector instructions may be used. No value changes a bit.
  public convenience init(
    _ plan: RenderPlan, maximumFrames: Int = RenderPlan.maximumFrames, instructions: Instructions = .best
  ) {
    let plan = plan.withDelays
    self.init(
      delayed: plan, streams: nil, states: ProcessorStates(plan, instructions: instructions),
      maximumFrames: maximumFrames,
      instructions: instructions)
  }

  /// - Parameters:
  ///   - plan: with delays.
  ///   - streams: of a passage, the stream of each region.
  ///   - states: those of the plan's effects and delays, which no other plan uses at the same time.
  ///   - shared: buffers of another plan, which are used if there is room.
  init(
    delayed plan: RenderPlan, streams: [Passage.Stream]?, states: ProcessorStates, maximumFrames: Int,
    instructions: Instructions = .best, buffers shared: MixBuffers? = nil
  ) {
    self.states = states
    let linked = LinkedSteps(plan, streams: streams, states: states)
    let pieceSamples = max(Self.pieceSamples, plan.sources.lazy.map(\.channelCount).max() ?? 1)
    let bufferCount = max(1, plan.bufferCount)
    let hasRoom = shared?.hasRoom(bufferCount: bufferCount, maximumFrames: maximumFrames) ?? false
    let buffers =
      shared.flatMap { hasRoom ? $0 : nil }
      ?? MixBuffers(bufferCount: bufferCount, maximumFrames: maximumFrames)
    self.buffers = buffers
    movesGains = linked.movesGains
    (slab, memory) = Slab.allocate { slab in
      PlanMemory(
        maximumFrames: maximumFrames, path: instructions.path, steps: slab.copy(linked.steps),
        stepCount: linked.steps.count, stepLeads: slab.copy(linked.stepLeads), leads: slab.copy(linked.leads),
        leadCount: linked.leads.count, regions: slab.copy(linked.regions),
        trees: slab.copy(linked.groups.map(\.tree)), treeCount: linked.groups.count, groups: slab.copy(linked.groups),
        startOrder: slab.copy(linked.startOrder), active: slab.copy(linked.startOrder), ends: slab.copy(linked.ends),
        curves: slab.copy(linked.controls.curves), points: slab.copy(linked.controls.points),
        factors: slab.copy(linked.controls.factors), controls: slab.copy(linked.controls.earlier),
        sides: slab.copy(linked.sides), shapes: slab.copy(linked.shapes),
        samples: buffers.samples, sideStride: MixBuffers.stride(maximumFrames: maximumFrames),
        isSilent: slab.filled(with: true, count: bufferCount), unpacked: slab.filled(with: 0, count: pieceSamples),
        picked: slab.filled(with: 0, count: 2 * pieceSamples), gains: slab.filled(with: 0, count: maximumFrames),
        earlierGains: slab.filled(with: 0, count: streams == nil ? 0 : maximumFrames),
        products: slab.filled(with: 0, count: maximumFrames),
        sideProducts: slab.filled(with: 0, count: maximumFrames),
        values: slab.filled(with: 0, count: maximumFrames),
        knots: slab.filled(with: 0, count: 3 * LinkedCurve.knotRoom), inserts: slab.copy(linked.inserts),
        parameters: slab.copy(linked.parameters),
        settings: slab.filled(with: 0, count: 2 * (linked.inserts.map(\.parameterCount).max() ?? 0)),
        dry: slab.filled(with: 0, count: linked.inserts.isEmpty ? 0 : 2 * maximumFrames),
        monitors: slab.copy(linked.monitors), monitorCount: linked.monitors.count)
    }
  }

  /// The most frames that a step runs ahead of the output.
  var latency: Int { memory.leads[memory.leadCount - 1] }

  /// Frames in the longest slice.
  public var maximumFrames: Int { memory.maximumFrames }

  deinit { slab.deallocate() }
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

/// A plan's steps as the arrays that `PlanMemory` holds.
private struct LinkedSteps {
  var steps: [LinkedStep] = []
  var regions: [LinkedRegion] = []
  var groups: [RegionGroup] = []
  var startOrder: [Int] = []
  var ends: [TimelineFrame] = []
  var controls = LinkedControls()
  var sides: [LinkedSides] = []
  var shapes: [LinkedShape] = []
  var inserts: [LinkedInsert] = []
  var parameters: [LinkedParameter] = []
  var monitors: [LinkedMonitor] = []
  /// The delay lines of the delay steps that are not linked yet, in order.
  private var delays: [DelayState] = []
  var stepLeads: [Int] = []
  var leads: [Int]

  init(_ plan: RenderPlan, streams: [Passage.Stream]?, states: ProcessorStates) {
    let leadsOfSteps = plan.leads
    leads = Set(leadsOfSteps + [0]).sorted()
    stepLeads = leadsOfSteps.map { [leads] in leads.firstIndex(of: $0) ?? 0 }
    regions.reserveCapacity(plan.regions.count)
    for (index, region) in plan.regions.enumerated() {
      let source = plan.sources[region.source]
      let stream = streams?[index] ?? Passage.Stream(region: index, isOfPlanBefore: false)
      regions.append(
        LinkedRegion(
          start: region.frames.lowerBound, end: region.frames.upperBound, anchor: region.anchor, source: region.source,
          stream: stream.region, isOfPlanBefore: stream.isOfPlanBefore, format: source.streamEncoding.codecFormat,
          channelCount: source.channelCount, byteCount: source.channelCount * source.streamEncoding.bytesPerSample,
          pick: region.channels, gain: controls.add(region.gain),
          pieceFrames: max(1, LinkedPlan.pieceSamples / source.channelCount)))
    }
    startOrder = Array(regions.indices)
    for (insert, state) in zip(plan.inserts, states.inserts) { add(insert, state) }
    delays = states.delays
    for step in plan.steps { steps.append(linked(step)) }
    fuseMixes(bufferCount: plan.bufferCount, kept: plan.directOuts.map(\.buffer))
    // A plan that may be held is always asked whether a step is before the start.
    if !monitors.isEmpty, leads.count == 1 { leads.append(0) }
  }

  var movesGains: Bool {
    !sides.allSatisfy(\.isConstant) || !inserts.allSatisfy { $0.isAtRest && $0.share.isConstant }
      || !shapes.allSatisfy { $0.trim.isConstant && $0.stereoWidth.isConstant }
  }

  private mutating func add(_ insert: PlannedInsert, _ state: InsertState) {
    let added = insert.parameters.map { linked($0) }
    inserts.append(
      LinkedInsert(
        effect: Unmanaged.passUnretained(state.effect), dry: state.dry.memory, place: state.place,
        latency: insert.latency, firstParameter: parameters.count, parameterCount: added.count,
        isAtRest: added.allSatisfy { $0.curve < 0 && $0.earlier == nil }, share: controls.add(insert.share)))
    let first = parameters.count + added.count
    var earlier: [LinkedParameter] = []
    for (name, parameter) in zip(insert.setup.kind.parameterNames, added) {
      parameters.append(
        LinkedParameter(
          constant: parameter.constant, curve: parameter.curve,
          earlier: parameter.earlier == nil ? -1 : first + earlier.count,
          isOfOutput: insert.setup.kind.isOfOutput(parameter: name)))
      if let from = parameter.earlier {
        earlier.append(LinkedParameter(constant: from.constant, curve: from.curve, earlier: -1))
      }
    }
    parameters += earlier
  }

  private typealias Value = (constant: Double, curve: Int)

  /// A parameter's value, and in a passage the one that it leads from.
  private mutating func linked(
    _ parameter: PlannedInsert.Parameter
  ) -> (constant: Double, curve: Int, earlier: Value?) {
    switch parameter {
    case .constant(let value): return (value, -1, nil)
    case .curve(let curve): return (0, controls.add(curve), nil)
    case .passage(let from, let to):
      let (from, to) = (linked(from), linked(to))
      return (to.constant, to.curve, (from.constant, from.curve))
    }
  }

  private mutating func linked(_ step: Step) -> LinkedStep {
    switch step {
    case .clear(_, let buffer): .clear(buffer: buffer)
    case .sumRegions(_, let range, let buffer, let width):
      .sumRegions(group: addGroup(range), buffer: buffer, isStereo: width == .stereo, fusedMix: nil)
    case .monitor(let strip, let monitoring, let buffer, let width):
      .monitor(index: add(monitoring, of: strip), buffer: buffer, isStereo: width == .stereo)
    case .playInstrument(_, let index, let buffer):
      .playInstrument(instrument: index, buffer: buffer, fusedMix: nil)
    case .shape(_, let buffer, let width, let shape):
      .shape(buffer: buffer, isStereo: width == .stereo, shape: add(shape))
    case .widen(_, let buffer, let gain): .widen(buffer: buffer, gain: gain)
    case .insert(_, let index, let buffer, let width, let key):
      .insert(index: index, buffer: buffer, isStereo: width == .stereo, key: key ?? -1)
    case .delay(_, let source, let target, let width, _):
      .delay(delays.removeFirst().memory, source: source, target: target, isStereo: width == .stereo)
    case .mix(_, let source, let width, let target, let left, let right):
      mix(source, isStereo: width == .stereo, target: target, controls.add(left, right))
    case .output(_, let buffer, let left, let right):
      .output(buffer: buffer, gains: add(controls.add(left, right)))
    }
  }

  private mutating func mix(_ source: Int, isStereo: Bool, target: Int, _ gains: LinkedSides) -> LinkedStep {
    guard gains.isConstant else { return .mix(source: source, isStereo: isStereo, target: target, gains: add(gains)) }
    return .mixAtRest(
      source: source, isStereo: isStereo, target: target, left: gains.left.constant, right: gains.right.constant)
  }

  private mutating func add(_ gains: LinkedSides) -> Int {
    sides.append(gains)
    return sides.count - 1
  }

  private mutating func add(_ shape: StripShape) -> Int {
    shapes.append(controls.add(shape))
    return shapes.count - 1
  }

  private mutating func add(_ monitoring: PlannedMonitoring, of strip: StripID) -> Int {
    monitors.append(LinkedMonitor(trackID: strip.trackID, from: monitoring.from, to: monitoring.to))
    return monitors.count - 1
  }

  private mutating func addGroup(_ range: Range<Int>) -> Int {
    startOrder[range].sort { (regions[$0].start, $0) < (regions[$1].start, $1) }
    var leafCount = 1
    while leafCount < range.count { leafCount *= 2 }
    var tree = [TimelineFrame](repeating: .min, count: 2 * leafCount)
    for (place, index) in startOrder[range].enumerated() { tree[leafCount + place] = regions[index].end }
    for node in stride(from: leafCount - 1, to: 0, by: -1) { tree[node] = max(tree[2 * node], tree[2 * node + 1]) }
    groups.append(
      RegionGroup(
        tree: RegionTree(
          first: range.lowerBound, count: range.count, firstEnd: ends.count, leafCount: leafCount),
        isOfPlanBefore: range.first.map { regions[$0].isOfPlanBefore } ?? false))
    ends += tree
    return groups.count - 1
  }

  /// Fuses each mix step with the step before it, if that fills the mix's source and nothing else reads it.
  /// - Parameter kept: buffers that are read after the last step.
  private mutating func fuseMixes(bufferCount: Int, kept: [Int]) {
    /// Whether a buffer is read before it is filled again.
    var isRead = [Bool](repeating: false, count: bufferCount)
    for buffer in kept { isRead[buffer] = true }
    for index in steps.indices.reversed() {
      switch steps[index] {
      case .clear(let buffer), .sumRegions(_, let buffer, _, _), .playInstrument(_, let buffer, _):
        isRead[buffer] = false
      case .delay(_, _, let target, _): isRead[target] = false
      case .shape, .widen, .monitor, .insert, .output: break
      case .mixAtRest(let source, let isStereo, let target, let left, let right):
        let mix = FusedMix(target: target, left: left, right: right, isMoving: false)
        if index > 0, !isRead[source] { fuse(mix, of: source, isStereo: isStereo, into: index - 1) }
        isRead[target] = true
      case .mix(let source, let isStereo, let target, let gains):
        let mix = FusedMix(target: target, left: 0, right: 0, isMoving: true)
        if index > 0, !isRead[source], !sides[gains].left.isOfPassage, !sides[gains].right.isOfPassage {
          fuse(mix, of: source, isStereo: isStereo, into: index - 1)
        }
        isRead[target] = true
      }
      switch steps[index] {
      case .mix(let source, _, _, _), .mixAtRest(let source, _, _, _, _), .delay(_, let source, _, _):
        isRead[source] = true
      case .shape(let buffer, _, _), .widen(let buffer, _), .monitor(_, let buffer, _), .output(let buffer, _):
        isRead[buffer] = true
      case .insert(_, let buffer, _, let key):
        isRead[buffer] = true
        if key >= 0 { isRead[key] = true }
      case .clear, .sumRegions, .playInstrument: break
      }
    }
  }

  /// Fuses a mix into the step before it, if that fills its source.
  private mutating func fuse(_ mix: FusedMix, of source: Int, isStereo: Bool, into index: Int) {
    switch steps[index] {
    case .sumRegions(let group, let buffer, _, _) where buffer == source:
      steps[index] = .sumRegions(group: group, buffer: buffer, isStereo: isStereo, fusedMix: mix)
    case .playInstrument(let instrument, let buffer, _) where buffer == source && isStereo:
      steps[index] = .playInstrument(instrument: instrument, buffer: buffer, fusedMix: mix)
    default: break
    }
  }
}
