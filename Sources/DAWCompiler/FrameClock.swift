import DAWTime

/// Where ticks and flicks lie in frames, at one rate and by one tempo map.
struct FrameClock: Hashable, Sendable {
  let map: TempoMap
  let sampleRate: SampleRate
  private let flicksPerFrame: Int64

  /// `nil` at a rate where a frame is no whole number of flicks.
  init?(_ map: TempoMap, _ sampleRate: SampleRate) {
    guard let flicksPerFrame = sampleRate.flicksPerFrame else { return nil }
    self.map = map
    self.sampleRate = sampleRate
    self.flicksPerFrame = flicksPerFrame
  }

  /// The nearest frame, ties to even.
  func frame(at position: FlickPosition) -> Int64 {
    let (quotient, remainder) = position.flicks.quotientAndRemainder(dividingBy: flicksPerFrame)
    let floor = remainder < 0 ? quotient - 1 : quotient
    let rest = remainder < 0 ? remainder + flicksPerFrame : remainder
    if 2 * rest == flicksPerFrame { return floor + (floor & 1) }
    return 2 * rest > flicksPerFrame ? floor + 1 : floor
  }

  func frame(at position: TickPosition) -> Int64 { frame(at: map.flicks(at: position)) }
}
