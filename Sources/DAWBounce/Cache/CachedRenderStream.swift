import DAWEngine

/// An instrument's frames, read from the cache or else rendered and added to it. Both give the same bits. Used by one
/// thread at a time.
final class CachedRenderStream: StreamProducer {
  private enum Source {
    case cached(CachedRender)
    /// `writer` is `nil` if the frames cannot be cached.
    case rendered(any StreamProducer, RenderWriter?)
    /// Only silence follows.
    case silence
  }

  private var source: Source
  private let plan: InstrumentPlan
  private let cache: RenderCache
  /// Blocks of the bounce; silence after them.
  private let blockCount: Int
  private let block: UnsafeMutablePointer<Float>
  /// The number of the next block.
  private var nextBlock = 0
  private var unread = 0..<0

  convenience init(_ plan: InstrumentPlan, cached render: CachedRender, blockCount: Int, cache: RenderCache) {
    self.init(plan, .cached(render), blockCount: blockCount, cache: cache)
  }

  /// - Parameter writer: `nil` if the frames are not to be cached.
  convenience init(
    _ plan: InstrumentPlan, rendered producer: any StreamProducer, writer: RenderWriter?, blockCount: Int,
    cache: RenderCache
  ) {
    self.init(plan, .rendered(producer, writer), blockCount: blockCount, cache: cache)
  }

  private init(_ plan: InstrumentPlan, _ source: Source, blockCount: Int, cache: RenderCache) {
    self.source = source
    self.plan = plan
    self.cache = cache
    self.blockCount = blockCount
    block = .allocate(capacity: 2 * RenderLayout.blockFrames)
    block.initialize(repeating: 0, count: 2 * RenderLayout.blockFrames)
  }

  deinit { block.deallocate() }

  func produce(
    frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    var done = 0
    while done < frameCount {
      if unread.isEmpty { try fill() }
      let count = min(unread.count, frameCount - done)
      (left + done).update(from: block + unread.lowerBound, count: count)
      (right + done).update(from: block + RenderLayout.blockFrames + unread.lowerBound, count: count)
      unread = unread.lowerBound + count..<unread.upperBound
      done += count
    }
  }

  private func fill() throws {
    switch source {
    case .cached(let render): try read(render)
    case .rendered(let producer, let writer): try render(producer, writer)
    case .silence: block.update(repeating: 0, count: 2 * RenderLayout.blockFrames)
    }
    unread = 0..<RenderLayout.blockFrames
    nextBlock += 1
    if nextBlock >= blockCount { source = .silence }
  }

  private func read(_ render: CachedRender) throws {
    guard nextBlock < render.layout.blockCount else {
      source = .silence
      return block.update(repeating: 0, count: 2 * RenderLayout.blockFrames)
    }
    if render.read(block: nextBlock, into: block) { return }
    // The blocks read so far were valid; the rest has to be rendered, from the beginning.
    let producer = try cache.replacement(for: plan, insteadOf: render)
    for _ in 0..<nextBlock { try produceBlock(producer) }
    source = .rendered(producer, nil)
    try produceBlock(producer)
  }

  private func render(_ producer: any StreamProducer, _ writer: RenderWriter?) throws {
    try produceBlock(producer)
    let isSilent = isBlockSilent
    let hasEnded = isSilent && producer.hasEnded
    let isAdded = writer.map { add(to: $0, isSilent: isSilent) } ?? false
    guard hasEnded || nextBlock + 1 >= blockCount else {
      if !isAdded, writer != nil { source = .rendered(producer, nil) }
      return
    }
    if isAdded { writer?.commit(endsInSilence: hasEnded) }
    source = .silence
  }

  private func add(to writer: RenderWriter, isSilent: Bool) -> Bool {
    guard let byteCount = writer.append(block, isSilent: isSilent), cache.reserve(byteCount) else {
      writer.discard()
      return false
    }
    return true
  }

  private func produceBlock(_ producer: any StreamProducer) throws {
    try producer.produce(
      frameCount: RenderLayout.blockFrames, left: block, right: block + RenderLayout.blockFrames)
  }

  /// Whether every sample is +0.
  private var isBlockSilent: Bool {
    let words = UnsafeRawBufferPointer(start: block, count: RenderLayout.blockBytes)
    var seen = SIMD8<UInt32>(repeating: 0)
    for offset in stride(from: 0, to: words.count, by: 32) {
      seen |= words.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
    }
    return seen == SIMD8<UInt32>(repeating: 0)
  }
}
