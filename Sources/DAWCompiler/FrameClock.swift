import DAWEngine
import DAWTime

/// Converts ticks and flicks to frames, for a sample rate and a tempo map.
struct FrameClock: Hashable, Sendable {
  let map: TempoMap
  let sampleRate: SampleRate
  /// `nil` if a frame is not a whole number of flicks at this rate.
  init?(_ map: TempoMap, _ sampleRate: SampleRate) {
    guard sampleRate.flicksPerFrame != nil else { return nil }
    self.map = map
    self.sampleRate = sampleRate
  }

  /// The nearest frame, ties to even.
  func frame(at position: FlickPosition) -> TimelineFrame { TimelineFrame(position.frames(at: sampleRate)) }

  func frame(at position: TickPosition) -> TimelineFrame { frame(at: map.flicks(at: position)) }
}
