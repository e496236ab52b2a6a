import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// A new event, positioned relative to its region.
public struct EventDraft: Sendable {
  public var start: TickCount
  /// 0 … 15; 0 for messages without a channel.
  public var channel: Int
  public var message: RegionEvent.Message

  public init(start: TickCount, channel: Int = 0, message: RegionEvent.Message) {
    self.start = start
    self.channel = channel
    self.message = message
  }
}

/// Other contents of an event; `nil` keeps what there is. What the event's kind does not have is refused.
public struct MessageChange: Sendable {
  /// The controller's number.
  public var controller: Int?
  /// The key of a polyphonic pressure.
  public var pitch: Int?
  /// The value of a controller, a pressure or a pitch bend.
  public var value: Int?
  public var program: Int?
  public var bank: Int?
  /// A whole system exclusive message.
  public var sysex: [UInt8]?
  /// The bytes of a text.
  public var text: [UInt8]?

  public init() {}

  func apply(to event: inout RegionEvent) throws {
    var used = 0
    func take<Value>(_ value: Value?, or old: Value) -> Value {
      if value != nil { used += 1 }
      return value ?? old
    }
    event.message =
      switch event.message {
      case .controller(let number, let value):
        .controller(number: take(controller, or: number), value: take(self.value, or: value))
      case .pitchBend(let value): .pitchBend(take(self.value, or: value))
      case .channelPressure(let value): .channelPressure(take(self.value, or: value))
      case .polyPressure(let pitch, let value):
        .polyPressure(pitch: take(self.pitch, or: pitch), value: take(self.value, or: value))
      case .program(let program, let bank):
        .program(take(self.program, or: program), bank: self.bank.map { take($0, or: 0) } ?? bank)
      case .systemExclusive(let bytes): .systemExclusive(take(sysex, or: bytes))
      case .meta(let type, let bytes): .meta(type: type, take(text, or: bytes))
      }
    let given = [controller, pitch, value, program, bank].count { $0 != nil } + [sysex, text].count { $0 != nil }
    guard used == given else {
      throw Failure(
        .invalid, code: Rule.eventKind.rawValue,
        "\(event.subject) is of the kind \(EventKind(event.message.kind).rawValue), which has no such value. "
          + "Nothing was changed.", hint: "Remove it, and add one of another kind.")
    }
  }
}

extension Editor {
  /// - Parameters:
  ///   - region: must be a MIDI region.
  ///   - lines: those that list the events, if any do.
  public func addEvents(
    to region: Region, _ drafts: [EventDraft], listedOn lines: LineNumbers? = nil
  ) throws -> [RegionEvent] {
    let first = try newID(of: RegionEvent.self)
    let events = drafts.enumerated().map { index, draft in
      RegionEvent(
        id: first.advanced(by: index), region: region.id, start: draft.start, channel: draft.channel,
        message: draft.message)
    }
    if !events.isEmpty {
      try naming(
        events.map(\.subject), "event", listedOn: lines,
        outside: events.firstIndex { (try? $0.validate(in: region)) == nil }
      ) { try apply(.add(events)) }
    }
    note("Added \(counted(events.count, "event")) to region '\(region.name)'")
    return events
  }

  public func setEvents(
    _ changes: [(event: RegionEvent, change: Change<RegionEvent>)], _ message: MessageChange
  ) throws -> [RegionEvent] {
    let events = try changes.map { event, change in
      var event = change.applied(to: event)
      try message.apply(to: &event)
      return event
    }
    try apply(.set(events))
    note("Changed \(counted(events.count, "event"))")
    return events
  }

  /// - Parameter references: the ids of the events.
  public func removeEvents(_ references: [String]) throws -> [RegionEvent] {
    let events = try references.completed(among: view.eventIDs).map { try view.event(calledBy: $0) }.uniqued
    try apply(.remove(events.map(\.id)))
    note("Removed \(counted(events.count, "event"))")
    return events
  }
}
