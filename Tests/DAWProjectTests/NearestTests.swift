import DAWProject
import Testing

@Suite("Similar names")
struct NearestTests {
  @Test("The nearest come first, within a third of the length")
  func order() {
    #expect(nearest(to: "Bas", among: ["Brass", "Bass", "Keys", "BASE"]) == ["BASE", "Bass"])
    #expect(nearest(to: "Drmus", among: ["Drums"]) == ["Drums"])
    #expect(nearest(to: "B", among: ["BA", "Bass", ""]) == ["", "BA"])
    #expect(nearest(to: "Verse", among: ["Verse one, with the long ending"]).isEmpty)
  }

  @Test("What is longer than any name is compared with none, since that takes as long as the squares of lengths")
  func length() {
    let longest = String(repeating: "t", count: 255) + "/" + String(repeating: "n", count: 254)
    #expect(nearest(to: longest + "m", among: [longest + "n"]) == [longest + "n"])
    #expect(nearest(to: longest + "nn", among: [longest + "n"]).isEmpty)
    let huge = String(repeating: "é", count: 100_000)
    #expect(nearest(to: huge, among: Array(repeating: huge + "!", count: 3) + ["Bass"]).isEmpty)
    #expect(nearest(to: "Bas", among: [huge, "Bass"]) == ["Bass"])
  }
}
