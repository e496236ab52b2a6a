import DAWTime

extension TimeEdit {
  /// A key signature that holds on where none held before, since one ends only where another begins.
  public struct LastingKey: Hashable, Sendable {
    public var key: Key
    /// In the new timeline.
    public var position: TickPosition
  }

  /// Tempos, meters and keys.
  mutating func layOutTempoMap() throws {
    let (tempoChanges, keySignatures) = (rows(\.tempoChanges), rows(\.keySignatures))
    let tempos = try layout.tempos(
      from: before,
      rows: Dictionary(tempoChanges.map { ($0.position, $0.id.rawValue) }) { first, _ in first })
    let meters = layout.steps(from: meterSteps)
    after = try map(tempos, meters)
    var settings = source.project.settings
    if let first = tempos.first?.value { (settings.tempo, settings.isTempoRamp) = (first.tempo, first.isRamp) }
    if let first = meters.first?.value { settings.timeSignature = first }
    if settings != source.project.settings { append(.setProject(settings)) }
    try replace(tempoChanges, by: tempos.dropFirst().map { ($0.row, $0.value) }, \.position.ticks) {
      row, value in
      (row.position, row.tempo, row.isRamp) = (value.position, value.tempo, value.isRamp)
    }
    let bars = meters.map { (row: $0.row, value: (after.barBeatTick(at: $0.position).bar, $0.value)) }
    try replace(rows(\.meterChanges), by: Array(bars.dropFirst()), \.bar) { row, value in
      (row.bar, row.timeSignature) = value
    }
    let keys = layout.steps(
      from: keySignatures.sorted { $0.position < $1.position }.map {
        Step(position: $0.position, value: $0.key, row: $0.id.rawValue)
      })
    try replace(keySignatures, by: keys.map { ($0.row, $0) }, \.position.ticks) { row, step in
      (row.position, row.key) = (step.position, step.value)
    }
    findLastingKey(among: keys)
  }

  /// - Parameter keys: of the new timeline, in order of position.
  private mutating func findLastingKey(among keys: [Step<Key>]) {
    guard let firstBefore = rows(\.keySignatures).map(\.position).min(), let firstKey = keys.first,
      let stretch = layout.stretches.first(where: { stretch in
        stretch.content != .empty && stretch.old < firstBefore && firstKey.position < stretch.new
      }), let key = keys.last(where: { $0.position < stretch.new })
    else { return }
    lastingKey = LastingKey(key: key.value, position: stretch.new)
  }

  private var meterSteps: [Step<TimeSignature>] {
    let ids = Dictionary(rows(\.meterChanges).map { ($0.bar, $0.id.rawValue) }) { first, _ in first }
    return before.meters.map { meter in
      Step(
        position: meter.position, value: meter.timeSignature,
        row: meter.position > .zero ? ids[before.barBeatTick(at: meter.position).bar] : nil)
    }
  }

  private func map(_ tempos: [Step<TempoPoint>], _ meters: [Step<TimeSignature>]) throws -> TempoMap {
    do throws(TempoMapError) {
      return try TempoMap(tempos: tempos.map(\.value), meters: meters.map { MeterPoint(at: $0.position, $0.value) })
    } catch {
      switch error {
      case .meterInsideBar(let meter, let barLine):
        throw TimeEditError.meterInsideBar(meter.timeSignature, barLine: barLine)
      default: throw TimeEditError.beyondTimeline
      }
    }
  }

  /// Makes the rows of an entity those that are wanted.
  /// - Parameters:
  ///   - wanted: the row that each comes from, if any, and its values.
  ///   - place: the position that only one row may have.
  private mutating func replace<E: Entity, Value>(
    _ rows: [E], by wanted: [(row: Int64?, value: Value)], _ place: (E) -> Int64, _ assign: (inout E, Value) -> Void
  ) throws {
    let old = Dictionary(rows.map { ($0.id.rawValue, $0) }) { first, _ in first }
    let kept = Set(wanted.compactMap(\.row))
    let removed = rows.filter { !kept.contains($0.id.rawValue) }
    if !removed.isEmpty { append(.remove(removed.map(\.id))) }
    var added: [E] = []
    var changed: [(old: Int64, new: Int64, row: E)] = []
    for (id, value) in wanted {
      if let before = id.flatMap({ old[$0] }) {
        var row = before
        assign(&row, value)
        if row != before { changed.append((place(before), place(row), row)) }
      } else {
        var row = E(blank: try newID())
        assign(&row, value)
        added.append(row)
      }
    }
    setInOrder(changed)
    if !added.isEmpty { append(.add(added)) }
    let sum = removed.count + changed.count + added.count
    count { $0.marks += sum }
  }
}
