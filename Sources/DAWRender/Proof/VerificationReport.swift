/// What became of a file, or a folder of stems, when it was rendered again.
public struct VerificationReport: Equatable, Sendable {
  public var path: String
  /// Whether it holds what the project renders now.
  public var isSame: Bool
  /// Whether it is still what was rendered then, to the byte.
  public var fileIsUntouched: Bool
  /// SHA-256 of the engine's samples as rendered now; where there are stems, of the mix.
  public var sha256: String
  public var revision: Int64
  public var earlierRevision: Int64
  /// From the beginning of the file, of any of the stems; `nil` where the samples are equal.
  public var firstDifferentFrame: Int64?
  /// Hertz of the file.
  public var sampleRate: Int
  /// What has changed since, in words.
  public var changes: [String]
  /// One for each stem; empty where it is one file.
  public var stems: [FileVerification] = []
}

/// What became of one file.
public struct FileVerification: Equatable, Sendable {
  /// Without its folder.
  public var name: String
  public var isSame: Bool
  public var fileIsUntouched: Bool
  /// Whether it was rendered then, and is not there.
  public var isMissing = false
  /// `nil` where the samples are equal, or there is nothing to compare.
  public var firstDifferentFrame: Int64?
}
