/// A MIDI output of a track: its events, for a receiver outside of the engine.
public struct PlannedPort: Hashable, Sendable {
  /// The track's id. It identifies the port from plan to plan.
  public var trackID: Int64
  /// The track's name.
  public var name: String
  /// What to connect the port to, as `CLIENT:PORT`; `nil` connects nothing.
  public var destination: String?
  /// Whether the port exists but sends nothing.
  public var isMuted: Bool
  /// The events, not quantised. No note begins while its key is held.
  public var sequence: MIDISequence

  public init(
    trackID: Int64, name: String, destination: String? = nil, isMuted: Bool = false, sequence: MIDISequence
  ) {
    self.trackID = trackID
    self.name = name
    self.destination = destination
    self.isMuted = isMuted
    self.sequence = sequence
  }

  public init(
    trackID: Int64, name: String, destination: String? = nil, isMuted: Bool = false, events: [MIDIEvent],
    systemExclusive: [[UInt8]] = []
  ) {
    self.init(
      trackID: trackID, name: name, destination: destination, isMuted: isMuted,
      sequence: MIDISequence(events, systemExclusive: systemExclusive))
  }

  /// The sequence's events; a new value makes a new sequence.
  public var events: [MIDIEvent] {
    get { sequence.events }
    set { sequence = MIDISequence(newValue, systemExclusive: systemExclusive) }
  }

  /// The system exclusive messages of the events, as sent.
  public var systemExclusive: [[UInt8]] {
    get { sequence.systemExclusive }
    set { sequence = MIDISequence(events, systemExclusive: newValue) }
  }
}
