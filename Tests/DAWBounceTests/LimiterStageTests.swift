import DAWBounce
import DAWMedia
import DAWTestSupport
import Testing

@Suite struct LimiterStageTests {
  /// What comes out, in pieces of a size.
  private static func limited(_ left: [Float], _ right: [Float], ceiling: Double, pieces: Int) throws -> MemorySink {
    let sink = MemorySink()
    let stage = LimiterStage(ceiling: ceiling, next: sink)
    for first in stride(from: 0, to: left.count, by: pieces) {
      let count = min(pieces, left.count - first)
      try left.withUnsafeBufferPointer { left in
        try right.withUnsafeBufferPointer { right in
          guard let left = left.baseAddress, let right = right.baseAddress else { return }
          let sides = [left + first, right + first]
          try sides.withUnsafeBufferPointer { try stage.append(planar: $0, frameCount: count) }
        }
      }
    }
    try stage.finish()
    return sink
  }

  @Test func whatIsBelowTheCeilingPassesAsItIsAndWhatIsAboveIsKeptBelow() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let noise = (0..<30_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
    let quiet = try Self.limited(noise, noise.reversed(), ceiling: -1, pieces: 1_000)
    #expect(quiet.left == noise && quiet.right == noise.reversed())
    #expect(quiet.isFinished)
    let loud = noise.map { $0 * 10 }
    let kept = try Self.limited(loud, noise, ceiling: -6, pieces: 30_000)
    #expect(kept.left.count == loud.count)
    #expect(kept.left.allSatisfy { abs($0) <= 0.50119 }, "seed \(seed)")
    #expect(kept.left.contains { abs($0) > 0.3 })
    for pieces in [1, 17, 4_096] {
      let again = try Self.limited(loud, noise, ceiling: -6, pieces: pieces)
      #expect(again.left == kept.left && again.right == kept.right, "pieces of \(pieces), seed \(seed)")
    }
  }
}
