import DAWModel
import DAWTestSupport
import Foundation
import Testing

@Suite("Identifiers")
struct IdentifierTests {
  @Test("and their UUIDs are one to one, over the whole range")
  func bijection() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let edges: [Int64] = [1, 2, 1 << 32, 1 << 61, (1 << 62) - 1, 1 << 62, .max]
    for value in edges + (0..<5000).map({ _ in Int64.random(in: 1...(.max), using: &generator) }) {
      let text = TrackID(rawValue: value).uuidString
      #expect(TrackID(uuidString: text)?.rawValue == value, "seed \(seed)")
      #expect(TrackID(uuidString: text.uppercased())?.rawValue == value, "seed \(seed)")
      #expect(RegionID(uuidString: text) == nil, "seed \(seed)")
      let bytes = try #require(UUID(uuidString: text)).uuid
      #expect(bytes.6 >> 4 == 8 && bytes.8 >> 6 == 2, "version 8, variant of RFC 9562")
      #expect(text.hasSuffix(String(String(UInt64(value) & 0xfff_ffff_ffff_ffff, radix: 16).suffix(12))))
    }
  }

  @Test(
    "Other UUIDs are refused",
    arguments: [
      "", "x", "64617701-0000-8000-8000-00000000000", "64617701-0000-8000-8000-000000000000",
      "64617701-0002-8000-8000-000000000001",
      "64617701-0000-8002-8000-000000000001", "64617701-0000-8000-c000-000000000001",
      "64617701-0000-8000-8000-0000000000+1",
      "6461770100008000800000000000000001", UUID().uuidString,
    ])
  func refused(text: String) { #expect(TrackID(uuidString: text) == nil) }

  @Test("A new id is greater than all others, whatever the clock says")
  func increasing() {
    for now: Int64 in [0, 1_577_836_800_000, 1_900_000_000_000, .max] {
      let source = IdentifierSource(now: { now })
      for highest: Int64 in [0, 5, 1 << 60, .max - 1] {
        #expect(source.first(above: TrackID(rawValue: highest)).rawValue > highest)
      }
      #expect(source.first(above: Int64.max) > 0)
    }
  }

  @Test("A clock behind the last year leaves room above a new id", arguments: [3_900_000_000_000, .max] as [Int64])
  func lateClock(now: Int64) {
    let id = IdentifierSource(now: { now }).first(above: Int64(0))
    #expect(id < Int64.max - 1 << 40)
    #expect(id > IdentifierSource(now: { 3_700_000_000_000 }).first(above: Int64(0)))
  }

  @Test("A project's is a random UUID in lower case")
  func projects() {
    let id = ProjectID.random()
    #expect(ProjectID(uuidString: id.uuidString.uppercased()) == id)
    #expect(UUID(uuidString: id.uuidString).map { $0.uuid.6 >> 4 } == 4)
    #expect(ProjectID(uuidString: "no") == nil)
  }
}
