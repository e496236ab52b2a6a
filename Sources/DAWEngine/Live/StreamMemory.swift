import Glibc
import Synchronization

/// A block of memory of a stream window. It is not touched before it is filled, so what is never filled costs nothing.
struct StreamMemory: @unchecked Sendable {
  // Unchecked: a block is used by its holder alone.
  let bytes: UnsafeMutableRawPointer
  /// 0 only for `none`.
  let byteCount: Int

  /// No memory, at a valid address.
  static let none = StreamMemory(bytes: .allocate(byteCount: 64, alignment: 64), byteCount: 0)

  /// From this size on, a block is a mapping of its own: the system gets it back when it is freed, and other blocks
  /// cannot fragment it.
  private static let mappedBytes = 1 << 16

  /// - Parameter byteCount: at least 1.
  /// - Returns: `nil` if there is no memory.
  static func allocate(byteCount: Int) -> StreamMemory? {
    guard byteCount >= mappedBytes else {
      return StreamMemory(bytes: .allocate(byteCount: byteCount, alignment: 64), byteCount: byteCount)
    }
    let bytes = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let bytes, bytes != MAP_FAILED else { return nil }
    return StreamMemory(bytes: bytes, byteCount: byteCount)
  }

  func free() {
    if byteCount >= Self.mappedBytes {
      munmap(bytes, byteCount)
    } else if byteCount > 0 {
      bytes.deallocate()
    }
  }
}

/// The memory of all file streams. Used by the butler's thread.
///
/// Sizes are rounded up to few classes, and some of what is given back is kept for the next stream of its class.
final class StreamMemoryPool {
  /// Bytes in use; read by other threads.
  let usedBytes = Atomic<Int>(0)
  private var kept: [Int: [StreamMemory]] = [:]
  private var keptBytes = 0
  /// The most bytes kept without use.
  private static let keptLimit = 8 << 20

  deinit { for block in kept.values.joined() { block.free() } }

  /// - Parameter byteCount: at least 1.
  /// - Returns: at least as many bytes; `nil` if there is no memory.
  func take(byteCount: Int) -> StreamMemory? {
    let size = Self.roundedUp(byteCount)
    let block: StreamMemory
    if let known = kept[size]?.popLast() {
      keptBytes -= size
      block = known
    } else {
      guard let new = StreamMemory.allocate(byteCount: size) else { return nil }
      block = new
    }
    usedBytes.wrappingAdd(size, ordering: .relaxed)
    return block
  }

  func giveBack(_ block: StreamMemory) {
    guard block.byteCount > 0 else { return }
    usedBytes.wrappingSubtract(block.byteCount, ordering: .relaxed)
    guard keptBytes + block.byteCount <= Self.keptLimit else { return block.free() }
    keptBytes += block.byteCount
    kept[block.byteCount, default: []].append(block)
  }

  /// The class of a size: eight to each power of two, so at most an eighth is lost.
  static func roundedUp(_ byteCount: Int) -> Int {
    let exponent = Int.bitWidth - 1 - max(1, byteCount).leadingZeroBitCount
    let step = max(64, 1 << max(0, exponent - 3))
    return (byteCount + step - 1) / step * step
  }
}
