import DAWEngine
import DAWTime
import Synchronization

/// A stage's frames, read from the cache or else rendered and added to it. Both give the same bits. Used by one thread
/// at a time.
final class CachedRenderStream: StageProducer {
  private enum Source {
    case cached(CachedRender)
    /// `writer` is `nil` if the frames are not added to the cache.
    case rendered(any StageProducer, RenderWriter?)
    /// Only silence follows.
    case silence
  }

  private var source: Source
  private let entry: RenderCache.Entry
  private let cache: RenderCache
  /// Renders the stage without the inputs that it has in the bounce.
  private let makeAlone: @Sendable () throws -> any StageProducer
  /// The block of the cache that the next frame is in.
  private let block: UnsafeMutablePointer<Float>
  /// The next frame.
  private var next: TimelineFrame = 0

  /// - Parameter makeAlone: makes a producer that needs no inputs, should the render be damaged or too short.
  convenience init(
    cached render: CachedRender, _ entry: RenderCache.Entry, cache: RenderCache,
    makeAlone: @escaping @Sendable () throws -> any StageProducer
  ) {
    self.init(.cached(render), entry, cache, makeAlone)
  }

  /// - Parameter writer: `nil` if the frames are not to be cached.
  convenience init(
    rendered producer: any StageProducer, writer: RenderWriter?, _ entry: RenderCache.Entry, cache: RenderCache
  ) {
    self.init(.rendered(producer, writer), entry, cache) { throw StreamError.stopped }
  }

  private init(
    _ source: Source, _ entry: RenderCache.Entry, _ cache: RenderCache,
    _ makeAlone: @escaping @Sendable () throws -> any StageProducer
  ) {
    self.source = source
    self.entry = entry
    self.cache = cache
    self.makeAlone = makeAlone
    block = .allocate(capacity: 2 * RenderLayout.blockFrames)
    block.initialize(repeating: 0, count: 2 * RenderLayout.blockFrames)
  }

  deinit { block.deallocate() }

  private var rightBlock: UnsafeMutablePointer<Float> { block + RenderLayout.blockFrames }

  /// The place of the next frame in its block.
  private var place: Int { next.number % RenderLayout.blockFrames }

  func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    var done = 0
    while done < frameCount {
      var count = min(RenderLayout.blockFrames - place, frameCount - done)
      // What follows the frames that are heard is rendered from inputs that may have ended.
      if next < entry.end { count = min(count, entry.end - next) } else { source = .silence }
      switch source {
      case .cached(let render):
        guard let available = try load(render, atMost: count) else { continue }
        count = available
        (left + done).update(from: block + place, count: count)
        (right + done).update(from: rightBlock + place, count: count)
        next += count
      case .rendered(let producer, let writer):
        try producer.produce(frameCount: count, inputs: inputs, left: left + done, right: right + done)
        take(count, left + done, right + done, producer, writer)
      case .silence:
        (left + done).update(repeating: 0, count: count)
        (right + done).update(repeating: 0, count: count)
        next += count
      }
      done += count
    }
  }

  // MARK: Cached

  /// Reads the next frame's block, unless it is there.
  /// - Returns: how many frames there are from the next one on; `nil` if another source takes over.
  private func load(_ render: CachedRender, atMost count: Int) throws -> Int? {
    let available = Int(render.layout.frameCount) - next.number
    guard available > 0 else {
      if render.layout.endsInSilence {
        source = .silence
      } else {
        try replace(with: cache.writer(of: entry, longerThan: render.layout.frameCount))
      }
      return nil
    }
    if place == 0, !render.read(block: next.number / RenderLayout.blockFrames, into: block) {
      cache.remove(damaged: entry)
      try replace(with: nil)
      return nil
    }
    return min(count, available)
  }

  /// The frames so far were valid; the rest has to be rendered, from the beginning.
  private func replace(with writer: RenderWriter?) throws {
    let producer = try makeAlone()
    let none = StageInputs.none
    let end = next
    next = 0
    source = .rendered(producer, writer)
    let skipped = UnsafeMutablePointer<Float>.allocate(capacity: 2 * RenderLayout.blockFrames)
    defer { skipped.deallocate() }
    while next < end, case .rendered(let producer, let writer) = source {
      if cache.isStopped { throw StreamError.stopped }
      let count = min(RenderLayout.blockFrames - place, end - next)
      let right = skipped + RenderLayout.blockFrames
      try producer.produce(frameCount: count, inputs: none, left: skipped, right: right)
      take(count, skipped, right, producer, writer)
    }
    next = end
  }

  // MARK: Rendered

  /// Adds rendered frames to the block, and a block that is complete to the cache.
  private func take(
    _ count: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ producer: any StageProducer,
    _ writer: RenderWriter?
  ) {
    (block + place).update(from: left, count: count)
    (rightBlock + place).update(from: right, count: count)
    let filled = place + count
    next += count
    guard filled == RenderLayout.blockFrames || next == entry.end else { return }
    let rest = RenderLayout.blockFrames - filled
    (block + filled).update(repeating: 0, count: rest)
    (rightBlock + filled).update(repeating: 0, count: rest)
    let isRightSilent = Self.isSilent(rightBlock)
    let isSilent = isRightSilent && Self.isSilent(block)
    let hasEnded = isSilent && (producer as? any StreamProducer)?.hasEnded == true
    let isAdded =
      writer.map { cache.add(block, filled, isSilent: isSilent, isRightSilent: isRightSilent, to: $0) } ?? false
    if hasEnded || next == entry.end {
      if isAdded { writer?.commit(endsInSilence: hasEnded) }
      source = .silence
    } else if !isAdded, writer != nil {
      source = .rendered(producer, nil)
    }
  }

  /// Whether every sample of a side of the block is +0.
  private static func isSilent(_ side: UnsafePointer<Float>) -> Bool {
    let words = UnsafeRawBufferPointer(start: side, count: 4 * RenderLayout.blockFrames)
    var seen = SIMD8<UInt32>(repeating: 0)
    for offset in stride(from: 0, to: words.count, by: 32) {
      seen |= words.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
    }
    return seen == SIMD8<UInt32>(repeating: 0)
  }
}
