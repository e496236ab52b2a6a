import CJack
import DAWEngine
import DAWTime

/// A song's beats in frames, for look-up on the audio thread; for JACK's timebase. Made on a control thread; immutable.
public final class BeatTable: @unchecked Sendable {
  /// A beat of the meter.
  struct Beat: BitwiseCopyable {
    var frame: TimelineFrame
    /// Both from 1.
    var bar: Int32
    var beat: Int32
    /// The bar's start, in ticks from the song's start.
    var barStartTick: Double
    /// The meter.
    var numerator: Float
    var denominator: Float
    var ticksPerBeat: Double
    /// Frames to the next beat.
    var length: Double
  }

  private let beats: UnsafeMutablePointer<Beat>
  private let count: Int
  private let framesPerMinute: Double

  /// More than an hour at any usual tempo; later beats have a constant tempo.
  private static let maximumBeats = 1 << 17

  /// - Parameter end: later beats continue at the last one's tempo and meter.
  public init(map: TempoMap, rate: SampleRate, end: TimelineFrame) {
    var made: [Beat] = []
    var tick = TickPosition.zero
    var barStart = TickPosition.zero
    repeat {
      let place = map.barBeatTick(at: tick)
      let meter = map.timeSignature(at: tick)
      if place.beat == 1 { barStart = tick }
      let next = tick + meter.beat
      let frame = TimelineFrame(map.flicks(at: tick).frames(at: rate))
      made.append(
        Beat(
          frame: frame, bar: Int32(clamping: place.bar), beat: Int32(clamping: place.beat),
          barStartTick: Double(barStart.ticks), numerator: Float(meter.numerator),
          denominator: Float(meter.denominator), ticksPerBeat: Double(meter.beat.ticks),
          length: (map.flicks(at: next) - map.flicks(at: tick)).seconds * Double(rate.hertz)))
      tick = next
    } while made.count < Self.maximumBeats && (made.last?.frame ?? 0) <= end
    beats = .allocate(capacity: made.count)
    for (index, beat) in made.enumerated() { (beats + index).initialize(to: beat) }
    count = made.count
    framesPerMinute = 60 * Double(rate.hertz)
  }

  deinit { beats.deallocate() }

  /// Any thread, also the audio thread: bar, beat, tick, meter and tempo at a frame.
  @_noLocks public func position(at frame: TimelineFrame) -> cjack_musical_position {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if beats[middle].frame <= frame { low = middle } else { high = middle }
    }
    let known = beats[low]
    // After the table's end: whole beats of the last one's length.
    let elapsed = Double(max(0, frame - known.frame)) / known.length
    let behind = low == count - 1 ? Double(Int64(elapsed)) : 0
    let beatsFromBar = Double(known.beat - 1) + behind
    let numerator = Double(known.numerator)
    let bars = Double(Int64(beatsFromBar / numerator))
    let tick = min((elapsed - behind) * known.ticksPerBeat, known.ticksPerBeat - 1)
    return cjack_musical_position(
      bar: known.bar + Int32(bars), beat: Int32(beatsFromBar - bars * numerator) + 1, tick: Int32(tick),
      bar_start_tick: known.barStartTick + bars * numerator * known.ticksPerBeat, beats_per_bar: known.numerator,
      beat_type: known.denominator, ticks_per_beat: known.ticksPerBeat,
      beats_per_minute: framesPerMinute / known.length)
  }
}
