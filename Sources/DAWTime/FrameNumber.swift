import Synchronization

/// A position, counted in frames. `Kind` says from where, so that the compiler refuses to mix positions of two kinds.
///
/// The difference of two positions is a number of frames, an `Int`; a position and a number of frames make a position.
/// The engine's positions have this type: they are within the limits of a project, and sums are not clamped.
/// `FramePosition` also holds positions that have not been checked.
///
/// Operators are explicit and transparent, so that a `@_noLocks` function can use them: generic functions cannot have
/// that attribute, and are checked where they are inlined. That needs another module than the engine's.
@frozen public struct FrameNumber<Kind>: BitwiseCopyable, Sendable {
  public var number: Int

  @_transparent public init(_ number: Int) { self.number = number }

  @_transparent public static var min: Self { Self(Int.min) }
  @_transparent public static var max: Self { Self(Int.max) }

  @_transparent public static func - (later: Self, earlier: Self) -> Int { later.number - earlier.number }
  @_transparent public static func + (position: Self, count: Int) -> Self { Self(position.number + count) }
  @_transparent public static func - (position: Self, count: Int) -> Self { Self(position.number - count) }
  @_transparent public static func += (position: inout Self, count: Int) { position.number += count }
  @_transparent public static func -= (position: inout Self, count: Int) { position.number -= count }
}

// MARK: Conformances

extension FrameNumber: Comparable, Hashable {
  @_transparent public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  @_transparent public static func != (a: Self, b: Self) -> Bool { a.number != b.number }
  @_transparent public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
  @_transparent public static func <= (a: Self, b: Self) -> Bool { a.number <= b.number }
  @_transparent public static func > (a: Self, b: Self) -> Bool { a.number > b.number }
  @_transparent public static func >= (a: Self, b: Self) -> Bool { a.number >= b.number }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension FrameNumber: Strideable {
  @_transparent public func distance(to other: Self) -> Int { other - self }
  @_transparent public func advanced(by count: Int) -> Self { self + count }
}

extension FrameNumber: ExpressibleByIntegerLiteral {
  @_transparent public init(integerLiteral number: Int) { self.init(number) }
}

extension FrameNumber: AtomicRepresentable {
  public typealias AtomicRepresentation = Int.AtomicRepresentation

  @_transparent public static func encodeAtomicRepresentation(_ frame: consuming Self) -> AtomicRepresentation {
    Int.encodeAtomicRepresentation(frame.number)
  }
  @_transparent public static func decodeAtomicRepresentation(
    _ stored: consuming AtomicRepresentation
  ) -> Self {
    Self(Int.decodeAtomicRepresentation(stored))
  }
}

extension FrameNumber: CustomStringConvertible {
  public var description: String { "\(number)" }
}
