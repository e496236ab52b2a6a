import Synchronization

/// Publishes a plan to the audio thread and gives back the ones it has left, without either side waiting.
///
/// The exchange does not know what a plan is: it passes addresses that the control thread owns. Two slots suffice: a
/// plan on its way in, and one on its way out. The audio thread takes a new plan only when the way out is free, so it
/// never holds more than it can give back.
public struct PlanExchange: ~Copyable, @unchecked Sendable {
  // Unchecked, because an address is not Sendable by itself: what it points to belongs to one side at a time.
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  private let retired = Atomic<UnsafeMutableRawPointer?>(nil)

  public init() {}

  /// Control thread: offers `plan` to the audio thread.
  /// - Returns: an earlier plan that the audio thread never took. It can be freed at once.
  public func publish(_ plan: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    next.exchange(plan, ordering: .acquiringAndReleasing)
  }

  /// Control thread: takes back the plan that was published last.
  /// - Returns: `nil` where the audio thread has taken it already, or none was published.
  public func withdraw() -> UnsafeMutableRawPointer? { next.exchange(nil, ordering: .acquiringAndReleasing) }

  /// Control thread: a plan that the audio thread has left, or `nil`. It can be freed once every other thread that
  /// reads plans has acknowledged a later one.
  public func collect() -> UnsafeMutableRawPointer? {
    retired.exchange(nil, ordering: .acquiringAndReleasing)
  }

  /// Audio thread, first thing in a block. Wait-free.
  /// - Returns: the newest plan, or `current` when nothing is new or the last plan has not been collected yet.
  @_noLocks public func newest(after current: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let plan = take() else { return current }
    retire(current)
    return plan
  }

  /// Audio thread: whether a plan waits to be taken.
  public var isOffering: Bool { @_noLocks get { next.load(ordering: .acquiring) != nil } }

  /// Audio thread, where it goes on to use the current plan beside the new one for a while: `retire` the one it leaves
  /// before the next `take`. Wait-free.
  /// - Returns: `nil` when nothing is new or the last plan has not been collected yet.
  @_noLocks public func take() -> UnsafeMutableRawPointer? {
    guard retired.load(ordering: .acquiring) == nil else { return nil }
    return next.exchange(nil, ordering: .acquiringAndReleasing)
  }

  /// Audio thread: it does not use `plan` any more. Once after each `take` that gave a plan.
  @_noLocks public func retire(_ plan: UnsafeMutableRawPointer?) { retired.store(plan, ordering: .releasing) }
}
