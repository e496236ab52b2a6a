/// The strips of two plans: those of both once, and the connections between them with the gains of a passage.
struct JoinedStrips {
  struct Strip {
    var id: StripID
    /// The width of the signal that leaves it.
    var width: ChannelWidth
    /// The width of the signal that fills it.
    var filledWidth: ChannelWidth
    var old: StripGraph.Strip?
    var new: StripGraph.Strip?
    var inputs: [StripGraph.Input] = []
    var inserts: [StripGraph.Insert] = []

    var isInBoth: Bool { old != nil && new != nil }
    /// When its input is heard.
    var monitoring: PlannedMonitoring {
      let (before, now) = (old ?? new, new ?? old)
      return PlannedMonitoring(from: before?.monitoring ?? .off, to: now?.monitoring ?? .off)
    }
    /// Whether its inputs are faded, and not what leads from it: the direct out that one plan has, whose port is there
    /// in both.
    var fadesInputs = false
    /// Whether it is faded in before its effects, since what comes out of them begins late.
    var fadesIn: Bool { old == nil && inserts.contains { $0.insert.latency > 0 } }
    /// Those that have to be filled before it.
    var sources: [Int] { inputs.map(\.source) + inserts.compactMap(\.key) }
  }

  /// Whether an effect would run twice, or in another order.
  private(set) var isConflicting = false

  private(set) var strips: [Strip] = []
  private(set) var master: Int
  private(set) var masterGains: (old: (left: Control, right: Control), new: (left: Control, right: Control))
  /// In order of `trackID`.
  private(set) var directOuts: [(trackID: Int64, strip: Int)] = []
  /// The strips that are read after the last step.
  var roots: [Int] { [master] + directOuts.map(\.strip).filter { $0 != master } }

  private let old: StripGraph
  private let new: StripGraph
  private let isMoved: Bool
  /// For each strip of a plan, its place in `strips`.
  private var placesOfOld: [Int] = []
  private var placesOfNew: [Int] = []

  /// - Parameter isMoved: whether the new plan has another timeline.
  /// - Returns: `nil` if one of the plans has no output.
  init?(_ before: RenderPlan, _ now: RenderPlan, isMoved: Bool) {
    (old, new) = (StripGraph(before), StripGraph(now))
    self.isMoved = isMoved
    guard let oldMaster = old.master, let newMaster = new.master else { return nil }
    masterGains = (old.masterGains, new.masterGains)
    master = 0
    var known: [StripID: Int] = [:]
    for (index, strip) in old.strips.enumerated() { known[strip.id] = index }
    // The strips of both, by their places in the old plan.
    var matches = new.strips.map { strip -> Int? in
      guard let index = known[strip.id], Self.areSame(old.strips[index], strip, before, now) else { return nil }
      return index
    }
    matches[newMaster] = oldMaster
    // One of the masters has effects behind its fader.
    let isOtherMaster = old.strips[oldMaster].id != new.strips[newMaster].id
    join(matches)
    let circular = stripsInCycles()
    if !circular.isEmpty {
      // Where the joined connections run in a circle, as they do in neither plan, each plan has its own strips.
      for (index, place) in placesOfNew.enumerated() where circular.contains(place) { matches[index] = nil }
      join(matches)
    }
    isConflicting = isConflicting || isOtherMaster
    master = placesOfNew[newMaster]
    var outs: [Int64: Int] = [:]
    for out in old.directOuts { outs[out.trackID] = placesOfOld[out.strip] }
    for out in new.directOuts {
      let place = placesOfNew[out.strip]
      outs[out.trackID] = outs[out.trackID].map { $0 == place ? place : addOutput(from: $0, to: place) } ?? place
    }
    directOuts = outs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Adds a strip that goes from one strip to another, for the port of a direct out that each plan has for itself.
  private mutating func addOutput(from old: Int, to new: Int) -> Int {
    let id = strips[new].id
    func input(_ source: Int, _ gain: Control) -> StripGraph.Input {
      StripGraph.Input(source: source, connection: Connection(from: id, to: id), left: gain, right: gain)
    }
    strips.append(
      Strip(
        id: id, width: .stereo, filledWidth: .stereo,
        inputs: [input(old, Passage.out(.unity)), input(new, Passage.in(.unity))]))
    return strips.count - 1
  }

  /// Whether a strip's signal comes from the same in both plans.
  private static func areSame(
    _ a: StripGraph.Strip, _ b: StripGraph.Strip, _ before: RenderPlan, _ now: RenderPlan
  ) -> Bool {
    guard a.width == b.width, a.filledWidth == b.filledWidth, a.widening == b.widening else { return false }
    switch (a.fill, b.fill) {
    case (.connections, .connections), (.regions, .regions): return true
    case (.instrument(let i), .instrument(let k)):
      return InstrumentStream.Key(before.instruments[i]) == InstrumentStream.Key(now.instruments[k])
    default: return false
    }
  }

  /// - Parameter matches: for each strip of the new plan the old plan's that is the same.
  private mutating func join(_ matches: [Int?]) {
    strips = []
    placesOfOld = old.strips.map { _ in -1 }
    placesOfNew = []
    for (strip, match) in zip(new.strips, matches) {
      placesOfNew.append(strips.count)
      if let match { placesOfOld[match] = strips.count }
      strips.append(
        Strip(
          id: strip.id, width: strip.width, filledWidth: strip.filledWidth, old: match.map { old.strips[$0] },
          new: strip)
      )
    }
    for (index, strip) in old.strips.enumerated() where placesOfOld[index] < 0 {
      placesOfOld[index] = strips.count
      strips.append(Strip(id: strip.id, width: strip.width, filledWidth: strip.filledWidth, old: strip))
    }
    let (ofOld, ofNew) = (Set(old.strips.map(\.id)), Set(new.strips.map(\.id)))
    for place in strips.indices {
      let id = strips[place].id
      strips[place].fadesInputs = (id.part == .directOut) && !(ofOld.contains(id) && ofNew.contains(id))
    }
    // What leads from a strip depends on whether its effects have latency.
    for place in strips.indices { strips[place].inserts = inserts(of: place) }
    for place in strips.indices { strips[place].inputs = inputs(of: place) }
    let effects = strips.flatMap { $0.inserts.map(\.insert.effectID) }
    isConflicting =
      Set(effects).count < effects.count
      || strips.contains { strip in
        let ids = strip.old?.inserts.map(\.insert.effectID) ?? []
        let kept = strip.new?.inserts.map(\.insert.effectID) ?? []
        return ids.filter { kept.contains($0) } != kept.filter { ids.contains($0) }
      }
  }

  /// The effects of a strip: the new plan's, and each of the old plan's behind the one that it follows there. One of
  /// only one plan is blended in or out.
  private func inserts(of place: Int) -> [StripGraph.Insert] {
    let strip = strips[place]
    let before = (strip.old?.inserts ?? []).map {
      StripGraph.Insert(insert: $0.insert, key: $0.key.map { placesOfOld[$0] })
    }
    var inserts = (strip.new?.inserts ?? []).map {
      StripGraph.Insert(insert: $0.insert, key: $0.key.map { placesOfNew[$0] })
    }
    guard strip.isInBoth else { return inserts + before }
    for index in inserts.indices {
      let old = before.first { $0.insert.effectID == inserts[index].insert.effectID }
      inserts[index].insert = PlannedInsert(joining: old?.insert, inserts[index].insert)
    }
    var next = 0
    for var old in before {
      if let known = inserts.firstIndex(where: { $0.insert.effectID == old.insert.effectID }) {
        next = known + 1
      } else {
        old.insert.share = Passage.out(old.insert.share)
        inserts.insert(old, at: next)
        next += 1
      }
    }
    return inserts
  }

  private func inputs(of place: Int) -> [StripGraph.Input] {
    let strip = strips[place]
    var inputs: [StripGraph.Input] = []
    var places: [Connection: Int] = [:]
    for var input in strip.new?.inputs ?? [] {
      input.source = placesOfNew[input.source]
      places[input.connection] = inputs.count
      inputs.append(input)
    }
    let countOfNew = inputs.count
    var isOfBoth = [Bool](repeating: false, count: countOfNew)
    for var input in strip.old?.inputs ?? [] {
      input.source = placesOfOld[input.source]
      if let known = places[input.connection], inputs[known].source == input.source {
        isOfBoth[known] = true
        inputs[known].left = Passage.join(input.left, inputs[known].left, isMoved: isMoved)
        inputs[known].right = Passage.join(input.right, inputs[known].right, isMoved: isMoved)
      } else {
        if isFaded(from: input.source, to: strip) {
          (input.left, input.right) = (Passage.out(input.left), Passage.out(input.right))
        } else if isMoved {
          (input.left, input.right) = (input.left.ofPlanBefore, input.right.ofPlanBefore)
        }
        inputs.append(input)
      }
    }
    for index in 0..<countOfNew where !isOfBoth[index] && isFaded(from: inputs[index].source, to: strip) {
      inputs[index].left = Passage.in(inputs[index].left)
      inputs[index].right = Passage.in(inputs[index].right)
    }
    return inputs
  }

  /// Whether a connection of one plan is faded, rather than one behind or before it.
  private func isFaded(from source: Int, to target: Strip) -> Bool {
    (target.isInBoth || target.fadesInputs) && !strips[source].fadesInputs && !strips[source].fadesIn
  }

  /// The strips that lie on a cycle, or between two.
  private func stripsInCycles() -> Set<Int> {
    var readers: [[Int]] = strips.map { _ in [] }
    for (place, strip) in strips.enumerated() { for source in strip.sources { readers[source].append(place) } }
    let sources = strips.map(\.sources)
    return Self.remaining(sources, readers).intersection(Self.remaining(readers, sources))
  }

  /// What is left when strips that nothing leads to are removed again and again.
  private static func remaining(_ before: [[Int]], _ after: [[Int]]) -> Set<Int> {
    var counts = before.map(\.count)
    var free = counts.indices.filter { counts[$0] == 0 }
    var left = Set(counts.indices)
    while let strip = free.popLast() {
      left.remove(strip)
      for next in after[strip] {
        counts[next] -= 1
        if counts[next] == 0 { free.append(next) }
      }
    }
    return left
  }
}

extension PlannedInsert {
  /// An effect of both plans, with a line from its old values to its new ones; of the new plan alone, blended in.
  fileprivate init(joining old: PlannedInsert?, _ new: PlannedInsert) {
    self = new
    guard let old else {
      share = Passage.in(share)
      return
    }
    share = Passage.join(old.share, share)
    for (index, before) in old.parameters.enumerated() where index < parameters.count && before != parameters[index] {
      parameters[index] = .passage(from: before, to: parameters[index])
    }
  }
}
