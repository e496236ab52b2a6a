/// When what comes in on a track's ports is heard in its strip, in place of its regions.
public enum InputMonitoring: BitwiseCopyable, Hashable, Sendable {
  case off
  /// Always.
  case input
  /// While the transport is stopped, and while it records.
  case auto

  private var number: UInt8 {
    @_noLocks get {
      switch self {
      case .off: 0
      case .input: 1
      case .auto: 2
      }
    }
  }

  // Explicit, because the synthesised `==` is not `@_noLocks`.
  @_noLocks public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
}

/// The monitoring of a strip. In a passage alone it goes from one to another, in a line over its frames.
public struct PlannedMonitoring: BitwiseCopyable, Hashable, Sendable {
  public var from: InputMonitoring
  public var to: InputMonitoring

  public init(_ monitoring: InputMonitoring) { self.init(from: monitoring, to: monitoring) }

  init(from: InputMonitoring, to: InputMonitoring) {
    self.from = from
    self.to = to
  }
}

extension PlannedMonitoring: CustomStringConvertible {
  public var description: String { from == to ? "\(to)" : "from \(from) to \(to)" }
}
