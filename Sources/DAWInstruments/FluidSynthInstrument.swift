import DAWEngine
import DAWRealtime
import DAWTime

/// Plays an `InstrumentPlan` with FluidSynth: stereo, from timeline frame 0.
///
/// A fresh instance for each render, used by one thread at a time; instances on different threads share nothing but the
/// SoundFont's samples. What FluidSynth is asked for follows from the plan alone, never from how frames are fetched or when:
/// it runs from one event to the next, in whole quanta of 64 frames, at most `longestRun` of them.
///
/// **Events** take effect at the first quantum that begins at or after their frame, in the plan's order.
///
/// **Rates** above 96 kHz are more than FluidSynth takes. It then runs at half the rate, its quanta are 128 frames of the
/// project's, and `RateDoubler` makes the rest.
public final class FluidSynthInstrument: EventPlayer {
  /// Quanta in one call of FluidSynth: enough that a call's own cost vanishes, few enough for the first-level cache.
  private static let longestRun: Int64 = 16

  private let synthesizer: Synthesizer
  private let doubler: RateDoubler?
  private var events: [MIDIEvent]
  /// Of `events`, the first that FluidSynth has not got.
  private var nextEvent = 0
  /// What FluidSynth has rendered.
  private var quantaDone: Int64 = 0
  /// Project frames to a quantum.
  private let quantumFrames: Int64

  /// What comes from FluidSynth.
  private let run = StereoBuffer(capacity: Int(longestRun) * Synthesizer.quantum)
  /// What is ready to be fetched: `run` itself, or what the doubler made of it.
  private let ready: StereoBuffer
  private var unread = 0..<0

  /// Whether the last run began when every event had been played and every voice was over. At twice the rate the filter
  /// still holds some frames then, and with a reverb or a chorus something may ring on: nothing is said.
  public private(set) var hasEnded = false

  /// Loads the SoundFont, all of it; the first of a process takes as long as its file takes to read.
  /// - Throws: why it cannot play; see `InstrumentError`.
  public init(plan: InstrumentPlan) throws(InstrumentError) {
    // A SoundFont is the same whatever the calling thread does with denormal numbers.
    let flags = DenormalFlags.keep()
    defer { flags.restore() }
    let rate = plan.sampleRate.hertz
    let isDoubled = rate > 96_000
    guard (8000...96_000).contains(rate) || (isDoubled && rate <= 192_000 && rate.isMultiple(of: 2)) else {
      throw .rateUnsupported(hertz: rate)
    }
    try SoundFontLibrary.check(path: plan.soundFontPath)
    let ownRate = isDoubled ? rate / 2 : rate
    synthesizer = try Synthesizer(
      soundFont: plan.soundFontPath, bank: plan.bank, program: plan.program,
      isPercussion: plan.isPercussion, sampleRate: ownRate,
      systemExclusive: plan.systemExclusive, effects: plan.effects)
    doubler = isDoubled ? try RateDoubler(sampleRate: ownRate) : nil
    // The filter gives back what it held, beside twice what comes in.
    ready = isDoubled ? StereoBuffer(capacity: 8 * run.capacity) : run
    quantumFrames = Int64(isDoubled ? 2 * Synthesizer.quantum : Synthesizer.quantum)
    events = plan.events
  }

  public func produce(
    frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    // Whatever the calling thread does with denormal numbers, the samples are the same.
    let flags = DenormalFlags.flush()
    defer { flags.restore() }
    var done = 0
    while done < frameCount {
      while unread.isEmpty { renderRun(needed: frameCount - done) }
      let count = min(unread.count, frameCount - done)
      (left + done).update(from: ready.left + unread.lowerBound, count: count)
      (right + done).update(from: ready.right + unread.lowerBound, count: count)
      unread = unread.lowerBound + count..<unread.upperBound
      done += count
    }
  }

  public func play(_ event: MIDIEvent) {
    if nextEvent == events.count {
      events.removeAll(keepingCapacity: true)
      nextEvent = 0
    }
    events.append(event)
  }

  /// At twice the rate the filter takes in more than it gives out.
  public var eventLeadFrames: Int { doubler == nil ? 0 : 2_048 }

  /// Gives FluidSynth the events that are due, and renders up to the next, or as far as is needed.
  /// - Parameter needed: project frames, at least 1.
  private func renderRun(needed: Int) {
    var end = quantaDone + min(Self.longestRun, (Int64(needed) - 1) / quantumFrames + 1)
    while nextEvent < events.count {
      let due = quantum(ofFrame: events[nextEvent].frame)
      guard due <= quantaDone else {
        end = min(end, due)
        break
      }
      synthesizer.apply(events[nextEvent])
      nextEvent += 1
    }
    hasEnded = doubler == nil && !synthesizer.ringsOn && nextEvent == events.count && !synthesizer.isSounding
    let frameCount = Int(end - quantaDone) * Synthesizer.quantum
    synthesizer.render(frameCount: frameCount, left: run.left, right: run.right)
    quantaDone = end
    unread = 0..<(doubler?.convert(run, frameCount: frameCount, into: ready) ?? frameCount)
  }

  /// The first quantum that does not begin before a timeline frame.
  private func quantum(ofFrame frame: Int64) -> Int64 { frame > 0 ? (frame - 1) / quantumFrames + 1 : 0 }
}
