import DAWEngine
import DAWMedia
import DAWTime
import Synchronization

/// The cache of instrument renders, for one bounce: renders in the cache are read, others are rendered and added.
/// Errors of the folder (not writable, full, damaged, deleted by another process) cost time, but never change the
/// result.
///
/// Any number of bounces may use a folder at once: a render is renamed to its final name when it is complete.
public final class RenderCache: Sendable {
  private let place: Place
  private let byteLimit: Int64
  private let renderer: String
  private let blockCount: Int
  private let tracks: [(trackID: Int64, key: RenderKey)]
  private let makeProducer: RenderedAhead.Factory
  private let shared = Mutex(State())

  private struct State {
    /// Bytes that this bounce has read or added.
    var byteCount: Int64 = 0
    var outcomes: [RenderKey: RenderOutcome] = [:]
    var used: Set<String> = []
    /// Writers that are open, or have been.
    var writers: [RenderWriter] = []
    /// The newest cached key of each track, before anything was added.
    var newest: [Int64: RenderKey]?
  }

  /// - Parameters:
  ///   - plan: the plan to be bounced.
  ///   - end: the end of the bounce.
  ///   - place: the folder, made if it is missing.
  ///   - byteLimit: the most bytes that this bounce may read and add in all; renders beyond it are not cached.
  ///   - renderer: the programs that render a plan, with versions; part of the key.
  ///   - makeProducer: makes an instrument for what is not in the cache.
  public init(
    of plan: RenderPlan, until end: TimelineFrame, in place: Place, byteLimit: Int64, renderer: String,
    makeProducer: @escaping RenderedAhead.Factory
  ) {
    self.place = place
    self.byteLimit = byteLimit
    self.renderer = renderer
    self.makeProducer = makeProducer
    blockCount = (end.number + RenderLayout.blockFrames - 1) / RenderLayout.blockFrames
    tracks = plan.instruments.map { ($0.trackID, RenderKey($0.plan, renderer: renderer)) }
    _ = try? place.make()
  }

  /// The factory for `Bouncer`. Any thread.
  public func producer(for plan: InstrumentPlan) throws -> any StreamProducer {
    let key = RenderKey(plan, renderer: renderer)
    if let render = CachedRender(at: place(of: key), key: key) {
      if render.layout.endsInSilence || render.layout.blockCount >= blockCount {
        render.touch()
        recordUse(of: render, key)
        return CachedRenderStream(plan, cached: render, blockCount: blockCount, cache: self)
      }
      record(.rendered(.tooShort), key)
    } else {
      record(.rendered(RenderCacheFolder(place).holds(name(of: key)) ? .damaged : .notCached), key)
    }
    let producer = try makeProducer(plan)
    return CachedRenderStream(
      plan, rendered: producer, writer: writer(for: key), blockCount: blockCount, cache: self)
  }

  /// Whether each instrument was read or rendered, in the plan's order. Instruments that were not requested are left
  /// out.
  public func outcomes() -> [(trackID: Int64, outcome: RenderOutcome)] {
    shared.withLock { state in
      tracks.compactMap { trackID, key in
        guard let outcome = state.outcomes[key] else { return nil }
        guard outcome == .rendered(.notCached), let newest = state.newest?[trackID], newest != key else {
          return (trackID, outcome)
        }
        return (trackID, .rendered(.changed(newest.differences(from: key))))
      }
    }
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

  /// Renders an instrument whose file turned out to be damaged, and removes the file.
  func replacement(for plan: InstrumentPlan, insteadOf render: CachedRender) throws -> any StreamProducer {
    place(of: render.layout.key).removeAll()
    record(.rendered(.damaged), render.layout.key)
    return try makeProducer(plan)
  }

  /// Reserves bytes of the limit.
  /// - Returns: whether they fit.
  func reserve(_ byteCount: Int) -> Bool {
    shared.withLock { state in
      guard state.byteCount + Int64(byteCount) <= byteLimit else { return false }
      state.byteCount += Int64(byteCount)
      return true
    }
  }

  private func name(of key: RenderKey) -> String { key.name + RenderCacheFolder.ending }

  private func place(of key: RenderKey) -> Place { place.appending(name(of: key)) }

  private func record(_ outcome: RenderOutcome, _ key: RenderKey) {
    shared.withLock { state in
      if state.newest == nil { state.newest = RenderCacheFolder(place).newestByTrack() }
      state.outcomes[key] = outcome
    }
  }

  private func recordUse(of render: CachedRender, _ key: RenderKey) {
    let byteCount = RenderCacheFolder(place).byteCount(of: name(of: key))
    shared.withLock { state in
      state.outcomes[key] = .reused
      if state.used.insert(key.name).inserted { state.byteCount += byteCount }
    }
  }

  /// - Returns: `nil` if the render is not to be cached, or an equal instrument of the plan already writes it.
  private func writer(for key: RenderKey) -> RenderWriter? {
    let isFirst = shared.withLock { $0.used.insert(key.name).inserted }
    guard isFirst, byteLimit > 0, let trackID = tracks.first(where: { $0.key == key })?.trackID else { return nil }
    let layout = RenderLayout(blockCount: blockCount, endsInSilence: false, trackID: trackID, key: key)
    guard let writer = RenderWriter(at: place(of: key), planned: layout) else { return nil }
    shared.withLock { $0.writers.append(writer) }
    return writer
  }
}

// MARK: Folder

/// The cache's folder.
struct RenderCacheFolder {
  /// `nil` if it does not exist, or is a link.
  private let folder: Folder?

  init(_ place: Place) { folder = try? place.open() }

  static let ending = ".render"

  private struct Entry {
    var name: String
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// The key of the newest render of each track.
  func newestByTrack() -> [Int64: RenderKey] {
    guard let folder else { return [:] }
    var newest: [Int64: RenderKey] = [:]
    for entry in entries(in: folder).sorted(by: { $0.lastUse < $1.lastUse }) {
      if let layout = CachedRender.layout(ofFile: entry.name, in: folder) { newest[layout.trackID] = layout.key }
    }
    return newest
  }

  /// Removes incomplete files of killed processes, recognised by their free locks.
  func removeAbandoned() {
    guard let folder else { return }
    for name in folder.names() where name.contains(Self.ending + RenderWriter.partialMark) {
      folder.removeAbandoned(name)
    }
  }

  func holds(_ name: String) -> Bool { folder?.status(of: name) != nil }

  /// Bytes that a file takes on disk, without holes.
  func byteCount(of name: String) -> Int64 { folder?.status(of: name).map { Int64($0.st_blocks) * 512 } ?? 0 }

  private func entries(in folder: Folder) -> [Entry] {
    folder.names().filter { $0.hasSuffix(Self.ending) }.compactMap { name in
      guard let status = folder.status(of: name), status.isFile else { return nil }
      return Entry(
        name: name, lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }
}

// MARK: Outcome

/// Whether an instrument's frames were read from the cache, and if not, why.
public enum RenderOutcome: Hashable, Sendable {
  case reused
  case rendered(Reason)

  public enum Reason: Hashable, Sendable {
    /// The cache is off in this bounce.
    case cacheIsOff
    /// There is no cached render of the track.
    case notCached
    /// The newest cached render of the track has another key; these parts differ.
    case changed(Set<RenderPart>)
    /// The cached render ends earlier, without having ended in silence.
    case tooShort
    /// The cached render does not match its checksums.
    case damaged
  }
}
