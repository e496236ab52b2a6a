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
  /// In order of frame, not quantised; at the same frame note-offs come first, then settings, then note-ons. No note
  /// begins while its key is held.
  public var events: [MIDIEvent]
  /// The system exclusive messages of the events, as sent.
  public var systemExclusive: [[UInt8]]

  public init(
    trackID: Int64, name: String, destination: String? = nil, isMuted: Bool = false, events: [MIDIEvent],
    systemExclusive: [[UInt8]] = []
  ) {
    self.trackID = trackID
    self.name = name
    self.destination = destination
    self.isMuted = isMuted
    self.events = events
    self.systemExclusive = systemExclusive
  }
}
