import DAWTime
import Synchronization

/// A track's events with their system exclusive messages. Immutable, and shared by all plans, ports and instruments
/// that have them, so that a new plan costs only the tracks that an edit has changed.
public final class MIDISequence: Sendable {
  /// In order of frame; at the same frame note-offs come first, then settings, then note-ons.
  public let events: [MIDIEvent]
  /// By `MIDIEvent.bytesIndex`, 0xF0 and 0xF7 included.
  public let systemExclusive: [[UInt8]]
  private let memory = Mutex<LinkedSequence?>(nil)
  private let cut = Mutex<(kind: Cut, result: MIDISequence)?>(nil)
  /// With an instrument's own settings; `nil` where that is this sequence.
  let withOwnSettings = Mutex<(own: OwnSettings, result: MIDISequence?)?>(nil)

  /// A way to leave out the end of a sequence.
  enum Cut: Equatable {
    /// For a port and for an instrument: the frame at which notes end.
    case ending(TimelineFrame)
    case released(TimelineFrame)
  }

  public init(_ events: [MIDIEvent], systemExclusive: [[UInt8]] = []) {
    self.events = events
    self.systemExclusive = systemExclusive
  }

  static let empty = MIDISequence([])

  deinit { memory.withLock { $0?.deallocate() } }

  /// The events in memory that is read without reference counting, valid while this object lives. Made at the first
  /// call; not the audio thread.
  var linked: LinkedSequence {
    memory.withLock { memory in
      if let memory { return memory }
      let made = LinkedSequence(events, systemExclusive)
      memory = made
      return made
    }
  }

  /// The sequence without its end. The last result is kept: the next plan needs it again.
  func without(_ kind: Cut, _ make: ([MIDIEvent]) -> [MIDIEvent]) -> MIDISequence {
    if let known = cut.withLock({ $0 }), known.kind == kind { return known.result }
    let result = MIDISequence(make(events), systemExclusive: systemExclusive)
    cut.withLock { $0 = (kind, result) }
    return result
  }
}

extension MIDISequence: Hashable {
  public static func == (a: MIDISequence, b: MIDISequence) -> Bool {
    a === b || a.events == b.events && a.systemExclusive == b.systemExclusive
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(events.count)
    hasher.combine(events.last)
  }
}
