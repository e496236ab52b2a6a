import DAWModel
import DAWTestSupport
import Testing

@Suite("Connections between tracks")
struct RoutingTests {
  private func id(_ number: Int64) -> TrackID { TrackID(rawValue: number) }

  private func cycle(_ connections: [(Int64, Int64)], from starts: [Int64]) -> [Int64]? {
    let targets = Dictionary(grouping: connections, by: \.0)
    return routingCycle(from: starts.map(id)) { (targets[$0.rawValue] ?? []).map { id($0.1) } }?.map(\.rawValue)
  }

  @Test("A cycle is told in the order of its connections, the first track again at the end")
  func path() {
    #expect(cycle([(1, 2), (2, 3), (3, 4), (4, 2)], from: [1]) == [2, 3, 4, 2])
    #expect(cycle([(1, 2), (1, 3), (2, 4), (3, 4)], from: [1]) == nil)
    #expect(cycle([(1, 1)], from: [1]) == [1, 1])
    #expect(cycle([(2, 3), (3, 2)], from: [1]) == nil)
  }

  @Test("A hundred thousand tracks in a row, each fed twice, are looked at once each")
  func long() {
    let count: Int64 = 100_000
    var asked = 0
    let found = routingCycle(from: [id(0)]) { track in
      asked += 1
      return track.rawValue < count ? [id(track.rawValue + 1), id(min(count, track.rawValue + 2))] : []
    }
    #expect(found == nil && asked == Int(count) + 1)
  }

  @Test("Random connections have a cycle if and only if they have no order")
  func random() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int64.random(in: 2...8, using: &generator)
      let connections = (0..<Int.random(in: 1...10, using: &generator)).map { _ in
        (Int64.random(in: 0..<count, using: &generator), Int64.random(in: 0..<count, using: &generator))
      }
      let found = cycle(connections, from: Array(0..<count))
      #expect((found == nil) == hasOrder(connections, count), "seed \(seed): \(connections)")
      if let found {
        #expect(found.first == found.last && found.count > 1)
        for pair in zip(found, found.dropFirst()) { #expect(connections.contains { $0 == pair }, "seed \(seed)") }
      }
    }
  }

  /// Takes away what nothing feeds until nothing is left.
  private func hasOrder(_ connections: [(Int64, Int64)], _ count: Int64) -> Bool {
    var left = Set(0..<count)
    while let free = left.first(where: { track in
      !connections.contains { $0.1 == track && left.contains($0.0) }
    }) {
      left.remove(free)
    }
    return left.isEmpty
  }
}
