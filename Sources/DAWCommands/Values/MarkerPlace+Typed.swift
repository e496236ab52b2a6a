import DAWProject
import DAWTime

/// `@verse`, `@chorus+2b`, `@Drums/Loop.end-1.0.0`, `@playhead`: the position of a name, or one at a distance from it.
struct TypedMarkerPlace {
  /// Everything behind the `@`.
  private let text: String

  /// - Throws: `Unreadable` for an `@` alone.
  init(typed text: String) throws {
    self.text = String(text.dropFirst())
    if self.text.isEmpty { throw Unreadable(text, "a place by a marker is its name after an @: @verse, @chorus+2b.") }
  }

  /// A marker of the whole name wins over one with a distance behind it.
  /// - Throws: `Failure` where there is no such marker, or more than one, or the position is not on the timeline.
  func position(in timeline: Timeline) throws -> TimelinePosition {
    if let place = try timeline.place(named: text) { return place }
    for sign in text.indices.reversed() where text[sign] == "+" || text[sign] == "-" {
      guard let distance = try? TypedDistance(typed: String(text[text.index(after: sign)...])),
        let place = try timeline.place(named: String(text[..<sign]))
      else { continue }
      let shift = TypedShift(distance, isBack: text[sign] == "-")
      return try shift.position(from: place, in: timeline, typed: "@\(text)")
    }
    throw try timeline.notFound(withoutDistance)
  }

  /// The name alone, for messages.
  private var withoutDistance: String {
    let signs = text.indices.reversed().filter { text[$0] == "+" || text[$0] == "-" }
    let sign = signs.first { (try? TypedDistance(typed: String(text[text.index(after: $0)...]))) != nil }
    return sign.map { String(text[..<$0]) } ?? text
  }
}
