import DAWTime

/// What positions are counted from.
public enum FrameKind {
  public enum Timeline {}
  public enum File {}
  public enum Host {}
  public enum Rolled {}
  public enum Stream {}
}

/// A frame of the timeline, at the project's rate; may be negative.
public typealias TimelineFrame = FrameNumber<FrameKind.Timeline>

/// A frame of a source's file; those that are read are ≥ 0.
public typealias FileFrame = FrameNumber<FrameKind.File>

/// A frame of the host's clock; it never wraps.
public typealias HostFrame = FrameNumber<FrameKind.Host>

/// Frames played since the last locate, loops included: where the playhead is in what is heard. Negative for what is
/// processed ahead of playback.
public typealias RolledFrame = FrameNumber<FrameKind.Rolled>

/// A frame of a stream, by which its window finds it: for a file stream the file's, for an instrument the rolled frame.
public typealias StreamFrame = FrameNumber<FrameKind.Stream>
