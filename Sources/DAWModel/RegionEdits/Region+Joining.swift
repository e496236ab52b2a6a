import DAWTime

extension Region {
  /// Why one audio region does not go on seamlessly where this one ends, as a split leaves them; `nil` if it does.
  func obstacle(toJoining next: Region, in map: TempoMap) -> String? {
    guard let span = audio, let nextSpan = next.audio else { return nil }
    if span.file != nextSpan.file { return "they play different files" }
    if span.isReversed != nextSpan.isReversed { return "one of them is reversed" }
    if span.channels != nextSpan.channels { return "they play different channels of the file" }
    if next.startFlicks(in: map) != endFlicks(in: map) { return "the second does not begin where the first ends" }
    if nextSpan.offset != span.offset + span.duration {
      return "the second does not go on in the file where the first ends"
    }
    if gain != next.gain { return "their gains differ" }
    if isMuted != next.isMuted { return "one of them is muted" }
    if isInUse != next.isInUse { return "one of them is not in use" }
    if take != next.take { return "they are parts of different takes" }
    // A fade that is longer than the first goes on in the second, and the other way round.
    guard next.fadeIn.isSame(as: fadeIn.beyond(span.duration)),
      fadeOut.isSame(as: next.fadeOut.beyond(nextSpan.duration))
    else { return "there is a fade between them" }
    return nil
  }

  /// This region and those that go on where it ends, as one.
  /// - Parameter others: audio regions in order of start.
  /// - Throws: `JoinError`.
  public func joined(with others: [Region], in map: TempoMap) throws(JoinError) -> Region {
    var joined = self
    var last = self
    for next in others {
      if let reason = last.obstacle(toJoining: next, in: map) {
        throw JoinError(first: last.name, second: next.name, reason: reason)
      }
      if var span = joined.audio, let more = next.audio {
        span.duration = span.duration + more.duration
        joined.content = .audio(span)
      }
      joined.fadeOut = next.fadeOut
      last = next
    }
    return joined
  }
}

/// Two regions that cannot become one.
public struct JoinError: Error, Equatable, Sendable {
  public var first: Name
  public var second: Name
  /// A clause: "their gains differ".
  public var reason: String
}

extension Fade {
  /// Without a length its shape means nothing.
  func isSame(as other: Fade) -> Bool { self == other || length == .zero && other.length == .zero }
}
