import Synchronization

/// Publishes plans to the audio thread and returns retired ones, wait-free on both sides.
///
/// Plans are opaque addresses, owned by the control thread. Two slots suffice: one for the next plan, one for the
/// retired plan. The audio thread takes a plan only while the slot for the retired one is empty, so it never holds more
/// than it can give back.
public struct PlanExchange: ~Copyable, @unchecked Sendable {
  // Unchecked, because an address is not Sendable by itself: what it points to belongs to one side at a time.
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  private let retired = Atomic<UnsafeMutableRawPointer?>(nil)

  public init() {}

  /// Control thread: publishes `plan`.
  /// - Returns: an earlier plan that the audio thread never took. It can be freed at once.
  public func publish(_ plan: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    next.exchange(plan, ordering: .acquiringAndReleasing)
  }

  /// Control thread: withdraws the plan published last.
  /// - Returns: `nil` if the audio thread has taken it, or none was published.
  public func withdraw() -> UnsafeMutableRawPointer? { next.exchange(nil, ordering: .acquiringAndReleasing) }

  /// Control thread: the retired plan, or `nil`. It can be freed once every other thread that reads plans has
  /// acknowledged a later one.
  public func collect() -> UnsafeMutableRawPointer? {
    retired.exchange(nil, ordering: .acquiringAndReleasing)
  }

  /// Audio thread, first thing in a block. Wait-free.
  /// - Returns: the newest plan, or `current` if there is none or the last retired plan has not been collected.
  @_noLocks public func newest(after current: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let plan = take() else { return current }
    retire(current)
    return plan
  }

  /// Audio thread: whether a plan waits to be taken.
  public var isOffering: Bool { @_noLocks get { next.load(ordering: .acquiring) != nil } }

  /// Audio thread, if it continues to use the current plan for a while: takes the new one. `retire` the current one
  /// before the next `take`. Wait-free.
  /// - Returns: `nil` if there is no new plan or the last retired plan has not been collected.
  @_noLocks public func take() -> UnsafeMutableRawPointer? {
    guard retired.load(ordering: .acquiring) == nil else { return nil }
    return next.exchange(nil, ordering: .acquiringAndReleasing)
  }

  /// Audio thread: gives back a plan that it does not use any more. To be called once after each `take` that returned a
  /// plan.
  @_noLocks public func retire(_ plan: UnsafeMutableRawPointer?) { retired.store(plan, ordering: .releasing) }
}
