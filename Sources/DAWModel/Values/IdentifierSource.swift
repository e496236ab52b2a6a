/// Assigns new identifiers.
///
/// The first of a batch combines the clock and 22 random bits, and is at least one more than the highest of its kind;
/// the others count up from it.
public struct IdentifierSource: Sendable {
  /// Milliseconds since 1970. Called for each batch.
  public var now: @Sendable () -> Int64

  public init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// 2020-01-01T00:00:00Z in milliseconds since 1970.
  static let epoch: Int64 = 1_577_836_800_000
  /// In milliseconds since then: minutes before the last of 41 bits, in 2089. A clock that is later leaves room above
  /// for the others of a batch, and a recording's ledger is read by ids that leave such room (`RecordingLimits.ids`).
  private static let lastTime: Int64 = 1 << 41 - 1 << 19

  /// The first identifier of a batch; the others count up from it.
  public func first<Kind>(above highest: Identifier<Kind>?) -> Identifier<Kind> {
    Identifier(rawValue: first(above: highest?.rawValue ?? 0))
  }

  /// The first identifier of a batch of rows that are not an `Entity`.
  public func first(above highest: Int64) -> Int64 {
    let time = max(0, min(now() - Self.epoch, Self.lastTime))
    let drawn = max(1, time << 22 | Int64.random(in: 0..<1 << 22))
    return highest < .max ? max(drawn, highest + 1) : drawn
  }
}

extension Identifier {
  /// When it was assigned, or another of its kind just before it. Of one that was not assigned by a source, any time.
  public var creationDate: Timestamp {
    Timestamp(milliseconds: IdentifierSource.epoch + max(0, rawValue) >> 22)
  }

  /// The identifier `places` further on in its batch.
  public func advanced(by places: Int) -> Self { Self(rawValue: Int64(clamping: Int128(rawValue) + Int128(places))) }
}
