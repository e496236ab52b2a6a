/// How much history is kept. When a limit is exceeded, abandoned branches are pruned first, then the oldest edits are
/// folded into one entry, which cannot be undone.
public struct JournalLimits: Equatable, Sendable {
  /// The number of entries, greater than 0; `nil` for no limit, here and below.
  public var count: Int?
  /// In milliseconds, greater than 0.
  public var age: Int64?
  /// The stored size of the changesets, greater than 0. Folded entries do not count: they are as large as the project.
  public var bytes: Int64?

  public init(count: Int?, age: Int64?, bytes: Int64?) {
    self.count = count
    self.age = age
    self.bytes = bytes
  }

  /// The limits of a new project, in units that 'daw set-history' takes.
  public static let standard = JournalLimits(count: 10_000, age: nil, bytes: 256_000_000)
}
