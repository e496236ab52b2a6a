import DAWModel
import Testing

@Suite("Changes of rows")
struct ChangeTests {
  private let marker = Marker(
    id: MarkerID(rawValue: 1), name: Name(literal: "Verse"), start: .musical(.zero), color: .blue)

  @Test("What is not assigned stays as it is")
  func nothing() {
    var change = Change<Marker>()
    change.set(\.kind, to: nil)
    change.set(\.color, to: Color?.none)
    change.set(\.color, to: Color??.none)
    #expect(change.isEmpty)
    #expect(change.applied(to: marker) == marker)
  }

  @Test("Each assignment is made, the last of several, and can be asked for")
  func assignments() {
    var change = Change<Marker>()
    change.set(\.kind, to: .marker)
    change.set(\.name, to: Name(literal: "Chorus"))
    change.set(\.kind, to: .cue)
    let changed = change.applied(to: marker)
    #expect(!change.isEmpty)
    #expect((changed.kind, changed.name.text) == (.cue, "Chorus"))
    #expect((changed.start, changed.color) == (marker.start, marker.color))
    #expect(change[\.kind] == .cue)
    #expect(change[\.start] == nil)
  }

  @Test("A value that may be missing is assigned, or removed")
  func optionals() {
    var change = Change<Marker>()
    let red = Color(unchecked: "red")
    let given: Color? = red
    change.set(\.color, to: given)
    #expect(change.applied(to: marker).color == red)
    change.set(\.color, to: Color??.some(nil))
    #expect(change.applied(to: marker).color == nil)
  }
}
