import CSampleCodec
import DAWMedia

/// A plan flattened to the arrays that `PlanMemory` holds.
struct FlattenedPlan {
  var steps: [LinkedStep] = []
  var regions: [LinkedRegion] = []
  var groups: [RegionGroup] = []
  var startOrder: [Int] = []
  var curves: [LinkedCurve] = []
  var points: [LinkedPoint] = []

  init(_ plan: RenderPlan) {
    regions.reserveCapacity(plan.regions.count)
    for region in plan.regions {
      let source = plan.sources[region.source]
      regions.append(
        LinkedRegion(
          start: region.frames.lowerBound, end: region.frames.upperBound, anchor: region.anchor, source: region.source,
          format: source.streamEncoding.codecFormat, channelCount: source.channelCount,
          byteCount: source.channelCount * source.streamEncoding.bytesPerSample, pick: LinkedPick(region.channels),
          gain: link(region.gain), pieceFrames: max(1, LinkedPlan.pieceSamples / source.channelCount)))
    }
    startOrder = Array(regions.indices)
    for step in plan.steps { steps.append(link(step)) }
  }

  private mutating func link(_ step: Step) -> LinkedStep {
    switch step {
    case .clear(let buffer): .clear(buffer: buffer)
    case .sumRegions(let range, let buffer, let width):
      .sumRegions(group: addGroup(range), buffer: buffer, isStereo: width == .stereo, fusedMix: nil)
    case .playInstrument(let index, let buffer): .playInstrument(index, buffer: buffer, fusedMix: nil)
    case .mix(let source, let width, let target, let left, let right):
      .mix(source, isStereo: width == .stereo, target: target, left: link(left), right: link(right))
    case .output(let buffer, let left, let right): .output(buffer: buffer, left: link(left), right: link(right))
    }
  }

  private mutating func addGroup(_ range: Range<Int>) -> Int {
    startOrder[range].sort { (regions[$0].start, $0) < (regions[$1].start, $1) }
    groups.append(RegionGroup(first: range.lowerBound, count: range.count))
    return groups.count - 1
  }

  private mutating func link(_ control: Control) -> LinkedControl {
    switch control {
    case .constant(let gain):
      return LinkedControl(constant: gain, firstCurve: 0, curveCount: 0)
    case .curves(let gain, let added):
      let first = curves.count
      for curve in added {
        curves.append(LinkedCurve(firstPoint: points.count, pointCount: curve.points.count))
        points += curve.points
      }
      return LinkedControl(constant: gain, firstCurve: first, curveCount: added.count)
    }
  }

  /// Fuses each mix step with the step before it, if that fills the mix's source and nothing else reads it.
  mutating func fuseMixes() {
    for (index, next) in steps.indices.dropFirst().enumerated() {
      guard case .mix(let source, _, let target, let left, let right) = steps[next], left.isConstant, right.isConstant,
        isDead(source, after: next)
      else { continue }
      let fusedMix = FusedMix(target: target, left: left.constant, right: right.constant)
      switch steps[index] {
      case .sumRegions(let group, let buffer, let isStereo, _) where buffer == source:
        steps[index] = .sumRegions(group: group, buffer: buffer, isStereo: isStereo, fusedMix: fusedMix)
      case .playInstrument(let instrument, let buffer, _) where buffer == source:
        steps[index] = .playInstrument(instrument, buffer: buffer, fusedMix: fusedMix)
      default: break
      }
    }
  }

  /// Whether no step after `index` reads the buffer before it is filled again.
  private func isDead(_ buffer: Int, after index: Int) -> Bool {
    for step in steps[(index + 1)...] {
      switch step {
      case .clear(let filled), .sumRegions(_, let filled, _, _), .playInstrument(_, let filled, _):
        if filled == buffer { return true }
      case .mix(let read, _, let target, _, _): if read == buffer || target == buffer { return false }
      case .output(let read, _, _): if read == buffer { return false }
      }
    }
    return true
  }
}

extension LinkedPick {
  fileprivate init(_ pick: ChannelPick) {
    switch pick {
    case .one(let channel): self = .one(channel)
    case .two(let left, let right): self = .two(left, right)
    case .mean(let left, let right): self = .mean(left, right)
    }
  }
}
