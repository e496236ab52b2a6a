import DAWTime

/// Finds the regions of a plan that sound in a span of time: an interval tree, laid out as a sorted array whose middle is
/// the root.
/// - SeeAlso: Cormen, Leiserson, Rivest, Stein, Introduction to Algorithms, "Interval trees".
struct RegionIndex: Sendable {
  /// In order of start. As 32-bit numbers, since a tree of a large plan is read from far memory.
  private let order: [Int32]
  private let frames: [Range<TimelineFrame>]
  /// For each node, the greatest end in its subtree.
  private var greatestEnd: [TimelineFrame]

  init(_ regions: [PlannedRegion]) {
    let places = regions.map(\.frames)
    var order = Array(0..<Int32(regions.count))
    order.sort { places[Int($0)].lowerBound < places[Int($1)].lowerBound }
    self.order = order
    frames = order.map { places[Int($0)] }
    greatestEnd = [TimelineFrame](repeating: .min, count: regions.count)
    _ = setGreatestEnds(0, regions.count)
  }

  private mutating func setGreatestEnds(_ low: Int, _ high: Int) -> TimelineFrame {
    guard low < high else { return .min }
    let middle = (low + high) / 2
    let below = max(setGreatestEnds(low, middle), setGreatestEnds(middle + 1, high))
    greatestEnd[middle] = max(frames[middle].upperBound, below)
    return greatestEnd[middle]
  }

  /// Calls `body` with the index of each region that overlaps `span`, in order of start. Its time grows with their number
  /// and the logarithm of the number of all regions.
  func forEach(overlapping span: Range<TimelineFrame>, _ body: (Int) -> Void) {
    visit(0, order.count, span, body)
  }

  private func visit(_ low: Int, _ high: Int, _ span: Range<TimelineFrame>, _ body: (Int) -> Void) {
    guard low < high else { return }
    let middle = (low + high) / 2
    guard greatestEnd[middle] > span.lowerBound else { return }
    visit(low, middle, span, body)
    guard frames[middle].lowerBound < span.upperBound else { return }
    if frames[middle].overlaps(span) { body(Int(order[middle])) }
    visit(middle + 1, high, span, body)
  }
}
