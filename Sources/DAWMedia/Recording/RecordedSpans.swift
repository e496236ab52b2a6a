import DAWTime

extension GapCause {
  /// The cause of a gap behind a failed write.
  public init(_ error: AudioFileWriteError) {
    if case .diskFull = error { self = .diskFull } else { self = .ioError }
  }
}

/// Frames of a pass that were not recorded. A short gap is zeros in a file, a long one is in no file.
public struct RecordedGapSpan: Codable, Hashable, Sendable {
  /// In frames of the pass.
  public var start: Int64
  public var frames: Int64
  /// Not `lostEvents`.
  public var cause: GapCause

  public init(start: Int64, frames: Int64, cause: GapCause) {
    self.start = start
    self.frames = frames
    self.cause = cause
  }

  /// The first frame behind it.
  public var end: Int64 { start + frames }

  /// Both as one; `nil` unless `next` begins where this one ends, and has the same cause.
  package func joined(with next: Self) -> Self? {
    guard end == next.start, cause == next.cause else { return nil }
    return Self(start: start, frames: frames + next.frames, cause: cause)
  }
}

extension [LedgerRecord] {
  /// Removes a pass's gap that begins at a frame of the pass: a longer or a shorter one replaces it.
  package mutating func removeGap(at start: Int64, of pass: Int64) {
    removeAll { if case .gap(let other, let gap) = $0 { other == pass && gap.start == start } else { false } }
  }
}

/// A file of a pass's sound.
public struct RecordedSegmentFile: Codable, Hashable, Sendable {
  /// The number in its name. Rises within a pass.
  public var index: Int
  /// The first frame, in frames of the pass.
  public var startFrame: Int64
  /// Frames known to be in it; 0 while it is written.
  public var frames: Int64
  /// The name in the recording's folder; for a file in a spill folder, its absolute path.
  public var name: String
  /// Bytes from the file's start to its first frame.
  public var dataOffset: Int64
  /// The file's length; while it is written, that of its header.
  public var byteCount: Int64
  /// Of the whole file, 64 hexadecimal digits; `nil` until it is complete and hashed.
  public var sha256: String?
  /// Whether the file is not there.
  public var isMissing: Bool

  public init(
    index: Int, startFrame: Int64, frames: Int64, name: String, dataOffset: Int64, byteCount: Int64,
    sha256: String? = nil, isMissing: Bool = false
  ) {
    self.index = index
    self.startFrame = startFrame
    self.frames = frames
    self.name = name
    self.dataOffset = dataOffset
    self.byteCount = byteCount
    self.sha256 = sha256
    self.isMissing = isMissing
  }

  /// The first frame behind it.
  public var end: Int64 { startFrame + frames }
  /// Whether it is in a spill folder.
  public var isSpilled: Bool { name.hasPrefix("/") }
}
