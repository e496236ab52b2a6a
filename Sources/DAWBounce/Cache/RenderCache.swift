import DAWEngine
import DAWMedia
import DAWTime
import Synchronization

/// The cache of what stages render, instruments and strips with effects, for one bounce: renders in the cache are read,
/// others are rendered and added. Errors of the folder (not writable, full, damaged, deleted by another process) cost
/// time, but never change the result.
///
/// Any number of bounces may use a folder at once: a render is renamed to its final name when it is complete.
public final class RenderCache: Sendable {
  private let place: Place
  private let byteLimit: Int64
  private let instrumentRenderer: String
  private let instrumentKeys: [InstrumentPlan: RenderKey]
  /// The plan's stages: first its instruments.
  private let stages: [(kind: RenderKind, trackID: Int64, key: RenderKey?)]
  private let shared = Mutex(State())
  private let isOver = Atomic(false)

  private struct State {
    /// Bytes that this bounce has read or added.
    var byteCount: Int64 = 0
    /// Those of them that it has added.
    var addedByteCount: Int64 = 0
    var outcomes: [RenderKey: RenderOutcome] = [:]
    var used: Set<String> = []
    /// The renders that are written, or have been.
    var written: Set<String> = []
    /// Writers that are open, or have been.
    var writers: [RenderWriter] = []
    /// The newest cached key of each stage, before anything was added.
    var newest: [RenderCacheFolder.Stage: RenderKey]?
    /// By path, as it was when the bounce began.
    var contents: [String: SourceContent?] = [:]
  }

  /// A stage's render: what the cache calls it, and how long it has to be.
  struct Entry {
    var key: RenderKey
    var kind: RenderKind
    var trackID: Int64
    /// The frame up to which it is heard, from 0 on.
    var end: TimelineFrame
    /// That up to which it is heard in any case.
    var certainEnd: TimelineFrame
    var sideCount = 2
  }

  /// - Parameters:
  ///   - plan: the plan to be bounced.
  ///   - place: the folder, made if it is missing.
  ///   - byteLimit: the most bytes that this bounce may read and add in all; renders beyond it are not cached, nor what
  ///     would leave less room on the disk than this bounce has added.
  ///   - renderer: the programs that render an instrument's plan, with versions; part of the key.
  public init(of plan: RenderPlan, in place: Place, byteLimit: Int64, renderer: String) {
    self.place = place
    self.byteLimit = byteLimit
    instrumentRenderer = renderer
    instrumentKeys = Dictionary(plan.instruments.map { ($0.plan, RenderKey($0.plan, renderer: renderer)) }) { $1 }
    var contents: [String: SourceContent?] = [:]
    var stages: [(kind: RenderKind, trackID: Int64, key: RenderKey?)] = plan.instruments.map { [instrumentKeys] in
      (.instrument, $0.trackID, instrumentKeys[$0.plan])
    }
    if !plan.inserts.isEmpty {
      let instruments = stages.map { $0.key?.digest ?? [] }
      let keys = SignalKeys(plan, streams: [], restored: [:], instruments: instruments) { source in
        if let known = contents[source.path] { return known }
        let content = SourceContent(source)
        contents[source.path] = .some(content)
        return content
      }
      for part in plan.staged().parts {
        guard let kind = RenderKind(part.strip.part) else { continue }
        let key = keys.ofSteps[part.lastStep]?.renderKey(
          sampleRate: plan.sampleRate.hertz, renderer: EngineArithmetic.description)
        stages.append((kind, part.strip.trackID, key))
      }
    }
    self.stages = stages
    shared.withLock { [contents] in $0.contents = contents }
    _ = try? place.make()
  }

  // MARK: Stages

  /// The keys of a plan's signals.
  /// - Parameters:
  ///   - streams: of what it plays behind its instruments.
  ///   - restored: of the buffers that it finds filled.
  func keys(of plan: RenderPlan, streams: [SignalKey?], restored: [Int: SignalKey] = [:]) -> SignalKeys {
    let contents = shared.withLock { $0.contents }
    return SignalKeys(
      plan, streams: streams, restored: restored, instruments: plan.instruments.map { key(of: $0.plan).digest }
    ) { contents[$0.path] ?? nil }
  }

  func key(of instrument: InstrumentPlan) -> RenderKey {
    instrumentKeys[instrument] ?? RenderKey(instrument, renderer: instrumentRenderer)
  }

  /// How a strip's render is called and how long it has to be; `nil` if it cannot be kept.
  func entry(
    of part: StagedPlan.Part, _ key: SignalKey?, sampleRate: Int, end: TimelineFrame, certainEnd: TimelineFrame
  ) -> Entry? {
    guard let key, let kind = RenderKind(part.strip.part), byteLimit > 0 else { return nil }
    return Entry(
      key: key.renderKey(sampleRate: sampleRate, renderer: EngineArithmetic.description), kind: kind,
      trackID: part.strip.trackID, end: end, certainEnd: certainEnd, sideCount: part.width == .mono ? 1 : 2)
  }

  /// Whether a strip's render can be read. If not, why is noted.
  func holds(_ entry: Entry) -> Bool { render(entry) != nil }

  /// Notes that a strip's render is not kept.
  func skip(_ entry: Entry) { record(.rendered(.cheap), entry.key) }

  /// Reads an instrument's render, or renders it and adds it. Any thread.
  func producer(
    of instrument: PlannedInstrument, end: TimelineFrame, certainEnd: TimelineFrame,
    make: @escaping @Sendable () throws -> any StageProducer
  ) throws -> any StageProducer {
    let entry = Entry(
      key: key(of: instrument.plan), kind: .instrument, trackID: instrument.trackID, end: end, certainEnd: certainEnd)
    if let render = render(entry) {
      return CachedRenderStream(cached: render, entry, cache: self, makeAlone: make)
    }
    return rendering(entry, by: try make())
  }

  /// Reads a render that is held. Any thread.
  func reading(
    _ entry: Entry, orElse makeAlone: @escaping @Sendable () throws -> any StageProducer
  ) throws -> any StageProducer {
    guard let render = render(entry) else { return rendering(entry, by: try makeAlone()) }
    return CachedRenderStream(cached: render, entry, cache: self, makeAlone: makeAlone)
  }

  /// Adds what a producer renders. Any thread.
  func rendering(_ entry: Entry, by producer: any StageProducer) -> any StageProducer {
    let known = CachedRender(at: place(of: entry.key), key: entry.key)?.layout.frameCount
    return CachedRenderStream(
      rendered: producer, writer: writer(of: entry, longerThan: known ?? 0), entry, cache: self)
  }

  private func render(_ entry: Entry) -> CachedRender? {
    let key = entry.key
    guard let render = CachedRender(at: place(of: key), key: key) else {
      record(.rendered(RenderCacheFolder(place).holds(name(of: key)) ? .damaged : .notCached), key)
      return nil
    }
    guard render.layout.endsInSilence || render.layout.frameCount >= Int64(entry.certainEnd.number) else {
      record(.rendered(.tooShort), key)
      return nil
    }
    render.touch()
    recordUse(of: key)
    return render
  }

  // MARK: Results

  /// Whether each stage was read or rendered, in the plan's order. Stages that were not requested are left out.
  public func outcomes() -> [RenderUse] {
    shared.withLock { state in
      stages.compactMap { kind, trackID, key in
        guard let key, let outcome = state.outcomes[key] else { return nil }
        let stage = RenderCacheFolder.Stage(kind: kind, trackID: trackID)
        guard outcome == .rendered(.notCached), let newest = state.newest?[stage], newest != key else {
          return RenderUse(kind: kind, trackID: trackID, outcome: outcome)
        }
        return RenderUse(
          kind: kind, trackID: trackID, outcome: .rendered(.changed(newest.differences(from: key))))
      }
    }
  }

  /// When nothing renders any more, and all went well: keeps what was rendered of stages that were not needed to their
  /// end.
  func keepUnfinished() {
    let writers = shared.withLock { $0.writers }
    for writer in writers where writer.frameCount > writer.minimumFrames { writer.commit(endsInSilence: false) }
  }

  /// After the bounce, successful or not: removes incomplete files, also those of killed processes.
  public func finish() {
    let writers = shared.withLock { state in
      defer { state.writers = [] }
      return state.writers
    }
    for writer in writers { writer.discard() }
    RenderCacheFolder(place).removeAbandoned()
  }

  /// Whether the frames of the bounce are all there, so that rendering ahead of them is of no use.
  var isStopped: Bool {
    get { isOver.load(ordering: .relaxed) }
    set { isOver.store(newValue, ordering: .relaxed) }
  }

  // MARK: Files

  /// Removes a render that turned out to be damaged.
  func remove(damaged entry: Entry) {
    place(of: entry.key).removeAll()
    record(.rendered(.damaged), entry.key)
  }

  /// - Parameter frameCount: of the render that is there; it is not replaced by a shorter one.
  /// - Returns: `nil` if the render is not to be cached, or an equal stage of the plan already writes it.
  func writer(of entry: Entry, longerThan frameCount: Int64) -> RenderWriter? {
    let isFirst = shared.withLock { $0.written.insert(entry.key.name).inserted }
    guard isFirst, byteLimit > 0,
      let layout = RenderLayout(
        frameCount: Int64(entry.end.number), sideCount: entry.sideCount, kind: entry.kind, trackID: entry.trackID,
        key: entry.key),
      let writer = RenderWriter(at: place(of: entry.key), planned: layout, longerThan: frameCount)
    else { return nil }
    shared.withLock { $0.writers.append(writer) }
    return writer
  }

  /// Appends a block, unless it is too much.
  /// - Returns: whether the render goes on; else it is discarded.
  func add(
    _ block: UnsafePointer<Float>, _ frameCount: Int, isSilent: Bool, isRightSilent: Bool, to writer: RenderWriter
  ) -> Bool {
    if isRightSilent || writer.planned.sideCount == 2,
      let byteCount = writer.append(block, frameCount: frameCount, isSilent: isSilent),
      // Silence takes no room; to ask a network's disk for what is free is a request to its server, for each block.
      reserve(byteCount, free: byteCount == 0 ? nil : writer.freeByteCount)
    {
      return true
    }
    // What is left of the limit is for the others.
    _ = reserve(-writer.byteCount, free: nil)
    writer.discard()
    return false
  }

  /// Reserves bytes of the limit.
  /// - Parameter free: bytes left on the disk, which the bounce itself may need: no more is added than stays free;
  ///   `nil`: it does not matter, or is unknown.
  /// - Returns: whether they fit; they count in any case.
  private func reserve(_ byteCount: Int, free: Int64?) -> Bool {
    shared.withLock { state in
      state.byteCount += Int64(byteCount)
      state.addedByteCount += Int64(byteCount)
      return state.byteCount <= byteLimit && state.addedByteCount <= free ?? .max
    }
  }

  private func name(of key: RenderKey) -> String { key.name + RenderCacheFolder.ending }

  private func place(of key: RenderKey) -> Place { place.appending(name(of: key)) }

  private func record(_ outcome: RenderOutcome, _ key: RenderKey) {
    shared.withLock { state in
      if state.newest == nil { state.newest = RenderCacheFolder(place).newestByStage() }
      state.outcomes[key] = outcome
    }
  }

  private func recordUse(of key: RenderKey) {
    let byteCount = RenderCacheFolder(place).byteCount(of: name(of: key))
    shared.withLock { state in
      state.outcomes[key] = .reused
      if state.used.insert(key.name).inserted { state.byteCount += byteCount }
    }
  }
}
