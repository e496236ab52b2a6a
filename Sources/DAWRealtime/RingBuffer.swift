import Synchronization

/// A wait-free single-producer, single-consumer queue.
///
/// The methods are not `@_noLocks`, because generic functions cannot be; a `@_noLocks` caller has them checked for its
/// own element.
public struct RingBuffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // The writer only stores to free elements from `written` on, and publishes them by advancing it; the reader likewise
  // with `consumed`. Both counts only grow: 2⁶³ elements are not reached.
  @usableFromInline let storage: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let consumed = Atomic<Int>(0)

  /// Control thread. Touches all memory, so that later accesses do not page-fault.
  /// - Parameters:
  ///   - minimumCapacity: in elements, at least 1; rounded up to a power of two.
  ///   - filler: initial content of the storage.
  public init(minimumCapacity: Int, filler: Element) {
    var capacity = 1
    while capacity < minimumCapacity { capacity *= 2 }
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: filler, count: capacity)
    mask = capacity - 1
  }

  deinit { storage.deallocate() }

  /// In elements.
  @inlinable public var capacity: Int { mask + 1 }

  /// Elements that can be read; for the writer, an upper bound.
  @inlinable public var count: Int {
    let first = consumed.load(ordering: .acquiring)
    return written.load(ordering: .acquiring) - first
  }

  /// The writing thread.
  /// - Returns: false when the ring is full; nothing is written then.
  @inlinable public func write(_ element: Element) -> Bool {
    let end = written.load(ordering: .relaxed)
    guard end - consumed.load(ordering: .acquiring) <= mask else { return false }
    storage[end & mask] = element
    written.store(end + 1, ordering: .releasing)
    return true
  }

  /// The reading thread.
  /// - Returns: the oldest element, or `nil` when the ring is empty.
  @inlinable public func read() -> Element? {
    let start = consumed.load(ordering: .relaxed)
    guard written.load(ordering: .acquiring) != start else { return nil }
    let element = storage[start & mask]
    consumed.store(start + 1, ordering: .releasing)
    return element
  }

  /// The reading thread: the elements that can be read, without copying, up to where the storage wraps. Valid until
  /// `discard`.
  @inlinable public func peek() -> UnsafeBufferPointer<Element> {
    let start = consumed.load(ordering: .relaxed)
    let place = start & mask
    let count = min(written.load(ordering: .acquiring) - start, mask + 1 - place)
    return UnsafeBufferPointer(start: storage + place, count: count)
  }

  /// The reading thread: drops the oldest elements.
  /// - Parameter count: at most what can be read.
  @inlinable public func discard(_ count: Int) {
    let start = consumed.load(ordering: .relaxed)
    consumed.store(start + count, ordering: .releasing)
  }
}
