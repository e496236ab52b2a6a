import Synchronization

/// A seqlock over atomic words: one thread publishes a value, wait-free, and any number of threads read it
/// consistently.
///
/// The writer makes the sequence odd, stores the words, and makes it even again. A reader that finds it odd, or changed
/// since it began, reads again. See H.-J. Boehm: Can Seqlocks Get Along with Programming Language Memory Models?, MSPC
/// 2012.
///
/// The methods are not `@_noLocks`, because generic functions cannot be; a `@_noLocks` caller has them checked for its
/// own value.
public struct PublishedValue<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
  @usableFromInline let sequence = Atomic<UInt64>(0)
  /// The writer's copy, padded to whole words.
  @usableFromInline let staged: UnsafeMutableRawPointer

  @inlinable static var wordCount: Int { (MemoryLayout<Value>.size + 7) / 8 }

  /// Control thread.
  public init(_ value: Value) {
    words = .allocate(capacity: max(1, Self.wordCount))
    for index in 0..<Self.wordCount { (words + index).initialize(to: Atomic(0)) }
    staged = .allocate(byteCount: 8 * max(1, Self.wordCount), alignment: 16)
    staged.initializeMemory(as: UInt64.self, repeating: 0, count: max(1, Self.wordCount))
    publish(value)
  }

  deinit {
    words.deallocate()
    staged.deallocate()
  }

  /// The writing thread. Wait-free.
  @inlinable public func publish(_ value: Value) {
    let turn = sequence.load(ordering: .relaxed)
    sequence.store(turn &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    staged.assumingMemoryBound(to: Value.self).pointee = value
    for index in 0..<Self.wordCount {
      words[index].store(staged.load(fromByteOffset: 8 * index, as: UInt64.self), ordering: .relaxed)
    }
    sequence.store(turn &+ 2, ordering: .releasing)
  }

  /// Any thread: the newest value. Retries while the writer is writing.
  @inlinable public func read() -> Value {
    withUnsafeTemporaryAllocation(byteCount: 8 * max(1, Self.wordCount), alignment: 16) { bytes in
      while true {
        let before = sequence.load(ordering: .acquiring)
        guard before & 1 == 0 else { continue }
        for index in 0..<Self.wordCount {
          bytes.storeBytes(of: words[index].load(ordering: .relaxed), toByteOffset: 8 * index, as: UInt64.self)
        }
        atomicMemoryFence(ordering: .acquiring)
        if sequence.load(ordering: .relaxed) == before { return bytes.load(as: Value.self) }
      }
    }
  }
}
