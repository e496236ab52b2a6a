import DAWTime

extension TimeEdit {
  /// The most notes, events, points and marks that several copies of time have together. One copy alone may have any
  /// number, since it is never more than what is there.
  static let maximumCopiedRowCount = 1_000_000

  /// Counts what copies will have before they are laid out: thousands of copies of a song are more than memory holds.
  /// - Throws: `TimeEditError.tooManyCopies`, and what the source throws.
  func requireFewCopiedRows() throws {
    let copies = layout.stretches.filter { $0.content == .copied }
    guard copies.count > 1, let stretch = copies.first else { return }
    let most = Self.maximumCopiedRowCount / copies.count
    var count = tracks == nil ? markCount(in: stretch) : 0
    for region in rows(\.regions) where tracks?.contains(region.track) ?? true {
      count += try contentCount(of: region, in: stretch)
      guard count <= most else { break }
    }
    for lane in rows(\.lanes) where count <= most && isEdited(lane) {
      let bounds = bounds(of: stretch, in: lane.timeBase)
      count += try source.lanePoints(lane.id).count { bounds.contains($0.position) }
    }
    guard count <= most else { throw TimeEditError.tooManyCopies }
  }

  /// How many notes and events a copy of a stretch has of a region.
  private func contentCount(of region: Region, in stretch: Stretch) throws -> Int {
    guard case .midi(let length) = region.content else { return 0 }
    let start = before.ticks(at: region.start).ticks
    let overlap = bounds(of: stretch, in: .musical).clamped(to: start..<start + length.ticks)
    guard !overlap.isEmpty else { return 0 }
    let range = TickCount(ticks: overlap.lowerBound - start)..<TickCount(ticks: overlap.upperBound - start)
    return try source.notes(region.id).count { $0.part(range) != nil }
      + source.events(region.id).count { $0.part(range, isLast: range.upperBound == length) != nil }
  }

  /// How many markers and changes of tempo, meter and key lie in a stretch.
  private func markCount(in stretch: Stretch) -> Int {
    let ticks = bounds(of: stretch, in: .musical)
    var count = rows(\.markers).count { bounds(of: stretch, in: $0.start.timeBase).contains($0.start.number) }
    count += before.tempos.count { ticks.contains($0.position.ticks) }
    count += before.meters.count { ticks.contains($0.position.ticks) }
    count += rows(\.keySignatures).count { ticks.contains($0.position.ticks) }
    return count
  }
}
