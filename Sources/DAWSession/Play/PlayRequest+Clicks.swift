import DAWEngine
import DAWTime

extension PlayRequest {
  var hasClickPort: Bool { clicks || countInBars > 0 }

  /// More than an hour at any usual tempo.
  private static let mostClicks = 1 << 16

  /// What the metronome plays: every beat, the first of a bar accented.
  /// - Parameters:
  ///   - end: timeline frame; ten minutes behind it there are clicks as well.
  ///   - countIn: timeline frames that have clicks in any case, before 0 too; `nil` where nothing is counted in.
  func clicks(in time: PlayedTime, until end: Int64, countIn: Range<Int64>?) -> [Click] {
    let first = min(countIn?.lowerBound ?? 0, clicks ? 0 : .max)
    let last = clicks ? end + 600 * Int64(time.rate.hertz) : (countIn?.upperBound ?? 0) - 1
    guard hasClickPort, first <= last else { return [] }
    var made: [Click] = []
    var tick = TickPosition(ticks: min(0, time.ticks(at: first).ticks))
    if let bar = try? time.map.ticks(at: BarBeatTick(bar: time.map.barBeatTick(at: tick).bar)) { tick = bar }
    while made.count < Self.mostClicks {
      let frame = time.frame(at: tick)
      guard frame <= last else { break }
      if frame >= first, clicks && frame >= 0 || countIn?.contains(frame) == true {
        made.append(Click(frame: frame, isAccent: time.map.barBeatTick(at: tick).beat == 1))
      }
      tick = tick + time.map.timeSignature(at: tick).beat
    }
    return made
  }

  /// What is counted in before a place: so many of the bars that it lies in; before 0 too.
  func countIn(to frame: Int64, in time: PlayedTime) -> Range<Int64>? {
    guard countInBars > 0 else { return nil }
    let end = time.ticks(at: frame)
    let length = time.map.timeSignature(at: end).bar.ticks * Int64(countInBars)
    return min(frame, time.frame(at: TickPosition(ticks: end.ticks - length)))..<frame
  }
}
