import DAWTime

/// One track's regions in order of start, and a binary tree of their ends: where a search finds those that sound.
/// Nothing changes it, so that the audio thread and the butler read the same one.
struct RegionTree {
  /// Place of the first region in `PlanMemory.startOrder`.
  var first: Int
  var count: Int
  /// Its tree in `PlanMemory.ends`: where node 0 would be, and the number of its leaves.
  var firstEnd: Int
  var leafCount: Int
}

extension PlanMemory {
  /// A region's start, by its place in order of start.
  @_noLocks func start(_ place: Int, of tree: RegionTree) -> TimelineFrame {
    regions[startOrder[tree.first + place]].start
  }

  /// How many regions start before a frame.
  @_noLocks func startCount(before frame: TimelineFrame, of tree: RegionTree) -> Int {
    var (low, high) = (0, tree.count)
    while low < high {
      let middle = (low + high) / 2
      if start(middle, of: tree) < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first region from a place in order of start on that ends after a frame; `count` or more if there is none.
  @_noLocks func nextEnding(after frame: TimelineFrame, from place: Int, of tree: RegionTree) -> Int {
    let ends = ends + tree.firstEnd
    guard place < tree.leafCount else { return place }
    var node = tree.leafCount + place
    while ends[node] <= frame {
      // To the next subtree on the right: up while this is a right child.
      while node & 1 == 1 { node >>= 1 }
      if node == 0 { return tree.leafCount }
      node += 1
    }
    while node < tree.leafCount { node = ends[2 * node] > frame ? 2 * node : 2 * node + 1 }
    return node - tree.leafCount
  }

  /// Any thread: calls `body` with the index of each region that overlaps `span`. Its time grows with their number, and
  /// for each track with the logarithm of the number of its regions.
  func forEachRegion(overlapping span: Range<TimelineFrame>, _ body: (Int) -> Void) {
    for tree in UnsafeBufferPointer(start: trees, count: treeCount) {
      let end = startCount(before: span.upperBound, of: tree)
      var place = nextEnding(after: span.lowerBound, from: 0, of: tree)
      while place < end {
        body(startOrder[tree.first + place])
        place = nextEnding(after: span.lowerBound, from: place + 1, of: tree)
      }
    }
  }
}
