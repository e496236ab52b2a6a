import CJack
import DAWEngine
import Glibc

extension JackClient {
  /// Registers an output port.
  /// - Throws: `JackError.port`.
  static func register(
    _ name: String, _ type: String, _ library: JackLibrary, _ client: OpaquePointer
  ) throws(JackError) -> OpaquePointer {
    let port = library.functions.jack_port_register(client, name, type, UInt(JackPortIsOutput.rawValue), 0)
    guard let port else { throw .port(name: name) }
    return port
  }

  /// The ports that tracks are to have.
  public struct TrackPorts: Sendable {
    /// Tracks with their own pair of audio ports, in order.
    public var directOuts: [(trackID: Int64, name: String)] = []
    /// MIDI ports and their events.
    public var midi: [PlannedPort] = []
    /// The plan that `midi` belongs to.
    public var planNumber: UInt64 = 0
    /// The beats, for the timebase.
    public var beats: BeatTable?

    public init() {}
  }

  /// Control thread: adds, removes and renames the tracks' ports, and publishes their events to the audio thread.
  /// - Throws: `JackError.port`, of the first port that could not be registered: its track has none. All others are
  ///   published.
  public func publish(_ wanted: TrackPorts) throws(JackError) {
    let names = portNames(wanted.directOuts.map { ($0.name, true) } + wanted.midi.map { ($0.name, false) })
    freeNames(for: wanted, names)
    var made: [(port: OpaquePointer, of: TrackPort)] = []
    var pairs: [Int64: PortPair] = [:]
    var midi: [Int64: JackMIDIPort] = [:]
    var rows = Set((midiPorts.values + silencingMIDI + silencedMIDI).compactMap(\.row))
    var refused: JackError?
    for (track, name) in zip(wanted.directOuts, names) {
      do throws(JackError) {
        pairs[track.trackID] = try pair(of: track.trackID, name, &made)
      } catch {
        refused = refused ?? error
      }
    }
    for (port, name) in zip(wanted.midi, names.dropFirst(wanted.directOuts.count)) {
      do throws(JackError) {
        midi[port.trackID] = try midiPort(of: port.trackID, name, &made, &rows)
      } catch {
        refused = refused ?? error
      }
    }
    for (trackID, pair) in directOutPorts where pairs[trackID] == nil {
      earlierConnections[TrackPort(trackID: trackID, kind: .left)] = connections(of: pair.left)
      earlierConnections[TrackPort(trackID: trackID, kind: .right)] = connections(of: pair.right)
    }
    for (trackID, port) in midiPorts where midi[trackID] == nil {
      earlierConnections[TrackPort(trackID: trackID, kind: .midi)] = connections(of: port.port)
    }
    for (port, place) in made { restoreConnections(port, as: place) }
    // A track that has returned plays on its new ports alone.
    for index in fadingOuts.indices where pairs[fadingOuts[index].trackID] != nil { fadingOuts[index].trackID = .min }
    fadingOuts += directOutPorts.filter { pairs[$0.key] == nil }.map { (trackID: $0.key, pair: $0.value) }
    silencingMIDI += midiPorts.filter { midi[$0.key] == nil }.map(\.value)
    if !silencingMIDI.isEmpty || !fadingOuts.isEmpty { silencingEnd = .now + .milliseconds(200) }
    directOutPorts = pairs
    midiPorts = midi
    applyMonitors()
    hasNewPorts = true
    published = wanted
    publishTables()
    if let refused { throw refused }
  }

  /// Control thread: removes the ports of removed tracks, once their notes have ended, their sound has faded and the
  /// audio thread does not use them. To be called from time to time.
  public func removeRetiredPorts() {
    if !silencingMIDI.isEmpty || !fadingOuts.isEmpty, ContinuousClock.now >= silencingEnd {
      retiringPorts += silencingMIDI.map(\.port) + fadingOuts.flatMap { [$0.pair.left, $0.pair.right] }
      silencedMIDI += silencingMIDI
      silencingMIDI = []
      fadingOuts = []
      publishTables()
    }
    retiredCount += process.collect().count
    guard !retiringPorts.isEmpty else { return }
    // All tables but the newest have been retired.
    guard retiredCount == publishedCount - 1 else { return }
    for port in retiringPorts { _ = library.functions.jack_port_unregister(handle, port) }
    retiringPorts = []
    silencedMIDI = []
  }

  /// Control thread: updates the connections of MIDI ports in the `SoundingTable`. To be called from time to time:
  /// connections made since the last call are unknown to the watchdog.
  public func updateConnections() {
    guard let table else { return }
    let count = status.snapshot.connectionChangeCount
    guard hasNewPorts || count != recordedChangeCount else { return }
    (hasNewPorts, recordedChangeCount) = (false, count)
    for port in midiPorts.values + silencingMIDI {
      guard let row = port.row else { continue }
      let destinations = connections(of: port.port)
      guard destinations != port.destinations else { continue }
      port.destinations = destinations
      table.setDestinations(row, named: destinations)
    }
  }

  /// The full names of the ports connected to one of ours.
  func connections(of port: OpaquePointer) -> [String] {
    guard let found = library.functions.jack_port_get_connections(port) else { return [] }
    defer { library.functions.jack_free(UnsafeMutableRawPointer(mutating: found)) }
    var names: [String] = []
    while let name = found[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// The number of system exclusive messages that did not fit JACK's buffer and were not sent so far, by port name.
  public var lostExclusives: [String: Int] {
    var counts: [String: Int] = [:]
    for port in midiPorts.values {
      let count = port.state.pointee.lostCount.load(ordering: .relaxed)
      if count > 0 { counts[port.name] = count }
    }
    return counts
  }

  /// Any thread: silences the MIDI receivers, from the next cycle on.
  public func silenceMIDI() { process.silences.store(true, ordering: .relaxed) }

  private func publishTables() {
    let outs = published.directOuts.compactMap { track in
      directOutPorts[track.trackID].map { JackTables.DirectOut(trackID: track.trackID, left: $0.left, right: $0.right) }
    }
    let fading = fadingOuts.map {
      JackTables.DirectOut(trackID: $0.trackID, left: $0.pair.left, right: $0.pair.right)
    }
    publishedCount += 1
    retiredCount +=
      process.publish(
        JackTables(
          directOuts: outs + fading, beats: published.beats, midiPorts: Array(midiPorts.values) + silencingMIDI,
          planned: published.midi, planNumber: published.planNumber)
      ).count
  }

  /// Control thread, once the client is active: connects the master's ports.
  /// - Parameter destinations: full names of ports, connected to the left and the right side alternately; a single
  ///   one to both. `nil`: the server's first two playback ports.
  /// - Returns: the names of the ports connected.
  /// - Throws: `JackError.connection`; connections made before it remain.
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

  /// Whether the server has a port of this full name.
  public func hasPort(_ name: String) -> Bool { library.functions.jack_port_by_name(handle, name) != nil }

  /// Whether a master port is connected.
  public var isConnected: Bool { masterPorts.contains { library.functions.jack_port_connected($0) > 0 } }

  /// The full names of the server's first physical playback ports.
  private func playbackPorts(_ count: Int) -> [String] {
    let flags = JackPortIsInput.rawValue | JackPortIsPhysical.rawValue
    return Array(library.ports(handle, JACK_DEFAULT_AUDIO_TYPE, flags).prefix(count))
  }

  /// A valid and unique port name for each track: without colons, and not too long.
  private func portNames(_ wanted: [(track: String, isPair: Bool)]) -> [String] {
    var taken: Set<String> = ["out_1", "out_2", "click"]
    return wanted.map { track, isPair in
      let base = portName(track)
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

  /// A valid port name: without colons, and cut so that an ending of up to 15 bytes fits behind it.
  func portName(_ wanted: String) -> String {
    // JACK2 states 320 bytes with the client's name and a NUL byte, and cuts each name that it is given at 256.
    let size = min(Int(library.functions.jack_port_name_size()), 256)
    let longest = max(0, size - name.utf8.count - 16)
    var cut = wanted.replacing(":", with: " ")
    while cut.utf8.count > longest { cut.removeLast() }
    return cut
  }

  private static func ports(called name: String, isPair: Bool) -> [String] {
    isPair ? ["\(name)_1", "\(name)_2"] : [name]
  }

  /// Port names are unique in JACK: ports that are removed or renamed give up their names before another port needs
  /// them.
  private func freeNames(for wanted: TrackPorts, _ names: [String]) {
    let pairs = zip(wanted.directOuts.map(\.trackID), names)
    let midi = zip(wanted.midi.map(\.trackID), names.dropFirst(wanted.directOuts.count))
    let pairNames = Dictionary(pairs) { first, _ in first }
    let midiNames = Dictionary(midi) { first, _ in first }
    let taken = Set(
      pairs.flatMap { Self.ports(called: $1, isPair: true) } + midi.flatMap { Self.ports(called: $1, isPair: false) })
    for (trackID, pair) in directOutPorts where pair.name != pairNames[trackID] {
      guard !taken.isDisjoint(with: Self.ports(called: pair.name, isPair: true)) else { continue }
      let name = nextSpareName()
      rename(pair.left, "\(name)_1")
      rename(pair.right, "\(name)_2")
      directOutPorts[trackID]?.name = name
    }
    for (trackID, port) in midiPorts where port.name != midiNames[trackID] && taken.contains(port.name) {
      port.name = nextSpareName()
      rename(port.port, port.name)
    }
    for port in silencingMIDI where taken.contains(port.name) {
      port.name = nextSpareName()
      rename(port.port, port.name)
    }
    for port in retiringPorts + fadingOuts.flatMap({ [$0.pair.left, $0.pair.right] }) {
      guard let name = library.functions.jack_port_short_name(port), taken.contains(String(cString: name)) else {
        continue
      }
      rename(port, nextSpareName())
    }
  }

  func nextSpareName() -> String {
    spareNameCount += 1
    return "leaving \(spareNameCount)"
  }

  func rename(_ port: OpaquePointer, _ name: String) {
    _ = library.functions.jack_port_rename(handle, port, name)
  }

  /// Restores the connections of a track that was removed and returns, as after an undo.
  private func restoreConnections(_ port: OpaquePointer, as place: TrackPort) {
    guard let targets = earlierConnections.removeValue(forKey: place) else { return }
    // A port that does not exist any more is refused, and skipped.
    for target in targets { _ = library.functions.jack_connect(handle, library.functions.jack_port_name(port), target) }
  }

  /// A track's ports, registered if they do not exist.
  private func pair(
    of trackID: Int64, _ name: String, _ made: inout [(port: OpaquePointer, of: TrackPort)]
  ) throws(JackError) -> PortPair {
    if let known = directOutPorts[trackID] {
      if known.name != name {
        rename(known.left, "\(name)_1")
        rename(known.right, "\(name)_2")
      }
      return PortPair(name: name, left: known.left, right: known.right)
    }
    let left = try Self.register("\(name)_1", JACK_DEFAULT_AUDIO_TYPE, library, handle)
    let right: OpaquePointer
    do throws(JackError) {
      right = try Self.register("\(name)_2", JACK_DEFAULT_AUDIO_TYPE, library, handle)
    } catch {
      _ = library.functions.jack_port_unregister(handle, left)
      throw error
    }
    made.append((left, TrackPort(trackID: trackID, kind: .left)))
    made.append((right, TrackPort(trackID: trackID, kind: .right)))
    return PortPair(name: name, left: left, right: right)
  }

  private func midiPort(
    of trackID: Int64, _ name: String, _ made: inout [(port: OpaquePointer, of: TrackPort)], _ rows: inout Set<Int>
  ) throws(JackError) -> JackMIDIPort {
    if let known = midiPorts[trackID] {
      if known.name != name { rename(known.port, name) }
      known.name = name
      return known
    }
    let port = try Self.register(name, JACK_DEFAULT_MIDI_TYPE, library, handle)
    made.append((port, TrackPort(trackID: trackID, kind: .midi)))
    let row = (0..<SoundingTable.rowCount).first { !rows.contains($0) }
    if let row {
      rows.insert(row)
      table?.clear(row)
    }
    return JackMIDIPort(trackID: trackID, port: port, name: name, row: table == nil ? nil : row, in: table)
  }
}

/// A port's identity, independent of its name.
struct TrackPort: Hashable {
  enum Kind { case left, right, midi }
  var trackID: Int64
  var kind: Kind
}

/// The audio ports of a track.
struct PortPair {
  var name: String
  var left: OpaquePointer
  var right: OpaquePointer
}
