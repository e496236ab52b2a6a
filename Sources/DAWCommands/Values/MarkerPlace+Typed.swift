import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

/// `@verse`, `@chorus+2b`, `@end-1.0.0`: a marker's position, or one at a distance from it.
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
      return try moved(place, by: distance, isBack: text[sign] == "-", in: timeline)
    }
    let name = text.split(separator: /[+-]/).first.map(String.init) ?? text
    throw try timeline.notFound(name)
  }

  private func moved(
    _ place: TimelinePosition, by distance: TypedDistance, isBack: Bool, in timeline: Timeline
  ) throws -> TimelinePosition {
    let map = timeline.tempoMap
    let moved: TimelinePosition
    if distance.isMusical {
      let ticks = map.ticks(at: place)
      moved = .musical(
        isBack
          ? ticks - (try distance.ticksBack(in: timeline, from: ticks))
          : ticks + (try distance.ticks(in: timeline, from: ticks)))
    } else {
      let flicks = map.flicks(at: place)
      let length = try distance.flicks(in: timeline, from: flicks)
      moved = .absolute(isBack ? flicks - length : flicks + length)
    }
    let isOnTimeline =
      switch moved {
      case .musical(let ticks): (.zero ... .timelineEnd).contains(ticks)
      case .absolute(let flicks): (.zero ... .timelineEnd).contains(flicks)
      }
    guard isOnTimeline else {
      throw Failure(.invalid, code: "invalidTime", "'@\(text)' is not on the timeline. Nothing was changed.")
    }
    return moved
  }
}
