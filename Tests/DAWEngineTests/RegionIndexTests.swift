import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Test(arguments: [0, 1, 2, 7, 300])
func regionsThatOverlapASpanAreFound(count: Int) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<50 {
    let regions = (0..<count).map { index in
      let start = TimelineFrame.random(in: -100...2_000, using: &random)
      let length = Int.random(in: 1...(index.isMultiple(of: 17) ? 2_000 : 40), using: &random)
      return PlannedRegion(
        regionID: Int64(index), source: 0, frames: start..<(start + length), anchor: start, channels: .one(0))
    }
    let index = RegionIndex(regions)
    for _ in 0..<20 {
      let first = TimelineFrame.random(in: -200...2_100, using: &random)
      let span = first..<(first + Int.random(in: 1...300, using: &random))
      var found: [Int] = []
      index.forEach(overlapping: span) { found.append($0) }
      #expect(found.sorted() == regions.indices.filter { regions[$0].frames.overlaps(span) }, "seed \(seed)")
      #expect(found.map { regions[$0].frames.lowerBound } == found.map { regions[$0].frames.lowerBound }.sorted())
    }
  }
}
