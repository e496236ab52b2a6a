import DAWEngine

/// An instrument's frames in blocks: read where they are kept, else rendered, and kept on the way. Both give the same
/// bits. Used by one thread at a time.
final class KeptStream: StreamProducer {
  private enum Source {
    case kept(KeptRender)
    /// `writer` is `nil` where the frames cannot be kept.
    case rendered(any StreamProducer, RenderWriter?)
    /// Nothing but silence follows.
    case silence
  }

  private var source: Source
  private let plan: InstrumentPlan
  private let renders: KeptRenders
  /// Blocks that anyone asks for; behind them is silence.
  private let blockCount: Int
  private let block: UnsafeMutablePointer<Float>
  /// The number of the block that is read next.
  private var nextBlock = 0
  private var unread = 0..<0

  init(_ plan: InstrumentPlan, kept: KeptRender, blockCount: Int, renders: KeptRenders) {
    source = .kept(kept)
    self.plan = plan
    self.renders = renders
    self.blockCount = blockCount
    block = .allocate(capacity: 2 * RenderLayout.blockFrames)
    block.initialize(repeating: 0, count: 2 * RenderLayout.blockFrames)
  }

  init(
    _ plan: InstrumentPlan, rendered producer: any StreamProducer, writer: RenderWriter?, blockCount: Int,
    renders: KeptRenders
  ) {
    source = .rendered(producer, writer)
    self.plan = plan
    self.renders = renders
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
    case .kept(let kept): try read(kept)
    case .rendered(let producer, let writer): try render(producer, writer)
    case .silence: block.update(repeating: 0, count: 2 * RenderLayout.blockFrames)
    }
    unread = 0..<RenderLayout.blockFrames
    nextBlock += 1
    if nextBlock >= blockCount { source = .silence }
  }

  private func read(_ kept: KeptRender) throws {
    guard nextBlock < kept.layout.blockCount else {
      source = .silence
      return block.update(repeating: 0, count: 2 * RenderLayout.blockFrames)
    }
    if kept.read(block: nextBlock, into: block) { return }
    // What was read until here was as it was written; the rest has to be rendered, from the beginning.
    let producer = try renders.rendering(plan, insteadOf: kept)
    for _ in 0..<nextBlock { try produceBlock(producer) }
    source = .rendered(producer, nil)
    try produceBlock(producer)
  }

  private func render(_ producer: any StreamProducer, _ writer: RenderWriter?) throws {
    try produceBlock(producer)
    let isSilent = isBlockSilent
    let hasEnded = isSilent && producer.hasEnded
    let isKept = writer.map { keep(in: $0, isSilent: isSilent) } ?? false
    guard hasEnded || nextBlock + 1 >= blockCount else {
      if !isKept, writer != nil { source = .rendered(producer, nil) }
      return
    }
    if isKept { writer?.commit(endsInSilence: hasEnded) }
    source = .silence
  }

  private func keep(in writer: RenderWriter, isSilent: Bool) -> Bool {
    guard let byteCount = writer.append(block, isSilent: isSilent), renders.mayKeep(byteCount) else {
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
