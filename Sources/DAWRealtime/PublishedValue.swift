import Synchronization

/// A seqlock of two copies over atomic words: one thread publishes a value, wait-free, and any number of threads read it
/// consistently.
///
/// The writer makes the sequence odd, stores the first copy, makes the sequence even, and stores the second. A reader
/// takes the copy that is not being stored, the second at an odd number and the first at an even one, and reads again
/// where the sequence has changed since it began. So a writer that stands still holds up no reader: one of a higher
/// priority on the same processor would wait for ever. See H.-J. Boehm: Can Seqlocks Get Along with Programming Language
/// Memory Models?, MSPC 2012; and `seqcount_latch_t` of Linux.
///
/// The methods are not `@_noLocks`, because generic functions cannot be; a `@_noLocks` caller has them checked for its
/// own value.
public struct PublishedValue<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  /// The first copy, and behind it the second.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
  @usableFromInline let sequence = Atomic<UInt64>(0)
  /// The writer's copy, padded to whole words.
  @usableFromInline let staged: UnsafeMutableRawPointer

  @inlinable static var wordCount: Int { (MemoryLayout<Value>.size + 7) / 8 }

  /// Control thread.
  public init(_ value: Value) {
    words = .allocate(capacity: max(1, 2 * Self.wordCount))
    for index in 0..<2 * Self.wordCount { (words + index).initialize(to: Atomic(0)) }
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
    staged.assumingMemoryBound(to: Value.self).pointee = value
    let turn = sequence.load(ordering: .relaxed)
    sequence.store(turn &+ 1, ordering: .releasing)
    // Behind the sequence and before the words, each time.
    atomicMemoryFence(ordering: .releasing)
    for index in 0..<Self.wordCount {
      words[index].store(staged.load(fromByteOffset: 8 * index, as: UInt64.self), ordering: .relaxed)
    }
    sequence.store(turn &+ 2, ordering: .releasing)
    atomicMemoryFence(ordering: .releasing)
    for index in 0..<Self.wordCount {
      words[Self.wordCount + index].store(staged.load(fromByteOffset: 8 * index, as: UInt64.self), ordering: .relaxed)
    }
  }

  /// Any thread: the newest value. Retries only where another one was published meanwhile.
  @inlinable public func read() -> Value {
    withUnsafeTemporaryAllocation(byteCount: 8 * max(1, Self.wordCount), alignment: 16) { bytes in
      while true {
        let before = sequence.load(ordering: .acquiring)
        let first = before & 1 == 0 ? 0 : Self.wordCount
        for index in 0..<Self.wordCount {
          bytes.storeBytes(of: words[first + index].load(ordering: .relaxed), toByteOffset: 8 * index, as: UInt64.self)
        }
        atomicMemoryFence(ordering: .acquiring)
        if sequence.load(ordering: .relaxed) == before { return bytes.load(as: Value.self) }
      }
    }
  }
}
