import DAWTime

/// Where ticks and flicks lie in frames, at one rate and by one tempo map.
struct FrameClock: Hashable, Sendable {
  let map: TempoMap
  let sampleRate: SampleRate
  /// `nil` at a rate where a frame is no whole number of flicks.
  init?(_ map: TempoMap, _ sampleRate: SampleRate) {
    guard sampleRate.flicksPerFrame != nil else { return nil }
    self.map = map
    self.sampleRate = sampleRate
  }

  /// The nearest frame, ties to even.
  func frame(at position: FlickPosition) -> Int64 { position.frames(at: sampleRate).frames }

  func frame(at position: TickPosition) -> Int64 { frame(at: map.flicks(at: position)) }
}
