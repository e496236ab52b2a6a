/// How long a project keeps what was recorded. Nothing goes unless the user says so.
public struct Retention: Hashable, Sendable, Codable {
  /// The age at which recordings go; `nil`: they stay.
  public var recordings: Days?
  /// The age at which transcripts go; `nil`: they stay.
  public var transcripts: Days?
  /// How many recordings stay whatever their age: the newest; `nil`: none.
  public var newest: Int?
  /// How many comments of a thread are given to an engine that answers it: the newest.
  public var thread: Int
  /// The age at which sound is compressed; `nil`: never.
  public var compressAfter: Days?
  /// What it is compressed to.
  public var quality: Quality
  /// How long what was removed stays in the trash.
  public var trash: Days
  public var scope: Scope

  public enum Quality: String, CaseIterable, Sendable, Codable, WrappedValue {
    /// FLAC: every sample stays as it is.
    case lossless
    case low, medium, high
  }

  /// What goes when it is old.
  public enum Scope: String, CaseIterable, Sendable, Codable, WrappedValue {
    /// What neither a region nor the history uses.
    case unused
    /// Also what regions use; they are silent from then on.
    case all
  }

  public init(
    recordings: Days? = nil, transcripts: Days? = nil, newest: Int? = nil, thread: Int = 10,
    compressAfter: Days? = nil, quality: Quality = .lossless, trash: Days = Days(7), scope: Scope = .unused
  ) {
    self.recordings = recordings
    self.transcripts = transcripts
    self.newest = newest
    self.thread = thread
    self.compressAfter = compressAfter
    self.quality = quality
    self.trash = trash
    self.scope = scope
  }

  /// Whether anything goes by itself.
  public var isOn: Bool { recordings != nil || transcripts != nil || compressAfter != nil }

  private static let acceptedAge = Days(1)...Days(36_500)
  private static let acceptedTrash = Days(0)...Days(36_500)
  private static let acceptedNewest = 1...1_000_000
  private static let acceptedThread = 1...1_000

  func validate() throws(RuleViolation) {
    for age in [recordings, transcripts, compressAfter].compactMap(\.self) {
      try require(Self.acceptedAge.contains(age), .retention, "an age of \(age)", of: "the project")
    }
    try require(Self.acceptedTrash.contains(trash), .retention, "a trash kept for \(trash)", of: "the project")
    try require(
      newest.map(Self.acceptedNewest.contains) ?? true, .retention, "the newest \(newest ?? 0) recordings",
      of: "the project")
    try require(Self.acceptedThread.contains(thread), .retention, "\(thread) comments of a thread", of: "the project")
  }
}

/// A span of days of 24 hours.
public struct Days: Hashable, Comparable, Sendable, Codable {
  public var count: Int

  public init(_ count: Int) { self.count = count }

  public static func < (a: Self, b: Self) -> Bool { a.count < b.count }

  public var milliseconds: Int64 { Int64(count) * 86_400_000 }
}

extension Days: CustomStringConvertible {
  /// "1 day", "90 days".
  public var description: String { "\(count) day\(count == 1 ? "" : "s")" }
}

extension Days: WrappedValue {
  public var simple: Int { count }
  public init?(simple: Int) { self.init(simple) }
}
