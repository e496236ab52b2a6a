import DAWMedia
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
    // Of three tracks, the second of which has none.
    let share = Int.random(in: 0...count, using: &random)
    let linked = LinkedPlan(
      RenderPlan(
        sampleRate: SampleRate(hertz: 48_000),
        sources: [
          AudioSource(
            path: "", sha256: "", frameCount: 4_000, channelCount: 1,
            content: .plain(PCMLayout(dataOffset: 0, encoding: .int16, channelCount: 1)))
        ],
        instruments: [], regions: regions,
        steps: [0..<share, share..<share, share..<count].map { .sumRegions(StripID(1), $0, into: 0, width: .mono) },
        bufferCount: 1, endFrame: 4_000))
    for _ in 0..<20 {
      let first = TimelineFrame.random(in: -200...2_100, using: &random)
      let span = first..<(first + Int.random(in: 1...300, using: &random))
      var found: [Int] = []
      linked.memory.forEachRegion(overlapping: span) { found.append($0) }
      #expect(found.sorted() == regions.indices.filter { regions[$0].frames.overlaps(span) }, "seed \(seed)")
      for track in [found.filter { $0 < share }, found.filter { $0 >= share }] {
        let starts = track.map { regions[$0].frames.lowerBound }
        #expect(starts == starts.sorted())
      }
    }
  }
}
