import DAWTime

extension TimeEdit {
  typealias Stretch = TimelineLayout.Stretch

  // MARK: Positions

  /// A stretch's beginning and end in the old timeline, in ticks or flicks; without an end `.max`.
  func bounds(of stretch: Stretch, in timeBase: TimeBase) -> Range<Int64> {
    switch timeBase {
    case .musical: stretch.old.ticks..<(stretch.oldEnd?.ticks ?? .max)
    case .absolute:
      before.flicks(at: stretch.old).flicks..<(stretch.oldEnd.map { before.flicks(at: $0).flicks } ?? .max)
    }
  }

  /// Where a position of a stretch, or its end, lies in the new timeline. Seconds keep their distance from the
  /// stretch's beginning, and so their place in the music, since the tempo comes along; where only some tracks are
  /// edited it does not, and they keep their tick.
  func moved(_ position: TimelinePosition, with stretch: Stretch) -> TimelinePosition {
    switch position {
    case .musical(let ticks): return .musical(stretch.new + (ticks - stretch.old))
    case .absolute(let flicks):
      let start = before.flicks(at: stretch.old)
      guard tracks != nil, flicks != start else { return .absolute(after.flicks(at: stretch.new) + (flicks - start)) }
      let tick = before.ticks(at: flicks)
      return .absolute(after.flicks(at: stretch.new + (tick - stretch.old)) + (flicks - before.flicks(at: tick)))
    }
  }

  private var kept: [Stretch] { layout.stretches.filter { $0.content == .kept } }

  /// The kept stretch that holds a position, or the next one behind it, and whether the position was in it.
  private func stretch(at position: TimelinePosition) -> (stretch: Stretch, isInside: Bool)? {
    let number = position.number
    return kept.first { number < bounds(of: $0, in: position.timeBase).upperBound }
      .map { ($0, number >= bounds(of: $0, in: position.timeBase).lowerBound) }
  }

  private func beginning(of stretch: Stretch, in timeBase: TimeBase) -> TimelinePosition {
    TimelinePosition(bounds(of: stretch, in: timeBase).lowerBound, in: timeBase)
  }

  // MARK: Markers and comments

  /// A marker goes with its place; one in deleted time is removed. A range is lengthened by what is put into it, and
  /// shortened by what is deleted from it.
  mutating func layOutMarkers() throws {
    let markers = rows(\.markers)
    var changed: [Marker] = []
    var removed: [MarkerID] = []
    for marker in markers {
      guard let new = map(marker) else {
        removed.append(marker.id)
        continue
      }
      if new != marker { changed.append(new) }
    }
    var added: [Marker] = []
    for stretch in layout.stretches where stretch.content == .copied {
      for marker in markers {
        let bounds = bounds(of: stretch, in: marker.start.timeBase)
        guard bounds.contains(marker.start.number) else { continue }
        var copy = marker
        copy.id = try newID()
        copy.start = moved(marker.start, with: stretch)
        let end = TimelinePosition(min(marker.end.number, bounds.upperBound), in: marker.start.timeBase)
        setEnd(of: &copy, to: moved(end, with: stretch))
        added.append(copy)
      }
    }
    if !removed.isEmpty { append(.remove(removed)) }
    if !changed.isEmpty { append(.set(changed)) }
    if !added.isEmpty { append(.add(added)) }
    let sum = removed.count + changed.count + added.count
    count { $0.marks += sum }
  }

  private func map(_ marker: Marker) -> Marker? {
    let timeBase = marker.start.timeBase
    guard let (first, isInside) = stretch(at: marker.start) else { return nil }
    let start = isInside ? marker.start : beginning(of: first, in: timeBase)
    guard isInside || marker.length != nil && marker.end.number > start.number else { return nil }
    var new = marker
    new.start = moved(start, with: first)
    // The end belongs to what is before it.
    let end = marker.end.number
    if let last = kept.last(where: { bounds(of: $0, in: timeBase).lowerBound < end }) {
      let old = TimelinePosition(min(end, bounds(of: last, in: timeBase).upperBound), in: timeBase)
      setEnd(of: &new, to: moved(old, with: last))
    }
    return new
  }

  private func setEnd(of marker: inout Marker, to end: TimelinePosition) {
    guard marker.length != nil else { return }
    marker.length = TimelineDistance(max(1, end.number - marker.start.number), in: marker.start.timeBase)
  }

  /// A comment goes with its place, and stays where time was deleted from under it.
  mutating func layOutComments() {
    var changed: [Comment] = []
    for comment in rows(\.comments) {
      guard let position = comment.position, let (stretch, isInside) = stretch(at: position) else { continue }
      if let tracks {
        let owner = comment.track ?? comment.region.flatMap { source.project.regions[$0]?.track }
        guard let owner, tracks.contains(owner) else { continue }
      }
      // It is removed with its region.
      if let region = comment.region, removedRegions.contains(region) { continue }
      var new = comment
      new.position = moved(isInside ? position : beginning(of: stretch, in: position.timeBase), with: stretch)
      if new != comment { changed.append(new) }
    }
    if !changed.isEmpty { append(.set(changed)) }
    let sum = changed.count
    count { $0.marks += sum }
  }
}
