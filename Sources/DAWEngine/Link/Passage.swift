/// The 256 frames in which one plan takes over from another: both joined into a plan of its own, in which everything
/// runs once.
///
/// A strip that is in both plans is one strip. A connection or a region of both goes from its old gain to its new one
/// in a line, one of only one plan from or to 0. A strip of only one plan runs as it does there; what leads from it
/// into a strip of both is faded. Afterwards the new plan runs alone.
struct Passage {
  /// The joined plan. Its instruments are the new plan's, then the old one's.
  private(set) var plan: RenderPlan
  /// Where the frames of each region of `plan` are read.
  private(set) var streams: [Stream] = []
  /// Whether there is no way from one plan to the other while they play: the latency between a strip and the output
  /// changes, or the order or the memory of effects. Playback then ends and begins again.
  private(set) var needsRestart = false

  /// Frames of a passage.
  static var frameCount: Int { @_noLocks get { 256 } }

  struct Stream {
    /// Index of the region in its plan.
    var region: Int
    /// Whether that is the old plan, and the region's frames are on its timeline.
    var isOfPlanBefore: Bool
  }

  private let old: RenderPlan
  private let new: RenderPlan
  /// Whether the new plan has another timeline, so that no region is the same in both.
  private let isMoved: Bool
  private var joined: JoinedStrips
  /// For each joined strip its buffer, −1 before it is filled, and how many connections are yet to read it.
  private var buffers: [Int]
  private var readers: [Int]
  private var freeBuffers: [Int] = []

  /// - Returns: `nil` if both plans sound the same, or one of them has no output.
  init?(from old: RenderPlan, to new: RenderPlan, isMoved: Bool) {
    if !isMoved, old.hasSameSound(as: new) { return nil }
    guard let joined = JoinedStrips(old, new, isMoved: isMoved) else { return nil }
    self.old = old
    self.new = new
    self.isMoved = isMoved
    self.joined = joined
    buffers = joined.strips.map { _ in -1 }
    readers = joined.strips.map { _ in 0 }
    plan = new
    (plan.regions, plan.steps, plan.bufferCount, plan.directOuts, plan.inserts) = ([], [], 0, [], [])
    needsRestart = joined.isConflicting || Self.hasOtherLatency(old, new)
    if needsRestart { return }
    plan.sources += old.sources
    plan.instruments += old.instruments
    for strip in joined.strips { for source in strip.sources { readers[source] += 1 } }
    for root in joined.roots { readers[root] += 1 }
    for root in joined.roots { fill(root) }
    plan.steps.append(
      .output(
        joined.strips[joined.master].id, buffer: buffers[joined.master],
        left: Self.join(joined.masterGains.old.left, joined.masterGains.new.left, isMoved: isMoved),
        right: Self.join(joined.masterGains.old.right, joined.masterGains.new.right, isMoved: isMoved)))
    plan.directOuts = joined.directOuts.map { DirectOut(trackID: $0.trackID, buffer: buffers[$0.strip]) }
  }

  // MARK: Order and buffers

  /// Appends the steps that fill a strip, after those of all strips that it reads.
  private mutating func fill(_ root: Int) {
    var stack: [(strip: Int, next: Int)] = []
    func isFilled(_ strip: Int) -> Bool { buffers[strip] >= 0 }
    guard !isFilled(root) else { return }
    begin(root)
    stack.append((root, 0))
    while let (strip, next) = stack.last {
      guard next < joined.strips[strip].inputs.count else {
        if let key = joined.strips[strip].inserts.lazy.compactMap(\.key).first(where: { !isFilled($0) }) {
          begin(key)
          stack.append((key, 0))
        } else {
          process(strip)
          stack.removeLast()
        }
        continue
      }
      let input = joined.strips[strip].inputs[next]
      guard isFilled(input.source) else {
        begin(input.source)
        stack.append((input.source, 0))
        continue
      }
      stack[stack.count - 1].next += 1
      plan.steps.append(
        .mix(
          input.connection, buffers[input.source], width: joined.strips[input.source].width, into: buffers[strip],
          left: input.left, right: input.right))
      readers[input.source] -= 1
      if readers[input.source] == 0 { freeBuffers.append(buffers[input.source]) }
    }
  }

  private mutating func takeBuffer() -> Int {
    if let free = freeBuffers.popLast() { return free }
    plan.bufferCount += 1
    return plan.bufferCount - 1
  }

  /// Appends the step that fills a strip, or begins its sum of connections.
  private mutating func begin(_ index: Int) {
    let strip = joined.strips[index]
    let buffer = takeBuffer()
    buffers[index] = buffer
    switch (strip.old?.fill, strip.new?.fill) {
    case (.regions(let before), .regions(let now)): sum(before, now, of: strip, into: buffer)
    case (.regions(let before), nil): sum(before, nil, of: strip, into: buffer)
    case (nil, .regions(let now)): sum(nil, now, of: strip, into: buffer)
    case (_, .instrument(let index)): plan.steps.append(.playInstrument(strip.id, index, into: buffer))
    case (.instrument(let index), _):
      plan.steps.append(.playInstrument(strip.id, new.instruments.count + index, into: buffer))
    default: plan.steps.append(.clear(strip.id, buffer: buffer))
    }
  }

  /// Appends what a strip does to its signal.
  private mutating func process(_ index: Int) {
    let strip = joined.strips[index]
    if strip.monitoring != PlannedMonitoring(.off) {
      plan.steps.append(
        .monitor(strip.id, strip.monitoring, buffer: buffers[index], width: strip.filledWidth))
    }
    shape(index)
    if strip.fadesIn {
      let raw = buffers[index]
      buffers[index] = takeBuffer()
      plan.steps += [
        .clear(strip.id, buffer: buffers[index]),
        .mix(
          Connection(from: strip.id, to: strip.id), raw, width: strip.filledWidth, into: buffers[index],
          left: Self.in(.unity), right: Self.in(.unity)),
      ]
      freeBuffers.append(raw)
    }
    if let gain = strip.new?.widening ?? strip.old?.widening {
      plan.steps.append(.widen(strip.id, buffer: buffers[index], gain: gain))
    }
    for insert in strip.inserts {
      plan.steps.append(
        .insert(
          strip.id, plan.inserts.count, buffer: buffers[index], width: strip.width, key: insert.key.map { buffers[$0] })
      )
      plan.inserts.append(insert.insert)
      guard let key = insert.key else { continue }
      readers[key] -= 1
      if readers[key] == 0 { freeBuffers.append(buffers[key]) }
    }
  }

  /// Appends the strip's shape. Where old and new differ, the strip has the line from one to the other.
  private mutating func shape(_ index: Int) {
    let strip = joined.strips[index]
    let raw = buffers[index]
    let before = strip.old?.shape.map { isMoved ? $0.ofPlanBefore : $0 }
    guard let old = strip.old, let new = strip.new, old.shape != new.shape || before != old.shape else {
      if let shape = strip.new?.shape ?? before {
        plan.steps.append(.shape(strip.id, buffer: raw, width: strip.filledWidth, shape))
      }
      return
    }
    let (shaped, sum) = (takeBuffer(), takeBuffer())
    let within = Connection(from: strip.id, to: strip.id)
    plan.steps.append(.clear(strip.id, buffer: sum))
    for (shape, gain) in [(before, Self.out(.unity)), (new.shape, Self.in(.unity))] {
      plan.steps.append(.clear(strip.id, buffer: shaped))
      plan.steps.append(.mix(within, raw, width: strip.filledWidth, into: shaped, left: .unity, right: .unity))
      if let shape { plan.steps.append(.shape(strip.id, buffer: shaped, width: strip.filledWidth, shape)) }
      plan.steps.append(.mix(within, shaped, width: strip.filledWidth, into: sum, left: gain, right: gain))
    }
    freeBuffers += [raw, shaped]
    buffers[index] = sum
  }

  // MARK: Regions

  private mutating func sum(_ before: Range<Int>?, _ now: Range<Int>?, of strip: JoinedStrips.Strip, into buffer: Int) {
    guard let before, let now else {
      // A strip of one plan: as it is there.
      let first = plan.regions.count
      for index in before ?? 0..<0 { add(old.regions[index], index, isOfPlanBefore: true) }
      for index in now ?? 0..<0 { add(new.regions[index], index, isOfPlanBefore: false) }
      return plan.steps.append(
        .sumRegions(strip.id, first..<plan.regions.count, into: buffer, width: strip.filledWidth))
    }
    let first = plan.regions.count
    guard isMoved else {
      join(before, now)
      return plan.steps.append(
        .sumRegions(strip.id, first..<plan.regions.count, into: buffer, width: strip.filledWidth))
    }
    for index in now { add(new.regions[index], index, isOfPlanBefore: false, Self.in) }
    let middle = plan.regions.count
    for index in before { add(old.regions[index], index, isOfPlanBefore: true, Self.out) }
    // Each timeline is a sum of its own.
    let other = takeBuffer()
    plan.steps += [
      .sumRegions(strip.id, first..<middle, into: buffer, width: strip.filledWidth),
      .sumRegions(strip.id, middle..<plan.regions.count, into: other, width: strip.filledWidth),
      .mix(
        Connection(from: strip.id, to: strip.id), other, width: strip.filledWidth, into: buffer, left: .unity,
        right: .unity),
    ]
    freeBuffers.append(other)
  }

  /// Joins the regions of a strip, both in order of id.
  private mutating func join(_ before: Range<Int>, _ now: Range<Int>) {
    var (i, k) = (before.lowerBound, now.lowerBound)
    while i < before.upperBound || k < now.upperBound {
      if k == now.upperBound || i < before.upperBound && old.regions[i].regionID < new.regions[k].regionID {
        add(old.regions[i], i, isOfPlanBefore: true, Self.out)
        i += 1
      } else if i == before.upperBound || new.regions[k].regionID < old.regions[i].regionID {
        add(new.regions[k], k, isOfPlanBefore: false, Self.in)
        k += 1
      } else {
        join(i, k)
        i += 1
        k += 1
      }
    }
  }

  /// Joins a region of both plans: what both play once, the rest from one.
  private mutating func join(_ before: Int, _ now: Int) {
    let (a, b) = (old.regions[before], new.regions[now])
    let isSame = a.anchor == b.anchor && a.channels == b.channels && old.sources[a.source] == new.sources[b.source]
    let both = a.frames.clamped(to: b.frames)
    guard isSame, !both.isEmpty else {
      add(a, before, isOfPlanBefore: true, Self.out)
      add(b, now, isOfPlanBefore: false, Self.in)
      return
    }
    for frames in [a.frames.lowerBound..<both.lowerBound, both.upperBound..<a.frames.upperBound] where !frames.isEmpty {
      var part = a
      part.frames = frames
      add(part, before, isOfPlanBefore: true, Self.out)
    }
    for frames in [b.frames.lowerBound..<both.lowerBound, both.upperBound..<b.frames.upperBound] where !frames.isEmpty {
      var part = b
      part.frames = frames
      add(part, now, isOfPlanBefore: false, Self.in)
    }
    var part = b
    part.frames = both
    add(part, now, isOfPlanBefore: false) { Passage.join(a.gain, $0) }
  }

  private mutating func add(
    _ region: PlannedRegion, _ index: Int, isOfPlanBefore: Bool, _ gain: (Control) -> Control = { $0 }
  ) {
    var region = region
    region.gain = gain(region.gain)
    if isOfPlanBefore { region.source += new.sources.count }
    plan.regions.append(region)
    streams.append(Stream(region: index, isOfPlanBefore: isOfPlanBefore))
  }

  // MARK: Gains

  static func `in`(_ gain: Control) -> Control { join(.constant(0), gain) }
  static func out(_ gain: Control) -> Control { join(gain, .constant(0)) }
  /// - Parameter isMoved: whether the controls are of different timelines, so that equal curves are not the same.
  static func join(_ from: Control, _ to: Control, isMoved: Bool = false) -> Control {
    from == to && !(isMoved && to.isMoving) ? to : .passage(from: from, to: to)
  }
}

extension Control {
  /// The control of the plan before, whose timeline is another one's.
  var ofPlanBefore: Control { isMoving ? .ofPlanBefore(self) : self }
}

extension StripShape {
  fileprivate var ofPlanBefore: StripShape {
    var shape = self
    (shape.trim, shape.stereoWidth) = (trim.ofPlanBefore, stereoWidth?.ofPlanBefore)
    return shape
  }
}

extension Passage {
  /// Whether a strip of both plans has another latency between it and the output, or an effect of both another memory.
  private static func hasOtherLatency(_ old: RenderPlan, _ new: RenderPlan) -> Bool {
    guard !old.inserts.isEmpty || !new.inserts.isEmpty else { return false }
    let setups = Dictionary(old.inserts.map { ($0.effectID, $0.setup) }) { first, _ in first }
    if new.inserts.contains(where: { setups[$0.effectID].map { [new = $0.setup] in $0 != new } ?? false }) {
      return true
    }
    let (before, now) = (old.stripLeads, new.stripLeads)
    return now.contains { before[$0.key] != nil && before[$0.key] != $0.value }
  }
}

extension RenderPlan {
  /// The lead of the step that fills each strip.
  fileprivate var stripLeads: [StripID: Int] {
    let plan = withDelays
    var leads: [StripID: Int] = [:]
    for (step, lead) in zip(plan.steps, plan.leads) {
      switch step {
      case .clear(let id, _), .sumRegions(let id, _, _, _), .playInstrument(let id, _, _): leads[id] = lead
      default: break
      }
    }
    return leads
  }

  /// Whether nothing but the events of instruments and ports differs.
  fileprivate func hasSameSound(as other: RenderPlan) -> Bool {
    steps == other.steps && directOuts == other.directOuts && sources == other.sources && regions == other.regions
      && inserts == other.inserts && instruments.count == other.instruments.count
      && zip(instruments, other.instruments).allSatisfy { InstrumentStream.Key($0) == InstrumentStream.Key($1) }
  }
}
