/// How sending goes. Times are microseconds.
public struct SequencerStatus: Sendable, Equatable {
  /// Of each port, by its track's id, where it is heard.
  public var connections: [Int64: [SequencerAddress]] = [:]
  /// Destinations that the project asks for and that are not there, as they were written.
  public var missingDestinations: [String] = []
  /// Tracks that have no port, or whose port does not take what it is sent; the others go on.
  public var failures: [PortFailure] = []
  public var sentCount = 0
  /// Messages that were handed over after they were due.
  public var lateCount = 0
  /// The median of how much later than due the queue delivers, by the host's clock.
  public var offset: Double?
  /// Between the 5th and the 95th percentile of the same.
  public var jitter: Double?
  /// How much faster than the host's clock the queue's runs, in millionths.
  public var drift: Double = 0
  /// Why nothing is sent any more.
  public var problem: SequencerError?

  public init() {}

  public struct PortFailure: Hashable, Sendable {
    /// The track's id and name.
    public var slot: Int64
    public var name: String
    public var error: SequencerError
  }
}
