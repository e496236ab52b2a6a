import DAWEngine
import DAWTime

/// The count-in before a position.
struct CountIn {
  /// Up to the place; they may lie before 0.
  var frames: Range<TimelineFrame>
  /// In order.
  var clicks: [Click]
}

extension PlayRequest {
  var hasClickPort: Bool { clicks || countInBars > 0 }

  /// More than an hour at any usual tempo.
  private static let mostClicks = 1 << 16

  /// What the metronome plays: every beat, the first of a bar accented; and what is counted in, which stands in place
  /// of the beats that lie there.
  /// - Parameter end: ten minutes behind it there are clicks as well.
  func clicks(in time: PlayedTime, until end: TimelineFrame, countIn: CountIn?) -> [Click] {
    var made = countIn?.clicks ?? []
    guard clicks else { return made }
    let last = end + 600 * time.rate.hertz
    var tick = TickPosition.zero
    while made.count < Self.mostClicks {
      let frame = time.frame(at: tick)
      guard frame <= last else { break }
      if countIn?.frames.contains(frame) != true {
        made.append(Click(frame: frame, isAccent: time.map.barBeatTick(at: tick).beat == 1))
      }
      tick = tick + time.map.timeSignature(at: tick).beat
    }
    return made.sorted { $0.frame < $1.frame }
  }

  /// What is counted in before a place: so many bars of the meter, and at the tempo, that hold there; it leads into
  /// that tempo, whatever the song has before.
  /// - Returns: `nil` where nothing is to be counted in.
  func countIn(to place: FlickPosition, in time: PlayedTime) -> CountIn? {
    guard countInBars > 0 else { return nil }
    let end = time.map.ticks(at: place)
    let meter = time.map.timeSignature(at: end)
    let steady = PlayedTime(
      map: TempoMap(tempo: time.map.tempo(at: end), timeSignature: meter), rate: time.rate)
    let endFrame = time.frame(at: place)
    /// - Parameter ticks: before the place.
    func frame(_ ticks: Int64) -> TimelineFrame { endFrame - steady.frame(at: TickPosition(ticks: ticks)).number }
    let length = meter.bar.ticks * Int64(countInBars)
    let here = time.map.barBeatTick(at: end)
    // Beats back to the bar's first one, and ticks to the place's own.
    var beat = here.beat - 1
    var distance = here.tick
    var made: [Click] = []
    while distance <= length {
      if distance > 0 { made.append(Click(frame: frame(distance), isAccent: beat == 0)) }
      beat = beat == 0 ? Int64(meter.numerator) - 1 : beat - 1
      distance += meter.beat.ticks
    }
    return CountIn(frames: frame(length)..<endFrame, clicks: made.reversed())
  }
}
