import Synchronization

/// The greatest magnitude since somebody last looked, handed from the audio thread to whoever shows it.
public struct PeakMeter: ~Copyable, Sendable {
  // Bit patterns of floats that are not negative are in the floats' order.
  private let bits = Atomic<UInt32>(0)

  public init() {}

  /// Audio thread.
  /// - Parameter magnitude: linear, ≥ 0, not NaN.
  @_noLocks public func raise(to magnitude: Float) {
    _ = bits.max(magnitude.bitPattern, ordering: .relaxed)
  }

  /// Any other thread: the greatest magnitude since the last call, linear; 0 when there was none.
  public func take() -> Float { Float(bitPattern: bits.exchange(0, ordering: .relaxed)) }
}
