import DAWModel
import DAWProject
import DAWTestSupport
import Testing

@Suite("Free names")
struct FreeNamesTests {
  @Test("Each is the name, or has the lowest number that is free")
  func lowestNumbers() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let names = try [Name("Piano"), Name("piano 2"), Name("PIANO"), Name(String(repeating: "x", count: 255))]
    var taken = Set((0..<5).map { _ in "piano \(Int.random(in: 2...30, using: &generator))" })
    var free = FreeNames(taken: taken)
    for turn in 0..<200 {
      let name = names[Int.random(in: 0..<names.count, using: &generator)]
      let expected = name.madeUnique(isTaken: taken.contains)
      #expect(free.free(name) == expected, "seed \(seed), turn \(turn)")
      // Not every free name is used, and names are taken by others.
      guard Bool.random(using: &generator) else { continue }
      let used =
        Bool.random(using: &generator)
        ? expected : Name(unchecked: "Piano \(Int.random(in: 2...99, using: &generator))")
      free.insert(used)
      taken.insert(used.key)
    }
  }
}
