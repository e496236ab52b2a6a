import DAWErrors
import DAWTime

/// The status of a player, for display and for other processes.
public struct PlayerStatus: Codable, Equatable, Sendable {
  public enum State: String, Codable, Sendable {
    case stopped
    /// Waits for the disk.
    case starting
    case rolling
  }

  public struct Loop: Codable, Equatable, Sendable {
    /// Flicks from the start of the timeline.
    public var startFlicks: Int64
    public var endFlicks: Int64
  }

  /// What is sent to the ALSA sequencer. Times are microseconds.
  public struct MIDI: Codable, Equatable, Sendable {
    public var sent = 0
    /// Messages that were handed over after they were due.
    public var late = 0
    /// How much later than due messages are delivered, the median.
    public var offset: Double?
    /// How far apart the 5th and the 95th percentile of that are.
    public var jitter: Double?
    /// Destinations that the project or the command asks for, and that are not there.
    public var missingDestinations: [String] = []
    /// Why nothing is sent any more.
    public var problem: String?
    /// Tracks that have no port, or whose port does not take what it is sent; the others go on.
    public var failures: [Failure] = []

    public struct Failure: Codable, Equatable, Sendable {
      /// The track's.
      public var name: String
      public var reason: String
      public var hint: String
    }

    public init() {}
  }

  /// What is recorded. Nothing in it is kept.
  public struct Recording: Codable, Equatable, Sendable {
    /// Whether what comes in is recorded while the transport rolls.
    public var isOn = false
    /// The name of the folder of the recording under way; `nil` while none is.
    public var folder: String?
    /// Seconds of the longest pass under way.
    public var seconds = 0.0
    /// Frames that are missing in the recording under way.
    public var gapFrames: Int64 = 0
    /// How full the memory is from which files are written, 0 … 1.
    public var ringFill = 0.0
    /// The names of the takes that the last recording has become.
    public var takes: [String] = []
    /// Seconds of these takes on the track that has the most; `nil` where there are none.
    public var takeSeconds: Double?
    public var inputs: [Input] = []

    public init() {}
  }

  /// An input of an armed track.
  public struct Input: Codable, Equatable, Sendable {
    /// The name of our port.
    public var name: String
    /// Linear, full scale 1: the greatest since the event before.
    public var peak: Float
  }

  public var state = State.stopped
  /// Timeline frame of the playhead, at the project's rate; negative while something counts in.
  public var frame: Int64 = 0
  public var flicks: Int64 = 0
  /// Bar, beat and tick of the playhead.
  public var position = ""
  public var loop: Loop?
  /// Hertz.
  public var sampleRate = 0
  /// Frames in a cycle of the server.
  public var bufferSize = 0
  /// Playback latency from our ports, in frames.
  public var playbackLatency = 0
  /// Late cycles since the player began.
  public var xruns = 0
  /// Frames that were silent because the disk or an instrument was late.
  public var lateFrames: Int64 = 0
  public var isFreewheeling = false
  /// Whether there is a server now.
  public var isConnected = true
  /// The revision of the project that sounds.
  public var revision: Int64 = 0
  /// Linear, full scale 1: the greatest of each side since the event before, or in an answer to another process since
  /// one asked for the status before.
  public var peakLeft: Float = 0
  public var peakRight: Float = 0
  /// System exclusive messages that were not sent, since JACK's buffer for MIDI does not hold them.
  public var lostExclusives = 0
  /// Media that are silent, since they are missing or not converted yet.
  public var silentMedia = 0
  /// `nil` where nothing is sent to the ALSA sequencer.
  public var midi: MIDI?
  /// `nil` where nothing can be recorded: no track is armed, or the player only plays.
  public var recording: Recording?
  public var clientName = ""
  public var processID: Int32 = 0

  public init() {}
}
