import Synchronization

/// The peak since it was last read, passed from the audio thread to another.
public struct PeakMeter: ~Copyable, Sendable {
  // The bit patterns of non-negative floats are in the floats' order.
  private let bits = Atomic<UInt32>(0)

  public init() {}

  /// Audio thread: raises the peak.
  /// - Parameter magnitude: linear, ≥ 0, not NaN.
  @_noLocks public func raise(to magnitude: Float) {
    _ = bits.max(magnitude.bitPattern, ordering: .relaxed)
  }

  /// Any other thread: the peak since the last call, linear; 0 if there was none.
  public func take() -> Float { Float(bitPattern: bits.exchange(0, ordering: .relaxed)) }
}
