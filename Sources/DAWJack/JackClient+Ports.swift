import CJack
import DAWEngine
import Glibc

extension JackClient {
  /// Makes an output port.
  /// - Throws: `JackError.port`.
  static func register(
    _ name: String, _ type: String, _ library: JackLibrary, _ client: OpaquePointer
  ) throws(JackError) -> OpaquePointer {
    let port = library.functions.jack_port_register(client, name, type, UInt(JackPortIsOutput.rawValue), 0)
    guard let port else { throw .port(name: name) }
    return port
  }

  /// What the ports of tracks are to be.
  public struct TrackPorts: Sendable {
    /// Tracks that have a pair of audio ports of their own, in their order; `slot` is the track's id.
    public var directOuts: [(slot: Int64, name: String)] = []
    /// MIDI ports, and what they have to send.
    public var midi: [PlannedPort] = []
    /// Of the plan that `midi` is of.
    public var planNumber: UInt64 = 0
    /// Where the beats are, for the timebase.
    public var beats: BeatTable?

    public init() {}
  }

  /// Gives the tracks their ports, which come, go and are renamed with them; and tells the audio thread what to send.
  /// - Throws: `JackError.port`; no port is made or goes, but one that was to make way for another may have a spare name.
  public func publish(_ wanted: TrackPorts) throws(JackError) {
    let names = portNames(wanted.directOuts.map { ($0.name, true) } + wanted.midi.map { ($0.name, false) })
    makeWay(for: wanted, names)
    var made: [(port: OpaquePointer, of: TrackPort)] = []
    var pairs: [Int64: PortPair] = [:]
    var midi: [Int64: JackMIDIPort] = [:]
    var rows = Set((midiPorts.values + endingMIDI + endedMIDI).compactMap(\.row))
    do throws(JackError) {
      for (track, name) in zip(wanted.directOuts, names) {
        pairs[track.slot] = try pair(of: track.slot, name, &made)
      }
      for (port, name) in zip(wanted.midi, names.dropFirst(wanted.directOuts.count)) {
        midi[port.slot] = try midiPort(of: port.slot, name, &made, &rows)
      }
    } catch {
      for (port, _) in made { _ = library.functions.jack_port_unregister(handle, port) }
      throw error
    }
    for (slot, pair) in directOutPorts where pairs[slot] == nil {
      earlierConnections[TrackPort(slot: slot, kind: .left)] = destinations(of: pair.left)
      earlierConnections[TrackPort(slot: slot, kind: .right)] = destinations(of: pair.right)
    }
    for (slot, port) in midiPorts where midi[slot] == nil {
      earlierConnections[TrackPort(slot: slot, kind: .midi)] = destinations(of: port.port)
    }
    for (port, place) in made { connectAgain(port, as: place) }
    leaving += directOutPorts.filter { pairs[$0.key] == nil }.flatMap { [$0.value.left, $0.value.right] }
    endingMIDI += midiPorts.filter { midi[$0.key] == nil }.map(\.value)
    if !endingMIDI.isEmpty { endMIDI = .now + .milliseconds(200) }
    directOutPorts = pairs
    midiPorts = midi
    hasNewPorts = true
    published = wanted
    publishTables()
  }

  /// Removes the ports of tracks that are gone, once what sounded there has ended and the audio thread has let go of them.
  /// To be called now and then.
  public func removeLeftPorts() {
    if !endingMIDI.isEmpty, ContinuousClock.now >= endMIDI {
      leaving += endingMIDI.map(\.port)
      endedMIDI += endingMIDI
      endingMIDI = []
      publishTables()
    }
    returnedCount += process.collect().count
    guard !leaving.isEmpty else { return }
    // All but the newest tables have come back.
    guard returnedCount == publishedCount - 1 else { return }
    for port in leaving { _ = library.functions.jack_port_unregister(handle, port) }
    leaving = []
    endedMIDI = []
  }

  /// Tells the table of what sounds where MIDI ports are heard. To be called now and then: what is connected, and the
  /// process killed, between two calls, is not found by the watchdog.
  public func noteConnections() {
    guard let table else { return }
    let count = status.snapshot.connectionChangeCount
    guard hasNewPorts || count != toldChangeCount else { return }
    (hasNewPorts, toldChangeCount) = (false, count)
    for port in midiPorts.values + endingMIDI {
      guard let row = port.row else { continue }
      let destinations = destinations(of: port.port)
      guard destinations != port.destinations else { continue }
      port.destinations = destinations
      table.setDestinations(row, named: destinations)
    }
  }

  /// Full names of the ports that one of ours is connected with.
  private func destinations(of port: OpaquePointer) -> [String] {
    guard let found = library.functions.jack_port_get_connections(port) else { return [] }
    defer { library.functions.jack_free(UnsafeMutableRawPointer(mutating: found)) }
    var names: [String] = []
    while let name = found[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// The system exclusive messages that were not sent so far, since JACK's buffer does not hold them, by port.
  public var lostExclusives: [String: Int] {
    var counts: [String: Int] = [:]
    for port in midiPorts.values {
      let count = port.state.pointee.lostCount.load(ordering: .relaxed)
      if count > 0 { counts[port.name] = count }
    }
    return counts
  }

  /// Has the receivers of MIDI silent for good from the next cycle on.
  public func silenceMIDI() { process.silences.store(true, ordering: .relaxed) }

  private func publishTables() {
    let outs = published.directOuts.compactMap { track in
      directOutPorts[track.slot].map { JackTables.DirectOut(slot: track.slot, left: $0.left, right: $0.right) }
    }
    publishedCount += 1
    returnedCount +=
      process.publish(
        JackTables(
          directOuts: outs, beats: published.beats, midiPorts: Array(midiPorts.values) + endingMIDI,
          planned: published.midi, planNumber: published.planNumber)
      ).count
  }

  /// Connects the master's ports.
  /// - Parameter destinations: full names of ports; the first takes the left side, the next the right, and so on in turn; a
  ///   single one takes both. `nil`: the server's first two playback ports.
  /// - Returns: the names of what was connected.
  /// - Throws: `JackError.connection`; what was connected before it stays so.
  public func connect(to destinations: [String]?) throws(JackError) -> [String] {
    let targets = destinations ?? playbackPorts(2)
    var connected: [String] = []
    for (index, target) in targets.enumerated() {
      for side in targets.count == 1 ? [0, 1] : [index % 2] {
        guard let name = library.functions.jack_port_name(masterPorts[side]) else { throw .lost }
        let result = library.functions.jack_connect(handle, name, target)
        guard result == 0 || result == EEXIST else { throw .connection(port: target) }
      }
      connected.append(target)
    }
    return connected
  }

  /// Whether anything listens to the master.
  public var isConnected: Bool { masterPorts.contains { library.functions.jack_port_connected($0) > 0 } }

  /// The full names of the server's first audio inputs that lead out of the machine.
  private func playbackPorts(_ count: Int) -> [String] {
    let flags = UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue)
    guard let found = library.functions.jack_get_ports(handle, nil, JACK_DEFAULT_AUDIO_TYPE, flags) else { return [] }
    defer { library.functions.jack_free(found) }
    var names: [String] = []
    while names.count < count, let name = found[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// A name for each track that JACK takes: without colons, not too long, and so that no port is called as another.
  private func portNames(_ wanted: [(track: String, isPair: Bool)]) -> [String] {
    let longest = Int(library.functions.jack_port_name_size()) - name.utf8.count - 16
    var taken: Set<String> = ["out_1", "out_2", "click"]
    return wanted.map { track, isPair in
      var base = track.replacing(":", with: " ")
      while base.utf8.count > longest { base.removeLast() }
      var name = base
      var number = 2
      while !taken.isDisjoint(with: Self.ports(called: name, isPair: isPair)) {
        name = "\(base) \(number)"
        number += 1
      }
      taken.formUnion(Self.ports(called: name, isPair: isPair))
      return name
    }
  }

  private static func ports(called name: String, isPair: Bool) -> [String] {
    isPair ? ["\(name)_1", "\(name)_2"] : [name]
  }

  /// JACK calls no port as another: one that is called otherwise now, or is leaving, gives its name away before another gets
  /// it.
  private func makeWay(for wanted: TrackPorts, _ names: [String]) {
    let pairs = zip(wanted.directOuts.map(\.slot), names)
    let midi = zip(wanted.midi.map(\.slot), names.dropFirst(wanted.directOuts.count))
    let pairNames = Dictionary(pairs) { first, _ in first }
    let midiNames = Dictionary(midi) { first, _ in first }
    let taken = Set(
      pairs.flatMap { Self.ports(called: $1, isPair: true) } + midi.flatMap { Self.ports(called: $1, isPair: false) })
    for (slot, pair) in directOutPorts where pair.name != pairNames[slot] {
      guard !taken.isDisjoint(with: Self.ports(called: pair.name, isPair: true)) else { continue }
      let name = nextSpareName()
      rename(pair.left, "\(name)_1")
      rename(pair.right, "\(name)_2")
      directOutPorts[slot]?.name = name
    }
    for (slot, port) in midiPorts where port.name != midiNames[slot] && taken.contains(port.name) {
      port.name = nextSpareName()
      rename(port.port, port.name)
    }
    for port in endingMIDI where taken.contains(port.name) {
      port.name = nextSpareName()
      rename(port.port, port.name)
    }
    for port in leaving {
      guard let name = library.functions.jack_port_short_name(port), taken.contains(String(cString: name)) else {
        continue
      }
      rename(port, nextSpareName())
    }
  }

  private func nextSpareName() -> String {
    spareNameCount += 1
    return "leaving \(spareNameCount)"
  }

  private func rename(_ port: OpaquePointer, _ name: String) {
    _ = library.functions.jack_port_rename(handle, port, name)
  }

  /// A track that comes back, as by an undo, has other ports than before.
  private func connectAgain(_ port: OpaquePointer, as place: TrackPort) {
    guard let targets = earlierConnections.removeValue(forKey: place) else { return }
    // One that is not there any more is refused, and left out.
    for target in targets { _ = library.functions.jack_connect(handle, library.functions.jack_port_name(port), target) }
  }

  /// A track's ports, made where they are not there.
  private func pair(
    of slot: Int64, _ name: String, _ made: inout [(port: OpaquePointer, of: TrackPort)]
  ) throws(JackError) -> PortPair {
    if let known = directOutPorts[slot] {
      if known.name != name {
        rename(known.left, "\(name)_1")
        rename(known.right, "\(name)_2")
      }
      return PortPair(name: name, left: known.left, right: known.right)
    }
    let left = try Self.register("\(name)_1", JACK_DEFAULT_AUDIO_TYPE, library, handle)
    made.append((left, TrackPort(slot: slot, kind: .left)))
    let right = try Self.register("\(name)_2", JACK_DEFAULT_AUDIO_TYPE, library, handle)
    made.append((right, TrackPort(slot: slot, kind: .right)))
    return PortPair(name: name, left: left, right: right)
  }

  private func midiPort(
    of slot: Int64, _ name: String, _ made: inout [(port: OpaquePointer, of: TrackPort)], _ rows: inout Set<Int>
  ) throws(JackError) -> JackMIDIPort {
    if let known = midiPorts[slot] {
      if known.name != name { rename(known.port, name) }
      known.name = name
      return known
    }
    let port = try Self.register(name, JACK_DEFAULT_MIDI_TYPE, library, handle)
    made.append((port, TrackPort(slot: slot, kind: .midi)))
    let row = (0..<SoundingTable.rowCount).first { !rows.contains($0) }
    if let row {
      rows.insert(row)
      table?.clear(row)
    }
    return JackMIDIPort(slot: slot, port: port, name: name, row: table == nil ? nil : row, in: table)
  }
}

/// A port by what it is for: it may have any name.
struct TrackPort: Hashable {
  enum Kind { case left, right, midi }
  /// The track's id.
  var slot: Int64
  var kind: Kind
}

/// The ports of one track.
struct PortPair {
  var name: String
  var left: OpaquePointer
  var right: OpaquePointer
}
