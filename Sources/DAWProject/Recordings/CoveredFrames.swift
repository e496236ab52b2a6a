/// Frames of the timeline on which something lies.
struct CoveredFrames {
  /// In order, with frames between them.
  private var spans: [Range<Int64>] = []

  /// Whether any frame of a range is covered.
  func overlaps(_ range: Range<Int64>) -> Bool {
    let index = firstSpan(endingAt: range.lowerBound + 1)
    return !range.isEmpty && index < spans.count && spans[index].lowerBound < range.upperBound
  }

  /// What of a range is not covered, in order.
  func uncovered(of range: Range<Int64>) -> [Range<Int64>] {
    var parts: [Range<Int64>] = []
    var place = range.lowerBound
    for span in spans[firstSpan(endingAt: place + 1)...] {
      guard span.lowerBound < range.upperBound else { break }
      if place < span.lowerBound { parts.append(place..<span.lowerBound) }
      place = span.upperBound
    }
    if place < range.upperBound { parts.append(place..<range.upperBound) }
    return parts
  }

  mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    // Those that it touches become one with it.
    let first = firstSpan(endingAt: range.lowerBound)
    var (last, joined) = (first, range)
    while last < spans.count, spans[last].lowerBound <= range.upperBound {
      joined = min(joined.lowerBound, spans[last].lowerBound)..<max(joined.upperBound, spans[last].upperBound)
      last += 1
    }
    spans.replaceSubrange(first..<last, with: CollectionOfOne(joined))
  }

  /// The first span that ends at a frame or later, by binary search.
  private func firstSpan(endingAt frame: Int64) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
