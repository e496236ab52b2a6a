import DAWModel
import DAWProject
import DAWTestSupport
import Testing

@Suite("Short ids")
struct ShortIDTests {
  @Test("Each is at least six digits, ends its id, and ends no other")
  func uniqueEndings() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    // Few bits differ above the sixth digit, so that many endings of six digits are shared.
    let ids = Set(
      (0..<300).map { _ in
        Int64.random(in: 1...4, using: &generator) << 28 | Int64.random(in: 1...90, using: &generator)
      }
    )
    .map(RegionID.init(rawValue:))
    let short = ShortIDs(ids)
    for id in ids {
      let ending = short[id]
      #expect(ending.count >= 6, "seed \(seed)")
      let matching = ids.filter { $0.uuidString.filter { $0 != "-" }.hasSuffix(ending) }
      #expect(matching == [id], "seed \(seed): \(ending)")
      #expect(
        ending.count == 6
          || ids.contains { $0 != id && $0.uuidString.filter { $0 != "-" }.hasSuffix(String(ending.dropFirst())) },
        "seed \(seed): \(ending) could be shorter")
    }
  }
}
