import DAWEngine
import DAWMedia
import Synchronization

/// The cache of instrument renders, as one bounce uses it: what is kept is read, what is not is rendered and kept. What
/// goes wrong with the folder (it cannot be written, it is full, it is damaged, another process deletes it) costs time, and
/// never a bit of the result.
///
/// Any number of bounces may use a folder at once: a render gets its name in one step, when it is whole.
public final class KeptRenders: Sendable {
  private let place: Place
  private let byteLimit: Int64
  private let renderer: String
  private let blockCount: Int
  private let slots: [(slot: Int64, key: RenderKey)]
  private let makeProducer: RenderedAhead.Factory
  private let shared = Mutex(State())

  private struct State {
    /// What this bounce has read or added.
    var byteCount: Int64 = 0
    var outcomes: [RenderKey: RenderOutcome] = [:]
    var used: Set<String> = []
    /// Those that are at work, or have been.
    var writers: [RenderWriter] = []
    /// The newest that is kept of each slot, seen before anything was added.
    var newest: [Int64: RenderKey]?
  }

  /// - Parameters:
  ///   - plan: what is bounced.
  ///   - end: the timeline frame behind the last one that is bounced.
  ///   - place: of the folder, which is made where it is missing.
  ///   - byteLimit: what this bounce may read and add, together; what does not fit is not kept.
  ///   - renderer: the programs that turn a plan into frames, with their versions: part of the key.
  ///   - makeProducer: renders what is not kept.
  public init(
    of plan: RenderPlan, until end: Int64, in place: Place, byteLimit: Int64, renderer: String,
    makeProducer: @escaping RenderedAhead.Factory
  ) {
    self.place = place
    self.byteLimit = byteLimit
    self.renderer = renderer
    self.makeProducer = makeProducer
    blockCount = Int((end + Int64(RenderLayout.blockFrames) - 1) / Int64(RenderLayout.blockFrames))
    slots = plan.instruments.map { ($0.slot, RenderKey($0.plan, renderer: renderer)) }
    _ = try? place.make()
  }

  /// For `Bouncer`: any thread.
  public func producer(for plan: InstrumentPlan) throws -> any StreamProducer {
    let key = RenderKey(plan, renderer: renderer)
    if let kept = KeptRender(at: place(of: key), key: key) {
      if kept.layout.endsInSilence || kept.layout.blockCount >= blockCount {
        kept.touch()
        take(kept, key)
        return KeptStream(plan, kept: kept, blockCount: blockCount, renders: self)
      }
      note(.rendered(.tooShort), key)
    } else {
      note(.rendered(RenderShelf(place).holds(name(of: key)) ? .damaged : .nothingKept), key)
    }
    let producer = try makeProducer(plan)
    return KeptStream(
      plan, rendered: producer, writer: writer(for: key), blockCount: blockCount, renders: self)
  }

  /// What became of each instrument of the plan, in its order. Those that were not asked for are left out.
  public func outcomes() -> [(slot: Int64, outcome: RenderOutcome)] {
    shared.withLock { state in
      slots.compactMap { slot, key in
        guard let outcome = state.outcomes[key] else { return nil }
        guard outcome == .rendered(.nothingKept), let newest = state.newest?[slot], newest != key else {
          return (slot, outcome)
        }
        return (slot, .rendered(.changed(newest.differences(from: key))))
      }
    }
  }

  /// When the bounce is over, one way or another: removes what is half done, also by a process that was killed.
  public func finish() {
    let writers = shared.withLock { state in
      defer { state.writers = [] }
      return state.writers
    }
    for writer in writers { writer.discard() }
    RenderShelf(place).removeAbandoned()
  }

  /// What renders in place of a file that turned out to be damaged.
  func rendering(_ plan: InstrumentPlan, insteadOf kept: KeptRender) throws -> any StreamProducer {
    place(of: kept.layout.key).removeAll()
    note(.rendered(.damaged), kept.layout.key)
    return try makeProducer(plan)
  }

  /// Whether so many bytes more still fit the limit along with all that this bounce uses.
  func mayKeep(_ byteCount: Int) -> Bool {
    shared.withLock { state in
      guard state.byteCount + Int64(byteCount) <= byteLimit else { return false }
      state.byteCount += Int64(byteCount)
      return true
    }
  }

  private func name(of key: RenderKey) -> String { key.name + RenderShelf.ending }

  private func place(of key: RenderKey) -> Place { place.appending(name(of: key)) }

  private func note(_ outcome: RenderOutcome, _ key: RenderKey) {
    shared.withLock { state in
      if state.newest == nil { state.newest = RenderShelf(place).newestBySlot() }
      state.outcomes[key] = outcome
    }
  }

  private func take(_ kept: KeptRender, _ key: RenderKey) {
    let byteCount = RenderShelf(place).byteCount(of: name(of: key))
    shared.withLock { state in
      state.outcomes[key] = .taken
      if state.used.insert(key.name).inserted { state.byteCount += byteCount }
    }
  }

  /// - Returns: `nil` where the render is not to be kept, or another instrument of the plan keeps the same.
  private func writer(for key: RenderKey) -> RenderWriter? {
    let isFirst = shared.withLock { $0.used.insert(key.name).inserted }
    guard isFirst, byteLimit > 0, let slot = slots.first(where: { $0.key == key })?.slot else { return nil }
    let layout = RenderLayout(blockCount: blockCount, endsInSilence: false, slot: slot, key: key)
    guard let writer = RenderWriter(at: place(of: key), planned: layout) else { return nil }
    shared.withLock { $0.writers.append(writer) }
    return writer
  }
}
