/// Gives new identifiers.
///
/// Each is at least one more than the highest of its kind; the first of a batch is drawn from the clock and the random
/// generator, the rest count up.
public struct IdentifierSource: Sendable {
  /// Milliseconds since 1970, read for each draw.
  public var now: @Sendable () -> Int64
  /// 22 random bits.
  public var random: @Sendable () -> Int64

  public init(
    now: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable () -> Int64 = { Int64.random(in: 0..<1 << 22) }
  ) {
    self.now = now
    self.random = random
  }

  /// 2020-01-01T00:00:00Z in milliseconds since 1970.
  private static let epoch: Int64 = 1_577_836_800_000

  /// The first identifier of a batch; the others follow it one by one.
  public func first<Kind>(above highest: Identifier<Kind>?) -> Identifier<Kind> {
    Identifier(rawValue: first(above: highest?.rawValue ?? 0))
  }

  /// The same for what has no kind of its own.
  public func first(above highest: Int64) -> Int64 {
    let time = max(0, min(now() - Self.epoch, 1 << 41 - 1))
    let drawn = max(1, time << 22 | random() & (1 << 22 - 1))
    return highest < .max ? max(drawn, highest + 1) : drawn
  }
}

extension Identifier {
  /// The identifier so many places further on in its batch.
  public func advanced(by places: Int) -> Self { Self(rawValue: Int64(clamping: Int128(rawValue) + Int128(places))) }
}
