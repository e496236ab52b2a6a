import DAWEngine
import DAWRealtime
import DAWTime

/// Renders an `InstrumentPlan` with FluidSynth: stereo, from timeline frame 0.
///
/// One instance for each render, used by one thread at a time; instances share only the SoundFont's samples. The calls
/// of FluidSynth depend on the plan alone, never on the sizes or times of `produce` calls: it renders from one event to
/// the next in whole quanta of 64 frames, at most `longestRun` at a time.
///
/// **Events** take effect at the first quantum that begins at or after their frame, in the plan's order.
///
/// **Rates** above 96 kHz are beyond FluidSynth. It then runs at half the rate, a quantum is 128 frames of the project,
/// and `RateDoubler` upsamples.
public final class FluidSynthInstrument: EventPlayer {
  /// Quanta in one call of FluidSynth: enough to amortise the call, few enough for the L1 cache.
  private static let longestRun = 16

  private let synthesizer: Synthesizer
  private let doubler: RateDoubler?
  private var events: [MIDIEvent]
  /// The index of the next event to send to FluidSynth.
  private var nextEvent = 0
  /// Quanta rendered.
  private var quantaDone = 0
  /// Project frames in a quantum.
  private let quantumFrames: Int

  /// FluidSynth's output.
  private let run = StereoBuffer(capacity: longestRun * Synthesizer.quantum)
  /// Frames ready to be fetched: `run` itself, or the doubler's output.
  private let ready: StereoBuffer
  private var unread = 0..<0

  /// Whether the last run began after the last event and the last voice. Always false at a doubled rate, where the
  /// filter still holds frames, and with reverb or chorus, which may ring on.
  public private(set) var hasEnded = false

  /// Loads the whole SoundFont; its first load in a process takes as long as reading the file.
  /// - Parameter fonts: SoundFonts that are loaded already; this one comes back to it with the instrument's end.
  /// - Throws: `InstrumentError`.
  public init(plan: InstrumentPlan, fonts: SoundFontPool? = nil) throws(InstrumentError) {
    // The SoundFont must not depend on the calling thread's denormal flags.
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
      systemExclusive: plan.systemExclusive, effects: plan.effects, fonts: fonts)
    doubler = isDoubled ? try RateDoubler(sampleRate: ownRate) : nil
    // The filter may return frames that it held, besides twice its input.
    ready = isDoubled ? StereoBuffer(capacity: 8 * run.capacity) : run
    quantumFrames = isDoubled ? 2 * Synthesizer.quantum : Synthesizer.quantum
    events = plan.events
  }

  public func produce(
    frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    // The samples must not depend on the calling thread's denormal flags.
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

  /// At a doubled rate the filter needs input ahead of its output.
  public var eventLeadFrames: Int { doubler == nil ? 0 : 2_048 }

  /// Sends the events that are due to FluidSynth, and renders up to the next event, or as far as needed.
  /// - Parameter needed: project frames, at least 1.
  private func renderRun(needed: Int) {
    var end = quantaDone + min(Self.longestRun, (needed - 1) / quantumFrames + 1)
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
    let frameCount = (end - quantaDone) * Synthesizer.quantum
    synthesizer.render(frameCount: frameCount, left: run.left, right: run.right)
    quantaDone = end
    unread = 0..<(doubler?.convert(run, frameCount: frameCount, into: ready) ?? frameCount)
  }

  /// The first quantum that begins at or after a timeline frame.
  private func quantum(ofFrame frame: TimelineFrame) -> Int {
    frame > 0 ? (frame.number - 1) / quantumFrames + 1 : 0
  }
}
