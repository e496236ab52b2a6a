/// What one MIDI port has to send: a track's events, to somebody outside.
public struct PlannedPort: Hashable, Sendable {
  /// What the port's state is found by: its track's id.
  public var slot: Int64
  /// The track's name.
  public var name: String
  /// What the port is connected to, as `CLIENT:PORT`; `nil` leaves that to others.
  public var destination: String?
  /// Whether the port is there and sends nothing.
  public var isMuted: Bool
  /// In order of frame, on their exact frames; of one frame note-offs first, then settings, then note-ons. No note begins while its key is held.
  public var events: [MIDIEvent]
  /// The bytes of the system exclusive messages among the events, as they are sent.
  public var systemExclusive: [[UInt8]]

  public init(
    slot: Int64, name: String, destination: String? = nil, isMuted: Bool = false, events: [MIDIEvent],
    systemExclusive: [[UInt8]] = []
  ) {
    self.slot = slot
    self.name = name
    self.destination = destination
    self.isMuted = isMuted
    self.events = events
    self.systemExclusive = systemExclusive
  }
}
