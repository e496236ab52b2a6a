import DAWModel
import DAWTime

/// A region's fade as JSON.
public struct FadeDocument {
  public var length = WrittenTime(seconds: 0)
  public var cutFlicks = FlickCount.zero
  public var shape = Fade.Shape.linear
}

extension FadeDocument: JSONRecord {
  package static var blank: FadeDocument { FadeDocument() }

  package static let members = JSONMembers<FadeDocument>(
    JSONMember.length(\.length) + [
      JSONMember("cutFlicks", \.cutFlicks),
      JSONMember("shape", \.shape),
    ])
}

extension FadeDocument {
  /// - Parameter fade: left out if it is `.none`.
  init?(_ fade: Fade) {
    guard fade != .none else { return nil }
    length = WrittenTime(.absolute(fade.length), seconds: fade.length)
    cutFlicks = fade.cut
    shape = fade.shape
  }

  /// The fade that was read.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  func fade(in map: TempoMap) throws -> Fade {
    guard case .absolute(let length)? = try length.length(from: .absolute(.zero), in: map) else { return .none }
    return Fade(length: length, cut: cutFlicks, shape: shape)
  }
}
