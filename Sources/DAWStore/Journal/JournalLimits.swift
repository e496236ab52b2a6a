/// How much history is kept. What passes a limit is pruned: abandoned branches first, then the oldest edits are folded into
/// one entry, behind which undo does not reach.
public struct JournalLimits: Equatable, Sendable {
  /// Entries, more than 0; `nil` for no limit, here and below.
  public var count: Int?
  /// In milliseconds, more than 0.
  public var age: Int64?
  /// Of the changesets as they are stored, more than 0. The folded entry does not count: it is as large as the project.
  public var bytes: Int64?

  public init(count: Int?, age: Int64?, bytes: Int64?) {
    self.count = count
    self.age = age
    self.bytes = bytes
  }

  /// What a new project has.
  public static let standard = JournalLimits(count: 10_000, age: nil, bytes: 256 << 20)
}
