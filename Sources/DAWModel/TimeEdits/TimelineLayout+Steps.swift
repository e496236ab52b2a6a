import DAWTime

/// A value that holds from its position until the next one: a meter, a key.
struct Step<Value: Equatable & Sendable>: Equatable, Sendable {
  var position: TickPosition
  var value: Value
  /// The row that it comes from; `nil` for a new one, and for the project's own at the start.
  var row: Int64?
}

extension TimelineLayout {
  /// The steps of the new timeline. Where a stretch begins, what holds there goes on as it did in the old one.
  /// - Parameter steps: in order of position.
  func steps<Value>(from steps: [Step<Value>]) -> [Step<Value>] {
    var result: [Step<Value>] = []
    var used: Set<Int64> = []
    for stretch in stretches {
      func append(_ step: Step<Value>, at position: TickPosition, isNeeded: Bool) {
        let row = stretch.content == .copied ? nil : step.row.flatMap { used.insert($0).inserted ? $0 : nil }
        // A step that only says what holds already is kept if it was there, and not made.
        guard isNeeded || row != nil || result.last?.value != step.value else { return }
        result.append(Step(position: position, value: step.value, row: row))
      }
      // In an empty stretch goes on what comes before; at the start of the timeline, what begins there.
      let held =
        stretch.content == .empty && stretch.old > .zero
        ? steps.last { $0.position < stretch.old } : steps.last { $0.position <= stretch.old }
      if var held {
        if held.position != stretch.old { held.row = nil }
        append(held, at: stretch.new, isNeeded: false)
      }
      guard stretch.content != .empty else { continue }
      for step in steps where step.position > stretch.old {
        if let end = stretch.oldEnd, step.position >= end { break }
        append(step, at: stretch.new + (step.position - stretch.old), isNeeded: stretch.content == .copied)
      }
    }
    return result
  }

  /// The changes of tempo of the new timeline.
  ///
  /// A ramp that is cut goes on at the tempo that it has there; in time that is put into it that tempo holds.
  /// - Throws: `TimeEditError` where a ramp would end at one tempo and the music go on at another: a change of tempo
  ///   has only one.
  func tempos(from map: TempoMap, rows: [TickPosition: Int64]) throws(TimeEditError) -> [Step<TempoPoint>] {
    let tempos = map.tempos
    /// Whether the tempo changes between a point and the next.
    func isRamp(_ index: Int) -> Bool {
      tempos[index].isRamp && index + 1 < tempos.count && tempos[index + 1].tempo != tempos[index].tempo
    }
    var result: [Step<TempoPoint>] = []
    /// The end of the stretch before in the old timeline, its tempo, and whether a ramp leads to it.
    var end: (position: TickPosition, tempo: Tempo, isRamp: Bool)?
    var used: Set<Int64> = []
    for stretch in stretches {
      let index = tempos.lastIndex { $0.position <= stretch.old } ?? 0
      let isExact = tempos[index].position == stretch.old
      var first = TempoPoint(
        at: stretch.new, isExact ? tempos[index].tempo : map.tempo(at: stretch.old), isRamp: isRamp(index))
      if stretch.content == .empty, stretch.old > .zero, let end { first.tempo = end.tempo }
      if stretch.content == .empty { first.isRamp = false }
      if let end, end.isRamp, end.tempo != first.tempo {
        throw TimeEditError.rampIsCut(at: end.position, from: end.tempo, to: first.tempo)
      }
      let isKept = stretch.content == .kept && isExact
      let row = isKept ? rows[stretch.old].flatMap { used.insert($0).inserted ? $0 : nil } : nil
      if row != nil || first.isRamp || end.map({ $0.isRamp || $0.tempo != first.tempo }) ?? true {
        result.append(Step(position: stretch.new, value: first, row: row))
      }
      guard stretch.content != .empty else {
        end = (stretch.old, first.tempo, false)
        continue
      }
      var last = index
      for next in tempos.indices.dropFirst(index + 1) {
        if let oldEnd = stretch.oldEnd, tempos[next].position >= oldEnd { break }
        let position = stretch.new + (tempos[next].position - stretch.old)
        let row = stretch.content == .kept ? rows[tempos[next].position] : nil
        if let row { used.insert(row) }
        result.append(
          Step(
            position: position, value: TempoPoint(at: position, tempos[next].tempo, isRamp: isRamp(next)), row: row))
        last = next
      }
      end = stretch.oldEnd.map { oldEnd in
        guard isRamp(last) else { return (oldEnd, tempos[last].tempo, false) }
        return (oldEnd, tempos[last + 1].position == oldEnd ? tempos[last + 1].tempo : map.tempo(at: oldEnd), true)
      }
    }
    return withoutPassedPoints(result) { row in
      // The project's own tempo, at the start, has no row.
      row.map { row in tempos.contains { $0.isRamp && rows[$0.position] == row } } ?? tempos.first?.isRamp ?? false
    }
  }

  /// Drops the points at the edges of stretches that a ramp passes through anyway, as after time that was put into it
  /// is deleted again, and gives back to the others the flag of a ramp that leads nowhere.
  private func withoutPassedPoints(
    _ points: [Step<TempoPoint>], isFlagged: (Int64?) -> Bool
  ) -> [Step<TempoPoint>] {
    let edges = Set(stretches.map(\.new))
    var result: [Step<TempoPoint>] = []
    for (index, point) in points.enumerated() {
      if edges.contains(point.position), point.value.isRamp, let before = result.last, before.value.isRamp,
        index + 1 < points.count,
        let ramp = try? TempoMap(
          tempos: [
            TempoPoint(at: .zero, before.value.tempo, isRamp: true),
            TempoPoint(at: .zero + (points[index + 1].position - before.position), points[index + 1].value.tempo),
          ], meters: [MeterPoint(at: .zero, .fourFour)]),
        ramp.tempo(at: .zero + (point.position - before.position)) == point.value.tempo
      {
        continue
      }
      result.append(point)
    }
    for index in result.indices where !result[index].value.isRamp && (index == 0 || result[index].row != nil) {
      let next = index + 1 < result.count ? result[index + 1].value.tempo : nil
      guard next == nil || next == result[index].value.tempo else { continue }
      result[index].value.isRamp = isFlagged(result[index].row)
    }
    return result
  }
}
