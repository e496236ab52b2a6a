import DAWModel
import DAWProject
import DAWStore
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

  @Test("What is listed is told from what is not listed, too")
  func listedAmongOthers() {
    let ids = ([0x100_0005, 0x200_0005] as [Int64]).map(RegionID.init(rawValue:))
    #expect(ShortIDs([ids[0]])[ids[0]] == "000005")
    let short = ShortIDs([ids[0]], among: ids)
    #expect(short[ids[0]] == "1000005" && short[ids[1]] == ids[1].uuidString)
  }

  @Test("Fifteen digits are given where so many tell it from the others, and the whole id where more are needed")
  func longEndings() {
    let ids = ([1 << 60 | 5, 1 << 61 | 5, 1 << 59 | 5] as [Int64]).map(RegionID.init(rawValue:))
    let short = ShortIDs(ids)
    #expect(ids.map { short[$0] } == [ids[0].uuidString, ids[1].uuidString, "800000000000005"])
    #expect(ShortIDs()[ids[2]] == ids[2].uuidString)
  }

  @Test("Digits lead to the ids that end in them, in either case and with hyphens; none lead to none")
  func matching() {
    let ids = ([0x1abc_def1, 0x2abc_def1] as [Int64]).map(RegionID.init(rawValue:))
    for digits in ["abcdef1", "ABCDEF1", "abc-def1"] { #expect(ShortIDs.matching(ids, digits) == ids, "\(digits)") }
    for id in ids { #expect(ShortIDs.matching(ids, id.uuidString) == [id]) }
    #expect(ShortIDs.matching(ids, "1abcdef1") == [ids[0]])
    for digits in ["", "-", "abcdef2", "abcdef"] { #expect(ShortIDs.matching(ids, digits).isEmpty, "\(digits)") }
  }

  @Test("A project gives its tracks the same ones")
  func tracks() throws {
    let song = try RecordedProject()
    let ids = try song.session.read { try $0.tracks().map(\.id) }
    let short = ShortIDs(ids)
    #expect(ids.count == 2)
    for id in ids { #expect(try song.session.read { try $0.shortID(of: id) } == short[id]) }
  }
}
