import DAWErrors
import DAWModel
import DAWStore

extension Editor {
  /// Adds a send from a track to a bus; each is a name or an id.
  public func addSend(from source: String, to bus: String, _ change: Change<Send> = Change()) throws -> Send {
    let (track, target) = (try view.track(calledBy: source), try view.track(calledBy: bus))
    var send = Send(id: try newID(), from: track.id, to: target.id)
    change.apply(to: &send)
    try apply(.add(send))
    note("Added send \(track.name) → \(target.name)")
    return send
  }

  public func setSend(from source: String, to bus: String, _ change: Change<Send>) throws -> Send {
    let old = try view.send(from: source, to: bus)
    let send = change.applied(to: old.send)
    if send != old.send { try apply(.set(send)) }
    note("Changed send \(old.track.name) → \(old.bus.name)")
    return send
  }

  public func removeSend(from source: String, to bus: String) throws -> SendEntry {
    let old = try view.send(from: source, to: bus)
    try apply(.remove(old.send.id))
    note("Removed send \(old.track.name) → \(old.bus.name)")
    return old
  }

  // MARK: Outputs

  /// Connects a track's output, without applying it.
  /// - Parameter reference: a bus, the master, or `none`.
  func connect(_ track: inout Track, to reference: String) throws {
    let name = reference.lowercased()
    let isNamed = try view.track(named: reference) != nil
    if name == "none", !isNamed {
      (track.outputBus, track.isOutputConnected) = (nil, false)
      return
    }
    // The master may have another name.
    let target = name == "master" && !isNamed ? try view.master() : try view.track(calledBy: reference)
    (track.outputBus, track.isOutputConnected) = (target.trackType == .master ? nil : target.id, true)
    guard track.trackType != .master else {
      throw RuleViolation(.output, value: "the \(target.subject) as output", subject: track.subject)
    }
  }

  /// Gives what feeds a bus the bus's own output, and removes the sends that lead to it.
  /// - Returns: how many outputs and sends there were.
  func reroute(feedersOf bus: Track) throws -> (outputs: Int, sends: Int) {
    let outputs = try view.rows(Track.self, where: "outputBus", is: bus.id).map { track in
      var track = track
      (track.outputBus, track.isOutputConnected) = (bus.outputBus, bus.isOutputConnected)
      return track
    }
    let sends = try view.rows(Send.self, where: "bus", is: bus.id).map(\.id)
    if !outputs.isEmpty { try apply(.set(outputs)) }
    if !sends.isEmpty { try apply(.remove(sends)) }
    return (outputs.count, sends.count)
  }
}

/// A send with its ends.
public struct SendEntry: Sendable {
  public var send: Send
  public var track: Track
  public var bus: Track
}

extension ProjectView {
  /// The send from a track to a bus; each is a name or an id.
  /// - Throws: `Failure`.
  public func send(from source: String, to bus: String) throws -> SendEntry {
    let (track, target) = (try self.track(calledBy: source), try self.track(calledBy: bus))
    let sends = try rows(Send.self, where: "track", is: track.id)
    if let send = sends.first(where: { $0.bus == target.id }) {
      return SendEntry(send: send, track: track, bus: target)
    }
    let names = try sends.compactMap { try self.track($0.bus).map { "'\($0.name)'" } }
    throw Failure(
      .noInput, code: "sendNotFound",
      "There is no send from track '\(track.name)' to '\(target.name)'. Nothing was changed.",
      hint: names.isEmpty
        ? "The track has no sends; 'daw add-send' adds one."
        : "It has sends to \(names.joined(separator: ", ")); 'daw add-send' adds one.")
  }

  public func entry(of send: Send) throws -> SendEntry {
    guard let track = try self.track(send.track), let bus = try self.track(send.bus) else {
      throw EditError.missing(noun: Send.noun, id: send.id.uuidString)
    }
    return SendEntry(send: send, track: track, bus: bus)
  }

  /// The name of what a track's output feeds; "nothing" if that is none.
  public func targetName(of track: Track) throws -> String {
    guard track.isOutputConnected else { return "nothing" }
    return try track.outputBus.flatMap { try self.track($0)?.name.text } ?? master().name.text
  }

  /// In order of their tracks, then of id.
  /// - Parameter track: only those from this one.
  public func sendEntries(from track: Track? = nil) throws -> [SendEntry] {
    let tracks = Dictionary(uniqueKeysWithValues: try self.tracks().map { ($0.id, $0) })
    let sends = try track.map { try rows(Send.self, where: "track", is: $0.id) } ?? all(Send.self)
    return sends.compactMap { send in
      guard let track = tracks[send.track], let bus = tracks[send.bus] else { return nil }
      return SendEntry(send: send, track: track, bus: bus)
    }.sorted {
      ($0.track.orderKey, $0.track.id, $0.send.id.rawValue) < ($1.track.orderKey, $1.track.id, $1.send.id.rawValue)
    }
  }
}
