/// Sizes and limits of a live engine. None of them changes a sample that is rendered in time.
public struct LiveOptions: Sendable {
  /// Hertz.
  public var sampleRate: Int
  /// Regions that can sound at once, 1 … 20,000. File streams are made as they are needed; those of regions to come
  /// give way to those that sound.
  public var streamCount = 8_192
  /// Bytes that file streams use together, about. With many of them each is read less far ahead; at least four blocks.
  public var streamBytes = 256 << 20
  /// Instruments that can play at once, 0 … 65,000.
  public var instrumentCount = 1_024
  /// Seconds that the butler reads ahead of each file at first; doubled whenever the disk is late, up to eight times
  /// this, and halved again after each `quietSeconds`.
  public var readAheadSeconds = 2.0
  /// Seconds of the host's clock without a late disk after which less is read ahead again.
  public var quietSeconds = 60.0
  /// Seconds between attempts to read a file that cannot be read.
  public var retrySeconds = 1.0
  /// Seconds that each instrument is rendered ahead.
  public var renderAheadSeconds = 0.1
  /// Threads that render instruments, at least 1.
  public var instrumentThreadCount = 2
  /// Seconds that a start waits for its streams, at most; JACK's default sync timeout is as long.
  public var startWaitSeconds = 10.0
  /// Seconds that `LiveEngine.publish` waits for a plan's streams while the transport rolls, at most.
  public var publishWaitSeconds = 2.0
  /// Seconds of audio from the loop's start that stay in memory.
  public var heldSeconds = 0.5

  /// - Parameter sampleRate: hertz.
  public init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// `seconds` in frames, at least 1.
  func frames(_ seconds: Double) -> Int { max(1, Int(seconds * Double(sampleRate))) }
}
