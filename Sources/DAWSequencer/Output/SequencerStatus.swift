/// The state of the sequencer output. Times are in microseconds.
public struct SequencerStatus: Sendable, Equatable {
  /// The subscribers of each port, by track id.
  public var connections: [Int64: [SequencerAddress]] = [:]
  /// Destinations of the project that do not exist, as written.
  public var missingDestinations: [String] = []
  /// Tracks whose port could not be made or refuses messages.
  public var failures: [PortFailure] = []
  public var sentCount = 0
  /// Messages queued after they were due.
  public var lateCount = 0
  /// The median delay of the queue's deliveries, by the host's clock.
  public var offset: Double?
  /// The difference of the 95th and the 5th percentile of the delays.
  public var jitter: Double?
  /// The speed of the queue's clock relative to the host's, minus 1, in ppm.
  public var drift: Double = 0
  /// Why sending has ended; `nil` while it works.
  public var problem: SequencerError?

  public init() {}

  /// A track whose port could not be made, or refuses messages.
  public struct PortFailure: Hashable, Sendable {
    /// The track's id and name.
    public var trackID: Int64
    public var name: String
    public var error: SequencerError
  }
}
