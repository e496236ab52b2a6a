/// How a live engine is laid out. Nothing here changes a sample that is heard in time.
public struct LiveOptions: Sendable {
  /// Hertz.
  public var sampleRate: Int
  /// Streams of files that can be open at once, 1 … 65,000.
  public var streamCount = 512
  /// Instruments that can play at once, 0 … 65,000.
  public var instrumentCount = 256
  /// Seconds of each stream that the butler keeps ready at first; a disk that is late makes it more, up to eight times.
  public var readAheadSeconds = 2.0
  /// Seconds of each instrument that are rendered ahead.
  public var renderAheadSeconds = 0.1
  /// Threads that render instruments, at least 1.
  public var instrumentThreadCount = 2
  /// Seconds that a start waits for its streams, at most. As long as a JACK server waits for a slow client.
  public var startWaitSeconds = 10.0
  /// Seconds that `LiveEngine.publish` waits for a plan's streams while the transport rolls, at most.
  public var publishWaitSeconds = 2.0
  /// Seconds behind the loop's start that stay in memory.
  public var heldSeconds = 0.5

  /// - Parameter sampleRate: hertz.
  public init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Frames in so many seconds, at least 1.
  func frames(_ seconds: Double) -> Int { max(1, Int(seconds * Double(sampleRate))) }
}
